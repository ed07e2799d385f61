#include "onnx_py/list_face.h"

namespace ONNX_LIGHT_NAMESPACE::py {

PyObject* ItemAt(PyObject* self, size_t index) {
  const FieldFace& field = *AsList(self).field;
  const ListHandle& items = ItemsOf(self);
  if (index >= items.count) {
    PyErr_SetString(PyExc_IndexError, "list index out of range");
    return nullptr;
  }
  if (!field.child) return ToPython(*field.row, Verbs::Element(items, *field.row, index));
  return Guard([&] { return FaceOf(*field.child, MessageAt(items, field, index)); });
}

PyObject* ItemAtSigned(PyObject* self, Py_ssize_t index) {
  return ItemAt(self, static_cast<size_t>(index));  // a negative one is too large
}

Py_ssize_t LengthOf(PyObject* self) { return static_cast<Py_ssize_t>(ItemsOf(self).count); }

Py_ssize_t IndexFrom(PyObject* self, PyObject* key) {
  const Ref number(PyNumber_Index(key));
  Py_ssize_t index = number ? PyNumber_AsSsize_t(number.get(), PyExc_IndexError) : -1;
  if (index == -1 && PyErr_Occurred()) {
    if (number && !PyErr_ExceptionMatches(PyExc_IndexError)) return -1;
    PyErr_Format(PyExc_TypeError, "list indices must be integers, and not %R", key);
    return -1;
  }
  const Py_ssize_t count = LengthOf(self);  // after __index__ has run
  if (index < 0) index += count;
  if (index >= 0 && index < count) return index;
  PyErr_SetString(PyExc_IndexError, "list index out of range");
  return -1;
}

PyObject* GetItem(PyObject* self, PyObject* key) {
  if (!PySlice_Check(key)) {
    const Py_ssize_t index = IndexFrom(self, key);
    return index < 0 ? nullptr : ItemAt(self, static_cast<size_t>(index));
  }
  Py_ssize_t begin = 0;
  Py_ssize_t end = 0;
  Py_ssize_t step = 0;
  if (PySlice_Unpack(key, &begin, &end, &step) < 0) return nullptr;
  const Py_ssize_t size = PySlice_AdjustIndices(LengthOf(self), &begin, &end, step);
  Ref out(PyList_New(size));
  for (Py_ssize_t i = 0; out && i < size; ++i) {
    PyObject* const item = ItemAt(self, static_cast<size_t>(begin + i * step));
    if (!item || PyList_SetItem(out.get(), i, item) < 0) return nullptr;
  }
  return out.Take();
}

PyObject* CompareLists(PyObject* self, PyObject* other, int operation) {
  if (operation != Py_EQ && operation != Py_NE) return Py_NewRef(Py_NotImplemented);
  if (!PyList_Check(other) && !IsListFace(other)) return Py_NewRef(Py_NotImplemented);
  // Messages are compared without a face each; numbers and strings as Python compares them (1 == 1.0, -0.0 == 0.0).
  if (IsListFace(other) && AsList(self).field->child && AsList(self).field->child == AsList(other).field->child) {
    return Guard([&] {
      const bool equal = Verbs::EqualItems(ItemsOf(self), ItemsOf(other), RowOf(self));
      return PyBool_FromLong(equal == (operation == Py_EQ));
    });
  }
  const Ref mine(PySequence_List(self));
  const Ref theirs = PyList_Check(other) ? Ref::To(other) : Ref(PySequence_List(other));
  return mine && theirs ? PyObject_RichCompare(mine.get(), theirs.get(), operation) : nullptr;
}

PyObject* TextOfList(PyObject* self) {
  const Ref list(PySequence_List(self));
  return list ? PyObject_Repr(list.get()) : nullptr;
}

// A list that belongs to no message: its field is that of a message which is gone.
PyObject* DeepCopyList(PyObject* self, PyObject*) {
  const FieldFace& field = *AsList(self).field;
  return Guard([&] {
    const proto::NewRoot root(*field.owner->table);
    ListObject* const list = Verbs::Hold(root.message(), *field.row);
    Verbs::AppendCopies(list->arena, list->items, *field.row, ItemsOf(self));
    PyObject* const face = FaceOf(field, *list);
    Verbs::RecycleOne(*field.owner->table, root.message());
    return face;
  });
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
