// The only door to OpenSSL: keys, random bytes, and ciphers that are fed in pieces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "onnx_proto/onnx_crypt.h"

namespace ONNX_LIGHT_NAMESPACE::crypt {

inline constexpr size_t kSaltSize = 16;
inline constexpr size_t kTagSize = 16;
inline constexpr size_t kBlockSize = 16;  // of AES

/// A derived key; each copy is wiped at its end.
class SecretKey {
 public:
  /// PBKDF2-HMAC-SHA256 (RFC 8018).
  SecretKey(std::string_view passphrase, const uint8_t (&salt)[kSaltSize], uint32_t iterations);
  SecretKey(const SecretKey&) = default;
  SecretKey& operator=(const SecretKey&) = delete;
  ~SecretKey();
  const uint8_t* data() const { return bytes_.data(); }

 private:
  std::array<uint8_t, 32> bytes_{};
};

/// From the system's generator, by way of RAND_bytes; CryptError if that has nothing to give.
void FillRandom(void* to, size_t size);
/// Overwrites what nobody is to find, whatever the compiler thinks of it.
void Wipe(void* memory, size_t size);

/// One cipher in one direction. Start, Update as often as needed, Finish; then Start again.
class Cipher {
 public:
  enum class Direction { kEncrypt, kDecrypt };
  Cipher(Encryption encryption, Direction direction, const SecretKey& key);
  Cipher(const Cipher&) = delete;
  Cipher& operator=(const Cipher&) = delete;
  ~Cipher();

  /// 16 bytes of IV for CBC; 12 of nonce, and bytes to authenticate beside the ciphertext, for the others.
  void Start(const uint8_t* nonce, std::string_view authenticated = {});
  /// Gives how many bytes have been written: of CBC whole blocks, up to 16 more or fewer than came. `out` may be where `in` lies.
  size_t Update(std::string_view in, char* out);
  /// CBC, between whole blocks: whether the last of those that follow is a padded one. It is, unless this was called.
  void ExpectPadding(bool expected);
  /// CBC: the padded last block, or what is left without its padding. False if the padding is none.
  bool FinishBlocks(char* out, size_t& written);
  void FinishWithTag(char (&tag)[kTagSize]);
  /// False if these are not the bytes that the tag was made for.
  bool FinishAndCheck(std::string_view tag);

 private:
  struct Context;
  const std::unique_ptr<Context> context_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::crypt
