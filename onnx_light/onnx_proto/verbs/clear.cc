// Clearing and recycling. What somebody holds (a face) is detached and lives on; the rest goes back to the arena, without recursion.
#include "onnx_proto/verbs/dropped.h"

#include <vector>

#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

void Verbs::Clear(const Table& table, Message& message) {
  message.Touch();
  message.has_ = 0;
  Dropped dropped;
  for (const Row& row : table.rows) {
    auto* slot = static_cast<Slot*>(message.Find(row));
    if (!slot || KeepHeld(message, row, *slot, dropped)) continue;
    DropSlot(message, row, slot, dropped);
    EraseSlot(message, row);
  }
  if (!message.unknown().empty()) {
    message.rare_->slots[0].string.Release(message.arena_or_null());
    EraseSlot(message, kUnknownRow);
  }
  Recycle(dropped);
}

// References that C++ callers were given outlive a clear: a list, string or payload somebody asked for by reference is emptied in place.
bool Verbs::KeepHeld(Message& message, const Row& row, Slot& slot, Dropped& dropped) {
  if (IsList(row.kind)) {
    if (!slot.list.held()) return false;
    auto* list = reinterpret_cast<ListObject*>(slot.list.data());
    if (list->face) return false;
    DropItems(message.arena_or_null(), row, list->items, dropped);
    return true;
  }
  if (IsString(row.kind)) {
    OwnedString* const owned = slot.string.owned();
    if (!owned || !owned->home().known()) return false;
    owned->text().clear();
    return true;
  }
  if (row.kind == Kind::kPayload && slot.payload && slot.payload->home().known()) {
    dropped.Add(slot.payload->span());
    slot.payload->clear();
    return true;
  }
  return false;
}

// Everything goes; the object is as if newly made, but for its owner and its place in another message.
void Verbs::Empty(const Table& table, Message& message, Dropped& dropped) {
  for (const Row& row : table.rows) {
    if (IsNumber(row.kind)) continue;
    if (void* slot = message.Find(row)) DropSlot(message, row, slot, dropped);
  }
  if (RareBlock* rare = std::exchange(message.rare_, nullptr)) {
    Arena* const arena = message.arena_or_null();
    if (rare->mask & kUnknownRow.bit()) rare->slots[0].string.Release(arena);
    arena->Recycle(rare, 8 + rare->room * sizeof(Slot));
  }
  message.has_ = 0;
  message.value_number_ = 0;
  std::memset(reinterpret_cast<char*>(&message) + sizeof(Message), 0, table.size - sizeof(Message));
}

void Verbs::DropPayload(Arena* arena, PayloadSlot* payload, Dropped& dropped) {
  dropped.Add(std::move(payload->span()));
  payload->Delete(arena);
}

void Verbs::DropSlot(Message& message, const Row& row, void* at, Dropped& dropped) {
  auto* slot = static_cast<Slot*>(at);
  if (IsNumber(row.kind)) return;
  Arena* const arena = message.arena_or_null();
  if (IsString(row.kind)) return slot->string.Release(arena);
  if (row.kind == Kind::kMessage) {
    if (slot->child) Detach(row.child(), *slot->child, dropped);
    return;
  }
  if (row.kind == Kind::kPayload) {
    if (slot->payload) DropPayload(arena, slot->payload, dropped);
    return;
  }
  if (!slot->list.held()) return DropItems(arena, row, slot->list, dropped);
  auto* list = reinterpret_cast<ListObject*>(slot->list.data());
  list->parent = nullptr;
  if (std::exchange(list->holds_parent, false)) --message.link()->holds;
  if (list->face) return;  // it keeps the list object and what is in it
  DropItems(arena, row, list->items, dropped);
  arena->Recycle(list, sizeof(ListObject));
}

bool Verbs::NoneHeld(const ListHandle& items, const Row& row) {
  for (uint32_t i = 0; i < items.count; ++i) {
    if (static_cast<const Message*>(Element(items, row, i))->face()) return false;
  }
  return true;
}

void Verbs::DropItems(Arena* arena, const Row& row, ListHandle& items, Dropped& dropped) {
  if (!items.data()) {
    items = {};
    return;
  }
  if (row.kind == Kind::kMessages && !items.pointers() && items.count == items.room && NoneHeld(items, row)) {
    auto* const first = reinterpret_cast<Message*>(items.data());
    dropped.Add(row.child(), first, items.count);
    items = {};
    return;
  }
  if (!IsNumberList(row.kind)) {
    for (uint32_t i = 0; i < items.count; ++i) DropItem(arena, row, Element(items, row, i), dropped);
  }
  // A dense block of which somebody holds a message is given back message by message.
  if (row.kind != Kind::kMessages || items.pointers()) arena->Recycle(items.data(), items.room * ElementSize(items, row));
  items = {};
}

void Verbs::DropItem(Arena* arena, const Row& row, void* element, Dropped& dropped) {
  if (row.kind == Kind::kMessages) {
    Detach(row.child(), *static_cast<Message*>(element), dropped);
  } else {
    static_cast<StringHandle*>(element)->Release(arena);
  }
}

void Verbs::Detach(const Table& table, Message& child, Dropped& dropped) {
  if (child.pending()) {
    Link* const link = child.link();
    Message* const parent = std::exchange(link->parent, nullptr);
    if (std::exchange(link->holds_parent, false)) --parent->link()->holds;
  }
  child.attached_ = false;
  if (!child.face()) dropped.Add(table, &child);
}

void Verbs::Recycle(Dropped& dropped) {
  while (!dropped.messages.empty()) {
    const Dropped::Gone gone = dropped.messages.back();
    dropped.messages.pop_back();
    Arena* const arena = gone.message->arena_or_null();
    const size_t size = gone.table->size;
    char* const first = reinterpret_cast<char*>(gone.message);
    const size_t count = gone.count ? gone.count : 1;
    for (size_t i = 0; i < count; ++i) {
      auto* const message = reinterpret_cast<Message*>(first + i * size);
      Empty(*gone.table, *message, dropped);
      if (message->linked()) arena->Recycle(message->link(), sizeof(Link));
    }
    arena->Recycle(first, count * size);
  }
  // Deleters may call anything, also what empties other messages: they run last, on a list of their own.
  const std::vector<utils::ByteSpan> payloads = std::move(dropped.payloads);
  dropped.payloads.clear();
}

void Verbs::RecycleOne(const Table& table, Message& message) noexcept {
  Dropped dropped(table, &message);
  Recycle(dropped);
}

void Verbs::EraseSlot(Message& message, const Row& row) {
  if (row.place == Place::kHere) {
    const size_t size =
        IsNumber(row.kind) || row.kind == Kind::kMessage || row.kind == Kind::kPayload ? proto::ElementSize(row.kind) : sizeof(Slot);
    std::memset(message.Find(row), 0, size);
  } else if (row.place == Place::kValue && message.value_number_ == row.number) {
    message.value_number_ = 0;
    std::memset(reinterpret_cast<char*>(&message) + row.offset, 0, sizeof(Slot));
  } else if (RareBlock* rare = message.rare_; rare && rare->mask & row.bit()) {
    const auto at = static_cast<uint32_t>(__builtin_popcount(rare->mask & (row.bit() - 1)));
    const auto count = static_cast<uint32_t>(__builtin_popcount(rare->mask));
    std::memmove(static_cast<void*>(rare->slots + at), rare->slots + at + 1, (count - at - 1) * sizeof(Slot));
    rare->mask &= ~row.bit();
    if (!rare->mask) {  // looking at rare fields must leave nothing behind
      message.rare_ = nullptr;
      message.arena_or_null()->Recycle(rare, 8 + rare->room * sizeof(Slot));
    }
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
