// Clone, copy, merge and move. Copies are made by the cloner; merging adds to what is there.
#include "onnx_proto/verbs/clone.h"
#include "onnx_proto/verbs/dropped.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

void Cloner::TooDeep(std::string_view name) { throw NestingError(std::string(name) + " is nested deeper than 400 messages"); }

PayloadSlot* Cloner::ClonePayload(const PayloadSlot& from) {
  PayloadSlot* const payload = PayloadSlot::New(arena_);
  payload->span() = from.span();
  return payload;
}

void Cloner::CloneMessages(const Table& table, ListHandle& list) {
  const ListHandle from = Verbs::Items(static_cast<const void*>(&list));
  list = {};
  if (from.count == 0) return;
  Copies copies(arena_, InPieces(table.size), from.count, table.size);
  for (uint32_t i = 0; i < from.count; ++i) {
    const void* source = from.pointers() ? reinterpret_cast<void**>(from.data())[i] : from.data() + size_t{i} * table.size;
    table.clone(*this, *copies.Make(i), *static_cast<const Message*>(source));
  }
  list = copies.list();
}

void Cloner::CloneRare(const Table& table, Message& fresh, const RareBlock& rare) {
  const auto count = static_cast<uint32_t>(__builtin_popcount(rare.mask));
  auto* made = static_cast<RareBlock*>(arena_->Allocate(8 + count * sizeof(Slot)));
  made->mask = rare.mask;
  made->room = count;
  CopyWords(static_cast<void*>(made->slots), rare.slots, count * sizeof(Slot));
  Slot* slot = made->slots;
  for (uint32_t left = rare.mask; left; left &= left - 1, ++slot) {
    const int number = __builtin_ctz(left);
    if (number == 0) {
      CloneString(slot->string);
      continue;
    }
    const Row& row = table.RowOf(number);
    if (row.kind == Kind::kMessages) {
      CloneMessages(row.child(), slot->list);
    } else if (row.kind == Kind::kMessage) {
      slot->child = fresh.Has(row) ? CloneChild(row.child(), *slot->child) : nullptr;
    } else if (!IsNumber(row.kind)) {
      CloneSimple(row, slot, fresh.Has(row));
    }
  }
  fresh.rare_ = made;
}

Message* Verbs::Clone(const Table& table, Arena* arena, const Message& from, int depth) {
  Message* const made = New(table, arena);
  Cloner cloner(arena, depth);
  table.clone(cloner, *made, from);
  return made;
}

Message* Verbs::CloneRoot(const Table& table, const Message& from) {
  NewRoot root(table, from.arena_or_null() && !from.attached() ? from.arena_or_null()->bytes_used() : 0);
  Cloner cloner(root.arena(), 0, Cloner::Strings::kPacked);
  table.clone(cloner, root.message(), from);
  return root.Take();
}

void Verbs::Copy(const Table& table, Message& to, const Message& from) {
  if (&to == &from) return;
  if (to.value_ || !to.owner_) {  // a value gets a new arena, so that copying into it again and again does not grow it
    return TakeRoot(table, to, CloneRoot(table, from));
  }
  const Detached taken(table, Clone(table, to.arena(), from));
  Move(table, to, *taken);
}

void Verbs::Move(const Table& table, Message& to, Message& from) {
  to.Touch();
  Dropped dropped;
  Empty(table, to, dropped);
  to.has_ = std::exchange(from.has_, 0);
  to.value_number_ = std::exchange(from.value_number_, uint8_t{0});
  to.rare_ = std::exchange(from.rare_, nullptr);
  char* const target = reinterpret_cast<char*>(&to);
  char* const source = reinterpret_cast<char*>(&from);
  std::memcpy(target + sizeof(Message), source + sizeof(Message), table.size - sizeof(Message));
  std::memset(source + sizeof(Message), 0, table.size - sizeof(Message));
  Rehome(table, to);
  Recycle(dropped);
}

void Verbs::Merge(const Table& table, Message& to, const Message& from) {
  const PayloadOwner::EndsLater later;
  to.Touch();
  if (to.arena() != from.arena_or_null()) return MergeRows(table, to, from, 0);
  const Detached taken(table, Clone(table, to.arena(), from));  // one may lie in the other
  MergeRows(table, to, *taken, 0);
}

void Verbs::MergeRows(const Table& table, Message& to, const Message& from, int depth) {
  if (depth > kMaxDepth) Cloner::TooDeep(table.name);
  Arena* const arena = to.arena();
  for (const Row& row : table.rows) {
    if (IsList(row.kind)) {
      const ListHandle& source = ItemsOf(from, row);
      if (source.count) AppendCopies(arena, MakeItems(to, row), row, source, depth + 1);
      continue;
    }
    if (!from.Has(row)) continue;
    const Slot* source = from.FindSlot(row);
    if (row.kind == Kind::kMessage) {
      if (to.Has(row)) {
        MergeRows(row.child(), *to.FindSlot(row)->child, *source->child, depth + 1);
      } else if (auto* slot = to.FindSlot(row); slot && slot->child) {  // pending: it becomes present
        MergeRows(row.child(), *Child(to, row), *source->child, depth + 1);
      } else {
        Message* const made = Clone(row.child(), arena, *source->child, depth + 1);
        made->attached_ = true;
        static_cast<Slot*>(to.Make(row))->child = made;
        to.SetHas(row);
      }
    } else if (row.kind == Kind::kPayload) {
      SetPayload(to, row, source->payload->span());
    } else if (IsString(row.kind)) {
      SetString(to, row, source->string.view());
    } else {
      std::memcpy(Present(to, row), source, proto::ElementSize(row.kind));
    }
  }
  if (!from.unknown().empty()) AppendUnknown(to, from.unknown());
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
