#include "onnx_proto/crypt/sealer.h"

#include <algorithm>
#include <cstring>

namespace ONNX_LIGHT_NAMESPACE::crypt {

Sealer::Sealer(const EncryptionOptions& options, std::string_view key, uint64_t plain_size)
    : header_(Header::New(options)),
      header_bytes_(header_.Bytes()),
      plain_size_(plain_size),
      key_(key, header_.salt, header_.iterations),
      cipher_(header_.encryption, Cipher::Direction::kEncrypt, key_) {
  header_.SealedSize(plain_size);  // throws where a nonce would come twice
  if (!header_.in_chunks()) cipher_.Start(header_.iv);
}

Sealer::Sealer(const Sealer& whole, uint64_t begin)
    : header_(whole.header_),
      header_bytes_(whole.header_bytes_),
      plain_size_(whole.plain_size_),
      key_(whole.key_),
      cipher_(header_.encryption, Cipher::Direction::kEncrypt, key_),
      sealed_(begin),
      chunk_(header_.in_chunks() ? begin / header_.chunk_size : 0) {
  if (!header_.in_chunks()) cipher_.Start(header_.iv);
}

uint64_t Sealer::PartSize(uint64_t size) const {
  if (!header_.in_chunks()) return std::max<uint64_t>(1, plain_size_);
  return std::max<uint64_t>(1, size / header_.chunk_size) * header_.chunk_size;
}

size_t Sealer::RoomFor(size_t plain) const {
  return plain + kBlockSize + (header_.in_chunks() ? (plain / header_.chunk_size + 2) * kTagSize : 0);
}

void Sealer::StartChunk() {
  uint8_t nonce[12];
  header_.Nonce(chunk_, plain_size_ - sealed_ <= header_.chunk_size, nonce);
  cipher_.Start(nonce, header_bytes_);
  open_ = true;
}

size_t Sealer::EndChunk(char* out) {
  char tag[kTagSize];
  cipher_.FinishWithTag(tag);
  std::memcpy(out, tag, kTagSize);
  open_ = false;
  in_chunk_ = 0;
  ++chunk_;
  return kTagSize;
}

size_t Sealer::Seal(std::string_view plain, char* out) {
  if (!header_.in_chunks()) {
    sealed_ += plain.size();
    return cipher_.Update(plain, out);
  }
  char* const begin = out;
  while (!plain.empty()) {
    if (!open_) StartChunk();
    const size_t size = std::min<size_t>(plain.size(), header_.chunk_size - in_chunk_);
    out += cipher_.Update(plain.substr(0, size), out);
    in_chunk_ += static_cast<uint32_t>(size);
    sealed_ += size;
    plain.remove_prefix(size);
    if (in_chunk_ == header_.chunk_size) out += EndChunk(out);
  }
  return static_cast<size_t>(out - begin);
}

size_t Sealer::Finish(char* out) {
  if (!header_.in_chunks()) {
    size_t written = 0;
    if (!cipher_.FinishBlocks(out, written)) throw CryptError("OpenSSL cannot encrypt");
    return written;
  }
  if (plain_size_ == 0) StartChunk();
  return open_ ? EndChunk(out) : 0;
}

}  // namespace ONNX_LIGHT_NAMESPACE::crypt
