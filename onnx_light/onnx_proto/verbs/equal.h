// Deep equality, instantiated from the rows: presence counts, numbers are compared by their bits, unknown fields by their values.
#pragma once

#include "onnx_proto/fields/declare.h"
#include "onnx_proto/verbs/message_verbs.h"
#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

[[noreturn]] void ComparedTooDeep(std::string_view name);

template <class T, int N>
[[gnu::always_inline]] inline bool EqualField(const Message& a, const Message& b, int depth) {
  static constexpr Row row = RowOf<T, N>();
  if constexpr (IsList(row.kind)) {
    if constexpr (row.place == Place::kRare) {
      return Verbs::EqualItems(Verbs::ItemsOf(a, row), Verbs::ItemsOf(b, row), row, depth);
    } else if constexpr (row.kind == Kind::kMessages) {
      using C = ChildOf<T, N>;
      const ListHandle& x = Verbs::ItemsOf(a, row);
      const ListHandle& y = Verbs::ItemsOf(b, row);
      if (x.count != y.count) return false;
      const auto at = [](const ListHandle& items, size_t i) -> const Message& {
        return *static_cast<const Message*>(items.pointers() ? reinterpret_cast<void**>(items.data())[i]
                                                             : static_cast<void*>(items.data() + i * sizeof(C)));
      };
      for (size_t i = 0; i < x.count; ++i) {
        if (!MessageVerbs<C>::Equal(at(x, i), at(y, i), depth + 1)) return false;
      }
      return true;
    } else {
      return Verbs::EqualItems(Verbs::ItemsOf(a, row), Verbs::ItemsOf(b, row), row, depth);
    }
  } else {
    if (!a.Has(row)) return true;  // nor has b: the bits are equal
    const Slot* x = a.FindSlot(row);
    const Slot* y = b.FindSlot(row);
    if constexpr (row.kind == Kind::kMessage) return MessageVerbs<ChildOf<T, N>>::Equal(*x->child, *y->child, depth + 1);
    else if constexpr (row.kind == Kind::kPayload) return x->payload->checked_view() == y->payload->checked_view();
    else if constexpr (IsString(row.kind)) return x->string.view() == y->string.view();
    else return std::memcmp(x, y, ElementSize(row.kind)) == 0;
  }
}

template <class T>
bool EqualMessages(const Message& a, const Message& b, int depth) {
  if (depth > kMaxDepth) [[unlikely]]
    ComparedTooDeep(T::kName);
  if (&a == &b) return true;
  if (a.has_bits() != b.has_bits()) return false;
  bool equal = true;
  ForEachField<T>([&]<int N>() { equal = equal && EqualField<T, N>(a, b, depth); });
  return equal && (a.unknown() == b.unknown() || Verbs::EqualUnknown(a.unknown(), b.unknown()));
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
