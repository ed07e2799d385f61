// Between messages and streams, for those who have only heard of streams: stream.h says what they are.
#pragma once

#include <iosfwd>
#include <string_view>

#include "onnx_proto/fields/message.h"
#include "onnx_proto/serialize_options.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

class BinaryStream;
class BinaryWriteStream;

}  // namespace ONNX_LIGHT_NAMESPACE::utils

namespace ONNX_LIGHT_NAMESPACE::proto {

// What the methods of a message do with streams. All or nothing as far as the message is concerned.
ONNX_LIGHT_API void ParseStream(const Table& table, Message& message, utils::BinaryStream& stream, const ParseOptions& options);
ONNX_LIGHT_API void ParseIstream(const Table& table, Message& message, std::istream& in, const ParseOptions& options);
ONNX_LIGHT_API void SerializeStream(const Table& table, const Message& message, utils::BinaryWriteStream& stream,
                                    const SerializeOptions& options);
ONNX_LIGHT_API bool SerializeOstream(const Table& table, const Message& message, std::ostream& out, const SerializeOptions& options);
ONNX_LIGHT_API bool SerializeArray(const Table& table, const Message& message, void* data, size_t size, const SerializeOptions& options);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
