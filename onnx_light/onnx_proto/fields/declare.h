// From the FIELD lines of a class to its table: the templates that collect the rows.
//
// A class may not use its own rows while its body is read (they are not complete there); so accessors know a Location, and everything
// below is instantiated in the library's sources only, behind `TableOf`.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "onnx_proto/fields/message.h"
#include "onnx_proto/simple_string.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

template <int N>
struct Number {
  static_assert(N > 0 && N < 32, "field numbers run from 1 to 31: presence is one bit a number in a 32-bit word");
};

// A field whose name is a word of C++ is declared with an underscore behind it, as protoc spells it.
constexpr std::string_view FieldName(std::string_view declared) {
  if (declared.ends_with('_')) declared.remove_suffix(1);
  return declared;
}

// ---- the types that FIELD lines name

template <class T>
inline constexpr bool kIsMessage = std::is_class_v<T>;  // as far as a class body can tell: the type may be incomplete there
template <class T>
inline constexpr bool kAlways = false;

// clang-format off
template <class T>
constexpr Kind KindOf() {
  if constexpr (std::is_same_v<T, int64_t>) return Kind::kInt64;
  else if constexpr (std::is_same_v<T, int32_t>) return Kind::kInt32;
  else if constexpr (std::is_same_v<T, float>) return Kind::kFloat;
  else if constexpr (std::is_enum_v<T>) return Kind::kEnum;
  else if constexpr (kIsMessage<T>) return Kind::kMessage;
  else static_assert(kAlways<T>, "FIELD knows int64_t, int32_t, float, enums and messages; a new type needs a Kind and its place in each verb");
}
template <class T>
constexpr Kind ListKindOf() {
  if constexpr (std::is_same_v<T, int64_t>) return Kind::kInt64s;
  else if constexpr (std::is_same_v<T, int32_t>) return Kind::kInt32s;
  else if constexpr (std::is_same_v<T, uint64_t>) return Kind::kUint64s;
  else if constexpr (std::is_same_v<T, float>) return Kind::kFloats;
  else if constexpr (std::is_same_v<T, double>) return Kind::kDoubles;
  else if constexpr (kIsMessage<T>) return Kind::kMessages;
  else static_assert(kAlways<T>, "FIELD_REPEATED knows int64_t, int32_t, uint64_t, float, double and messages; a new type needs a Kind");
}

template <class T>
ONNX_LIGHT_API const Table& TableOf();  // one instantiation a message, in messages/*.cc
template <class E>
constexpr const EnumTable* EnumTableOf() {
  if constexpr (std::is_enum_v<E>) return DescribeEnum(E{});
  else return nullptr;
}
template <class T>
constexpr auto ChildTable() -> const Table& (*)() {
  if constexpr (kIsMessage<T>) return &TableOf<T>;
  else return nullptr;
}

// ---- collecting the rows

template <class T, int N>
concept HasRow = (N > 0) && requires { T::RowFor(Number<N>{}); };
// The message type of field N. Behind a struct, so that it is looked up when N is known: most types have no ChildFor at all.
template <class T, int N>
struct ChildType {
  using type = typename decltype(T::ChildFor(Number<N>{}))::type;
};
template <class T, int N>
using ChildOf = typename ChildType<T, N>::type;

using FieldNumbers = std::make_integer_sequence<int, 32>;

template <class T>
constexpr auto MakeRows() {
  return []<int... N>(std::integer_sequence<int, N...>) {
    std::array<Row, (size_t{0} + ... + size_t{HasRow<T, N>})> rows{};
    size_t count = 0;
    ([&] { if constexpr (HasRow<T, N>) rows[count++] = T::RowFor(Number<N>{}); }(), ...);
    for (Row& row : rows) {
      row.index = static_cast<uint8_t>(&row - rows.data());
      for (const Row& other : rows) {
        if (&other != &row && !row.oneof.empty() && row.oneof == other.oneof) row.siblings |= other.bit();
      }
    }
    return rows;
  }(FieldNumbers{});
}
template <class T>
inline constexpr auto kRows = MakeRows<T>();

// The row of field N in the table: objects may remember its address.
template <class T, int N>
constexpr const Row& RowOf() {
  size_t index = 0;
  while (kRows<T>[index].number != N) ++index;
  return kRows<T>[index];
}

template <class T, class Visit>
[[gnu::always_inline]] inline void ForEachField(Visit visit) {
  [&]<int... N>(std::integer_sequence<int, N...>) {
    ([&] { if constexpr (HasRow<T, N>) visit.template operator()<N>(); }(), ...);
  }(FieldNumbers{});
}
template <class T, class Visit>
[[gnu::always_inline]] inline void ForEachFieldBackwards(Visit visit) {
  [&]<int... N>(std::integer_sequence<int, N...>) {
    ([&] { if constexpr (HasRow<T, 31 - N>) visit.template operator()<31 - N>(); }(), ...);
  }(FieldNumbers{});
}

// clang-format on

template <class T>
constexpr bool HasPayload() {
  for (const Row& row : kRows<T>) {
    if (row.kind == Kind::kPayload) return true;
  }
  return false;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
