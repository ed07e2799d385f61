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

// Makes the payload share the object's bytes. Where these are bytes of another payload (the object is a view of one, or an array or
// memoryview of that) it shares that payload: what goes by way of an array again and again makes no chain of objects that hold each other.
void Share(nb::object object, utils::ByteSpan& payload) {
  constexpr int kMostBetween = 16;  // an object may say that it is the base of itself
  std::string_view bytes;
  std::shared_ptr<void> held = ShareBuffer(object.ptr(), bytes);
  for (int i = 0; i < kMostBetween && !object.is_none(); ++i) {
    if (const utils::ByteSpan* const behind = PayloadOfView(object.ptr())) {
      proto::PayloadOwner* const owner = behind->owner_or_null();
      const auto begin = reinterpret_cast<uintptr_t>(behind->data()), at = reinterpret_cast<uintptr_t>(bytes.data());
      if (!owner || at < begin || at - begin > behind->size() || bytes.size() > behind->size() - (at - begin)) break;
      owner->Hold();
      return payload.adopt(bytes.data(), bytes.size(), owner, false);
    }
    object = nb::getattr(object, PyMemoryView_Check(object.ptr()) ? "obj" : "base", nb::none());
  }
  payload.assign_borrowed(bytes.data(), bytes.size(), std::move(held));
}

void SetRawData(Late<TensorProto> tensor, nb::handle buffer, bool copy) {
  utils::ByteSpan payload;
  if (copy) {
    std::string_view bytes;
    const std::shared_ptr<void> held = ShareBuffer(buffer.ptr(), bytes);
    payload.assign(bytes);
  } else {
    Share(nb::borrow(buffer), payload);
  }
  (*tensor).set_raw_data(std::move(payload));
}

void SetRawDataWithDeleter(Late<TensorProto> tensor, nb::handle buffer, nb::object deleter) {
  utils::Deleter call = DeleterFrom(std::move(deleter));
  utils::ByteSpan payload;
  Share(nb::borrow(buffer), payload);
  payload.attach_deleter(std::move(call));
  (*tensor).set_raw_data(std::move(payload));
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
