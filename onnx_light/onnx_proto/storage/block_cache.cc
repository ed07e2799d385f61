#include "onnx_proto/storage/block_cache.h"

#include <pthread.h>
#include <sys/mman.h>

#include <cstdint>
#include <mutex>
#include <new>
#include <vector>

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

class BlockCache {
 public:
  void* Take(size_t size) {
    {
      std::lock_guard lock(mutex_);
      for (size_t i = 0; i < blocks_.size(); ++i) {
        if (blocks_[i].size != size) continue;
        void* found = blocks_[i].at;
        blocks_[i] = blocks_.back();
        blocks_.pop_back();
        kept_ -= size;
        return found;
      }
    }
    return Map(size);
  }

  void Give(void* block, size_t size) {
    std::lock_guard lock(mutex_);
    if (kept_ + size > limit_ || blocks_.size() == kMost) {
      munmap(block, size);
      return;
    }
    blocks_.push_back({block, size});
    kept_ += size;
  }

  void Limit(size_t bytes) {
    std::lock_guard lock(mutex_);
    limit_ = bytes;
    for (; kept_ > limit_; blocks_.pop_back()) {
      munmap(blocks_.back().at, blocks_.back().size);
      kept_ -= blocks_.back().size;
    }
  }

 private:
  struct Kept {
    void* at;
    size_t size;
  };
  static constexpr size_t kMost = 64;

  static void* Map(size_t size) {
    if (size > SIZE_MAX - kHugePage) throw std::bad_alloc();
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* const mapped = mmap(nullptr, size + kHugePage, PROT_READ | PROT_WRITE, kFlags, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    char* const raw = static_cast<char*>(mapped);
    char* const aligned = reinterpret_cast<char*>(RoundUp(reinterpret_cast<uintptr_t>(raw), kHugePage));
    if (aligned != raw) munmap(raw, static_cast<size_t>(aligned - raw));
    if (const size_t tail = static_cast<size_t>(raw + kHugePage - aligned)) munmap(aligned + size, tail);
    madvise(aligned, size, MADV_HUGEPAGE);
    return aligned;
  }

  // Room for every entry is there from the start: giving a block back never allocates.
  BlockCache() { blocks_.reserve(kMost); }
  friend BlockCache& Cache();
  static BlockCache* Make();

  std::mutex mutex_;
  std::vector<Kept> blocks_;
  size_t kept_ = 0;
  size_t limit_ = size_t{32} << 20;
};

// Never destroyed: arenas of static objects may outlive any static cache.
BlockCache& Cache() {
  static auto* cache = BlockCache::Make();
  return *cache;
}

// A process that is forked while another thread is in here has no such thread, which would let go of the lock.
BlockCache* BlockCache::Make() {
  auto* const cache = new BlockCache;
  pthread_atfork([] { Cache().mutex_.lock(); }, [] { Cache().mutex_.unlock(); }, [] { Cache().mutex_.unlock(); });
  return cache;
}

// Made when the library is loaded: a process that is forked while another thread makes it would wait for that thread.
[[maybe_unused]] const BlockCache& made = Cache();

}  // namespace

void* TakeHugeBlock(size_t size) { return Cache().Take(size); }
void GiveHugeBlock(void* block, size_t size) { Cache().Give(block, size); }
void AdviseHugePages(void* memory, size_t size) {
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t first = RoundUp(begin, kHugePage), last = (begin + size) / kHugePage * kHugePage;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

void LimitKeptHugeBlocks(size_t bytes) { Cache().Limit(bytes); }

}  // namespace ONNX_LIGHT_NAMESPACE::proto
