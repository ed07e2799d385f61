// Payloads of tensors: who owns them, and moving them together.
#include "onnx_proto/onnx_helper.h"
#include "onnx_py/areas.h"
#include "onnx_py/buffer.h"
#include "onnx_py/callbacks.h"
#include "onnx_py/message_caster.h"
#include "onnx_py/raw_data_view.h"

namespace nb = nanobind;

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

void SetRawData(TensorProto& tensor, nb::handle buffer, bool copy) {
  utils::ByteSpan payload;
  std::string_view bytes;
  std::shared_ptr<void> held = ShareBuffer(buffer.ptr(), bytes);
  if (copy) payload.assign(bytes);
  else payload.assign_borrowed(bytes.data(), bytes.size(), std::move(held));
  tensor.set_raw_data(std::move(payload));
}

void SetRawDataWithDeleter(TensorProto& tensor, nb::handle buffer, nb::object deleter) {
  utils::Deleter call = DeleterFrom(std::move(deleter));
  utils::ByteSpan payload;
  std::string_view bytes;
  std::shared_ptr<void> held = ShareBuffer(buffer.ptr(), bytes);
  payload.assign_borrowed(bytes.data(), bytes.size(), std::move(held));
  payload.attach_deleter(std::move(call));
  tensor.set_raw_data(std::move(payload));
}

nb::object ViewOf(const TensorProto& tensor) {
  PyObject* const view = NewRawDataView(tensor.raw_data());
  if (!view) throw nb::python_error();
  return nb::steal(view);
}

}  // namespace

void BindPayloads(nb::module_& module) {
  if (!MakeRawDataView(module.ptr())) throw nb::python_error();
  nb::module_ payloads = module.def_submodule("payloads", "Payloads of tensors: who owns them, and moving them together.");
  payloads.def("set_raw_data", &SetRawData, nb::arg("tensor"), nb::arg("buffer"), nb::arg("copy") = true);
  payloads.def("set_raw_data_with_deleter", &SetRawDataWithDeleter, nb::arg("tensor"), nb::arg("buffer"), nb::arg("deleter"));
  payloads.def(
      "attach_raw_data_deleter",
      [](TensorProto& tensor, nb::object deleter) { tensor.attach_raw_data_deleter(DeleterFrom(std::move(deleter))); }, nb::arg("tensor"),
      nb::arg("deleter"));
  payloads.def("raw_data_view", &ViewOf, nb::arg("tensor"));
  payloads.def("release_weights", &ReleaseWeights, nb::arg("model"));
  payloads.def(
      "consolidate_tensors_to_buffer",
      [](ModelProto& model, const TensorBufferOptions* options) {
        ConsolidateTensorsToBuffer(model, options ? *options : TensorBufferOptions());
      },
      nb::arg("model"), nb::arg("options").none() = nb::none());
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
