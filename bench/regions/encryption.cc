// Encrypting and decrypting a model in memory, and what `openssl speed -evp` would say: the cipher alone, over a block that stays in the
// cache, for as many bytes. Both derive a key first, with as many rounds.
#include <openssl/evp.h>

#include <stdexcept>
#include <vector>

#include "../region.h"
#include "onnx_proto/onnx_crypt.h"

namespace bench {
namespace {

using ONNX_LIGHT_NAMESPACE::Encryption;
using ONNX_LIGHT_NAMESPACE::EncryptionOptions;
using ONNX_LIGHT_NAMESPACE::ModelProto;

constexpr uint32_t kIterations = 1000;  // of the authenticated formats
uint32_t IterationsOf(Encryption encryption) { return encryption == Encryption::kAes256Cbc ? 100'000 : kIterations; }

const EVP_CIPHER* CipherOf(Encryption encryption) {
  if (encryption == Encryption::kAes256Cbc) return EVP_aes_256_cbc();
  return encryption == Encryption::kAes256Gcm ? EVP_aes_256_gcm() : EVP_chacha20_poly1305();
}

template <Encryption encryption, bool encrypts>
class CipherAlone : public Region {
 public:
  explicit CipherAlone(Input& input) : size_(input.bytes().size()) {}
  void Act() override {
    uint8_t key[32], iv[16] = {}, salt[16] = {};
    PKCS5_PBKDF2_HMAC("k", 1, salt, sizeof salt, static_cast<int>(IterationsOf(encryption)), EVP_sha256(), sizeof key, key);
    std::vector<uint8_t> block(16384), out(block.size() + 16);
    EVP_CIPHER_CTX* const context = EVP_CIPHER_CTX_new();
    EVP_CipherInit_ex(context, CipherOf(encryption), nullptr, key, iv, encrypts);
    EVP_CIPHER_CTX_set_padding(context, 0);
    done_ = 0;
    for (int written = 0; done_ < size_; done_ += block.size()) {
      if (EVP_CipherUpdate(context, out.data(), &written, block.data(), static_cast<int>(block.size())) != 1) break;
    }
    EVP_CIPHER_CTX_free(context);
  }
  Outcome Check() override {
    if (done_ < size_) throw std::runtime_error("the cipher stopped");
    return {0, size_};
  }

 private:
  const size_t size_;
  size_t done_ = 0;
};

// One thread, as C++ has it by default, or as many as pay, as Python has it. Encrypting always takes one.
enum class Threads { kOne = 1, kAll = -1 };

template <Encryption encryption, bool encrypts, Threads threads = Threads::kOne>
class Model : public Region {
 public:
  explicit Model(Input& input) : bytes_(input.bytes()) {}
  void Prepare() override {
    if (blob_.empty()) {
      model_.ParseFromString(bytes_, Borrowing());
      blob_ = SaveEncryptedModelToString(model_, "k", Options());
    }
    if (encrypts) std::string().swap(blob_);
  }
  void Act() override {
    if (encrypts) blob_ = SaveEncryptedModelToString(model_, "k", Options());
    else LoadEncryptedModelFromString(read_, blob_, "k", Loading());
  }
  Outcome Check() override {
    if (encrypts) LoadEncryptedModelFromString(read_, blob_, "k");
    if (read_ != model_) throw std::runtime_error("what is decrypted is not what was encrypted");
    return {0, bytes_.size()};
  }
  void Undo() override { read_ = ModelProto(); }

 private:
  static EncryptionOptions Options() { return {.encryption = encryption, .kdf_iterations = kIterations}; }
  static ONNX_LIGHT_NAMESPACE::ParseOptions Borrowing() {
    ONNX_LIGHT_NAMESPACE::ParseOptions options;
    options.no_copy = true;
    return options;
  }
  static ONNX_LIGHT_NAMESPACE::ParseOptions Loading() {
    ONNX_LIGHT_NAMESPACE::ParseOptions options;
    options.num_threads = static_cast<int>(threads);
    return options;
  }
  const std::string& bytes_;
  ModelProto model_, read_;
  std::string blob_;
};

template <Encryption encryption>
void AddBoth(Regions& regions, const std::string& name) {
  Add<Model<encryption, true>>(regions, ("ours.encrypt_" + name).c_str());
  Add<Model<encryption, false>>(regions, ("ours.decrypt_" + name).c_str());
  Add<Model<encryption, false, Threads::kAll>>(regions, ("ours.decrypt_threads_" + name).c_str());
  Add<CipherAlone<encryption, true>>(regions, ("floor.encrypt_" + name).c_str());
  Add<CipherAlone<encryption, false>>(regions, ("floor.decrypt_" + name).c_str());
}

}  // namespace

void AddEncryption(Regions& regions) {
  AddBoth<Encryption::kAes256Cbc>(regions, "cbc");
  AddBoth<Encryption::kAes256Gcm>(regions, "gcm");
  AddBoth<Encryption::kChaCha20Poly1305>(regions, "chacha");
}

}  // namespace bench
