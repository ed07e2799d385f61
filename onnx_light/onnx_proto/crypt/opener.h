// A container's ciphertext back into a model's bytes: part by part, on several threads.
#pragma once

#include "onnx_proto/crypt/container.h"

namespace ONNX_LIGHT_NAMESPACE::crypt {

/// The ciphertext behind a header, wherever it is.
class Ciphertext {
 public:
  Ciphertext() = default;
  Ciphertext(const Ciphertext&) = delete;
  Ciphertext& operator=(const Ciphertext&) = delete;
  virtual ~Ciphertext() = default;
  /// `size` bytes of it, as long as `room`, which has place for them, is left alone. Called on any thread.
  virtual std::string_view At(uint64_t at, size_t size, char* room) const = 0;
};

/// What comes out of it counts only once all parts are open.
class Opener {
 public:
  /// How much a thread takes as one, and how much goes through the cipher at once.
  struct Sizes {
    uint64_t part;
    size_t step;
  };
  /// Threads that fill different parts are not to touch the same fresh page: each would clear one, a huge page. And what has been read
  /// from a file is decrypted before it leaves the nearer caches.
  static const Sizes kUsual;

  Opener(const Header& header, std::string_view key, uint64_t sealed_size, const Sizes& sizes = kUsual);
  /// Room for the whole model, and for what a block cipher writes ahead.
  uint64_t room() const { return plain_size_ + kBlockSize; }
  /// The model has at least so many bytes: in blocks up to one more of padding than in chunks.
  uint64_t least() const { return plain_size_ - (header_.in_chunks() ? 0 : kBlockSize); }
  size_t parts() const { return parts_; }

  /// The model to `out`, which has room() bytes; gives how many it has. Throws CryptError unless all was right, and what `sealed` throws:
  /// nothing of the model is left at `out` then.
  size_t Open(const Ciphertext& sealed, char* out, int32_t num_threads) const;

 private:
  size_t OpenPart(size_t index, const Ciphertext& sealed, char* out) const;
  // Units from `first` to before `end`.
  size_t OpenBlocks(uint64_t first, uint64_t end, const Ciphertext& sealed, char* out) const;
  size_t OpenChunks(uint64_t first, uint64_t end, const Ciphertext& sealed, char* out) const;

  const Header header_;
  const std::string header_bytes_;
  const uint64_t sealed_size_;
  const uint64_t plain_size_;
  const SecretKey key_;
  const size_t step_;          // whole blocks
  const uint64_t plain_unit_;  // bytes of the model that are encrypted as one: a block, which is chained to the one before it, or a chunk
  const uint64_t unit_;        // the same of the ciphertext, with the tag of a chunk
  const uint64_t units_;       // one at least
  const uint64_t units_in_part_;
  const size_t parts_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::crypt
