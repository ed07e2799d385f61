// The areas of the extension module; each bind_<area>.cc binds one.
#pragma once

#include <nanobind/nanobind.h>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// The first one. ImportError if the module cannot be had in this interpreter; true if it was bound before, and is the same again.
bool BindInterpreter(nanobind::module_& module);
void BindErrors(nanobind::module_& module);
void BindCallbacks(nanobind::module_& module);
void BindOptions(nanobind::module_& module);
void BindPayloads(nanobind::module_& module);
void BindMessages(nanobind::module_& module);
void BindCrypt(nanobind::module_& module);
void BindTensors(nanobind::module_& module);
void BindText(nanobind::module_& module);
void BindGraph(nanobind::module_& module);
void BindBuild(nanobind::module_& module);
void BindFiles(nanobind::module_& module);
void BindVersions(nanobind::module_& module);
void BindProbes(nanobind::module_& module);

}  // namespace ONNX_LIGHT_NAMESPACE::py
