// From streams to messages and back.
#pragma once

#include "onnx_proto/onnx.h"

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

}  // namespace ONNX_LIGHT_NAMESPACE
