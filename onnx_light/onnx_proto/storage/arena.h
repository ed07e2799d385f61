// The memory of one root message and of everything below it.
//
// Promise: a piece is valid until it is recycled or the arena goes; the arena goes when its last C++ owner and its last face have gone,
// without a walk over the tree. Only what needs a destructor (payloads, owned strings) hangs on a list.
// Threads: one writer, or any number of const readers. AdoptFinalizer is safe under const readers, the rest is the writer's.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "onnx_proto/storage/shared_count.h"

#if defined(__SANITIZE_ADDRESS__)
#define ONNX_LIGHT_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ONNX_LIGHT_POISONS 1
#endif
#endif
#if defined(ONNX_LIGHT_POISONS)
#include <sanitizer/asan_interface.h>
#endif

namespace ONNX_LIGHT_NAMESPACE::proto {

// Something of an arena that needs more than forgetting. Intrusive, so that linking it allocates nothing.
class Finalizer {
 public:
  Finalizer() = default;
  Finalizer(const Finalizer&) = delete;
  Finalizer& operator=(const Finalizer&) = delete;
  // Ends the object: its destructor, and its memory where it lies on the heap.
  virtual void Finish() = 0;

 protected:
  ~Finalizer() = default;

 private:
  friend class Arena;
  Finalizer* previous_ = nullptr;
  Finalizer* next_ = nullptr;
};

class ONNX_LIGHT_API Arena {
 public:
  // An arena with one owner: the caller.
  static Arena* Create();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  void AddOwner() { owners_.Add(); }
  void DropOwner() {
    if (owners_.Drop()) Delete(this);
  }
  // Faces are counted without atomics, under the lock of their language (the GIL); all of them together are one owner.
  void AddFace() {
    if (faces_++ == 0) AddOwner();
  }
  void DropFace() {
    if (--faces_ == 0) DropOwner();
  }
  // True when the arena would go with one face: then nothing below needs to be recycled.
  bool HangsOnOneFace() const { return faces_ == 1 && owners_.IsOne(); }

  // `size` bytes, 8-aligned, not cleared. Throws std::bad_alloc.
  [[gnu::always_inline]] void* Allocate(size_t size) {
    size = Rounded(size);
    if (size > kSmall || free_->small[size / 8] || size > static_cast<size_t>(end_ - begin_)) return AllocateSlowly(size);
    return Bump(size);
  }
  // Pieces of up to so many bytes are exactly as long as asked for (in words of 8): of several that were asked for as one, each may come
  // back alone. Larger ones are rounded up, and come back as they were given.
  static constexpr size_t kLargestExact = 160;
  // Takes back a piece of Allocate; `size` as it was asked for.
  void Recycle(void* piece, size_t size);
  // Whether a piece of this size has come back. Then many of them are better asked for one by one than side by side: else an arena that
  // lives on grows by a block with each list that is replaced after an edit, as its elements come back one by one.
  bool HasRecycled(size_t size) const {
    size = Rounded(size);
    return size <= kSmall ? free_->small[size / 8] != nullptr : free_->large[ListOf(size)] != nullptr;
  }
  // Bytes without alignment, packed from the other end of the block; these are not recycled.
  [[gnu::always_inline]] char* AllocateBytes(size_t size) {
    if (size > static_cast<size_t>(end_ - begin_)) return AllocateBytesSlowly(size);
    end_ -= size;
    bytes_used_ += size;
    Unpoison(end_, size);
    return end_;
  }
  // Asks for the cache lines that the next objects and the next bytes will be written to. Addresses only: nothing is touched.
  [[gnu::always_inline]] void PrefetchAhead() const {
    const auto objects = reinterpret_cast<uintptr_t>(begin_), bytes = reinterpret_cast<uintptr_t>(end_);
    for (uintptr_t line = 0; line < 4; ++line) __builtin_prefetch(reinterpret_cast<const void*>(objects + 768 + 64 * line), 1);
    for (uintptr_t line = 0; line < 3; ++line) __builtin_prefetch(reinterpret_cast<const void*>(bytes - 576 - 64 * line), 1);
  }
  // Says that about `size` bytes will follow, so that the next block is made large enough.
  void Expect(size_t size) { expected_ = size; }

  // Safe under const readers, who may do the same.
  void AdoptFinalizer(Finalizer* item);
  // The writer's, who is alone: no lock.
  void AdoptWritersFinalizer(Finalizer* item) {
    item->next_ = finalizers_;
    if (finalizers_) finalizers_->previous_ = item;
    finalizers_ = item;
  }
  // The writer's. Takes the item off the list and finishes it.
  void DeleteFinalizer(Finalizer* item);

  // What was handed out, recycled pieces included: for tests that nothing is left behind.
  size_t bytes_used() const { return bytes_used_; }

  // How many bytes of freed large blocks the process keeps for its next arena (32 MiB unless told otherwise).
  static void KeepFreedBlocks(size_t bytes);

 private:
  struct Block {
    Block* next;
    size_t size;
  };
  struct Piece {
    Piece* next;
  };
  struct LargePiece {
    LargePiece* next;
    size_t size;
  };
  // Up to kSmall a piece is as long as asked for, above it a power of two plus no to three quarters: so that a piece that comes back is
  // the next one of its size, whatever the order. Each size has a free list; the few above 256 KiB share the last one.
  static constexpr size_t kSmall = kLargestExact;
  static constexpr size_t kLists = 45;
  static constexpr size_t kFirst = 1024;  // arena and first block are one allocation of this size
  struct FreeLists {
    Piece* small[kSmall / 8 + 1] = {};
    LargePiece* large[kLists] = {};
  };
  static FreeLists kNothingFree;  // never written

  Arena() = default;
  ~Arena();
  static void Delete(Arena* arena);
  void AddBlock(size_t at_least);
  void* AllocateSlowly(size_t size);
  void* AllocateNew(size_t size);
  void* TakeLarge(size_t size);
  static size_t LargeSize(size_t size) {
    const size_t step = std::bit_floor(size) / 4;
    return (size + step - 1) & ~(step - 1);
  }
  static size_t ListOf(size_t large) {
    large = LargeSize(large);
    const auto octave = static_cast<size_t>(std::bit_width(large)) - std::bit_width(kSmall);
    const size_t list = octave * 4 + (large >> (octave + 5) & 3);
    return list < kLists ? list : kLists - 1;
  }
  char* AllocateBytesSlowly(size_t size);
  static size_t Rounded(size_t size) { return size < 8 ? 8 : (size + 7) & ~size_t{7}; }
  [[gnu::always_inline]] char* Bump(size_t size) {
    char* made = begin_;
    begin_ += size;
    bytes_used_ += size;
    Unpoison(made, size);
    return made;
  }
  // Under AddressSanitizer a recycled piece is poisoned; without this the sanitizer would see nothing of an arena's mistakes.
  static void Poison([[maybe_unused]] void* at, [[maybe_unused]] size_t size) {
#if defined(ONNX_LIGHT_POISONS)
    __asan_poison_memory_region(at, size);
#endif
  }
  static void Unpoison([[maybe_unused]] void* at, [[maybe_unused]] size_t size) {
#if defined(ONNX_LIGHT_POISONS)
    __asan_unpoison_memory_region(at, size);
#endif
  }

  char* begin_ = nullptr;  // objects grow up from here,
  char* end_ = nullptr;    // bytes grow down from here
  FreeLists* free_ = &kNothingFree;
  Block* blocks_ = nullptr;
  size_t bytes_used_ = 0;
  size_t next_block_ = 4096;
  size_t expected_ = 0;
  SharedCount owners_{1};
  uint32_t faces_ = 0;
  bool finalizers_lock_ = false;  // taken and let go of by whole machine operations
  Finalizer* finalizers_ = nullptr;
};

// Counts as one C++ owner of an arena while it lives.
class ArenaOwner {
 public:
  explicit ArenaOwner(Arena* arena) : arena_(arena) {}  // takes over a count that exists
  ArenaOwner(const ArenaOwner&) = delete;
  ArenaOwner& operator=(const ArenaOwner&) = delete;
  ~ArenaOwner() { arena_->DropOwner(); }
  Arena* get() const { return arena_; }

 private:
  Arena* const arena_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
