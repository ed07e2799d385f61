// An encrypted model into memory that the caller has, or piece by piece: for strings, and for objects of other languages.
#pragma once

#include <functional>

#include "onnx_proto/onnx_crypt.h"
#include "onnx_proto/stream.h"

namespace ONNX_LIGHT_NAMESPACE::crypt {

/// `room` is asked once for as many bytes as the container has, which are then all written. Throws what SaveEncryptedModelToString does.
ONNX_LIGHT_API void SealModel(const ModelProto& model, std::string_view key, const EncryptionOptions& options,
                              const std::function<char*(uint64_t size)>& room);
/// Writes about half a MiB at a time, on this thread. Throws what SaveEncryptedModelToString does, and what the target throws.
ONNX_LIGHT_API void SealModelTo(utils::BinaryWriteStream& target, const ModelProto& model, std::string_view key,
                                const EncryptionOptions& options);

}  // namespace ONNX_LIGHT_NAMESPACE::crypt
