#include "onnx_proto/tensor_size.h"

namespace ONNX_LIGHT_NAMESPACE {

std::optional<ElementType> ElementTypeOf(int32_t data_type) {
  switch (data_type) {
    case TensorProto::FLOAT: return ElementType{32, "float_data", 1, 1};
    case TensorProto::DOUBLE: return ElementType{64, "double_data", 1, 1};
    case TensorProto::COMPLEX64: return ElementType{64, "float_data", 1, 2};
    case TensorProto::COMPLEX128: return ElementType{128, "double_data", 1, 2};
    case TensorProto::INT64: return ElementType{64, "int64_data", 1, 1};
    case TensorProto::UINT64: return ElementType{64, "uint64_data", 1, 1};
    case TensorProto::UINT32: return ElementType{32, "uint64_data", 1, 1};
    case TensorProto::STRING: return ElementType{0, "string_data", 1, 1};
    case TensorProto::INT32: return ElementType{32, "int32_data", 1, 1};
    case TensorProto::INT16:
    case TensorProto::UINT16:
    case TensorProto::FLOAT16:
    case TensorProto::BFLOAT16: return ElementType{16, "int32_data", 1, 1};
    case TensorProto::INT8:
    case TensorProto::UINT8:
    case TensorProto::BOOL:
    case TensorProto::FLOAT8E4M3FN:
    case TensorProto::FLOAT8E4M3FNUZ:
    case TensorProto::FLOAT8E5M2:
    case TensorProto::FLOAT8E5M2FNUZ:
    case TensorProto::FLOAT8E8M0: return ElementType{8, "int32_data", 1, 1};
    case TensorProto::UINT4:
    case TensorProto::INT4:
    case TensorProto::FLOAT4E2M1: return ElementType{4, "int32_data", 2, 1};
    case TensorProto::UINT2:
    case TensorProto::INT2: return ElementType{2, "int32_data", 4, 1};
    case TensorProto::FLOAT6E2M3:
    case TensorProto::FLOAT6E3M2: return ElementType{6, "int32_data", 1, 1};
    default: return std::nullopt;
  }
}

int BitsPerElement(int32_t data_type) {
  const std::optional<ElementType> type = ElementTypeOf(data_type);
  return type ? type->bits : 0;
}

std::optional<uint64_t> ElementCount(const TensorProto& tensor) {
  uint64_t count = 1;
  bool wraps = false, none = false;
  for (const int64_t dim : tensor.dims()) {
    if (dim < 0) return std::nullopt;
    none |= dim == 0;
    wraps |= __builtin_mul_overflow(count, static_cast<uint64_t>(dim), &count) || count > INT64_MAX;
  }
  if (none) return 0;  // whatever the others are
  return wraps ? std::nullopt : std::optional(count);
}

std::optional<uint64_t> PayloadSize(const TensorProto& tensor) {
  const auto bits = static_cast<uint64_t>(BitsPerElement(tensor.data_type()));
  const std::optional<uint64_t> count = ElementCount(tensor);
  if (bits == 0 || !count) return std::nullopt;
  if (bits >= 8) {
    uint64_t size = 0;
    return __builtin_mul_overflow(*count, bits / 8, &size) || size > INT64_MAX ? std::nullopt : std::optional(size);
  }
  return *count / 8 * bits + (*count % 8 * bits + 7) / 8;  // eight elements take a whole number of bytes
}

std::string ShapeAndType(const TensorProto& tensor) {
  constexpr size_t kMost = 16;  // as many as anybody reads
  std::string text = "shape [";
  size_t shown = 0;
  for (const int64_t dim : tensor.dims()) {
    if (shown == kMost) {
      text += ", …";
      break;
    }
    if (shown++) text += ", ";
    text += std::to_string(dim);
  }
  const std::string name = TensorProto::DataType_Name(tensor.data_type());
  return text + "] of type " + (name.empty() ? std::to_string(tensor.data_type()) : name);
}

}  // namespace ONNX_LIGHT_NAMESPACE
