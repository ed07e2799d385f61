// What the element types of tensors are: their size in raw_data and the field of typed storage. The one table of it for C++.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE::graph {

struct ElementType {
  int bits;                // of one element in raw_data; 0 for strings
  std::string_view field;  // of a TensorProto
  int per_entry;           // elements in one entry of the field
  int entries;             // entries for one element, where it is more than one
};

/// Nothing for UNDEFINED and for numbers that are no TensorProto::DataType.
ONNX_LIGHT_API std::optional<ElementType> ElementTypeOf(int32_t data_type);
/// The number of elements of a shape; nothing if a dimension is negative or the product needs more than 63 bits.
ONNX_LIGHT_API std::optional<int64_t> ElementCount(const TensorProto& tensor);

}  // namespace ONNX_LIGHT_NAMESPACE::graph
