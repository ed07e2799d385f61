// The extension belongs to one interpreter of its process: classes and the memory of faces are shared, under the one GIL that guards them.
#include "onnx_py/areas.h"

namespace nb = nanobind;

namespace ONNX_LIGHT_NAMESPACE::py {

bool BindInterpreter(nb::module_& module) {
  static PyObject* first = nullptr;
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
    throw nb::import_error("onnx_light works in the main interpreter of a process only");
  }
  if (!first) {
    nb::set_leak_warnings(false);  // what a program holds until it ends, in globals or in threads that stand still, is nobody's mistake
    first = Py_NewRef(module.ptr());
    return false;
  }
  // Taken out of sys.modules and imported again: classes that exist are not made a second time.
  if (PyDict_Merge(PyModule_GetDict(module.ptr()), PyModule_GetDict(first), 0) < 0) throw nb::python_error();
  return true;
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
