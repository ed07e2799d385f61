// Making messages, and moving C++ values.
#include <algorithm>

#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

Message* Verbs::New(const Table& table, Arena* arena) { return Init(arena->Allocate(table.size), table.size, arena, false); }

NewRoot::NewRoot(const Table& table, size_t expected_bytes) : arena_(Arena::Create()) {
  try {
    if (expected_bytes > 4096) arena_->Expect(expected_bytes);
    message_ = Verbs::New(table, arena_);
  } catch (...) {
    arena_->DropOwner();
    throw;
  }
}

// What points back at a message by address follows it: held lists, strings and payloads, and pending children.
void Verbs::Rehome(const Table& table, Message& message) {
  for (const Row& row : table.rows) {
    if (IsNumber(row.kind)) continue;
    auto* slot = static_cast<Slot*>(message.Find(row));
    if (!slot) continue;
    if (IsList(row.kind)) {
      if (!slot->list.held()) continue;
      auto* list = reinterpret_cast<ListObject*>(slot->list.data());
      Message* const before = std::exchange(list->parent, &message);
      // Neither is pending any more, so neither need be kept.
      if (before != &message && std::exchange(list->holds_parent, false)) DropHold(*before);
    } else if (IsString(row.kind)) {
      if (OwnedString* owned = slot->string.owned(); owned && owned->home().known()) owned->home().MoveTo(&message, &row);
    } else if (row.kind == Kind::kPayload) {
      if (slot->payload && slot->payload->home().known()) slot->payload->home().MoveTo(&message, &row);
    } else if (slot->child && slot->child->pending()) {
      Link* const link = slot->child->link();
      Message* const before = std::exchange(link->parent, &message);
      if (before != &message && std::exchange(link->holds_parent, false)) DropHold(*before);
    }
  }
}

void Verbs::TakeRoot(const Table& table, Message& value, Message* root) noexcept {
  Arena* const old = value.value_ ? value.arena_or_null() : nullptr;
  root->value_ = true;
  std::memcpy(static_cast<void*>(&value), static_cast<const void*>(root), table.size);
  if (old) old->DropOwner();
}

void Verbs::MoveValue(const Table& table, Message& to, Message& from) {
  if (&to == &from) return;
  const bool to_is_part = to.owner_ && !to.value_;
  Arena* const old = to.value_ ? to.arena_or_null() : nullptr;
  if (from.owner_ && !from.value_) {  // part of another message: copied, as it stays where it is
    try {
      return Copy(table, to, from);
    } catch (...) {
      if (to_is_part) throw;
      // Too deep or no memory: share the arena instead, which cannot fail. Both then are to be used by one thread at a time.
      Arena* const shared = from.arena_or_null();
      shared->AddOwner();
      std::memset(static_cast<void*>(&to), 0, table.size);
      to.owner_ = reinterpret_cast<uintptr_t>(shared);
      to.value_ = true;
      to.has_ = std::exchange(from.has_, 0);
      to.value_number_ = std::exchange(from.value_number_, uint8_t{0});
      to.rare_ = std::exchange(from.rare_, nullptr);
      std::memcpy(reinterpret_cast<char*>(&to) + sizeof(Message), reinterpret_cast<char*>(&from) + sizeof(Message),
                  table.size - sizeof(Message));
      std::memset(reinterpret_cast<char*>(&from) + sizeof(Message), 0, table.size - sizeof(Message));
    }
  } else if (to_is_part) {  // the content crosses arenas
    const Message& source = from;
    return Copy(table, to, source);
  } else {
    std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), table.size);
    std::memset(static_cast<void*>(&from), 0, table.size);
  }
  Rehome(table, to);
  if (old) old->DropOwner();  // last: a deleter may look at the target
}

void Verbs::Swap(const Table& table, Message& a, Message& b) {
  if (&a == &b) return;
  const bool both_values = (a.value_ || !a.owner_) && (b.value_ || !b.owner_);
  if (!both_values && a.arena_or_null() != b.arena_or_null()) {
    const Detached taken(table, Clone(table, b.arena(), a));
    Copy(table, a, b);
    return Move(table, b, *taken);
  }
  a.Touch();
  b.Touch();
  if (both_values) {
    std::swap(a.owner_, b.owner_);
    std::swap(a.value_, b.value_);
  }
  std::swap(a.has_, b.has_);
  std::swap(a.value_number_, b.value_number_);
  std::swap(a.rare_, b.rare_);
  char* const first = reinterpret_cast<char*>(&a) + sizeof(Message);
  std::swap_ranges(first, first + table.size - sizeof(Message), reinterpret_cast<char*>(&b) + sizeof(Message));
  Rehome(table, a);
  Rehome(table, b);
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
