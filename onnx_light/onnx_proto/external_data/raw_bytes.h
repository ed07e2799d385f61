// The elements of a tensor as raw_data has them, wherever the tensor keeps them.
#pragma once

#include <optional>

#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE {

/// The bytes of raw_data, or the same made from the typed field of the tensor's type: borrowed from the tensor where the field has the
/// bytes as they are (the tensor has to stay unchanged as long as the span is read), else a block of their own. Empty where that would lose
/// something: strings, a field or a size that is not what shape and type say, no elements anywhere. Raw bytes of a type without a size are
/// taken as they are.
ONNX_LIGHT_API std::optional<utils::ByteSpan> RawBytesOf(const TensorProto& tensor);

/// Whether a tensor has elements of its own, in any field.
ONNX_LIGHT_API bool HasElements(const TensorProto& tensor);
/// Forgets all elements.
ONNX_LIGHT_API void ClearElements(TensorProto& tensor);

}  // namespace ONNX_LIGHT_NAMESPACE
