// Encrypting and decrypting a model in memory, and what `openssl speed -evp` would say: the cipher alone, over a block that stays in the
// cache, for as many bytes. Both derive a key first, with as many rounds. And to and from a file, against a plain save or load and then the
// cipher alone.
#include <openssl/evp.h>
#include <unistd.h>

#include <stdexcept>
#include <vector>

#include "../region.h"
#include "onnx_proto/onnx_crypt.h"
#include "onnx_proto/stream.h"

namespace bench {
namespace {

using ONNX_LIGHT_NAMESPACE::Encryption;
using ONNX_LIGHT_NAMESPACE::EncryptionOptions;
using ONNX_LIGHT_NAMESPACE::ModelProto;
using ONNX_LIGHT_NAMESPACE::ParseOptions;
namespace utils = ONNX_LIGHT_NAMESPACE::utils;

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

// One thread, as C++ has it by default, or as many as pay, as Python has it.
enum class Threads { kOne = 1, kAll = -1 };

EncryptionOptions Sealing(Encryption encryption, Threads threads = Threads::kOne) {
  return {.encryption = encryption, .kdf_iterations = kIterations, .num_threads = static_cast<int>(threads)};
}
ParseOptions Loading(Threads threads) {
  ParseOptions options;
  options.num_threads = static_cast<int>(threads);
  return options;
}
ParseOptions Borrowing() {
  ParseOptions options;
  options.no_copy = true;
  return options;
}

class OnModel : public Region {
 public:
  explicit OnModel(Input& input) : bytes_(input.bytes()) { model_.ParseFromString(bytes_, Borrowing()); }
  Outcome Check() override {
    if (read_ != model_) throw std::runtime_error("what is decrypted is not what was encrypted");
    return {0, bytes_.size()};
  }
  void Undo() override { read_ = ModelProto(); }

 protected:
  const std::string& bytes_;
  ModelProto model_, read_;
};

template <Encryption encryption, Threads threads>
class Encrypt final : public OnModel {
 public:
  using OnModel::OnModel;
  void Act() override { blob_ = SaveEncryptedModelToString(model_, "k", Sealing(encryption, threads)); }
  Outcome Check() override {
    LoadEncryptedModelFromString(read_, blob_, "k");
    return OnModel::Check();
  }
  void Undo() override {
    OnModel::Undo();
    std::string().swap(blob_);
  }

 private:
  std::string blob_;
};

template <Encryption encryption, Threads threads>
class Decrypt final : public OnModel {
 public:
  explicit Decrypt(Input& input)
      : OnModel(input), blob_(input.Made("encrypted." + std::to_string(int(encryption)), [this] {
          return SaveEncryptedModelToString(model_, "k", Sealing(encryption));
        })) {}
  void Act() override { LoadEncryptedModelFromString(read_, blob_, "k", Loading(threads)); }

 private:
  const std::string& blob_;
};

// Saves the model to a file beside its own, which goes afterwards.
class SavesModel : public Region {
 public:
  SavesModel(Input& input, const std::string& suffix) : bytes_(input.bytes()), path_(input.path() + suffix) {
    model_.ParseFromString(bytes_, Borrowing());
  }
  void Undo() override { unlink(path_.c_str()); }

 protected:
  const std::string& bytes_;
  const std::string path_;
  ModelProto model_;
};

template <Encryption encryption, Threads threads>
class SaveEncrypted final : public SavesModel {
 public:
  explicit SaveEncrypted(Input& input) : SavesModel(input, ".encrypted") {}
  void Act() override { SaveEncryptedModel(model_, path_, "k", Sealing(encryption, threads)); }
  Outcome Check() override {
    ModelProto read;
    LoadEncryptedModel(read, path_, "k", Loading(Threads::kAll));
    if (read != model_) throw std::runtime_error("what is decrypted is not what was encrypted");
    return {0, bytes_.size()};
  }
};

template <Encryption encryption>
class SaveAndCipher final : public SavesModel {
 public:
  explicit SaveAndCipher(Input& input) : SavesModel(input, ".plain"), cipher_(input) {}
  void Act() override {
    utils::FileWriteStream file(path_);
    model_.SerializeToStream(file);
    file.Close();
    cipher_.Act();
  }
  Outcome Check() override {
    if (ReadFile(path_) != bytes_) throw std::runtime_error("the file differs");
    return cipher_.Check();
  }

 private:
  CipherAlone<encryption, true> cipher_;
};

// From a file that is made once.
template <Encryption encryption, Threads threads>
class LoadEncrypted final : public OnModel {
 public:
  explicit LoadEncrypted(Input& input) : OnModel(input), path_(input.path() + ".encrypted." + std::to_string(int(encryption))) {
    SaveEncryptedModel(model_, path_, "k", Sealing(encryption));
  }
  ~LoadEncrypted() override { unlink(path_.c_str()); }
  void Act() override { LoadEncryptedModel(read_, path_, "k", Loading(threads)); }

 private:
  const std::string path_;
};

template <Encryption encryption, Threads threads>
class LoadAndCipher final : public Region {
 public:
  explicit LoadAndCipher(Input& input) : bytes_(input.bytes()), path_(input.path()), cipher_(input) {}
  void Act() override {
    utils::FileStream file(path_);
    read_.ParseFromStream(file, Loading(threads));
    cipher_.Act();
  }
  Outcome Check() override {
    ModelProto model;
    model.ParseFromString(bytes_, Borrowing());
    if (read_ != model) throw std::runtime_error("what is loaded is not what the file has");
    return cipher_.Check();
  }
  void Undo() override { read_ = ModelProto(); }

 private:
  const std::string& bytes_;
  const std::string path_;
  ModelProto read_;
  CipherAlone<encryption, false> cipher_;
};

template <Encryption encryption>
void AddAll(Regions& regions, const std::string& name) {
  Add<Encrypt<encryption, Threads::kOne>>(regions, ("ours.encrypt_" + name).c_str());
  Add<Encrypt<encryption, Threads::kAll>>(regions, ("ours.encrypt_threads_" + name).c_str());
  Add<Decrypt<encryption, Threads::kOne>>(regions, ("ours.decrypt_" + name).c_str());
  Add<Decrypt<encryption, Threads::kAll>>(regions, ("ours.decrypt_threads_" + name).c_str());
  Add<SaveEncrypted<encryption, Threads::kOne>>(regions, ("ours.save_" + name).c_str());
  Add<SaveEncrypted<encryption, Threads::kAll>>(regions, ("ours.save_threads_" + name).c_str());
  Add<LoadEncrypted<encryption, Threads::kOne>>(regions, ("ours.load_" + name).c_str());
  Add<LoadEncrypted<encryption, Threads::kAll>>(regions, ("ours.load_threads_" + name).c_str());
  Add<SaveAndCipher<encryption>>(regions, ("plain.save_and_" + name).c_str());
  Add<LoadAndCipher<encryption, Threads::kOne>>(regions, ("plain.load_and_" + name).c_str());
  Add<LoadAndCipher<encryption, Threads::kAll>>(regions, ("plain.load_threads_and_" + name).c_str());
  Add<CipherAlone<encryption, true>>(regions, ("floor.encrypt_" + name).c_str());
  Add<CipherAlone<encryption, false>>(regions, ("floor.decrypt_" + name).c_str());
}

}  // namespace

void AddEncryption(Regions& regions) {
  AddAll<Encryption::kAes256Cbc>(regions, "cbc");
  AddAll<Encryption::kAes256Gcm>(regions, "gcm");
  AddAll<Encryption::kChaCha20Poly1305>(regions, "chacha");
}

}  // namespace bench
