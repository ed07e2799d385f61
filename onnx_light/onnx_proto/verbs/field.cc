// Single fields: set, reach, hold, clear.
#include "onnx_proto/verbs/dropped.h"
#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

void* Verbs::Present(Message& message, const Row& row) {
  message.Touch();
  message.EndSiblings(row);
  void* const at = message.Make(row);  // before the presence: it may throw
  message.SetHas(row);
  return at;
}

void Verbs::SetString(Message& message, const Row& row, std::string_view value) {
  message.Touch();
  // First the string, then the siblings: the value may lie in one of them.
  static_cast<Slot*>(message.Make(row))->string.Assign(message.arena(), value);
  message.SetHas(row);
}

OwnedString& Verbs::HoldString(Message& message, const Row& row) {
  StringHandle& handle = static_cast<Slot*>(message.Make(row))->string;
  OwnedString& owned = handle.Own(message.arena());
  owned.home().MoveTo(&message, &row);
  return owned;
}

const OwnedString& Verbs::HoldString(const Message& message, const Row& row) {
  static const OwnedString& absent = *new OwnedString;
  if (!message.Has(row)) return absent;
  return message.FindSlot(row)->string.Own(message.arena_or_null());
}

std::string* Verbs::MutableString(Message& message, const Row& row) {
  OwnedString& owned = HoldString(message, row);
  return &owned.mutable_ref();
}

Message* Verbs::Child(Message& message, const Row& row) {
  message.Touch();
  auto* slot = static_cast<Slot*>(message.Make(row));
  Message* child = slot->child;
  if (!child) {
    child = New(row.child(), message.arena());
    child->attached_ = true;
    slot->child = child;
    message.SetHas(row);
  } else {
    child->Touch();
  }
  return child;
}

void Verbs::SetChild(Message& message, const Row& row, const Message& value) {
  const Table& table = row.child();
  const Detached taken(table, Clone(table, message.arena(), value));
  Move(table, *Child(message, row), *taken);
}

PayloadSlot& Verbs::MakePayload(Message& message, const Row& row) {
  auto* slot = static_cast<Slot*>(message.Make(row));
  if (!slot->payload) slot->payload = PayloadSlot::New(message.arena());
  else slot->payload->List(message.arena());
  return *slot->payload;
}

PayloadSlot& Verbs::HoldPayload(Message& message, const Row& row) {
  PayloadSlot& payload = MakePayload(message, row);
  payload.home().MoveTo(&message, &row);
  return payload;
}

PayloadSlot& Verbs::MutablePayload(Message& message, const Row& row) {
  PayloadSlot& payload = HoldPayload(message, row);
  payload.home().Announce();
  return payload;
}

void Verbs::SetPayload(Message& message, const Row& row, utils::ByteSpan span) {
  const PayloadOwner::EndsLater later;
  message.Touch();
  MakePayload(message, row).span() = std::move(span);
  message.SetHas(row);
}

const utils::ByteSpan& Verbs::Payload(const Message& message, const Row& row) {
  static const utils::ByteSpan empty;
  return message.Has(row) ? message.FindSlot(row)->payload->span() : empty;
}

void Verbs::AppendUnknown(Message& message, std::string_view bytes) {
  message.Touch();
  static_cast<Slot*>(message.Make(kUnknownRow))->string.Append(message.arena(), bytes);
}

void Verbs::ClearUnknown(const Table& table, Message& message) {
  message.Touch();
  ClearUnknownBelow(table, message, 0);
}

void Verbs::ClearUnknownBelow(const Table& table, Message& message, int depth) {
  if (depth > kMaxDepth) throw NestingError(std::string(table.name) + " is nested deeper than 400 messages");
  if (message.rare_ && message.rare_->mask & kUnknownRow.bit()) {
    message.rare_->slots[0].string.Release(message.arena_or_null());
    EraseSlot(message, kUnknownRow);
  }
  for (const Row& row : table.rows) {
    if (row.kind == Kind::kMessage && message.Has(row)) ClearUnknownBelow(row.child(), *message.FindSlot(row)->child, depth + 1);
    if (row.kind != Kind::kMessages) continue;
    const ListHandle& items = ItemsOf(message, row);
    for (uint32_t i = 0; i < items.count; ++i) ClearUnknownBelow(row.child(), *static_cast<Message*>(Element(items, row, i)), depth + 1);
  }
}

void Verbs::ClearField(Message& message, const Row& row) {
  message.Touch();
  message.has_ &= ~row.bit();
  auto* slot = static_cast<Slot*>(message.Find(row));
  if (!slot) return;
  Dropped dropped;
  if (!KeepHeld(message, row, *slot, dropped)) {
    DropSlot(message, row, slot, dropped);
    EraseSlot(message, row);
  }
  Recycle(dropped);
}

Message* Verbs::ReleaseChild(Message& message, const Row& row) {
  if (!message.Has(row)) return nullptr;
  message.Touch();
  auto* slot = static_cast<Slot*>(message.Find(row));
  Message* const child = slot->child;
  child->attached_ = false;
  message.has_ &= ~row.bit();
  EraseSlot(message, row);
  return child;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
