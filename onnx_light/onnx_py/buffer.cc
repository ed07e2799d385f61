#include "onnx_py/buffer.h"

#include "onnx_proto/storage/block_cache.h"
#include "onnx_py/callbacks.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

// What the exporter says about an object without bytes is replaced by what was expected of it.
void ExplainFailure(PyObject* source) {
  if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_BufferError)) return;
  PyErr_Clear();
  const Ref type(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(source)), "__name__"));
  if (type) PyErr_Format(PyExc_TypeError, "expected bytes, %S found", type.get());
}

}  // namespace

Ref NewBytes(size_t size) {
  Ref bytes(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
  if (bytes) proto::AdviseHugePages(BytesToFill(bytes), size);
  return bytes;
}

Buffer::Buffer(PyObject* source) : immutable_(PyBytes_CheckExact(source)) {
  if (PyObject_GetBuffer(source, &buffer_, PyBUF_SIMPLE) == 0) held_ = true;
  else ExplainFailure(source);
}

std::shared_ptr<void> ShareBuffer(PyObject* source, std::string_view& bytes) {
  auto held = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(source, held.get(), PyBUF_SIMPLE) != 0) {
    if (PyErr_ExceptionMatches(PyExc_TypeError)) ExplainFailure(source);
    throw nanobind::python_error();
  }
  bytes = {static_cast<const char*>(held->buf), static_cast<size_t>(held->len)};
  return {held.release(), [](void* taken) {
            const WithPython python;
            if (!python) return;
            auto* const buffer = static_cast<Py_buffer*>(taken);
            PyBuffer_Release(buffer);
            delete buffer;
          }};
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
