#include "onnx_proto/crypt/sealer.h"

#include <algorithm>
#include <cstring>

#include "onnx_proto/storage/block_cache.h"

namespace ONNX_LIGHT_NAMESPACE::crypt {
namespace {

[[noreturn]] void Wrong() { throw CryptError("the key is wrong, or the bytes were changed"); }

}  // namespace

Sealer::Sealer(const EncryptionOptions& options, std::string_view key, uint64_t plain_size)
    : header_(Header::New(options)),
      header_bytes_(header_.Bytes()),
      plain_size_(plain_size),
      cipher_(header_.encryption, Cipher::Direction::kEncrypt, SecretKey(key, header_.salt, header_.iterations)) {
  header_.SealedSize(plain_size);  // throws where a nonce would come twice
  if (!header_.in_chunks()) cipher_.Start(header_.iv);
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
  if (plain.size() > plain_size_ - sealed_) throw SerializeError("the model has grown while it was encrypted");
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
  if (sealed_ != plain_size_) throw SerializeError("the model has shrunk while it was encrypted");
  if (!header_.in_chunks()) {
    size_t written = 0;
    if (!cipher_.FinishBlocks(out, written)) throw CryptError("OpenSSL cannot encrypt");
    return written;
  }
  if (plain_size_ == 0) StartChunk();
  return open_ ? EndChunk(out) : 0;
}

namespace {

// Threads that fill different parts are not to touch the same fresh page: each would clear one.
constexpr uint64_t kPart = proto::kHugePage;

// What is encrypted as one: a block of CBC (chained to the one before it), or a chunk with its tag.
uint64_t UnitOf(const Header& header) { return header.in_chunks() ? uint64_t{header.chunk_size} + kTagSize : kBlockSize; }
uint64_t UnitsIn(const Header& header, uint64_t sealed_size) {
  return std::max<uint64_t>(1, sealed_size / UnitOf(header) + (sealed_size % UnitOf(header) != 0));
}

}  // namespace

Opener::Opener(const Header& header, std::string_view key, uint64_t sealed_size)
    : header_(header),
      header_bytes_(header.Bytes()),
      sealed_size_(sealed_size),
      plain_size_(header.PlainSize(sealed_size)),
      key_(key, header_.salt, header_.iterations),
      units_in_part_(std::max<uint64_t>(1, kPart / (header_.in_chunks() ? header_.chunk_size : kBlockSize))),
      parts_(static_cast<size_t>((UnitsIn(header_, sealed_size) - 1) / units_in_part_ + 1)) {}

Opener::Part Opener::PartAt(size_t index) const {
  const uint64_t first = index * units_in_part_;
  const uint64_t at = first * UnitOf(header_);
  const uint64_t end = std::min(sealed_size_, at + units_in_part_ * UnitOf(header_));
  if (header_.in_chunks()) return {at, static_cast<size_t>(end - at), first * header_.chunk_size};
  const uint64_t before = index ? kBlockSize : 0;  // the block that the first one is chained to
  return {at - before, static_cast<size_t>(end - at + before), at};
}

size_t Opener::Open(size_t index, std::string_view sealed, char* out) const {
  return header_.in_chunks() ? OpenChunks(index, sealed, out) : OpenBlocks(index, sealed, out);
}

size_t Opener::OpenBlocks(size_t index, std::string_view sealed, char* out) const {
  Cipher cipher(header_.encryption, Cipher::Direction::kDecrypt, key_);
  if (index) {
    cipher.Start(reinterpret_cast<const uint8_t*>(sealed.data()));
    sealed.remove_prefix(kBlockSize);
  } else {
    cipher.Start(header_.iv);
  }
  const bool last = index + 1 == parts_;
  if (!last) cipher.WithoutPadding();
  const size_t size = cipher.Update(sealed, out);
  size_t of_last_block = 0;
  if (!cipher.FinishBlocks(out + size, of_last_block)) Wrong();
  return size + of_last_block;
}

size_t Opener::OpenChunks(size_t index, std::string_view sealed, char* out) const {
  Cipher cipher(header_.encryption, Cipher::Direction::kDecrypt, key_);
  const uint64_t last = UnitsIn(header_, sealed_size_) - 1;
  uint64_t chunk = index * units_in_part_;
  char* const begin = out;
  do {  // a model without a byte is one chunk without a byte
    const size_t size = std::min<size_t>(sealed.size() - kTagSize, header_.chunk_size);
    uint8_t nonce[12];
    header_.Nonce(chunk, chunk == last, nonce);
    cipher.Start(nonce, header_bytes_);
    out += cipher.Update(sealed.substr(0, size), out);
    if (!cipher.FinishAndCheck(sealed.substr(size, kTagSize))) Wrong();
    sealed.remove_prefix(size + kTagSize);
    ++chunk;
  } while (!sealed.empty());
  return static_cast<size_t>(out - begin);
}

}  // namespace ONNX_LIGHT_NAMESPACE::crypt
