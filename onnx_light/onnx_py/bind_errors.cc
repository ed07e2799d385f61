#include "onnx_py/areas.h"
#include "onnx_py/errors.h"

namespace ONNX_LIGHT_NAMESPACE::py {

void BindErrors(nanobind::module_& module) {
  if (!MakeErrors(module.ptr())) throw nanobind::python_error();
  // Functions that nanobind calls raise what faces raise.
  nanobind::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const Error&) {
      RaiseCurrent();
    }
  });
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
