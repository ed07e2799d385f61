#include <nanobind/stl/string_view.h>

#include <string>
#include <string_view>

#include "onnx_py/areas.h"
#include "onnx_py/errors.h"

namespace ONNX_LIGHT_NAMESPACE::py {

void BindErrors(nanobind::module_& module) {
  if (!MakeErrors(module.ptr())) throw nanobind::python_error();
  module.def(
      "error_class",
      [](std::string_view name) {
        PyObject* const found = ErrorNamed(name);
        if (!found) throw nanobind::key_error(std::string(name).c_str());
        return nanobind::borrow(found);
      },
      nanobind::arg("name"),
      "The class that is raised now for `DecodeError` and the like: where protobuf is in use, one that is derived from its own as well.");
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
