// Iterators hold the list's face and a place. Whatever is done to the list meanwhile, they go on at that place until it is past the end.
#include "onnx_py/face_types.h"
#include "onnx_py/free_list.h"
#include "onnx_py/list_face.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

FreeList<IteratorFace> iterators;

// Whoever walks a long list waits for memory: the message that comes so many steps later is asked for now.
constexpr size_t kAhead = 4;

IteratorFace& AsIterator(PyObject* self) { return *reinterpret_cast<IteratorFace*>(self); }

PyObject* LengthHint(PyObject* self, PyObject*) {
  const IteratorFace& iterator = AsIterator(self);
  const size_t count = iterator.list ? ItemsOf(iterator.list).count : 0;
  return PyLong_FromSize_t(count > iterator.next ? count - iterator.next : 0);
}

// Copied as the iterators of Python's own lists are: made anew and put to its place.
PyObject* Reduce(PyObject* self, PyObject*) {
  const IteratorFace& iterator = AsIterator(self);
  PyObject* const iter = PyDict_GetItemString(PyEval_GetBuiltins(), "iter");  // borrowed
  if (!iter) {
    PyErr_SetString(PyExc_RuntimeError, "no builtin iter");
    return nullptr;
  }
  if (!iterator.list) return Py_BuildValue("O(())", iter);
  return Py_BuildValue("O(O)n", iter, iterator.list, static_cast<Py_ssize_t>(iterator.next));
}

PyObject* SetState(PyObject* self, PyObject* place) {
  const Py_ssize_t next = PyLong_AsSsize_t(place);
  if (next == -1 && PyErr_Occurred()) return nullptr;
  AsIterator(self).next = next < 0 ? 0 : static_cast<size_t>(next);
  return None();
}

}  // namespace

PyObject* IterateList(PyObject* self) {
  IteratorFace* const iterator = iterators.Make(IteratorType());
  if (!iterator) return nullptr;
  iterator->list = Py_NewRef(self);
  iterator->next = 0;
  return reinterpret_cast<PyObject*>(iterator);
}

PyObject* NextOfList(PyObject* self) {
  IteratorFace& iterator = AsIterator(self);
  if (!iterator.list) return nullptr;
  const ListHandle& items = ItemsOf(iterator.list);
  if (iterator.next < items.count) {
    const FieldFace& field = *AsList(iterator.list).field;
    const size_t index = iterator.next++;
    if (!field.child) return ToPython(*field.row, Verbs::Element(items, *field.row, index));
    if (index + kAhead < items.count) __builtin_prefetch(&MessageAt(items, field, index + kAhead), 1);
    return Guard([&] { return FaceOf(*field.child, MessageAt(items, field, index)); });
  }
  const Ref ended(std::exchange(iterator.list, nullptr));
  return nullptr;
}

void FreeIterator(PyObject* self) {
  auto* const iterator = reinterpret_cast<IteratorFace*>(self);
  const Ref list(iterator->list);
  iterators.Free(iterator);
}

PyMethodDef iterator_methods[] = {
    {"__length_hint__", LengthHint, METH_NOARGS, "__length_hint__($self, /)\n--\n\nHow many elements are left."},
    {"__reduce__", Reduce, METH_NOARGS, "__reduce__($self, /)\n--\n\nFor copy.copy."},
    {"__setstate__", SetState, METH_O, "__setstate__($self, place, /)\n--\n\nGoes to a place."},
    {}};

}  // namespace ONNX_LIGHT_NAMESPACE::py
