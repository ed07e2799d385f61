// The words of the ONNX syntax: identifiers, names of types, and where a tensor of each type keeps its elements.
#pragma once

#include <array>
#include <string_view>

#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

constexpr bool IsWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsWordPart(char c) { return IsWordStart(c) || IsDigit(c); }
bool IsIdentifier(std::string_view name);

// What a type begins with. kData: an element type.
enum class TypeWord : uint8_t { kNone, kData, kSequence, kMap, kOptional, kSparseTensor, kOpaque };
TypeWord FindTypeWord(std::string_view word);
std::string_view WordOf(TypeWord word);

// Element types are spelled as their enum names in small letters. 0 and "" if there is none.
int32_t FindDataType(std::string_view word);
std::string_view DataTypeWord(int32_t data_type);

// Attribute types likewise.
int32_t FindAttributeType(std::string_view word);
std::string_view AttributeTypeWord(int32_t type);
// INTS for INT and INTS; 0 for 0.
int32_t ListAttributeType(int32_t attribute_type);
// INT for INT and INTS.
int32_t ItemAttributeType(int32_t attribute_type);

// How the elements of a data type are spelled and stored.
struct DataForm {
  int field = 0;          // the field of TensorProto for elements that are not bytes; 0: there is no such type
  uint8_t width = 0;      // bytes of an element in raw_data (of a complex one: of each part); 0: it has no bytes
  bool is_signed = true;  // integers in raw_data
};
DataForm DataFormOf(int32_t data_type);

// "inf", "infinity" and "nan" in letters of any size.
enum class RealWord : uint8_t { kNone, kInfinity, kNan };
RealWord FindRealWord(std::string_view word);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
