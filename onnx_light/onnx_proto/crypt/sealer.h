// A model's bytes into a container and back, in pieces of any size.
#pragma once

#include "onnx_proto/crypt/container.h"

namespace ONNX_LIGHT_NAMESPACE::crypt {

/// Encrypts. The number of bytes is known before the first: the last chunk says that it is the last.
class Sealer {
 public:
  Sealer(const EncryptionOptions& options, std::string_view key, uint64_t plain_size);
  /// Goes before everything else.
  const std::string& header() const { return header_bytes_; }
  uint64_t sealed_size() const { return header_.SealedSize(plain_size_); }
  /// How many bytes at most come out when so many go in; also of Finish, for 0.
  size_t RoomFor(size_t plain) const;
  /// Gives how many bytes have been written.
  size_t Seal(std::string_view plain, char* out);
  size_t Finish(char* out);

 private:
  void StartChunk();
  size_t EndChunk(char* out);

  const Header header_;
  const std::string header_bytes_;
  const uint64_t plain_size_;
  Cipher cipher_;
  uint64_t sealed_ = 0;    // bytes of the model so far
  uint64_t chunk_ = 0;     // the number of the chunk that is open or comes next
  uint32_t in_chunk_ = 0;  // bytes of the model in it
  bool open_ = false;
};

/// Decrypts the ciphertext behind a header: part by part, in any order and on any threads. What comes out counts only once all parts are
/// open.
class Opener {
 public:
  Opener(const Header& header, std::string_view key, uint64_t sealed_size);
  /// Room for the whole model, and for what a block cipher writes ahead.
  uint64_t room() const { return plain_size_ + kBlockSize; }
  /// The model has at least so many bytes: in blocks up to one more of padding than in chunks.
  uint64_t least() const { return plain_size_ - (header_.in_chunks() ? 0 : kBlockSize); }

  struct Part {
    uint64_t at;         // of its ciphertext, behind the header
    size_t size;         // bytes of it
    uint64_t opened_at;  // where in the model its bytes belong
  };
  size_t parts() const { return parts_; }
  /// About 2 MiB each, a huge page of the model, whatever the size of a chunk.
  Part PartAt(size_t index) const;
  /// `sealed` is the ciphertext of the part. Gives how many bytes of the model have been written: of all parts but the last a number that
  /// follows from where the next one begins. Throws CryptError unless all was right.
  size_t Open(size_t index, std::string_view sealed, char* out) const;

 private:
  size_t OpenBlocks(size_t index, std::string_view sealed, char* out) const;
  size_t OpenChunks(size_t index, std::string_view sealed, char* out) const;

  const Header header_;
  const std::string header_bytes_;
  const uint64_t sealed_size_;
  const uint64_t plain_size_;
  const SecretKey key_;
  const uint64_t units_in_part_;  // chunks, or blocks
  const size_t parts_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::crypt
