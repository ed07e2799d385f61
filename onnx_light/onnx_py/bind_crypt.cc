// Encrypted models.
#include <nanobind/stl/string.h>

#include "onnx_proto/crypt/seal_model.h"
#include "onnx_proto/onnx_crypt.h"
#include "onnx_py/areas.h"
#include "onnx_py/buffer.h"
#include "onnx_py/callbacks.h"
#include "onnx_py/gil.h"
#include "onnx_py/message_caster.h"
#include "onnx_py/path_from.h"

namespace nb = nanobind;

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

EncryptionOptions Options(std::string_view encryption, uint32_t kdf_iterations, int32_t num_threads) {
  EncryptionOptions options;
  options.num_threads = num_threads;
  if (kdf_iterations) options.kdf_iterations = kdf_iterations;
  if (encryption == "AES-256-CBC") options.encryption = Encryption::kAes256Cbc;
  else if (encryption == "AES-256-GCM") options.encryption = Encryption::kAes256Gcm;
  else if (encryption == "ChaCha20-Poly1305") options.encryption = Encryption::kChaCha20Poly1305;
  else throw nb::value_error("encryption: one of AES-256-CBC, AES-256-GCM, ChaCha20-Poly1305");
  return options;
}

// The bytes of a key where they are: of a text its UTF-8, else of any object with a buffer. No copy is made that would have to be wiped.
class Key {
 public:
  explicit Key(nb::handle key) {
    if (PyUnicode_Check(key.ptr())) {
      Py_ssize_t size = 0;
      const char* const text = PyUnicode_AsUTF8AndSize(key.ptr(), &size);
      if (!text) throw nb::python_error();
      bytes_ = {text, static_cast<size_t>(size)};
    } else if (PyObject_CheckBuffer(key.ptr())) {
      held_ = ShareBuffer(key.ptr(), bytes_);
    } else {
      throw nb::type_error((std::string("a key is a str or bytes, not ") + nb::type_name(key.type()).c_str()).c_str());
    }
  }
  std::string_view bytes() const { return bytes_; }

 private:
  std::shared_ptr<void> held_;
  std::string_view bytes_;
};

// Encrypting goes on while other threads run, and change the model as they like: what is encrypted is a copy, which shares payloads.
nb::bytes SaveToBytes(Late<ModelProto> model, nb::handle key, const std::string& encryption, uint32_t kdf_iterations, int32_t num_threads) {
  const Key held(key);
  const ModelProto copy(*model);
  const EncryptionOptions options = Options(encryption, kdf_iterations, num_threads);
  Ref blob;
  {
    const GilReleased released(true);
    crypt::SealModel(copy, held.bytes(), options, [&](uint64_t size) {
      const GilTaken taken;
      blob = NewBytes(size);
      if (!blob) throw nb::python_error();
      return BytesToFill(blob);
    });
  }
  return nb::steal<nb::bytes>(blob.Take());
}

// A callable that takes bytes.
class CallWithPieces final : public utils::BinaryWriteStream {
 public:
  explicit CallWithPieces(const nb::callable& write) : write_(write) {}
  void Write(std::string_view bytes) override {
    const GilTaken taken;
    OrStandStill([&] { return write_(nb::bytes(bytes.data(), bytes.size())); });
  }

 private:
  const nb::callable& write_;
};

void SavePieces(Late<ModelProto> model, const nb::callable& write, nb::handle key, const std::string& encryption, uint32_t kdf_iterations) {
  const Key held(key);
  const ModelProto copy(*model);
  const EncryptionOptions options = Options(encryption, kdf_iterations, 1);
  CallWithPieces target(write);
  const GilReleased released(true);
  crypt::SealModelTo(target, copy, held.bytes(), options);
}

// Decrypting and parsing touch nothing that Python sees: other threads go on.
template <class Load>
ModelProto Loaded(int32_t num_threads, Load load) {
  ModelProto model;
  ParseOptions options;
  options.num_threads = num_threads;
  const GilReleased released(true);
  load(model, options);
  return model;
}

}  // namespace

void BindCrypt(nb::module_& module) {
  nb::module_ area = module.def_submodule("crypt", "Encrypted models.");
  area.def("available", &EncryptionAvailable);
  area.def("begins_encrypted", [](const nb::bytes& start) { return BeginsEncrypted({start.c_str(), start.size()}); });
  area.def(
      "save",
      [](Late<ModelProto> model, nb::handle path, nb::handle key, const std::string& encryption, uint32_t kdf_iterations,
         int32_t num_threads, nb::object progress) {
        const Key held(key);
        const std::string name = PathFrom(path);
        const ModelProto copy(*model);
        EncryptionOptions options = Options(encryption, kdf_iterations, num_threads);
        options.progress = ProgressCallbackFrom(std::move(progress));
        const GilReleased released(true);
        SaveEncryptedModel(copy, name, held.bytes(), options);
      },
      nb::arg("model"), nb::arg("path"), nb::arg("key").none(), nb::arg("encryption"), nb::arg("kdf_iterations"), nb::arg("num_threads"),
      nb::arg("progress").none() = nb::none());
  area.def("save_pieces", &SavePieces, nb::arg("model"), nb::arg("write"), nb::arg("key").none(), nb::arg("encryption"),
           nb::arg("kdf_iterations"));
  area.def("save_string", &SaveToBytes, nb::arg("model"), nb::arg("key").none(), nb::arg("encryption"), nb::arg("kdf_iterations"),
           nb::arg("num_threads"));
  area.def(
      "load",
      [](nb::handle path, nb::handle key, int32_t num_threads, nb::object progress) {
        const std::string name = PathFrom(path);
        const Key held(key);
        const ProgressCallback callback = ProgressCallbackFrom(std::move(progress));
        return Loaded(num_threads, [&](ModelProto& model, const ParseOptions& options) {
          LoadEncryptedModel(model, name, held.bytes(), options, callback);
        });
      },
      nb::arg("path"), nb::arg("key").none(), nb::arg("num_threads"), nb::arg("progress").none() = nb::none());
  area.def(
      "load_string",
      [](nb::handle blob, nb::handle key, int32_t num_threads) {
        std::string_view bytes;
        const std::shared_ptr<void> source = ShareBuffer(blob.ptr(), bytes);
        const Key held(key);
        return Loaded(num_threads, [&](ModelProto& model, const ParseOptions& options) {
          LoadEncryptedModelFromString(model, bytes, held.bytes(), options);
        });
      },
      nb::arg("blob"), nb::arg("key").none(), nb::arg("num_threads"));
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
