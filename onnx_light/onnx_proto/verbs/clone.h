// A deep copy into a fresh message, instantiated from the rows: the object is copied as it lies, then what it points to is made anew.
//
// Payloads are shared. Faces, pending children and holds are not copied. If cloning throws, the fresh message is to be forgotten, not
// recycled: it may still point into the source.
#pragma once

#include "onnx_proto/fields/declare.h"
#include "onnx_proto/storage/prefetch.h"
#include "onnx_proto/verbs/message_verbs.h"
#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class Cloner {
 public:
  // A root's arena takes strings as packed bytes; in an arena that goes on living they are pieces, which can be recycled.
  enum class Strings { kPieces, kPacked };
  explicit Cloner(Arena* arena, int depth = 0, Strings strings = Strings::kPieces)
      : arena_(arena), packed_(strings == Strings::kPacked), depth_(depth) {}

  template <class T>
  void Clone(Message& fresh, const Message& from) {
    if (++depth_ > kMaxDepth + 1) TooDeep(T::kName);
    CopyWords(reinterpret_cast<char*>(&fresh) + sizeof(Message), reinterpret_cast<const char*>(&from) + sizeof(Message),
              sizeof(T) - sizeof(Message));
    fresh.has_ = from.has_;
    fresh.value_number_ = from.value_number_;
    ForEachField<T>([&]<int N>() {
      static constexpr Row row = RowOf<T, N>();
      if constexpr (row.place != Place::kRare && !IsNumber(row.kind)) {
        if constexpr (row.place == Place::kValue) {
          if (from.value_number_ != N) return;
        }
        void* const at = reinterpret_cast<char*>(&fresh) + row.offset;
        if constexpr (row.kind == Kind::kMessages) {
          CloneMessages<ChildOf<T, N>>(*static_cast<ListHandle*>(at));
        } else if constexpr (row.kind == Kind::kMessage) {
          Message*& child = *static_cast<Message**>(at);
          child = from.has_ & row.bit() ? CloneChild(row.child(), *child) : nullptr;
        } else {
          CloneSimple(row, at, from.has_ & row.bit());
        }
      }
    });
    if (from.rare_) [[unlikely]]
      CloneRare(T::table(), fresh, *from.rare_);
    --depth_;
  }

  [[noreturn]] static void TooDeep(std::string_view name);

 private:
  void CloneRare(const Table& table, Message& fresh, const RareBlock& rare);
  // Other readers of the source may be putting a materialised string into a handle: each word is read whole, and after what it points to.
  [[gnu::always_inline]] static void CopyWords(void* to, const void* from, size_t size) {
    using Word [[gnu::may_alias]] = uint64_t;
    for (size_t i = 0; i < size / sizeof(Word); ++i) {
      static_cast<Word*>(to)[i] = __atomic_load_n(static_cast<const Word*>(from) + i, __ATOMIC_ACQUIRE);
    }
  }
  void CloneSimple(const Row& row, void* at, bool present) {
    if (IsString(row.kind)) {
      CloneString(*static_cast<StringHandle*>(at));
    } else if (row.kind == Kind::kPayload) {
      auto*& payload = *static_cast<PayloadSlot**>(at);
      payload = present ? ClonePayload(*payload) : nullptr;
    } else if (IsStringList(row.kind)) {
      CloneStrings(*static_cast<ListHandle*>(at));
    } else {
      CloneNumbers(*static_cast<ListHandle*>(at), ElementSize(row.kind));
    }
  }
  [[gnu::always_inline]] void CloneString(StringHandle& string) {
    const std::string_view bytes = string.view();
    std::memset(static_cast<void*>(&string), 0, sizeof string);
    if (bytes.empty()) return;
    if (!packed_) return string.Assign(arena_, bytes);
    char* const copy = arena_->AllocateBytes(bytes.size());
    CopyShort(copy, bytes);
    string.Alias({copy, bytes.size()});
  }
  [[gnu::always_inline]] static void CopyShort(char* to, std::string_view bytes) {
    const size_t size = bytes.size();
    if (size >= 8 && size <= 32) {  // the usual name: no call
      const char* from = bytes.data();
      std::memcpy(to, from, 8);
      if (size > 16) {
        std::memcpy(to + 8, from + 8, 8);
        if (size > 24) std::memcpy(to + 16, from + 16, 8);
      }
      std::memcpy(to + size - 8, from + size - 8, 8);
    } else {
      std::memcpy(to, bytes.data(), size);
    }
  }
  Message* CloneChild(const Table& table, const Message& from) {
    Message* const made = Verbs::Init(arena_->Allocate(table.size), table.size, arena_, true);
    table.clone(*this, *made, from);
    return made;
  }
  PayloadSlot* ClonePayload(const PayloadSlot& from);
  void CloneNumbers(ListHandle& list, size_t size) {
    const ListHandle& from = Verbs::Items(static_cast<const void*>(&list));
    const uint32_t count = from.count;
    if (count == 0) {
      list = {};
      return;
    }
    void* const block = arena_->Allocate(count * size);
    std::memcpy(block, from.data(), count * size);
    list = {reinterpret_cast<uintptr_t>(block), count, count};
  }
  void CloneStrings(ListHandle& list) {
    const ListHandle from = Verbs::Items(static_cast<const void*>(&list));
    list = {};
    if (from.count == 0) return;
    auto* const strings = static_cast<StringHandle*>(arena_->Allocate(from.count * sizeof(StringHandle)));
    CopyWords(strings, from.data(), from.count * sizeof(StringHandle));
    for (uint32_t i = 0; i < from.count; ++i) CloneString(strings[i]);
    list = {reinterpret_cast<uintptr_t>(strings), from.count, from.count};
  }
  // Where the copies of a list go: one block, or one by one with a block of pointers to them.
  class Copies {
   public:
    Copies(Arena* arena, bool in_pieces, uint32_t count, size_t size)
        : arena_(arena),
          size_(size),
          count_(count),
          pointers_(in_pieces),
          block_(static_cast<char*>(arena->Allocate(count * (in_pieces ? sizeof(void*) : size)))) {}
    [[gnu::always_inline]] Message* Make(uint32_t i) {
      if (!pointers_) return Verbs::Init(block_ + i * size_, size_, arena_, true);
      Message* const made = Verbs::Init(arena_->Allocate(size_), size_, arena_, true);
      reinterpret_cast<void**>(block_)[i] = made;
      return made;
    }
    ListHandle list() const { return {reinterpret_cast<uintptr_t>(block_) | (pointers_ ? ListHandle::kPointers : 0), count_, count_}; }

   private:
    Arena* const arena_;
    const size_t size_;
    const uint32_t count_;
    const bool pointers_;
    char* const block_;
  };
  bool InPieces(size_t size) const { return !packed_ && arena_->HasRecycled(size); }
  void CloneMessages(const Table& table, ListHandle& list);
  template <class C>
  void CloneMessages(ListHandle& list) {
    const ListHandle from = Verbs::Items(static_cast<const void*>(&list));
    list = {};
    if (from.count == 0) return;
    Copies copies(arena_, InPieces(sizeof(C)), from.count, sizeof(C));
    for (uint32_t i = 0; i < from.count; ++i) {
      const void* source = from.pointers() ? reinterpret_cast<void**>(from.data())[i] : from.data() + i * sizeof(C);
      if constexpr (sizeof(C) > 96) {  // nodes: there may be a great many
        AskFor<kToRead>(source, 6 * sizeof(C), sizeof(C));
        arena_->PrefetchAhead();
      }
      MessageVerbs<C>::Clone(*this, *copies.Make(i), *static_cast<const Message*>(source));
    }
    list = copies.list();
  }

  Arena* const arena_;
  const bool packed_;
  int depth_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
