// From streams to messages and back, and payloads of models.
#pragma once

#include <functional>  // for callbacks that return a std::function
#include <memory>

#include "onnx_proto/onnx.h"
#include "onnx_proto/stream.h"

namespace ONNX_LIGHT_NAMESPACE {

/// Parses the whole stream into `proto`. Throws ParseError or FileError, with `proto` as it was.
template <class Proto>
void ParseProtoFromStream(Proto& proto, utils::BinaryStream& stream, const ParseOptions& options = {}) {
  proto.ParseFromStream(stream, options);
}
/// Writes `proto`, which stays as it is. Throws SerializeError before anything is written, or FileError.
template <class Proto>
void SerializeProtoToStream(const Proto& proto, utils::BinaryWriteStream& stream, const SerializeOptions& options = {}) {
  proto.SerializeToStream(stream, options);
}
inline void ParseModelProtoFromStream(ModelProto& model, utils::BinaryStream& stream, const ParseOptions& options = {}) {
  ParseProtoFromStream(model, stream, options);
}
inline void SerializeModelProtoToStream(const ModelProto& model, utils::BinaryWriteStream& stream, const SerializeOptions& options = {}) {
  SerializeProtoToStream(model, stream, options);
}

/// Copies the payloads of at least `raw_data_threshold` bytes, wherever their tensors are in the model, into one block in the order of the
/// walk, each at a multiple of `alignment`, as is the block; gaps are zero. The tensors then borrow from the block and keep it, as does the
/// result (null if there was nothing to move). Nobody writes into it: a tensor that is changed gets bytes of its own.
/// Throws std::invalid_argument for an alignment below 0 or above 1 GiB, std::bad_alloc; then nothing has changed.
ONNX_LIGHT_API std::shared_ptr<uint8_t[]> ConsolidateTensorsToBuffer(ModelProto& model, const TensorBufferOptions& options = {});

/// Lets go of every payload that is borrowed (slices of mapped files, of buffers, of a consolidated block): `raw_data` becomes absent. A
/// file is unmapped when nobody else shares the mapping. Gives the number of payload bytes.
ONNX_LIGHT_API size_t ReleaseWeights(ModelProto& model);

}  // namespace ONNX_LIGHT_NAMESPACE
