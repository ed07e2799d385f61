#include "onnx_proto/fields/message.h"

#include <algorithm>

#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

const Row* Table::Find(std::string_view field) const {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == field; });
  return found == rows.end() ? nullptr : &*found;
}

bool FieldHome::present() const { return message_->Has(*row_); }

void FieldHome::MakePresent() const {
  message_->Touch();
  message_->SetHas(*row_);
}

void FieldHome::MakeAbsent() const {
  if (present()) Verbs::ClearField(*message_, *row_);
}

Arena* Message::MakeArena() {
  Arena* const made = Arena::Create();
  owner_ = reinterpret_cast<uintptr_t>(made);
  value_ = true;
  return made;
}

Link* Message::MakeLink() {
  if (!linked()) {
    Arena* const mine = arena();
    auto* link = new (mine->Allocate(sizeof(Link))) Link{mine, nullptr, nullptr, nullptr, 0, false};
    owner_ = reinterpret_cast<uintptr_t>(link) | kLinked;
  }
  return link();
}

void* Message::MakeRare(uint32_t bit) {
  const auto bytes = [](uint32_t room) { return 8 + room * sizeof(Slot); };
  const uint32_t count = rare_ ? static_cast<uint32_t>(__builtin_popcount(rare_->mask)) : 0;
  if (!rare_ || count == rare_->room) {
    const uint32_t room = count ? count * 2 : 1;
    auto* grown = static_cast<RareBlock*>(arena()->Allocate(bytes(room)));
    grown->mask = rare_ ? rare_->mask : 0;
    grown->room = room;
    if (rare_) {
      std::memcpy(static_cast<void*>(grown->slots), rare_->slots, count * sizeof(Slot));
      arena()->Recycle(rare_, bytes(rare_->room));
    }
    rare_ = grown;
  }
  Slot* const at = rare_->slots + __builtin_popcount(rare_->mask & (bit - 1));
  std::memmove(static_cast<void*>(at + 1), at, static_cast<size_t>(rare_->slots + count - at) * sizeof(Slot));
  rare_->mask |= bit;
  return new (at) Slot;
}

// Upwards in a loop: who reaches children may reach as deep as he likes. A pending message has no field, so none of its oneofs has a member
// to end; and it is let go only once it is pending no more, else it would be taken for one that nobody needs.
void Message::EndPending() {
  Message* message = this;
  for (bool counted = false; message->pending();) {
    Link* const mine = message->link();
    Message* const parent = std::exchange(mine->parent, nullptr);
    const Row& row = *mine->row;
    const bool counts = std::exchange(mine->holds_parent, false);
    message->attached_ = true;
    if (counted) Verbs::DropHold(*message);
    parent->SetHas(row);
    message = parent;
    counted = counts;
    if (counted && !parent->pending()) Verbs::DropHold(*parent);
  }
}

void Message::ClearSiblings(const Row& row) {
  const Row* const first = &row - row.index;
  for (uint32_t left = row.siblings & has_; left; left &= left - 1) {
    const Row* other = first;
    while (other->number != __builtin_ctz(left)) ++other;
    Verbs::ClearField(*this, *other);
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
