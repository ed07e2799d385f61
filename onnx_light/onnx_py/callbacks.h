// Python callables that the library calls and lets go of: from any thread, with the GIL taken, and not after the interpreter's end.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "onnx_proto/serialize_options.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// The GIL for as long as this lives, from whichever thread, and whatever error was being raised put aside. False, and nothing is done,
// once the interpreter ends.
class WithPython {
 public:
  WithPython();
  WithPython(const WithPython&) = delete;
  WithPython& operator=(const WithPython&) = delete;
  ~WithPython();
  explicit operator bool() const { return runs_; }

 private:
  const bool runs_;
  PyGILState_STATE state_{};
  PyObject* type_ = nullptr;
  PyObject* value_ = nullptr;
  PyObject* trace_ = nullptr;
};

// A reference that may end on any thread: the GIL is taken for it. Once the interpreter ends, references are leaked.
std::shared_ptr<PyObject> SharedRef(nanobind::object object);

// A deleter: calls `callable()` once; what it raises is reported as unraisable. Not called once the interpreter ends.
utils::Deleter DeleterFrom(nanobind::object callable);

// ParseOptions::raw_data_callback of a callable: fn(tensor, graph or None) -> None or a deleter. None gives an empty one.
RawDataCallback RawDataCallbackFrom(nanobind::object callable);
// The callable that a callback was made from, or None.
nanobind::object CallableOf(const RawDataCallback& callback);
// The same as a borrowed reference for the garbage collector, or null.
PyObject* CallableOrNull(const RawDataCallback& callback);

// The hook of a long operation: calls `callable(bytes)` from whichever thread; what it raises ends the operation. None gives an empty one.
ProgressCallback ProgressCallbackFrom(nanobind::object callable);

}  // namespace ONNX_LIGHT_NAMESPACE::py
