#include "onnx_proto/storage/arena.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <thread>

#include "onnx_proto/storage/block_cache.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

constexpr size_t kLargestBlock = size_t{32} << 20;
constexpr size_t kMost = size_t{1} << 46;  // more than an address space has room for; keeps the free lists' index in range

class SpinLock {  // held for a few instructions, hardly ever contended
 public:
  explicit SpinLock(bool& flag) : flag_(flag) {
    while (__atomic_test_and_set(&flag_, __ATOMIC_ACQUIRE)) std::this_thread::yield();
  }
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;
  ~SpinLock() { __atomic_clear(&flag_, __ATOMIC_RELEASE); }

 private:
  bool& flag_;
};

}  // namespace

Arena::FreeLists Arena::kNothingFree;

Arena* Arena::Create() {
  static_assert(sizeof(Arena) <= kFirst / 4);
  char* memory = static_cast<char*>(std::malloc(kFirst));
  if (!memory) throw std::bad_alloc();
  Arena* arena = new (memory) Arena;
  arena->begin_ = memory + sizeof(Arena);
  arena->end_ = memory + kFirst;
  Poison(arena->begin_, kFirst - sizeof(Arena));
  return arena;
}

void Arena::Delete(Arena* arena) {
  arena->~Arena();
  Unpoison(reinterpret_cast<char*>(arena) + sizeof(Arena), kFirst - sizeof(Arena));
  std::free(arena);
}

Arena::~Arena() {
  while (Finalizer* item = finalizers_) {
    finalizers_ = item->next_;
    if (finalizers_) finalizers_->previous_ = nullptr;  // the end of one may take another one off the list
    item->Finish();
  }
  while (Block* block = blocks_) {
    blocks_ = block->next;
    const size_t size = block->size;
    Unpoison(block, size);
    if (size >= kHugePage) {
      GiveHugeBlock(block, size);
    } else {
      std::free(block);
    }
  }
}

void Arena::AddBlock(size_t at_least) {
  if (at_least > SIZE_MAX / 2) throw std::bad_alloc();
  size_t size = std::max({next_block_, std::min(expected_, kLargestBlock), at_least + sizeof(Block)});
  expected_ = 0;
  if (size >= kHugePage) size = RoundUp(size, kHugePage);
  char* memory = static_cast<char*>(size >= kHugePage ? TakeHugeBlock(size) : std::malloc(size));
  if (!memory) throw std::bad_alloc();
  blocks_ = new (memory) Block{blocks_, size};
  Poison(memory + sizeof(Block), size - sizeof(Block));
  if (end_ - begin_ <= static_cast<ptrdiff_t>(size - sizeof(Block) - at_least)) {
    begin_ = memory + sizeof(Block);
    end_ = memory + size;
  }
  next_block_ = std::min(std::max(next_block_, size) * 2, kLargestBlock);
}

void* Arena::AllocateSlowly(size_t size) {
  if (size > kMost) throw std::bad_alloc();
  if (size > kSmall) {
    size = LargeSize(size);
    if (void* piece = TakeLarge(size)) return piece;
  } else if (Piece* piece = free_->small[size / 8]) {
    Unpoison(piece, size);
    free_->small[size / 8] = piece->next;
    return piece;
  }
  return AllocateNew(size);
}

void* Arena::AllocateNew(size_t size) {
  if (size > kLargestBlock - sizeof(Block)) {  // a block of its own; the current one goes on being filled
    AddBlock(size);
    char* own = reinterpret_cast<char*>(blocks_) + sizeof(Block);
    bytes_used_ += size;
    if (begin_ == own) begin_ += size;
    Unpoison(own, size);
    return own;
  }
  if (size > static_cast<size_t>(end_ - begin_)) {
    begin_ = end_;
    AddBlock(size);
  }
  return Bump(size);
}

void* Arena::TakeLarge(size_t size) {
  constexpr int kTries = 16;  // in the last list, where sizes differ
  LargePiece** at = &free_->large[ListOf(size)];
  for (int tries = 0; *at && tries < kTries; ++tries) {
    LargePiece* piece = *at;
    if (piece->size == size) {
      *at = piece->next;
      Unpoison(piece, size);
      return piece;
    }
    at = &piece->next;
  }
  return nullptr;
}

void Arena::Recycle(void* piece, size_t size) {
  size = Rounded(size);
  if (free_ == &kNothingFree) {
    try {
      free_ = new (AllocateSlowly(sizeof(FreeLists))) FreeLists;
    } catch (const std::bad_alloc&) {
      return;  // the piece waits for the end of the arena
    }
  }
  if (size <= kSmall) {
    free_->small[size / 8] = new (piece) Piece{free_->small[size / 8]};
    Poison(piece, size);
  } else {
    size = LargeSize(size);
    LargePiece*& list = free_->large[ListOf(size)];
    list = new (piece) LargePiece{list, size};
    // The two words stay readable for the search for a fitting piece.
    Poison(static_cast<char*>(piece) + sizeof(LargePiece), size - sizeof(LargePiece));
  }
}

char* Arena::AllocateBytesSlowly(size_t size) {
  constexpr size_t kOwnPiece = 4096;
  if (size > kMost) throw std::bad_alloc();
  if (size > kOwnPiece) return static_cast<char*>(AllocateNew(Rounded(size)));
  begin_ = end_;
  AddBlock(size);
  return AllocateBytes(size);
}

void Arena::AdoptFinalizer(Finalizer* item) {
  const SpinLock lock(finalizers_lock_);
  AdoptWritersFinalizer(item);
}

void Arena::DeleteFinalizer(Finalizer* item) {
  (item->previous_ ? item->previous_->next_ : finalizers_) = item->next_;
  if (item->next_) item->next_->previous_ = item->previous_;
  item->Finish();
}

void Arena::KeepFreedBlocks(size_t bytes) { LimitKeptHugeBlocks(bytes); }

}  // namespace ONNX_LIGHT_NAMESPACE::proto
