// The formats as bytes: what stands before the ciphertext, and how long everything is. docs/design/encryption.md shows them as tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "onnx_proto/crypt/cipher.h"

namespace ONNX_LIGHT_NAMESPACE::crypt {

/// The header of a container.
struct Header {
  Encryption encryption = Encryption::kAes256Cbc;
  uint8_t salt[kSaltSize]{};
  uint32_t iterations = 0;
  uint8_t iv[kBlockSize]{};  // of CBC; of the others the first 7 bytes, which all nonces begin with
  uint32_t chunk_size = 0;   // 0 for CBC

  static constexpr size_t kLongest = 48;
  /// A header for new ciphertext: random salt and IV. Throws CryptError for options out of range.
  static Header New(const EncryptionOptions& options);
  /// Of bytes that begin with one. Throws CryptError.
  static Header Read(std::string_view bytes);

  bool in_chunks() const { return encryption != Encryption::kAes256Cbc; }
  size_t size() const { return in_chunks() ? 48 : 40; }
  std::string Bytes() const;
  /// Of a container, header included, for so many bytes of a model.
  uint64_t SealedSize(uint64_t plain) const;
  /// Bytes of the model in so many bytes of ciphertext (of CBC at most so many). Throws CryptError if no container is that long.
  uint64_t PlainSize(uint64_t sealed) const;
  /// The nonce of a chunk: 7 random bytes, its number, and whether it is the last one (STREAM of Hoang, Reyhanitabar, Rogaway and Vizár,
  /// "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", 2015).
  void Nonce(uint64_t chunk, bool last, uint8_t (&nonce)[12]) const;
};

}  // namespace ONNX_LIGHT_NAMESPACE::crypt
