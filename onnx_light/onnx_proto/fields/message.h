// The base of every message: header, presence, and how a field is found in an object.
//
// Promise: a zeroed object with an arena is an empty message. Presence is a bit: a child pointer without its bit is *pending*, an
// absent child that somebody holds. Addresses of messages are stable until they are recycled; addresses of slots are not (see Make).
#pragma once

#include <new>
#include <utility>

#include "onnx_proto/error.h"
#include "onnx_proto/fields/row.h"
#include "onnx_proto/storage/slot.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

// Where a field line put its field; what accessors in the class body know (the full row is not complete there yet).
struct Location {
  uint8_t number;
  Place place;
  uint16_t offset;
  constexpr uint32_t bit() const { return 1u << number; }
};

// Who holds a message, while somebody does; this is the second thing the owner word of a message can point to.
struct Link {
  Arena* arena;
  void* face;
  Message* parent;  // of a pending message, else null
  const Row* row;
  uint32_t holds;     // held lists and pending children of this message, while it is pending
  bool holds_parent;  // this one is counted in its parent's holds
};

struct RareBlock {
  uint32_t mask;  // which fields lie here, by number; bit 0 stands for the unknown fields
  uint32_t room;
  Slot slots[1];
};

// The unknown fields live like a rare string whose number no field can have.
inline constexpr Row kUnknownRow{.kind = Kind::kBytes, .place = Place::kRare, .name = "unknown"};

class ONNX_LIGHT_API Message {
 public:
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  Arena* arena() { return owner_ ? arena_or_null() : MakeArena(); }  // made on first need for a C++ value
  Arena* arena_or_null() const { return linked() ? link()->arena : reinterpret_cast<Arena*>(owner_); }
  void* face() const { return linked() ? link()->face : nullptr; }
  bool attached() const { return attached_; }
  bool pending() const { return linked() && link()->parent; }
  bool is_value() const { return value_; }
  bool Has(const Row& row) const { return has_ & row.bit(); }
  bool HasNumber(int number) const { return has_ >> number & 1u; }
  uint32_t has_bits() const { return has_; }

  // Where the field is now, or null if nothing is stored. `Where` is a Row or a Location.
  template <class Where>
  [[gnu::always_inline]] const void* Find(const Where& where) const {
    const char* self = reinterpret_cast<const char*>(this);
    if (where.place == Place::kHere || (where.place == Place::kValue && value_number_ == where.number)) return self + where.offset;
    if (rare_ && rare_->mask & where.bit()) return &rare_->slots[__builtin_popcount(rare_->mask & (where.bit() - 1))];
    return nullptr;
  }
  template <class Where>
  [[gnu::always_inline]] void* Find(const Where& where) {
    return const_cast<void*>(std::as_const(*this).Find(where));
  }
  template <class Where>
  [[gnu::always_inline]] const Slot* FindSlot(const Where& where) const {
    return static_cast<const Slot*>(Find(where));
  }

  // The same, making room if need be. Ends the validity of every other address that Find or Make gave for this message.
  template <class Where>
  [[gnu::always_inline]] void* Make(const Where& where) {
    if (void* found = Find(where)) return found;
    if (where.place == Place::kValue && value_number_ == 0) {
      value_number_ = where.number;
      return new (reinterpret_cast<char*>(this) + where.offset) Slot;
    }
    return MakeRare(where.bit());
  }
  // Says that the message is about to be changed: a pending one, and every pending one above it, becomes present.
  void Touch() {
    if (linked() && link()->parent) EndPending();
  }
  // Sets presence of a singular field, clearing the other members of its oneof.
  void SetHas(const Row& row) {
    EndSiblings(row);
    has_ |= row.bit();
  }
  void EndSiblings(const Row& row) {
    if (row.siblings & has_) ClearSiblings(row);
  }

  std::string_view unknown() const { return rare_ && rare_->mask & 1u ? rare_->slots[0].string.view() : std::string_view(); }

 protected:
  constexpr Message() = default;
  ~Message() {
    if (value_) arena_or_null()->DropOwner();
  }

 private:
  friend struct Verbs;
  friend class Cloner;
  static constexpr uintptr_t kLinked = 1;
  bool linked() const { return owner_ & kLinked; }
  Link* link() const { return reinterpret_cast<Link*>(owner_ & ~kLinked); }
  Arena* MakeArena();
  Link* MakeLink();
  void EndPending();
  void* MakeRare(uint32_t bit);
  void ClearSiblings(const Row& row);

  uintptr_t owner_ = 0;       // Arena*, or Link* with the low bit set
  uint32_t has_ = 0;          // by field number
  uint8_t value_number_ = 0;  // which field the shared slot holds
  bool attached_ = false;     // in a field or list of another message
  bool value_ = false;        // a C++ value: keeps its arena
  RareBlock* rare_ = nullptr;
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
