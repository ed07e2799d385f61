#include "onnx_py/callbacks.h"

#include <atomic>

#include "onnx_py/areas.h"
#include "onnx_py/gil.h"
#include "onnx_py/message_caster.h"

namespace nb = nanobind;

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

std::atomic<bool> interpreter_ends{false};

class CallTensorCallback {
 public:
  explicit CallTensorCallback(nb::object callable) : callable_(SharedRef(std::move(callable))) {}
  PyObject* callable() const { return callable_.get(); }

  // The parse that calls this holds the GIL or takes it here; exceptions of the callable go through the parse to its caller.
  utils::Deleter operator()(TensorProto& tensor, GraphProto* graph) const {
    const GilTaken taken;
    nb::object deleter = OrStandStill([&] {
      return nb::borrow(callable_.get())(nb::cast(&tensor, nb::rv_policy::reference), nb::cast(graph, nb::rv_policy::reference));
    });
    if (deleter.is_none()) return {};
    if (!PyCallable_Check(deleter.ptr())) throw nb::type_error("raw_data_callback has to return None or a callable without arguments");
    return DeleterFrom(std::move(deleter));
  }

 private:
  std::shared_ptr<PyObject> callable_;
};

}  // namespace

WithPython::WithPython() : runs_(!interpreter_ends) {
  if (!runs_) return;
  state_ = OrStandStill(PyGILState_Ensure);
  PyErr_Fetch(&type_, &value_, &trace_);
}

WithPython::~WithPython() {
  if (!runs_) return;
  PyErr_Restore(type_, value_, trace_);
  PyGILState_Release(state_);
}

std::shared_ptr<PyObject> SharedRef(nb::object object) {
  return {object.release().ptr(), [](PyObject* owned) {
            if (const WithPython python; python) Py_DECREF(owned);
          }};
}

utils::Deleter DeleterFrom(nb::object callable) {
  if (!PyCallable_Check(callable.ptr())) throw nb::type_error("a deleter has to be a callable without arguments");
  return [callable = SharedRef(std::move(callable))] {
    const WithPython python;
    if (!python) return;
    const Ref result(OrStandStill([&] { return PyObject_CallObject(callable.get(), nullptr); }));
    if (!result) PyErr_WriteUnraisable(callable.get());
  };
}

RawDataCallback RawDataCallbackFrom(nb::object callable) {
  if (callable.is_none()) return {};
  if (!PyCallable_Check(callable.ptr())) throw nb::type_error("raw_data_callback has to be callable with (tensor, graph), or None");
  return CallTensorCallback(std::move(callable));
}

PyObject* CallableOrNull(const RawDataCallback& callback) {
  const auto* const call = callback.target<CallTensorCallback>();
  return call ? call->callable() : nullptr;
}

nb::object CallableOf(const RawDataCallback& callback) {
  PyObject* const callable = CallableOrNull(callback);
  return callable ? nb::borrow(callable) : nb::none();
}

ProgressCallback ProgressCallbackFrom(nb::object callable) {
  if (callable.is_none()) return {};
  if (!PyCallable_Check(callable.ptr())) throw nb::type_error("progress has to be callable with a number of bytes, or None");
  return [callable = SharedRef(std::move(callable))](uint64_t bytes) {
    const WithPython python;
    if (!python) return;
    const Ref count = Ref(PyLong_FromUnsignedLongLong(bytes));
    const Ref result(count ? OrStandStill([&] { return PyObject_CallFunctionObjArgs(callable.get(), count.get(), nullptr); }) : nullptr);
    if (!result) throw nb::python_error();
  };
}

// Takes note of the interpreter's end.
void BindCallbacks(nb::module_&) {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function([] { interpreter_ends = true; }));
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
