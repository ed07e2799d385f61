// helper.make_node and helper.make_attribute for the values that most calls have, without a Python object on the way.
#pragma once

#include "onnx_py/python.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// The face of a new node. `keywords`: a dict of attribute values by name, of which None is left out; they are stored in the order of names.
// A value of another kind than FillAttribute knows goes to `fill(attribute, name, value)`. Null with the Python exception set.
PyObject* MakeNode(PyObject* op_type, PyObject* inputs, PyObject* outputs, PyObject* name, PyObject* doc_string, PyObject* domain,
                   PyObject* overload, PyObject* keywords, PyObject* fill);

// True if the value is of exactly the type int, bool, float, str or bytes, or a list or tuple of these that has a type in common: then the
// empty attribute (a face) has got it, with name and type. False if it is something else, or an exception is set.
bool FillAttribute(PyObject* attribute, PyObject* name, PyObject* value);

}  // namespace ONNX_LIGHT_NAMESPACE::py
