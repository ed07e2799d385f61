// The heap types of faces: made once, from the tables of the core.
#pragma once

#include <vector>

#include "onnx_py/face.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// Makes all types and adds them to the module; later calls add the same ones. False with a Python exception set.
bool MakeTypes(PyObject* module);

// The type of the face of a list of this field.
PyTypeObject* ListTypeOf(const FieldFace& field);
PyTypeObject* IteratorType();

// All message classes, in the order of their tables.
std::vector<FaceType*> AllFaceTypes();

}  // namespace ONNX_LIGHT_NAMESPACE::py
