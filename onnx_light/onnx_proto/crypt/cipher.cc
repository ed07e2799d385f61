#include "onnx_proto/crypt/cipher.h"

#if defined(ONNX_LIGHT_HAS_OPENSSL)

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <new>

namespace ONNX_LIGHT_NAMESPACE {

bool EncryptionAvailable() { return true; }

namespace crypt {
namespace {

constexpr size_t kMost = size_t{1} << 30;  // lengths are ints over there

void Check(bool done, const char* what) {
  if (!done) throw CryptError(std::string("OpenSSL cannot ") + what);
}
const uint8_t* Bytes(const char* text) { return reinterpret_cast<const uint8_t*>(text); }
uint8_t* Bytes(char* text) { return reinterpret_cast<uint8_t*>(text); }

const EVP_CIPHER* CipherOf(Encryption encryption) {
  switch (encryption) {
    case Encryption::kAes256Cbc: return EVP_aes_256_cbc();
    case Encryption::kAes256Gcm: return EVP_aes_256_gcm();
    case Encryption::kChaCha20Poly1305: return EVP_chacha20_poly1305();
  }
  throw CryptError("no such encryption");
}

}  // namespace

SecretKey::SecretKey(std::string_view passphrase, const uint8_t (&salt)[kSaltSize], uint32_t iterations) {
  if (passphrase.size() > kMost) throw CryptError("the key is longer than 1 GiB");
  Check(PKCS5_PBKDF2_HMAC(passphrase.data(), static_cast<int>(passphrase.size()), salt, kSaltSize, static_cast<int>(iterations),
                          EVP_sha256(), static_cast<int>(bytes_.size()), bytes_.data()) == 1,
        "derive a key");
}
SecretKey::~SecretKey() { Wipe(bytes_.data(), bytes_.size()); }

void FillRandom(void* to, size_t size) { Check(RAND_bytes(static_cast<uint8_t*>(to), static_cast<int>(size)) == 1, "get random bytes"); }
void Wipe(void* memory, size_t size) { OPENSSL_cleanse(memory, size); }

struct Cipher::Context {
  explicit Context(bool encrypt) : encrypts(encrypt), evp(EVP_CIPHER_CTX_new()) {
    if (!evp) throw std::bad_alloc();
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { EVP_CIPHER_CTX_free(evp); }  // which wipes the key
  const bool encrypts;
  EVP_CIPHER_CTX* const evp;
};

Cipher::Cipher(Encryption encryption, Direction direction, const SecretKey& key)
    : context_(std::make_unique<Context>(direction == Direction::kEncrypt)) {
  Check(EVP_CipherInit_ex(context_->evp, CipherOf(encryption), nullptr, key.data(), nullptr, context_->encrypts) == 1, "start a cipher");
}
Cipher::~Cipher() = default;

void Cipher::Start(const uint8_t* nonce, std::string_view authenticated) {
  Check(EVP_CipherInit_ex(context_->evp, nullptr, nullptr, nullptr, nonce, -1) == 1, "start a cipher");
  int written = 0;
  if (!authenticated.empty()) {
    Check(EVP_CipherUpdate(context_->evp, nullptr, &written, Bytes(authenticated.data()), static_cast<int>(authenticated.size())) == 1,
          "authenticate");
  }
}

size_t Cipher::Update(std::string_view in, char* out) {
  size_t total = 0;
  while (!in.empty()) {
    const size_t size = std::min(in.size(), kMost);
    int written = 0;
    Check(EVP_CipherUpdate(context_->evp, Bytes(out + total), &written, Bytes(in.data()), static_cast<int>(size)) == 1,
          context_->encrypts ? "encrypt" : "decrypt");
    total += static_cast<size_t>(written);
    in.remove_prefix(size);
  }
  return total;
}

void Cipher::ExpectPadding(bool expected) { EVP_CIPHER_CTX_set_padding(context_->evp, expected); }

bool Cipher::FinishBlocks(char* out, size_t& written) {
  int size = 0;
  const bool done = EVP_CipherFinal_ex(context_->evp, Bytes(out), &size) == 1;
  written = static_cast<size_t>(size);
  return done;
}

void Cipher::FinishWithTag(char (&tag)[kTagSize]) {
  uint8_t none[kBlockSize];
  int size = 0;
  Check(EVP_CipherFinal_ex(context_->evp, none, &size) == 1, "encrypt");
  Check(EVP_CIPHER_CTX_ctrl(context_->evp, EVP_CTRL_AEAD_GET_TAG, kTagSize, tag) == 1, "make a tag");
}

bool Cipher::FinishAndCheck(std::string_view tag) {
  char expected[kTagSize];
  std::copy_n(tag.data(), kTagSize, expected);
  Check(EVP_CIPHER_CTX_ctrl(context_->evp, EVP_CTRL_AEAD_SET_TAG, kTagSize, expected) == 1, "check a tag");
  uint8_t none[kBlockSize];
  int size = 0;
  return EVP_CipherFinal_ex(context_->evp, none, &size) == 1;
}

}  // namespace crypt
}  // namespace ONNX_LIGHT_NAMESPACE

#else

namespace ONNX_LIGHT_NAMESPACE {

bool EncryptionAvailable() { return false; }

namespace crypt {
namespace {

[[noreturn]] void Unavailable() {
  throw CryptUnavailable("this build has no encryption: build with OpenSSL (its headers, and -DONNX_LIGHT_HAS_OPENSSL=ON)");
}

}  // namespace

SecretKey::SecretKey(std::string_view, const uint8_t (&)[kSaltSize], uint32_t) { Unavailable(); }
SecretKey::~SecretKey() = default;
void FillRandom(void*, size_t) { Unavailable(); }
void Wipe(void*, size_t) {}  // nothing is ever decrypted
struct Cipher::Context {};
Cipher::Cipher(Encryption, Direction, const SecretKey&) { Unavailable(); }
Cipher::~Cipher() = default;
void Cipher::Start(const uint8_t*, std::string_view) { Unavailable(); }
size_t Cipher::Update(std::string_view, char*) { Unavailable(); }
void Cipher::ExpectPadding(bool) { Unavailable(); }
bool Cipher::FinishBlocks(char*, size_t&) { Unavailable(); }
void Cipher::FinishWithTag(char (&)[kTagSize]) { Unavailable(); }
bool Cipher::FinishAndCheck(std::string_view) { Unavailable(); }

}  // namespace crypt
}  // namespace ONNX_LIGHT_NAMESPACE

#endif
