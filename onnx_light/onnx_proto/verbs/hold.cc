// Faces: how a message or list is held by an object of another language, found again, and given up.
#include "onnx_proto/verbs/dropped.h"
#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

Message* Verbs::Reach(Message& message, const Row& row) {
  auto* slot = static_cast<Slot*>(message.Find(row));
  if (slot && slot->child) return slot->child;
  Message* child = New(row.child(), message.arena());
  Link* link = child->MakeLink();
  link->parent = &message;
  link->row = &row;
  if (message.pending()) {
    link->holds_parent = true;
    ++message.link()->holds;
  }
  static_cast<Slot*>(message.Make(row))->child = child;
  return child;
}

void Verbs::DropFace(const Table& table, Message& message) {
  Arena* const arena = message.arena_or_null();
  if (arena->HangsOnOneFace()) return arena->DropFace();
  message.link()->face = nullptr;
  if (!message.attached_ && !message.pending()) RecycleOne(table, message);
  else if (message.link()->holds == 0) GiveUpLink(message);
  arena->DropFace();
}

ListObject* Verbs::Hold(Message& message, const Row& row, ListObject* lent) {
  auto* slot = static_cast<Slot*>(message.Make(row));
  if (!slot->list.held()) {
    Arena* const arena = message.arena();
    auto* list = new (lent ? lent : arena->Allocate(sizeof(ListObject))) ListObject;
    list->arena = arena;
    list->parent = &message;
    list->row = &row;
    list->items = slot->list;
    if (message.pending()) {
      list->holds_parent = true;
      ++message.link()->holds;
    }
    slot->list = {};
    slot->list.Set(list, ListHandle::kHeld);
  }
  return reinterpret_cast<ListObject*>(slot->list.data());
}

void Verbs::DropFace(ListObject& list, const ListObject* lent) {
  Arena* const arena = list.arena;
  if (arena->HangsOnOneFace()) return arena->DropFace();
  Message* const parent = list.parent;
  const bool holds_parent = list.holds_parent;
  if (parent) {
    ListHandle& handle = static_cast<Slot*>(parent->Find(*list.row))->list;
    handle = list.items;
    if (!handle.count) {
      Dropped nothing;
      DropItems(arena, *list.row, handle, nothing);
      EraseSlot(*parent, *list.row);
    }
  } else {
    Dropped dropped;
    DropItems(arena, *list.row, list.items, dropped);
    Recycle(dropped);
  }
  if (&list != lent) arena->Recycle(&list, sizeof(ListObject));
  if (parent && holds_parent) DropHold(*parent);
  arena->DropFace();
}

void Verbs::MoveFace(const Table& table, Message& from, Message& to) {
  SetFace(to, from.face());
  DropFace(table, from);
}

void Verbs::MoveFace(const Table& table, Message& from, Message& to, Link& lent) {
  if (from.link() != &lent) {
    SetFace(to, from.face(), lent);
    return DropFace(table, from);
  }
  Link before = lent;  // the old root borrows from here until it has lost its face
  from.owner_ = reinterpret_cast<uintptr_t>(&before) | Message::kLinked;
  SetFace(to, before.face, lent);
  DropFace(table, from, before);
}

void Verbs::DropHold(Message& parent) {
  if (DropsLastHold(parent)) GiveUpLink(parent);
}

bool Verbs::DropsLastHold(Message& parent) {
  return --parent.link()->holds == 0 && !parent.face() && (parent.attached_ || parent.pending());
}

// A pending message goes, and with it the pending one above that only it needed, in a loop up to one that stays.
void Verbs::GiveUpLink(Message& first) {
  for (Message* message = &first;;) {
    Link* const link = message->link();
    Message* const parent = std::exchange(link->parent, nullptr);
    if (!parent) {
      message->owner_ = reinterpret_cast<uintptr_t>(link->arena);
      link->arena->Recycle(link, sizeof(Link));
      return;
    }
    const Row& row = *link->row;
    const bool holds_parent = link->holds_parent;
    EraseSlot(*parent, row);
    RecycleOne(row.child(), *message);
    if (!holds_parent || !DropsLastHold(*parent)) return;
    message = parent;
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
