// What can be done with any message, given its table: the verbs that loop over rows, and the doors to those that are instantiated
// per type (parse, write, clone, equal).
//
// Exceptions: std::bad_alloc and the types of error.h. A parse or copy that fails leaves its target as it was; a merge that fails
// leaves a valid target that may hold a part of the source.
#pragma once

#include <span>
#include <string>

#include "onnx_proto/fields/message.h"
#include "onnx_proto/serialize_options.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

// How deep parse and serialise go, whatever their options say: each level takes stack (below 1 KiB), and that is bounded.
template <class Options>
inline int Deepest(const Options& options) {
  constexpr int kDeepest = 2000;
  return options.max_recursion_depth < kDeepest ? options.max_recursion_depth : kDeepest;
}
inline constexpr int kMaxDepth = 400;  // of nested messages; 100 nested graphs (three messages each) and slack

struct Dropped;

struct ONNX_LIGHT_API Verbs {
  // ---- making (make.cc)
  static Message* New(const Table& table, Arena* arena);  // detached, empty
  static Message* Init(void* memory, size_t size, Arena* arena, bool attached) {
    auto* message = static_cast<Message*>(std::memset(memory, 0, size));
    message->owner_ = reinterpret_cast<uintptr_t>(arena);
    message->attached_ = attached;
    return message;
  }
  // A C++ value takes what another one holds, its arena included; `from` is empty afterwards. From and into parts of other messages it
  // copies: then only the latter can throw, and nothing has changed.
  static void MoveValue(const Table& table, Message& to, Message& from);
  // A C++ value becomes what `root` is: the root of an arena, of which the value takes over one owner.
  static void TakeRoot(const Table& table, Message& value, Message* root) noexcept;
  static void Swap(const Table& table, Message& a, Message& b);  // neither lies in the other

  // ---- single fields (field.cc)
  static void* Present(Message& message, const Row& row);  // where a number is to be stored; it counts as present from now on
  static void SetString(Message& message, const Row& row, std::string_view value);
  static OwnedString& HoldString(Message& message, const Row& row);              // without presence
  static const OwnedString& HoldString(const Message& message, const Row& row);  // of an absent one: a shared one
  static std::string* MutableString(Message& message, const Row& row);
  static Message* Child(Message& message, const Row& row);  // made and present
  // The child becomes a copy of `value`, which may lie anywhere, also in another member of the oneof. All or nothing.
  static void SetChild(Message& message, const Row& row, const Message& value);
  static void SetPayload(Message& message, const Row& row, utils::ByteSpan span);
  static PayloadSlot& MakePayload(Message& message, const Row& row);  // without presence, and not yet told where it belongs
  static PayloadSlot& HoldPayload(Message& message, const Row& row);  // without presence
  static PayloadSlot& MutablePayload(Message& message, const Row& row);
  static const utils::ByteSpan& Payload(const Message& message, const Row& row);
  static void AppendUnknown(Message& message, std::string_view bytes);
  static void ClearUnknown(const Table& table, Message& message);  // here and in all that is below
  static void ClearField(Message& message, const Row& row);
  // A child leaves its message and becomes a message by itself, in the same arena; null if absent.
  static Message* ReleaseChild(Message& message, const Row& row);

  // ---- lists (list.cc)
  static const ListHandle& Items(const void* list) {  // through the ListObject, if there is one
    const auto& handle = *static_cast<const ListHandle*>(list);
    return handle.held() ? reinterpret_cast<const ListObject*>(handle.data())->items : handle;
  }
  static ListHandle& Items(void* list) { return const_cast<ListHandle&>(Items(static_cast<const void*>(list))); }
  static size_t Count(const Message& message, const Row& row) {
    const void* list = message.Find(row);
    return list ? Items(list).count : 0;
  }
  static const ListHandle& ItemsOf(const Message& message, const Row& row);  // an empty one, if nothing is stored
  static ListHandle& MakeItems(Message& message, const Row& row);            // also ends pending
  static size_t ElementSize(const ListHandle& items, const Row& row);
  static void* Element(const ListHandle& items, const Row& row, size_t index) {
    if (row.kind != Kind::kMessages) return items.data() + index * proto::ElementSize(row.kind);
    return items.pointers() ? reinterpret_cast<void**>(items.data())[index] : items.data() + index * row.child().size;
  }
  static const StringHandle& StringAt(const ListHandle& items, size_t index) {
    return reinterpret_cast<const StringHandle*>(items.data())[index];
  }
  // Room for `count` more elements side by side, not initialised and not counted yet; the caller counts each one it has made.
  struct Run {
    ListHandle* items;
    char* first;
  };
  static Run AppendRun(Message& message, const Row& row, size_t count);
  static Run AppendRun(Arena* arena, ListHandle& items, const Row& row, size_t count);
  static void Reserve(Arena* arena, ListHandle& items, const Row& row, size_t room);
  static void* Append(Arena* arena, ListHandle& items, const Row& row);  // one zeroed element; for messages a new one
  static void* Append(Message& message, const Row& row) { return Append(message.arena(), MakeItems(message, row), row); }
  static void* InsertAt(Arena* arena, ListHandle& items, const Row& row, size_t at);  // the same, at a place
  static void Insert(Arena* arena, ListHandle& items, const Row& row, size_t at, Message* child);
  static void AppendCopies(Arena* arena, ListHandle& items, const Row& row, const ListHandle& from, int depth = 0);
  static void Erase(Arena* arena, ListHandle& items, const Row& row, size_t begin, size_t end);
  static void SwapElements(Arena* arena, ListHandle& items, const Row& row, size_t i, size_t j);
  static bool EqualItems(const ListHandle& a, const ListHandle& b, const Row& row, int depth = 0);
  // A list becomes an object with an address of its own; it stays until the list is dropped (or its face is).
  static ListObject* Hold(Message& message, const Row& row) { return Hold(message, row, nullptr); }
  static void Touch(ListObject& list) {
    if (list.parent) list.parent->Touch();
  }

  // ---- whole messages
  static bool Equal(const Table& table, const Message& a, const Message& b, int depth = 0) { return table.equal(a, b, depth); }
  static bool EqualUnknown(std::string_view a, std::string_view b);  // as values: order counts within one tag only
  // Each takes the source as it is at the call, even if it lies in the target.
  static void Merge(const Table& table, Message& to, const Message& from);
  static void Copy(const Table& table, Message& to, const Message& from);
  static Message* Clone(const Table& table, Arena* arena, const Message& from, int depth = 0);
  // A copy that is the root of a new arena, of which the caller is an owner.
  static Message* CloneRoot(const Table& table, const Message& from);
  static void Move(const Table& table, Message& to, Message& from);  // of one arena; `from` is empty afterwards
  static void Clear(const Table& table, Message& message);
  static size_t Size(const Table& table, const Message& message, int depth = 0);  // in wire bytes; NestingError
  static std::string Text(const Table& table, const Message& message);            // protobuf text format

  // ---- bytes. All or nothing.
  static void Parse(const Table& table, Message& message, std::string_view bytes, const ParseOptions& options);
  static void ParseAndMerge(const Table& table, Message& message, std::string_view bytes, const ParseOptions& options);
  static std::string Serialize(const Table& table, const Message& message, const SerializeOptions& options);

  // ---- holding, for faces: they are opaque here (hold.cc)
  // What a face needs to be found again lies in the arena, or in `lent`: memory of the face's own, given when it comes and named again
  // when it goes. It is used unless there is a link or list object already.
  static Message* Reach(Message& message, const Row& row);  // an absent child becomes pending
  static void SetFace(Message& message, void* face) { message.MakeLink()->face = face, message.link()->arena->AddFace(); }
  static void SetFace(Message& message, void* face, Link& lent) {
    if (message.linked()) return SetFace(message, face);
    Arena* const arena = message.arena();
    lent = {arena, face, nullptr, nullptr, 0, false};
    message.owner_ = reinterpret_cast<uintptr_t>(&lent) | Message::kLinked;
    arena->AddFace();
  }
  static void DropFace(const Table& table, Message& message);  // may end the message and the arena
  static void DropFace(const Table& table, Message& message, Link& lent) {
    if (message.link() != &lent) return DropFace(table, message);
    Arena* const arena = lent.arena;
    message.owner_ = reinterpret_cast<uintptr_t>(arena);
    // Nobody has lent a link to a pending one. What goes with the arena need not be given back.
    if (!message.attached_ && !arena->HangsOnOneFace()) RecycleOne(table, message);
    arena->DropFace();
  }
  static ListObject* Held(Message& message, const Row& row) {  // null if the list is no object
    const auto* const list = static_cast<const ListHandle*>(message.Find(row));
    return list && list->held() ? reinterpret_cast<ListObject*>(list->data()) : nullptr;
  }
  static ListObject* Hold(Message& message, const Row& row, ListObject* lent);
  static void SetFace(ListObject& list, void* face) {
    list.face = face;
    list.arena->AddFace();
  }
  static void DropFace(ListObject& list, const ListObject* lent = nullptr);
  // The face moves from one root to another (which a parse or copy has made), and the old one is as if it had lost its face.
  static void MoveFace(const Table& table, Message& from, Message& to);
  static void MoveFace(const Table& table, Message& from, Message& to, Link& lent);

  static void Recycle(Dropped& dropped);
  static void RecycleOne(const Table& table, Message& message) noexcept;
  static void DropItems(Arena* arena, const Row& row, ListHandle& items, Dropped& dropped);

 private:
  friend class Message;
  friend class Cloner;
  static void MergeRows(const Table& table, Message& to, const Message& from, int depth);
  static void MergeInto(const Table& table, Message& to, const Message& from, int depth);
  static void Empty(const Table& table, Message& message, Dropped& dropped);
  static void ClearUnknownBelow(const Table& table, Message& message, int depth);
  static bool KeepHeld(Message& message, const Row& row, Slot& slot, Dropped& dropped);
  static void DropSlot(Message& message, const Row& row, void* slot, Dropped& dropped);
  static void DropPayload(Arena* arena, PayloadSlot* payload, Dropped& dropped);
  static bool NoneHeld(const ListHandle& items, const Row& row);
  static void DropItem(Arena* arena, const Row& row, void* element, Dropped& dropped);
  static void Detach(const Table& table, Message& child, Dropped& dropped);
  static void EraseSlot(Message& message, const Row& row);
  static void Rehome(const Table& table, Message& message);
  static void DropHold(Message& parent);
  static bool DropsLastHold(Message& parent);
  static void GiveUpLink(Message& first);
  static void MakePointers(Arena* arena, ListHandle& items, const Row& row, size_t room);
  static void Grow(Arena* arena, ListHandle& items, const Row& row, size_t count);
};

// A detached message, made in an arena for a while, that is given back at the end of the scope, or what has been left of it.
class Detached {
 public:
  Detached(const Table& table, Message* message) : table_(table), message_(message) {}
  Detached(const Detached&) = delete;
  Detached& operator=(const Detached&) = delete;
  ~Detached() { Verbs::RecycleOne(table_, *message_); }
  Message& operator*() const { return *message_; }

 private:
  const Table& table_;
  Message* const message_;
};

// A new message that is the root of a new arena; the arena has this as one owner until `Take` or the end.
class NewRoot {
 public:
  explicit NewRoot(const Table& table, size_t expected_bytes = 0);
  NewRoot(const NewRoot&) = delete;
  NewRoot& operator=(const NewRoot&) = delete;
  ~NewRoot() {
    if (arena_) arena_->DropOwner();
  }
  Message& message() const { return *message_; }
  Arena* arena() const { return arena_; }
  Message* Take() {
    arena_ = nullptr;
    return message_;
  }

 private:
  Arena* arena_;
  Message* message_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
