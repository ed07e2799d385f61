// Storing what a text reader has read, by row; and replacing a message as a whole.
#pragma once

#include <functional>

#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

// Where one more number of a field belongs: in the field, or at the end of the list.
inline void* PlaceForNumber(Message& message, const Row& row) {
  return IsList(row.kind) ? Verbs::Append(message, row) : Verbs::Present(message, row);
}

// An integer given as sign and magnitude; false if the type of the field does not have it. Enums are taken as they are.
inline bool StoreInteger(Message& message, const Row& row, bool negative, uint64_t magnitude) {
  const auto fits = [&](uint64_t largest) { return magnitude <= largest + (negative ? 1 : 0); };
  const uint64_t bits = negative ? ~magnitude + 1 : magnitude;
  switch (row.kind) {
    case Kind::kInt64:
    case Kind::kInt64s:
      if (!fits(INT64_MAX)) return false;
      *static_cast<int64_t*>(PlaceForNumber(message, row)) = static_cast<int64_t>(bits);
      return true;
    case Kind::kUint64s:
      if (negative && magnitude) return false;
      *static_cast<uint64_t*>(PlaceForNumber(message, row)) = magnitude;
      return true;
    default:
      if (!fits(INT32_MAX)) return false;
      *static_cast<int32_t*>(PlaceForNumber(message, row)) = static_cast<int32_t>(static_cast<uint32_t>(bits));
      return true;
  }
}

inline void StoreString(Message& message, const Row& row, std::string_view value) {
  if (row.kind == Kind::kPayload) {
    utils::ByteSpan span;
    span.assign(value);
    return Verbs::SetPayload(message, row, std::move(span));
  }
  if (!IsList(row.kind)) return Verbs::SetString(message, row, value);
  static_cast<StringHandle*>(Verbs::Append(message, row))->Assign(message.arena(), value);
}

// A child to be filled: the field's, or one more of the list.
inline Message& StoreChild(Message& message, const Row& row) {
  return *(IsList(row.kind) ? static_cast<Message*>(Verbs::Append(message, row)) : Verbs::Child(message, row));
}

// `message` becomes what `fill` makes of an empty one; it stays as it was if that throws. The arena is made for so many bytes.
void ReplaceMessage(const Table& table, Message& message, size_t expected_bytes, const std::function<void(Message&)>& fill);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
