#include "onnx_py/raw_data_view.h"

#include <new>

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

struct RawDataView {
  PyObject_HEAD utils::ByteSpan payload;
};
PyTypeObject* view_type = nullptr;

const utils::ByteSpan& PayloadOf(PyObject* self) { return reinterpret_cast<RawDataView*>(self)->payload; }

void Free(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  reinterpret_cast<RawDataView*>(self)->payload.~ByteSpan();
  auto* const free = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
  free(self);
  Py_DECREF(type);
}

// Exports hold the view, and the view the bytes: nobody can change a payload that somebody else holds.
int Export(PyObject* self, Py_buffer* buffer, int flags) {
  static char empty = 0;
  const utils::ByteSpan& payload = PayloadOf(self);
  auto* const data = payload.empty() ? &empty : reinterpret_cast<char*>(const_cast<uint8_t*>(payload.data()));
  return PyBuffer_FillInfo(buffer, self, data, static_cast<Py_ssize_t>(payload.size()), 1, flags);
}

Py_ssize_t Length(PyObject* self) { return static_cast<Py_ssize_t>(PayloadOf(self).size()); }
PyObject* NumberOfBytes(PyObject* self, void*) { return PyLong_FromSize_t(PayloadOf(self).size()); }
PyObject* IsBorrowed(PyObject* self, void*) { return PyBool_FromLong(PayloadOf(self).is_borrowed()); }
PyObject* Repr(PyObject* self) {
  return PyUnicode_FromFormat("<RawDataView of %zu bytes%s>", PayloadOf(self).size(), PayloadOf(self).is_borrowed() ? ", borrowed" : "");
}

PyGetSetDef properties[] = {{"nbytes", NumberOfBytes, nullptr, "How many bytes there are.", nullptr},
                            {"is_borrowed", IsBorrowed, nullptr,
                             "Whether they lie in somebody else's memory: a buffer, a mapped file, a consolidated one.", nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};

constexpr const char* kDoc =
    "The payload of a tensor, for reading, without a copy.\n\nIt has the buffer protocol: memoryview(view), bytes(view) and "
    "numpy.frombuffer(view, dtype) work. It keeps the bytes, also when the tensor is gone or gets others.";

PyType_Slot slots[] = {{Py_tp_doc, const_cast<char*>(kDoc)},
                       {Py_tp_dealloc, Slot(Free)},
                       {Py_tp_repr, Slot(Repr)},
                       {Py_tp_getset, properties},
                       {Py_sq_length, Slot(Length)},
                       {Py_bf_getbuffer, Slot(Export)},
                       {0, nullptr}};
PyType_Spec spec{"onnx_light.onnx.RawDataView", sizeof(RawDataView), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

}  // namespace

bool MakeRawDataView(PyObject* module) {
  if (!view_type) view_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return view_type && PyModule_AddObjectRef(module, "RawDataView", reinterpret_cast<PyObject*>(view_type)) == 0;
}

const utils::ByteSpan* PayloadOfView(PyObject* object) { return Py_TYPE(object) == view_type ? &PayloadOf(object) : nullptr; }

PyObject* NewRawDataView(const utils::ByteSpan& payload) {
  auto* const allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(view_type, Py_tp_alloc));
  PyObject* const self = allocate(view_type, 0);
  if (self) new (&reinterpret_cast<RawDataView*>(self)->payload) utils::ByteSpan(payload);
  return self;
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
