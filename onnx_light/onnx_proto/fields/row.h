// What a FIELD line leaves behind: a constexpr row. Every verb reads it, none needs more.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class Message;
class Parser;
class Writer;
class Cloner;
struct Table;

// clang-format off
// The type of a field; a list's is that of its elements plus "s". No field of ONNX is a single double or uint64, nor a list of enums.
enum class Kind : uint8_t {
  kInt64, kInt32, kEnum, kFloat,                  // numbers, in presence
  kString, kBytes, kPayload, kMessage,            // kPayload: bytes that are a tensor's, in a ByteSpan
  kInt64s, kInt32s, kUint64s, kFloats, kDoubles,  // lists of numbers
  kStrings, kByteStrings, kMessages,              // lists of the rest
};
// clang-format on
constexpr bool IsList(Kind kind) { return kind >= Kind::kInt64s; }
constexpr bool IsNumberList(Kind kind) { return kind >= Kind::kInt64s && kind <= Kind::kDoubles; }
constexpr bool IsStringList(Kind kind) { return kind == Kind::kStrings || kind == Kind::kByteStrings; }
constexpr bool IsString(Kind kind) { return kind == Kind::kString || kind == Kind::kBytes; }
constexpr bool IsNumber(Kind kind) { return kind <= Kind::kFloat; }
// Bytes that a number, or one element of a list, takes in memory; 0 for messages, whose table says it.
constexpr size_t ElementSize(Kind kind) {
  switch (kind) {
    case Kind::kInt32:
    case Kind::kEnum:
    case Kind::kFloat:
    case Kind::kInt32s:
    case Kind::kFloats: return 4;
    case Kind::kStrings:
    case Kind::kByteStrings: return 16;
    case Kind::kMessages: return 0;
    default: return 8;
  }
}

// How a number looks on the wire.
enum class Wire : uint8_t { kVarint = 0, kFixed64 = 1, kLength = 2, kGroup = 3, kEndGroup = 4, kFixed32 = 5 };
constexpr Wire WireOf(Kind kind) {
  switch (kind) {
    case Kind::kFloat:
    case Kind::kFloats: return Wire::kFixed32;
    case Kind::kDoubles: return Wire::kFixed64;
    case Kind::kInt64:
    case Kind::kInt32:
    case Kind::kEnum:
    case Kind::kInt64s:
    case Kind::kInt32s:
    case Kind::kUint64s: return Wire::kVarint;
    default: return Wire::kLength;
  }
}

// Where a field lives: in the object; in the object's one shared slot while that is free; or, when set, in the block of rare slots.
enum class Place : uint8_t { kHere, kValue, kRare };

struct EnumValue {
  std::string_view name;
  int32_t number;
};
// An enum: its numbers run from 0 without a gap, so the index in `values` is the number.
struct EnumTable {
  std::string_view name;  // "TensorProto.DataType"
  std::span<const EnumValue> values;
  constexpr bool Has(int64_t number) const { return number >= 0 && number < static_cast<int64_t>(values.size()); }
};

struct Row {
  uint8_t number = 0;
  Kind kind{};
  Place place{};
  uint16_t offset = 0;  // in the object; of the shared slot for Place::kValue
  std::string_view name = {};
  std::string_view oneof = {};
  std::string_view doc = {};
  const Table& (*child)() = nullptr;       // of messages
  const EnumTable* enumeration = nullptr;  // of enums
  bool packed = false;
  bool repeats = false;   // the same few strings again and again (op_type): worth interning
  uint8_t index = 0;      // in its table
  uint32_t siblings = 0;  // the other members of its oneof, as presence bits

  constexpr uint32_t bit() const { return 1u << number; }
};

// All that is known of a message type. One object a type, so tables are compared by address.
struct Table {
  std::string_view name;       // without package: "TypeProto.Tensor"
  std::string_view full_name;  // "onnx.TypeProto.Tensor"
  std::string_view doc;
  std::span<const Row> rows;  // ascending by number
  std::array<uint8_t, 32> index_of_number{};
  uint16_t size = 0;
  bool has_payload = false;
  void (*parse)(Parser&, Message&, const char* begin, const char* end) = nullptr;
  void (*write)(Writer&, const Message&) = nullptr;
  void (*clone)(Cloner&, Message& fresh, const Message& from) = nullptr;
  bool (*equal)(const Message&, const Message&, int depth) = nullptr;

  // The field must be there.
  const Row& RowOf(int number) const { return rows[index_of_number[static_cast<size_t>(number)]]; }
  // Null if there is none.
  const Row* Find(std::string_view field) const;
  const Row* Find(uint32_t number) const {
    return number < 32 && !rows.empty() && rows[index_of_number[number]].number == number ? &rows[index_of_number[number]] : nullptr;
  }
};

// Every message type, in the order of declaration.
ONNX_LIGHT_API std::span<const Table* const> AllTables();
// By name without package ("NodeProto", "TypeProto.Tensor"); null if there is none.
ONNX_LIGHT_API const Table* FindTable(std::string_view name);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
