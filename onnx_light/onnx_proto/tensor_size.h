// What the element types of tensors are, and how many bytes the elements of a tensor take, from its shape and type: products that cannot
// wrap, packed types counted in bits. The one table of element types for C++.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE {

struct ElementType {
  int bits;                // of one element in raw_data; 0 for strings
  std::string_view field;  // of a TensorProto
  int per_entry;           // elements in one entry of the field
  int entries;             // entries for one element, where it is more than one
};

/// Nothing for UNDEFINED and for numbers that are no TensorProto::DataType.
ONNX_LIGHT_API std::optional<ElementType> ElementTypeOf(int32_t data_type);

/// Bits of one element in raw_data: 64, 32, 16, 8, and 6, 4 or 2 for packed types, whose elements follow each other without gaps, lowest
/// bits first. 0 for STRING, UNDEFINED and types that are not known.
ONNX_LIGHT_API int BitsPerElement(int32_t data_type);

/// The product of the dimensions; 1 without dimensions. Empty if one is negative or the product exceeds 63 bits.
ONNX_LIGHT_API std::optional<uint64_t> ElementCount(const TensorProto& tensor);

/// Bytes that raw_data has to have. Empty where nobody can say: types without a size, and shapes without a count.
ONNX_LIGHT_API std::optional<uint64_t> PayloadSize(const TensorProto& tensor);

/// `shape [2, 3] of type FLOAT`, for errors.
ONNX_LIGHT_API std::string ShapeAndType(const TensorProto& tensor);

}  // namespace ONNX_LIGHT_NAMESPACE
