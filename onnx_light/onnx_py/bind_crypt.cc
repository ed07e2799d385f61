// Encrypted models.
#include <nanobind/stl/string.h>

#include "onnx_proto/crypt/seal_model.h"
#include "onnx_proto/onnx_crypt.h"
#include "onnx_py/areas.h"
#include "onnx_py/message_caster.h"

namespace nb = nanobind;

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

EncryptionOptions Options(std::string_view encryption, uint32_t kdf_iterations) {
  EncryptionOptions options;
  if (kdf_iterations) options.kdf_iterations = kdf_iterations;
  if (encryption == "AES-256-CBC") options.encryption = Encryption::kAes256Cbc;
  else if (encryption == "AES-256-GCM") options.encryption = Encryption::kAes256Gcm;
  else if (encryption == "ChaCha20-Poly1305") options.encryption = Encryption::kChaCha20Poly1305;
  else throw nb::value_error("encryption: one of AES-256-CBC, AES-256-GCM, ChaCha20-Poly1305");
  return options;
}

std::string_view View(const nb::bytes& bytes) { return {static_cast<const char*>(bytes.data()), bytes.size()}; }

nb::bytes SaveToBytes(const ModelProto& model, const nb::bytes& key, const std::string& encryption, uint32_t kdf_iterations) {
  nb::object blob;
  crypt::SealModel(model, View(key), Options(encryption, kdf_iterations), [&](uint64_t size) {
    blob = nb::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
    if (!blob) throw nb::python_error();
    return PyBytes_AsString(blob.ptr());
  });
  return nb::steal<nb::bytes>(blob.release());
}

// Decrypting and parsing touch nothing that Python sees: other threads go on.
template <class Load>
ModelProto Loaded(Load load) {
  ModelProto model;
  const nb::gil_scoped_release released;
  load(model);
  return model;
}

}  // namespace

void BindCrypt(nb::module_& module) {
  nb::module_ area = module.def_submodule("crypt", "Encrypted models.");
  area.def("available", &EncryptionAvailable);
  area.def(
      "save",
      [](const ModelProto& model, const std::string& path, const nb::bytes& key, const std::string& encryption, uint32_t kdf_iterations) {
        SaveEncryptedModel(model, path, View(key), Options(encryption, kdf_iterations));
      },
      nb::arg("model"), nb::arg("path"), nb::arg("key"), nb::arg("encryption"), nb::arg("kdf_iterations"));
  area.def("save_string", &SaveToBytes, nb::arg("model"), nb::arg("key"), nb::arg("encryption"), nb::arg("kdf_iterations"));
  area.def(
      "load",
      [](const std::string& path, const nb::bytes& key) {
        return Loaded([&](ModelProto& model) { LoadEncryptedModel(model, path, View(key)); });
      },
      nb::arg("path"), nb::arg("key"));
  area.def(
      "load_string",
      [](const nb::bytes& blob, const nb::bytes& key) {
        return Loaded([&](ModelProto& model) { LoadEncryptedModelFromString(model, View(blob), View(key)); });
      },
      nb::arg("blob"), nb::arg("key"));
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
