// A string in 16 bytes: a view of bytes that outlive the arena (an alias), a piece of the arena, or an owned OptionalString.
//
// All zero bytes mean "empty". The first word alone says which form it is: chars, or with its top bit set an OwnedString. The second word,
// the length of the chars, is not touched by str(), so a reader that races with a materialisation sees either form whole.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "onnx_proto/simple_string.h"
#include "onnx_proto/storage/arena.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

// A string that somebody asked to see as std::string; hangs on the arena, lies on the heap so that const readers can make it.
class OwnedString final : public utils::OptionalString, public Finalizer {
 public:
  OwnedString() = default;  // an absent one
  OwnedString(std::string_view text, uintptr_t chars) : OptionalString(text), chars_(chars) {}
  void Finish() override { delete this; }
  utils::String& text() { return value_; }
  FieldHome& home() { return home_; }
  uintptr_t chars() const { return chars_; }

 private:
  ~OwnedString() = default;
  friend class StringHandle;
  const uintptr_t chars_ = 0;  // what the handle held before
};

class StringHandle {
 public:
  [[gnu::always_inline]] std::string_view view() const {
    const uintptr_t word = Load();
    if (word & kOwned) [[unlikely]]
      return std::string_view(Owned(word)->text());
    return {reinterpret_cast<const char*>(word), size_ & ~kPiece};
  }
  bool stored() const { return word_ != 0; }
  // Null unless somebody asked for a reference.
  OwnedString* owned() const {
    const uintptr_t word = Load();
    return word & kOwned ? Owned(word) : nullptr;
  }
  // The same as an object that stays until Release, also when nothing is stored. Safe under concurrent const readers.
  OwnedString& Own(Arena* arena) const;
  // The string for const readers; of an empty one nothing is made.
  const utils::String& str(Arena* arena) const;

  // `bytes` stay alive and unchanged as long as the arena.
  [[gnu::always_inline]] void Alias(std::string_view bytes) {
    word_ = reinterpret_cast<uintptr_t>(bytes.data());
    size_ = bytes.size();
  }
  // Copies; `bytes` may lie in this very string.
  void Assign(Arena* arena, std::string_view bytes);
  // Of many in a row each costs its own bytes only: from the second on they grow a std::string.
  void Append(Arena* arena, std::string_view bytes);
  void Release(Arena* arena);

 private:
  static constexpr uintptr_t kOwned = uintptr_t{1} << 63;  // never set in a user-space address
  static constexpr uint64_t kPiece = uint64_t{1} << 63;

  uintptr_t Load() const { return __atomic_load_n(&word_, __ATOMIC_ACQUIRE); }
  static OwnedString* Owned(uintptr_t word) { return reinterpret_cast<OwnedString*>(word & ~kOwned); }

  mutable uintptr_t word_;
  uint64_t size_;
};
static_assert(sizeof(StringHandle) == 16);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
