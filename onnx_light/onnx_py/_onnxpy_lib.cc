// The extension module: a list of areas.
#include "onnx_py/areas.h"

NB_MODULE(_onnxpy, module) {
  module.doc() = "Messages of ONNX as Python objects.";
  if (ONNX_LIGHT_NAMESPACE::py::BindInterpreter(module)) return;
  ONNX_LIGHT_NAMESPACE::py::BindErrors(module);
  ONNX_LIGHT_NAMESPACE::py::BindMessages(module);
  ONNX_LIGHT_NAMESPACE::py::BindCallbacks(module);
  ONNX_LIGHT_NAMESPACE::py::BindOptions(module);
  ONNX_LIGHT_NAMESPACE::py::BindPayloads(module);
  ONNX_LIGHT_NAMESPACE::py::BindCrypt(module);
  ONNX_LIGHT_NAMESPACE::py::BindTensors(module);
  ONNX_LIGHT_NAMESPACE::py::BindText(module);
  ONNX_LIGHT_NAMESPACE::py::BindGraph(module);
  ONNX_LIGHT_NAMESPACE::py::BindBuild(module);
  ONNX_LIGHT_NAMESPACE::py::BindFiles(module);
  ONNX_LIGHT_NAMESPACE::py::BindVersions(module);
  ONNX_LIGHT_NAMESPACE::py::BindProbes(module);
}
