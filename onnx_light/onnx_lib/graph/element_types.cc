#include "onnx_lib/graph/element_types.h"

namespace ONNX_LIGHT_NAMESPACE::graph {

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

std::optional<int64_t> ElementCount(const TensorProto& tensor) {
  int64_t count = 1;
  bool is_empty = false;
  bool overflows = false;
  for (int i = 0; i < tensor.dims_size(); ++i) {
    const int64_t size = tensor.dims(i);
    if (size < 0) return std::nullopt;
    is_empty = is_empty || size == 0;
    if (!overflows && size != 0) overflows = count > INT64_MAX / size, count = overflows ? count : count * size;
  }
  if (is_empty) return 0;
  return overflows ? std::nullopt : std::optional<int64_t>(count);
}

}  // namespace ONNX_LIGHT_NAMESPACE::graph
