// What is parsed: bytes, and who keeps them alive beyond the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "onnx_proto/fields/message.h"
#include "onnx_proto/serialize_options.h"
#include "onnx_proto/storage/payload_owner.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

struct ParseSource {
  std::string_view bytes;
  // Where not null, large payloads share the source through it instead of being copied.
  PayloadOwner* owner = nullptr;
  // The shared payloads count as owned (the source is a block of this library) or as borrowed.
  bool owned = true;
};

// What to expect of the arena: the structure of a graph takes about three times its wire bytes; of payload bytes nothing goes there.
inline size_t ExpectedArena(size_t wire_bytes) { return wire_bytes < SIZE_MAX / 4 ? wire_bytes * 3 : SIZE_MAX / 4; }

// Parses into an empty message that nobody has seen yet. Throws ParseError; the message then holds a part of the source.
void ParseFresh(const Table& table, Message& fresh, const ParseSource& source, const ParseOptions& options, bool root);

// Parses into a message: a C++ value gets a new arena, so that parsing into one message again and again does not grow it.
ONNX_LIGHT_API void ParseInto(const Table& table, Message& message, const ParseSource& source, const ParseOptions& options);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
