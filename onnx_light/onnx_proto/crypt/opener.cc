#include "onnx_proto/crypt/opener.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "onnx_proto/storage/block_cache.h"
#include "onnx_proto/stream/interrupt.h"
#include "onnx_proto/thread_pool.h"

namespace ONNX_LIGHT_NAMESPACE::crypt {
namespace {

constexpr size_t kPartsForThreads = 16;  // from here on a part is worth a thread

[[noreturn]] void Wrong() { throw CryptError("the key is wrong, or the bytes were changed"); }

}  // namespace

const Opener::Sizes Opener::kUsual{.part = proto::kHugePage, .step = size_t{128} << 10};

Opener::Opener(const Header& header, std::string_view key, uint64_t sealed_size, const Sizes& sizes)
    : header_(header),
      header_bytes_(header.Bytes()),
      sealed_size_(sealed_size),
      plain_size_(header.PlainSize(sealed_size)),
      key_(key, header_.salt, header_.iterations),
      step_(proto::RoundUp(sizes.step, kBlockSize)),
      plain_unit_(header_.in_chunks() ? header_.chunk_size : kBlockSize),
      unit_(plain_unit_ + (header_.in_chunks() ? kTagSize : 0)),
      units_(std::max<uint64_t>(1, sealed_size / unit_ + (sealed_size % unit_ != 0))),
      units_in_part_(std::max<uint64_t>(1, sizes.part / plain_unit_)),
      parts_(static_cast<size_t>((units_ - 1) / units_in_part_ + 1)) {}

size_t Opener::Open(const Ciphertext& sealed, char* out, int32_t num_threads) const {
  std::atomic<size_t> begun{0};  // parts from the first to the last that has
  size_t size = 0;               // written by whoever opens the last part
  try {
    utils::ThreadPool(parts_ < kPartsForThreads ? 1 : num_threads).ForEach(parts_, [&](size_t index) {
      for (size_t seen = begun; seen <= index && !begun.compare_exchange_weak(seen, index + 1);) {
      }
      utils::CheckInterrupt();
      const size_t end = OpenPart(index, sealed, out);
      if (index + 1 == parts_) size = end;
    });
  } catch (...) {
    Wipe(out, static_cast<size_t>(std::min(room(), begun * units_in_part_ * plain_unit_)));
    throw;
  }
  return size;
}

// Gives where in the model the part ends.
size_t Opener::OpenPart(size_t index, const Ciphertext& sealed, char* out) const {
  const uint64_t first = index * units_in_part_, end = std::min(units_, first + units_in_part_);
  return header_.in_chunks() ? OpenChunks(first, end, sealed, out) : OpenBlocks(first, end, sealed, out);
}

size_t Opener::OpenBlocks(uint64_t first, uint64_t end, const Ciphertext& sealed, char* out) const {
  Cipher cipher(header_.encryption, Cipher::Direction::kDecrypt, key_);
  char before[kBlockSize];
  if (first) cipher.Start(reinterpret_cast<const uint8_t*>(sealed.At((first - 1) * kBlockSize, kBlockSize, before).data()));
  else cipher.Start(header_.iv);
  cipher.ExpectPadding(false);
  auto from = static_cast<size_t>(first * kBlockSize), to = from;
  const auto stop = static_cast<size_t>(end * kBlockSize);
  for (size_t size = 0; from < stop; from += size) {
    size = std::min(step_, stop - from);
    if (from + size == sealed_size_) cipher.ExpectPadding(true);
    to += cipher.Update(sealed.At(from, size, out + to), out + to);
  }
  size_t unpadded = 0;
  if (!cipher.FinishBlocks(out + to, unpadded)) Wrong();
  return to + unpadded;
}

size_t Opener::OpenChunks(uint64_t first, uint64_t end, const Ciphertext& sealed, char* out) const {
  Cipher cipher(header_.encryption, Cipher::Direction::kDecrypt, key_);
  auto to = static_cast<size_t>(first * plain_unit_);
  for (uint64_t chunk = first; chunk < end; ++chunk) {
    const bool last = chunk + 1 == units_;
    uint8_t nonce[12];
    header_.Nonce(chunk, last, nonce);
    cipher.Start(nonce, header_bytes_);
    uint64_t from = chunk * unit_;
    const uint64_t tag = (last ? sealed_size_ : from + unit_) - kTagSize;
    while (from < tag) {
      const auto size = static_cast<size_t>(std::min<uint64_t>(step_, tag - from));
      to += cipher.Update(sealed.At(from, size, out + to), out + to);
      from += size;
    }
    char of_tag[kTagSize];
    if (!cipher.FinishAndCheck(sealed.At(tag, kTagSize, of_tag))) Wrong();
  }
  return to;
}

}  // namespace ONNX_LIGHT_NAMESPACE::crypt
