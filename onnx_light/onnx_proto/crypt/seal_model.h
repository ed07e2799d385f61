// An encrypted model into memory that the caller has: for strings, and for objects of other languages.
#pragma once

#include <functional>

#include "onnx_proto/onnx_crypt.h"

namespace ONNX_LIGHT_NAMESPACE::crypt {

/// `room` is asked once for as many bytes as the container has, which are then all written. Throws what SaveEncryptedModelToString does.
ONNX_LIGHT_API void SealModel(const ModelProto& model, std::string_view key, const EncryptionOptions& options,
                              const std::function<char*(uint64_t size)>& room);

}  // namespace ONNX_LIGHT_NAMESPACE::crypt
