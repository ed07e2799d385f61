#include "onnx_proto/crypt/container.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace ONNX_LIGHT_NAMESPACE::crypt {
namespace {

struct Magic {
  std::string_view bytes;
  Encryption encryption;
};
constexpr Magic kMagics[] = {
    {"ONNXCRY1", Encryption::kAes256Cbc}, {"ONNXGCM1", Encryption::kAes256Gcm}, {"ONNXCCP1", Encryption::kChaCha20Poly1305}};
constexpr size_t kMagicSize = 8;

const Magic* MagicOf(std::string_view bytes) {
  const auto* const found = std::ranges::find_if(kMagics, [bytes](const Magic& magic) { return bytes.starts_with(magic.bytes); });
  return found != std::end(kMagics) ? found : nullptr;
}

constexpr uint32_t kCbcIterations = 100'000;
constexpr uint32_t kFewestIterations = 1'000, kMostIterations = 10'000'000;
constexpr uint32_t kSmallestChunk = 16, kLargestChunk = uint32_t{16} << 20;
constexpr uint64_t kMostChunks = uint64_t{1} << 32;
constexpr size_t kNoncePrefix = 7;
constexpr uint32_t kPbkdf2HmacSha256 = 1;

void PutNumber(std::string& to, uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) to += static_cast<char>(number >> shift & 0xff);
}
uint32_t GetNumber(std::string_view from, size_t at) {
  uint32_t number = 0;
  for (size_t i = 0; i < 4; ++i) number |= static_cast<uint32_t>(static_cast<uint8_t>(from[at + i])) << (8 * i);
  return number;
}
void CheckNumbers(uint32_t iterations, uint32_t chunk_size) {
  if (iterations < kFewestIterations || iterations > kMostIterations) {
    throw CryptError("key derivation with " + std::to_string(iterations) + " rounds: 1000 to 10000000 are allowed");
  }
  if (chunk_size < kSmallestChunk || chunk_size > kLargestChunk) {
    throw CryptError("chunks of " + std::to_string(chunk_size) + " bytes: 16 to 16777216 are allowed");
  }
}

}  // namespace

Header Header::New(const EncryptionOptions& options) {
  Header header{.encryption = options.encryption, .iterations = kCbcIterations};
  if (header.in_chunks()) {
    CheckNumbers(options.kdf_iterations, options.chunk_size);
    header.iterations = options.kdf_iterations;
    header.chunk_size = options.chunk_size;
  }
  FillRandom(header.salt, sizeof header.salt);
  FillRandom(header.iv, header.in_chunks() ? kNoncePrefix : sizeof header.iv);
  return header;
}

// CBC:    magic 8, salt 16, IV 16.
// Others: magic 8, key derivation 4 (1), its rounds 4, salt 16, chunk size 4, nonce prefix 7, zeros 5.
std::string Header::Bytes() const {
  std::string bytes;
  for (const Magic& magic : kMagics) {
    if (magic.encryption == encryption) bytes = magic.bytes;
  }
  if (in_chunks()) {
    PutNumber(bytes, kPbkdf2HmacSha256);
    PutNumber(bytes, iterations);
  }
  bytes.append(reinterpret_cast<const char*>(salt), sizeof salt);
  if (in_chunks()) PutNumber(bytes, chunk_size);
  bytes.append(reinterpret_cast<const char*>(iv), in_chunks() ? kNoncePrefix : sizeof iv);
  bytes.resize(size());
  return bytes;
}

Header Header::Read(std::string_view bytes) {
  Header header;
  const Magic* const found = MagicOf(bytes);
  if (!found) throw CryptError("it does not begin like an encrypted model (ONNXCRY1, ONNXGCM1 or ONNXCCP1)");
  header.encryption = found->encryption;
  if (bytes.size() < header.size()) throw CryptError("it ends inside its header");
  size_t at = kMagicSize;
  if (header.in_chunks()) {
    if (GetNumber(bytes, at) != kPbkdf2HmacSha256) throw CryptError("its key derivation is not known here");
    header.iterations = GetNumber(bytes, at + 4);
    at += 8;
  } else {
    header.iterations = kCbcIterations;
  }
  std::memcpy(header.salt, bytes.data() + at, sizeof header.salt);
  at += sizeof header.salt;
  if (header.in_chunks()) {
    header.chunk_size = GetNumber(bytes, at);
    CheckNumbers(header.iterations, header.chunk_size);
    std::memcpy(header.iv, bytes.data() + at + 4, kNoncePrefix);
    if (header.Bytes() != bytes.substr(0, header.size())) throw CryptError("its header has bytes that ought to be zero");
  } else {
    std::memcpy(header.iv, bytes.data() + at, sizeof header.iv);
  }
  return header;
}

uint64_t Header::SealedSize(uint64_t plain) const {
  if (!in_chunks()) return size() + (plain / kBlockSize + 1) * kBlockSize;
  const uint64_t chunks = plain == 0 ? 1 : (plain - 1) / chunk_size + 1;
  if (chunks > kMostChunks) throw CryptError("a model of " + std::to_string(plain) + " bytes needs larger chunks");
  return size() + plain + chunks * kTagSize;
}

uint64_t Header::PlainSize(uint64_t sealed) const {
  if (!in_chunks()) {
    if (sealed == 0 || sealed % kBlockSize) throw CryptError("it is cut: its ciphertext is no whole number of blocks");
    return sealed;
  }
  const uint64_t whole = uint64_t{chunk_size} + kTagSize;
  const uint64_t chunks = sealed == 0 ? 1 : (sealed - 1) / whole + 1;
  const uint64_t last = sealed - (chunks - 1) * whole;
  if (last < kTagSize || (chunks > 1 && last == kTagSize) || chunks > kMostChunks) throw CryptError("it is cut inside a chunk");
  return sealed - chunks * kTagSize;
}

void Header::Nonce(uint64_t chunk, bool last, uint8_t (&nonce)[12]) const {
  std::memcpy(nonce, iv, kNoncePrefix);
  for (size_t i = 0; i < 4; ++i) nonce[kNoncePrefix + i] = static_cast<uint8_t>(chunk >> (24 - 8 * i));
  nonce[11] = last ? 1 : 0;
}

}  // namespace ONNX_LIGHT_NAMESPACE::crypt

namespace ONNX_LIGHT_NAMESPACE {

bool BeginsEncrypted(std::string_view bytes) { return crypt::MagicOf(bytes) != nullptr; }

}  // namespace ONNX_LIGHT_NAMESPACE
