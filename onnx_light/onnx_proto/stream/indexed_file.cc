#include "onnx_proto/stream/indexed_file.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

#include "onnx_proto/storage/block_cache.h"
#include "onnx_proto/stream/file_descriptor.h"
#include "onnx_proto/stream/structure_reader.h"
#include "onnx_proto/thread_pool.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

constexpr size_t kAlignment = 64;              // of payloads in a slab, as of those with a block of their own
constexpr size_t kOwnBlock = size_t{4} << 20;  // from here on a payload can be freed alone
constexpr size_t kSlab = size_t{32} << 20;
constexpr uint64_t kPiecesWorthThreads = 16;

}  // namespace

IndexedFile::IndexedFile(int descriptor, const std::string& path, uint64_t size, const Table& table, const ParseOptions& options)
    : descriptor_(descriptor), path_(path), size_(static_cast<size_t>(size)) {
  if (size == 0) return;
  if (size > SIZE_MAX / 2) throw std::bad_alloc();
  try {
    Reserve();
    StructureReader(*this, options).Read(table);
    MakeRoom();
    ReadPayloads(options);
  } catch (...) {
    LetGo();
    throw;
  }
}

void IndexedFile::Reserve() {
  void* const reserved = mmap(nullptr, size_ + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) throw std::bad_alloc();
  reserved_ = reserved;
  memory_ = reinterpret_cast<char*>(RoundUp(reinterpret_cast<uintptr_t>(reserved), kHugePage));
  madvise(reserved_, size_ + kHugePage, MADV_NOHUGEPAGE);  // huge pages around pieces of structure would be as large as the payloads
}

void IndexedFile::LetGo() {
  for (const Payload& payload : payloads_) {
    if (payload.owner) payload.owner->LetGo();
  }
  payloads_.clear();
  if (reserved_) munmap(std::exchange(reserved_, nullptr), size_ + kHugePage);
}

uint64_t IndexedFile::payload_bytes() const {
  return std::accumulate(payloads_.begin(), payloads_.end(), uint64_t{0}, [](uint64_t sum, const Payload& one) { return sum + one.size; });
}

void IndexedFile::MakeRoom() {
  uint64_t left = 0;  // bytes that are to lie in slabs
  for (const Payload& payload : payloads_) {
    if (payload.size < kOwnBlock) left += RoundUp(payload.size, kAlignment);
  }
  PayloadOwner* slab = nullptr;
  uint8_t* at = nullptr;
  size_t room = 0;
  try {
    for (Payload& payload : payloads_) {
      if (payload.size >= kOwnBlock) {
        payload.owner = PayloadOwner::NewBlock(payload.size, &payload.at);
        continue;
      }
      const size_t size = RoundUp(payload.size, kAlignment);
      if (room < size) {
        if (slab) std::exchange(slab, nullptr)->LetGo();
        room = static_cast<size_t>(std::min<uint64_t>(left, kSlab));
        slab = PayloadOwner::NewBlock(room, &at);
      }
      slab->Hold();
      payload.owner = slab;
      payload.at = at;
      at += size;
      room -= size;
      left -= size;
    }
  } catch (...) {
    if (slab) slab->LetGo();
    throw;
  }
  if (slab) slab->LetGo();
}

// No byte of the file is read twice.
void IndexedFile::ReadPart(const Payload& payload, size_t begin, size_t end) const {
  const size_t known = std::clamp(payload.read, begin, end);
  std::memcpy(payload.at + begin, memory_ + payload.offset + begin, known - begin);
  utils::ReadAt(descriptor_, path_, payload.offset + known, payload.at + known, end - known);
}

void IndexedFile::ReadPayloads(const ParseOptions& options) const {
  struct Piece {
    const Payload* payload;
    size_t begin, end;
  };
  const auto threshold = static_cast<uint64_t>(std::max<int64_t>(options.raw_data_threshold, 0));
  const auto piece_size = static_cast<size_t>(std::clamp<int64_t>(options.min_parallel_block_size, 4096, int64_t{1} << 30));
  const int threads = utils::ThreadCount(options.num_threads);
  if (threads == 1 || payload_bytes() / piece_size < kPiecesWorthThreads) {
    for (const Payload& payload : payloads_) ReadPart(payload, 0, payload.size);
    return;
  }
  // A piece is a part of one large payload, or small ones in a row. Whoever reads it is the first to touch its memory: clearing fresh pages
  // is half of the work.
  std::vector<Piece> pieces;
  std::vector<size_t> begins;  // of the work that is handed out at once
  size_t waiting = piece_size;
  for (const Payload& payload : payloads_) {
    if (payload.size < threshold) {
      ReadPart(payload, 0, payload.size);
      continue;
    }
    for (size_t done = 0; done < payload.size;) {
      if (waiting >= piece_size) {
        begins.push_back(pieces.size());
        waiting = 0;
      }
      const size_t left = payload.size - done;
      const size_t size = left < 2 * piece_size ? left : piece_size;
      pieces.push_back({&payload, done, done + size});
      waiting += size;
      done += size;
    }
  }
  begins.push_back(pieces.size());
  utils::ThreadPool(threads).ForEach(begins.size() - 1, [&](size_t i) {
    for (size_t k = begins[i]; k < begins[i + 1]; ++k) ReadPart(*pieces[k].payload, pieces[k].begin, pieces[k].end);
  });
}

bool IndexedFile::Give(uint64_t offset, size_t size, utils::ByteSpan& payload) {
  if (next_ == payloads_.size() || payloads_[next_].offset != offset) {
    const auto found = std::lower_bound(payloads_.begin(), payloads_.end(), offset,
                                        [](const Payload& one, uint64_t wanted) { return one.offset < wanted; });
    if (found == payloads_.end() || found->offset != offset) return false;
    next_ = static_cast<size_t>(found - payloads_.begin());
  }
  Payload& known = payloads_[next_++];
  if (known.size != size || !known.owner) return false;
  payload.adopt(known.at, size, std::exchange(known.owner, nullptr), true);
  return true;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
