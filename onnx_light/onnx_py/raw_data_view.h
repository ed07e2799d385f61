// What `tensor.raw_data_view` gives: the bytes of a payload, for reading, without a copy.
#pragma once

#include "onnx_proto/simple_span.h"
#include "onnx_py/python.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// Adds the class RawDataView to the module; false with a Python exception set.
bool MakeRawDataView(PyObject* module);
// A view that shares the payload: it holds the bytes, not the tensor. Null with a Python exception set.
PyObject* NewRawDataView(const utils::ByteSpan& payload);
// What such a view shows; null if the object is none.
const utils::ByteSpan* PayloadOfView(PyObject* object);

}  // namespace ONNX_LIGHT_NAMESPACE::py
