// Models at rest: encrypted files and strings. docs/design/encryption.md gives the formats byte by byte.
//
// A model is one self-contained container, weights and all. Whatever is not a container made with this key (a wrong key, a cut, a changed
// byte, another file) is a CryptError, and nothing of it is given. Ciphers, key derivation and random bytes are OpenSSL's; without it (the
// build switch ONNX_LIGHT_HAS_OPENSSL) every call throws CryptUnavailable.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE {

enum class Encryption {
  /// "ONNXCRY1": AES-256-CBC, as the default. It hides a model, but only the padding and the parse can tell that bytes were changed.
  kAes256Cbc,
  /// "ONNXGCM1" and "ONNXCCP1": authenticated in chunks. Any change of any byte is found, and so are chunks out of order or missing.
  kAes256Gcm,
  kChaCha20Poly1305,
};

/// How to encrypt. Loading finds all of it in the container.
struct EncryptionOptions {
  Encryption encryption = Encryption::kAes256Cbc;
  /// Rounds of PBKDF2-HMAC-SHA256 of the authenticated formats, 1,000 to 10,000,000; ONNXCRY1 always has 100,000.
  uint32_t kdf_iterations = 600'000;
  /// Bytes of the model in a chunk of the authenticated formats, 16 to 16 MiB.
  uint32_t chunk_size = uint32_t{1} << 20;
  /// Threads to work on, the caller's included; below 1: as many as pay. A file is encrypted by one and written by another; into memory
  /// the authenticated formats are encrypted by all.
  int32_t num_threads = 1;
  /// Told of the bytes of a file that is written; not of strings.
  ProgressCallback progress{};
};

/// Whether this build can encrypt and decrypt.
ONNX_LIGHT_API bool EncryptionAvailable();
/// Whether bytes begin as an encrypted model of any of the formats does.
ONNX_LIGHT_API bool BeginsEncrypted(std::string_view bytes);

/// Writes an encrypted model. The file appears whole or not at all. `key`: any bytes, usually a passphrase in UTF-8.
/// Needs a few MiB beside the model's structure, however large its weights are.
/// Throws FileError, SerializeError (also for weights that lie in other files and were not loaded), CryptError for options that are out of
/// range, CryptUnavailable.
ONNX_LIGHT_API void SaveEncryptedModel(const ModelProto& model, const std::string& path, std::string_view key,
                                       const EncryptionOptions& options = {});
/// The same into memory.
ONNX_LIGHT_API std::string SaveEncryptedModelToString(const ModelProto& model, std::string_view key, const EncryptionOptions& options = {});

/// Reads an encrypted model of any of the formats, on `options.num_threads` threads, and tells `progress` of a file's bytes as they are
/// read. After an error `model` is as it was. Throws CryptError, FileError, CryptUnavailable; ParseError where the model exceeds a
/// limit of `options`.
ONNX_LIGHT_API void LoadEncryptedModel(ModelProto& model, const std::string& path, std::string_view key, const ParseOptions& options = {},
                                       const ProgressCallback& progress = {});
ONNX_LIGHT_API void LoadEncryptedModelFromString(ModelProto& model, std::string_view blob, std::string_view key,
                                                 const ParseOptions& options = {});

}  // namespace ONNX_LIGHT_NAMESPACE
