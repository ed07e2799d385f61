// The numbers of a tensor's typed fields as bytes, all at once: numpy reads and makes such bytes in one step.
#pragma once

#include <string_view>

#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// The memory of a numeric field (float_data, int32_data, int64_data, double_data, uint64_data), in the machine's byte order. It stays as
// long as the field is not changed. Throws std::invalid_argument for another field.
std::string_view TypedBytes(const TensorProto& tensor, std::string_view field);

// Appends numbers that lie in memory as TypedBytes gives them. Throws std::invalid_argument for another field, or a part of a number.
void AppendTypedBytes(TensorProto& tensor, std::string_view field, std::string_view bytes);

}  // namespace ONNX_LIGHT_NAMESPACE::py
