// The exact size on the wire, by a loop over the rows.
#include <bit>

#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

size_t VarintSize(uint64_t value) { return static_cast<size_t>((std::bit_width(value | 1) + 6) / 7); }
size_t TagSize(const Row& row) { return VarintSize(uint64_t{row.number} << 3); }
size_t WithLength(size_t size) { return VarintSize(size) + size; }

size_t NumberSize(Kind kind, const void* at) {
  if (WireOf(kind) != Wire::kVarint) return ElementSize(kind);
  if (ElementSize(kind) == 8) {
    uint64_t value = 0;
    std::memcpy(&value, at, 8);
    return VarintSize(value);
  }
  int32_t value = 0;
  std::memcpy(&value, at, 4);
  return VarintSize(static_cast<uint64_t>(int64_t{value}));
}

size_t ListSize(const Row& row, const ListHandle& items, int depth) {
  size_t size = 0;
  for (uint32_t i = 0; i < items.count; ++i) {
    const void* element = Verbs::Element(items, row, i);
    if (row.kind == Kind::kMessages) {
      size += WithLength(Verbs::Size(row.child(), *static_cast<const Message*>(element), depth + 1));
    } else if (IsStringList(row.kind)) {
      size += WithLength(static_cast<const StringHandle*>(element)->view().size());
    } else {
      size += NumberSize(row.kind, element);
    }
  }
  return row.packed ? TagSize(row) + WithLength(size) : size + items.count * TagSize(row);
}

size_t FieldSize(const Row& row, const Slot& slot, int depth) {
  if (row.kind == Kind::kMessage) return WithLength(Verbs::Size(row.child(), *slot.child, depth + 1));
  if (row.kind == Kind::kPayload) return WithLength(slot.payload->size());
  if (IsString(row.kind)) return WithLength(slot.string.view().size());
  return NumberSize(row.kind, &slot);
}

}  // namespace

size_t Verbs::Size(const Table& table, const Message& message, int depth) {
  if (depth > kMaxDepth) throw NestingError(std::string(table.name) + " is nested deeper than 400 messages");
  size_t size = message.unknown().size();
  for (const Row& row : table.rows) {
    if (IsList(row.kind)) {
      const ListHandle& items = ItemsOf(message, row);
      if (items.count) size += ListSize(row, items, depth);
    } else if (message.Has(row)) {
      size += TagSize(row) + FieldSize(row, *message.FindSlot(row), depth);
    }
  }
  return size;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
