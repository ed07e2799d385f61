// The extension belongs to one interpreter of its process: classes and the memory of faces are shared, under the one GIL that guards them.
// Its signals reach long reads and writes, which let go of the GIL: Ctrl-C ends them as an error does.
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>

#include "onnx_proto/stream/interrupt.h"
#include "onnx_py/areas.h"
#include "onnx_py/callbacks.h"

namespace nb = nanobind;

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};  // taking the GIL may mean to wait for it

// Python handles signals in the main thread alone; others are left alone here, at the end of the interpreter too. Where that one holds the
// GIL, a model may be in use that a signal's handler could change.
void CheckSignals(bool now) {
  static std::chrono::steady_clock::time_point last;  // of the main thread
  if (syscall(SYS_gettid) != getpid()) return;
  const auto time = std::chrono::steady_clock::now();
  if (!now && time - last < kBetweenLooks) return;
  last = time;
  if (!PyGILState_GetThisThreadState() || PyGILState_Check()) return;
  const WithPython python;
  if (python && PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

bool BindInterpreter(nb::module_& module) {
  static PyObject* first = nullptr;
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
    throw nb::import_error("onnx_light works in the main interpreter of a process only");
  }
  if (!first) {
    nb::set_leak_warnings(false);  // what a program holds until it ends, in globals or in threads that stand still, is nobody's mistake
    first = Py_NewRef(module.ptr());
    utils::SetInterruptCheck(&CheckSignals);
    return false;
  }
  // Taken out of sys.modules and imported again: classes that exist are not made a second time.
  if (PyDict_Merge(PyModule_GetDict(module.ptr()), PyModule_GetDict(first), 0) < 0) throw nb::python_error();
  return true;
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
