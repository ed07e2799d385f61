#include "onnx_proto/text/syntax_words.h"

#include <algorithm>

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

constexpr char Small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool EqualNoCase(std::string_view word, std::string_view small) {
  return std::equal(word.begin(), word.end(), small.begin(), small.end(), [](char a, char b) { return Small(a) == b; });
}

// The names of an enum in small letters, by number.
struct SmallNames {
  static constexpr size_t kRoom = 24;
  std::array<std::array<char, kRoom>, 32> text{};
  std::array<uint8_t, 32> size{};
  size_t count = 0;

  constexpr explicit SmallNames(const EnumTable& table) : count(table.values.size()) {
    for (size_t i = 0; i < count; ++i) {
      const std::string_view name = table.values[i].name;
      for (size_t c = 0; c < name.size(); ++c) text[i][c] = Small(name[c]);
      size[i] = static_cast<uint8_t>(name.size());
    }
  }
  constexpr std::string_view operator[](int32_t number) const {
    if (number <= 0 || static_cast<size_t>(number) >= count) return {};
    return {text[static_cast<size_t>(number)].data(), size[static_cast<size_t>(number)]};
  }
  // 0, which is UNDEFINED in both enums and no word, if there is none.
  int32_t Find(std::string_view word) const {
    for (int32_t i = 1; i < static_cast<int32_t>(count); ++i) {
      if ((*this)[i] == word) return i;
    }
    return 0;
  }
};
constexpr SmallNames kDataTypes(TensorProto::kDataTypeTable);
constexpr SmallNames kAttributeTypes(AttributeProto::kAttributeTypeTable);

constexpr std::string_view kTypeWords[] = {"", "", "seq", "map", "optional", "sparse_tensor", "opaque"};

}  // namespace

bool IsIdentifier(std::string_view name) {
  return !name.empty() && IsWordStart(name[0]) && std::all_of(name.begin() + 1, name.end(), [](char c) { return IsWordPart(c); });
}

TypeWord FindTypeWord(std::string_view word) {
  for (size_t i = 2; i < std::size(kTypeWords); ++i) {
    if (word == kTypeWords[i]) return static_cast<TypeWord>(i);
  }
  return FindDataType(word) ? TypeWord::kData : TypeWord::kNone;
}

std::string_view WordOf(TypeWord word) { return kTypeWords[static_cast<size_t>(word)]; }
int32_t FindDataType(std::string_view word) { return kDataTypes.Find(word); }
std::string_view DataTypeWord(int32_t data_type) { return kDataTypes[data_type]; }
int32_t FindAttributeType(std::string_view word) { return kAttributeTypes.Find(word); }
std::string_view AttributeTypeWord(int32_t type) { return kAttributeTypes[type]; }

int32_t ListAttributeType(int32_t attribute_type) {
  switch (attribute_type) {
    case AttributeProto::FLOAT:
    case AttributeProto::INT:
    case AttributeProto::STRING:
    case AttributeProto::TENSOR:
    case AttributeProto::GRAPH: return attribute_type + (AttributeProto::FLOATS - AttributeProto::FLOAT);
    case AttributeProto::SPARSE_TENSOR: return AttributeProto::SPARSE_TENSORS;
    case AttributeProto::TYPE_PROTO: return AttributeProto::TYPE_PROTOS;
    default: return attribute_type;
  }
}

int32_t ItemAttributeType(int32_t attribute_type) {
  for (int32_t item = 1; item < attribute_type; ++item) {
    if (ListAttributeType(item) == attribute_type) return item;
  }
  return attribute_type;
}

DataForm DataFormOf(int32_t data_type) {
  constexpr int kFloatData = 4;
  constexpr int kInt32Data = 5;
  constexpr int kStringData = 6;
  constexpr int kInt64Data = 7;
  constexpr int kDoubleData = 10;
  constexpr int kUint64Data = 11;
  switch (data_type) {
    case TensorProto::FLOAT:
    case TensorProto::COMPLEX64: return {kFloatData, 4};
    case TensorProto::DOUBLE:
    case TensorProto::COMPLEX128: return {kDoubleData, 8};
    case TensorProto::STRING: return {kStringData, 0};
    case TensorProto::INT64: return {kInt64Data, 8};
    case TensorProto::UINT64: return {kUint64Data, 8, false};
    case TensorProto::UINT32: return {kUint64Data, 4, false};
    case TensorProto::INT32: return {kInt32Data, 4};
    case TensorProto::INT16: return {kInt32Data, 2};
    case TensorProto::INT8: return {kInt32Data, 1};
    case TensorProto::UINT16:
    case TensorProto::FLOAT16:
    case TensorProto::BFLOAT16: return {kInt32Data, 2, false};
    default:  // bytes, and what is smaller and lies several to a byte
      return TensorProto::DataType_IsValid(data_type) && data_type != TensorProto::UNDEFINED ? DataForm{kInt32Data, 1, false} : DataForm{};
  }
}

RealWord FindRealWord(std::string_view word) {
  if (EqualNoCase(word, "nan")) return RealWord::kNan;
  return EqualNoCase(word, "inf") || EqualNoCase(word, "infinity") ? RealWord::kInfinity : RealWord::kNone;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
