// Paths of all kinds that Python has.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "onnx_proto/export.h"
#include "onnx_py/gil.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// A path as the system spells it: of str, bytes, or an object that gives one.
inline std::string PathFrom(nanobind::handle path) {
  PyObject* bytes = nullptr;
  if (!OrStandStill([&] { return PyUnicode_FSConverter(path.ptr(), &bytes); })) throw nanobind::python_error();
  const nanobind::object held = nanobind::steal(bytes);
  return {PyBytes_AsString(bytes), static_cast<size_t>(PyBytes_Size(bytes))};
}

// The same as os.fsdecode.
inline nanobind::object PathToPython(const std::string& path) {
  const nanobind::object text = nanobind::steal(PyUnicode_DecodeFSDefaultAndSize(path.data(), static_cast<Py_ssize_t>(path.size())));
  if (!text.is_valid()) throw nanobind::python_error();
  return text;
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
