// A model's bytes into a container, in pieces of any size.
#pragma once

#include "onnx_proto/crypt/container.h"

namespace ONNX_LIGHT_NAMESPACE::crypt {

/// Encrypts `plain_size` bytes, which is known before the first: the last chunk says that it is the last.
class Sealer {
 public:
  Sealer(const EncryptionOptions& options, std::string_view key, uint64_t plain_size);
  /// A part of the same container, for another thread: from byte `begin` of the model on, where one of PartSize() begins.
  Sealer(const Sealer& whole, uint64_t begin);
  /// Goes before everything else.
  const std::string& header() const { return header_bytes_; }
  uint64_t sealed_size() const { return header_.SealedSize(plain_size_); }
  /// Bytes of the model that can be sealed by themselves: whole chunks of together about `size`; without chunks all there are.
  uint64_t PartSize(uint64_t size) const;
  /// Where in the container, header and all, this one begins to write.
  uint64_t begin() const { return header_bytes_.size() + sealed_ + chunk_ * kTagSize; }
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
  const SecretKey key_;
  Cipher cipher_;
  uint64_t sealed_ = 0;    // bytes of the model so far
  uint64_t chunk_ = 0;     // the number of the chunk that is open or comes next
  uint32_t in_chunk_ = 0;  // bytes of the model in it
  bool open_ = false;
};

}  // namespace ONNX_LIGHT_NAMESPACE::crypt
