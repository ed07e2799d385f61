// Editing that lists of values and lists of messages share.
#include <algorithm>
#include <vector>

#include "onnx_py/list_face.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

// del list[begin:end:step], with a step other than 1: what stays moves to the front in its order, what goes is erased at once.
void EraseStepwise(PyObject* self, Py_ssize_t begin, Py_ssize_t step, Py_ssize_t size) {
  if (size == 0) return;
  if (step < 0) {
    begin += (size - 1) * step;
    step = -step;
  }
  const ListPlace place = Changing(self);
  const size_t count = place.items->count;
  const size_t last = static_cast<size_t>(begin + (size - 1) * step);
  size_t to = static_cast<size_t>(begin);
  for (size_t i = to; i < count; ++i) {
    if (i <= last && (i - static_cast<size_t>(begin)) % static_cast<size_t>(step) == 0) continue;
    Verbs::SwapElements(place.arena, *place.items, RowOf(self), to++, i);
  }
  Verbs::Erase(place.arena, *place.items, RowOf(self), to, count);
}

// As protobuf's: an index past either end takes the last element.
PyObject* Pop(PyObject* self, PyObject* arguments) {
  Py_ssize_t index = -1;
  if (!PyArg_ParseTuple(arguments, "|n", &index)) return nullptr;
  const Py_ssize_t count = LengthOf(self);
  if (index < 0) index += count;
  if (index < 0 || index >= count) index = count - 1;
  Ref item(ItemAtSigned(self, index));
  return item && EraseItems(self, static_cast<size_t>(index), static_cast<size_t>(index) + 1) == 0 ? item.Take() : nullptr;
}

PyObject* Remove(PyObject* self, PyObject* value) {
  for (size_t i = 0; i < ItemsOf(self).count; ++i) {
    const Ref item(ItemAt(self, i));
    const int equal = item ? PyObject_RichCompareBool(item.get(), value, Py_EQ) : -1;  // may change the list
    if (equal < 0) return nullptr;
    if (equal) return EraseItems(self, i, i + 1) == 0 ? None() : nullptr;
  }
  PyErr_SetString(PyExc_ValueError, "remove(x): x is not in the list");
  return nullptr;
}

PyObject* Reverse(PyObject* self, PyObject*) {
  return Guard([&] {
    const ListPlace place = Changing(self);
    const size_t count = place.items->count;
    for (size_t i = 0; i < count / 2; ++i) Verbs::SwapElements(place.arena, *place.items, RowOf(self), i, count - 1 - i);
    return None();
  });
}

// Of an empty list nothing is cleared: messages above it stay absent, as with protobuf; the same holds for sort.
PyObject* ClearList(PyObject* self, PyObject*) { return LengthOf(self) == 0 || EraseItems(self, 0, SIZE_MAX) == 0 ? None() : nullptr; }

// The messages of the list in the order of `sorted`, which holds their faces; false if the list holds others by now.
bool PutInOrder(PyObject* self, PyObject* sorted) {
  const ListPlace place = Changing(self);
  const size_t count = place.items->count;
  std::vector<Message*> wanted;
  std::vector<Message*> present;
  for (size_t i = 0; i < count && i < static_cast<size_t>(PyList_Size(sorted)); ++i) {
    PyObject* const face = PyList_GetItem(sorted, static_cast<Py_ssize_t>(i));
    if (FaceTypeOf(face) != AsList(self).field->child) return false;
    wanted.push_back(AsMessage(face).message);
    present.push_back(static_cast<Message*>(Verbs::Element(*place.items, RowOf(self), i)));
  }
  std::vector<Message*> all = wanted;
  std::sort(all.begin(), all.end());
  std::sort(present.begin(), present.end());
  if (all != present || static_cast<size_t>(PyList_Size(sorted)) != count) return false;
  Verbs::SwapElements(place.arena, *place.items, RowOf(self), 0, 0);  // from here on a block of pointers
  std::copy(wanted.begin(), wanted.end(), reinterpret_cast<Message**>(place.items->data()));
  return true;
}

bool PutValues(PyObject* self, PyObject* sorted) {
  if (PyList_Size(sorted) != LengthOf(self)) return false;
  for (Py_ssize_t i = 0; i < PyList_Size(sorted); ++i) {  // they are of exact types: no Python code runs
    Value value;
    if (!FromPython(RowOf(self), PyList_GetItem(sorted, i), value)) {
      if (!PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) return false;
      PyErr_Clear();  // text that was not UTF-8 before is not either now
    }
    const ListPlace place = Changing(self);
    StoreElement(place.arena, RowOf(self), Verbs::Element(*place.items, RowOf(self), static_cast<size_t>(i)), value);
  }
  return true;
}

// Python's own sort decides on a list of the items; then they are put in that order here.
PyObject* Sort(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char key_name[] = "key";
  static char reverse_name[] = "reverse";
  static char* names[] = {key_name, reverse_name, nullptr};
  PyObject* key = Py_None;
  int reverse = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$Op", names, &key, &reverse)) return nullptr;
  const Ref list(PySequence_List(self));
  const Ref sort(list ? PyObject_GetAttrString(list.get(), "sort") : nullptr);
  const Ref none(sort ? PyTuple_New(0) : nullptr);
  const Ref options(none ? Py_BuildValue("{s:O,s:i}", key_name, key, reverse_name, reverse) : nullptr);
  const Ref done(options ? PyObject_Call(sort.get(), none.get(), options.get()) : nullptr);
  if (!done) return nullptr;
  return Guard([&]() -> PyObject* {
    if (LengthOf(self) == 0 && PyList_Size(list.get()) == 0) return None();
    if (AsList(self).field->child ? PutInOrder(self, list.get()) : PutValues(self, list.get())) return None();
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "the list was changed while it was sorted");
    return nullptr;
  });
}

}  // namespace

int EraseItems(PyObject* self, size_t begin, size_t end) {
  return Guard(-1, [&] {
    const ListPlace place = Changing(self);
    const size_t count = place.items->count;
    Verbs::Erase(place.arena, *place.items, RowOf(self), std::min(begin, count), std::min(end, count));
    return 0;
  });
}

int DeleteItem(PyObject* self, PyObject* key) {
  if (!PySlice_Check(key)) {
    const Py_ssize_t index = IndexFrom(self, key);
    return index < 0 ? -1 : EraseItems(self, static_cast<size_t>(index), static_cast<size_t>(index) + 1);
  }
  Py_ssize_t begin = 0;
  Py_ssize_t end = 0;
  Py_ssize_t step = 0;
  if (PySlice_Unpack(key, &begin, &end, &step) < 0) return -1;
  const Py_ssize_t size = PySlice_AdjustIndices(LengthOf(self), &begin, &end, step);
  if (step == 1) return EraseItems(self, static_cast<size_t>(begin), static_cast<size_t>(begin + size));
  return Guard(-1, [&] {
    EraseStepwise(self, begin, step, size);
    return 0;
  });
}

PyMethodDef edit_methods[] = {
    {"pop", Pop, METH_VARARGS, "pop($self, index=-1, /)\n--\n\nRemoves and returns an element."},
    {"remove", Remove, METH_O, "remove($self, value, /)\n--\n\nRemoves the first element that is equal."},
    {"reverse", Reverse, METH_NOARGS, "reverse($self, /)\n--\n\nTurns the order round."},
    {"sort", WithKeywords(Sort), METH_VARARGS | METH_KEYWORDS, "sort($self, *, key=None, reverse=False)\n--\n\nSorts as list.sort does."},
    {"clear", ClearList, METH_NOARGS, "clear($self, /)\n--\n\nRemoves all elements."},
    {"__deepcopy__", DeepCopyList, METH_VARARGS, "__deepcopy__($self, memo=None, /)\n--\n\nA copy that belongs to no message."},
    {}};

}  // namespace ONNX_LIGHT_NAMESPACE::py
