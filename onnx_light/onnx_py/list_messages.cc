// Lists of messages. What is appended is copied; elements are never assigned.
#include <algorithm>

#include "onnx_py/list_face.h"
#include "onnx_py/message_face.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

FaceType& ChildOf(PyObject* self) { return *AsList(self).field->child; }

// Puts a copy at a place, which is looked up when the copy is made.
Message& InsertCopy(PyObject* self, Py_ssize_t index, const Message& message) {
  ListObject& list = *AsList(self).list;
  Message* const copy = Verbs::Clone(*ChildOf(self).table, list.arena, message);
  const ListPlace place = Changing(self);
  const auto count = static_cast<Py_ssize_t>(place.items->count);
  if (index < 0) index += count;
  Verbs::Insert(place.arena, *place.items, RowOf(self), static_cast<size_t>(std::clamp(index, Py_ssize_t{0}, count)), copy);
  return *copy;
}

PyObject* Append(PyObject* self, PyObject* object) {
  if (!IsSameClass(object, ChildOf(self), "append()")) return nullptr;
  return Guard([&] { return FaceOf(ChildOf(self), InsertCopy(self, PY_SSIZE_T_MAX, *AsMessage(object).message)); });
}

PyObject* Insert(PyObject* self, PyObject* arguments) {
  Py_ssize_t index = 0;
  PyObject* object = nullptr;
  if (!PyArg_ParseTuple(arguments, "nO", &index, &object) || !IsSameClass(object, ChildOf(self), "insert()")) return nullptr;
  return Guard([&] {
    InsertCopy(self, index, *AsMessage(object).message);
    return None();
  });
}

// Takes back the element that `face` stands for, wherever it is by now.
void RemoveElement(PyObject* self, PyObject* face) {
  const Message* const message = AsMessage(face).message;
  for (size_t i = ItemsOf(self).count; i-- > 0;) {
    if (Verbs::Element(ItemsOf(self), RowOf(self), i) == message) {
      EraseItems(self, i, i + 1);
      return;
    }
  }
}

// A new element, which `set` fills; if that fails, there is none.
template <class Set>
PyObject* AddAnd(PyObject* self, const Set& set) {
  Ref made(Guard([&] {
    const ListPlace place = Changing(self);
    return FaceOf(ChildOf(self), *static_cast<Message*>(Verbs::Append(place.arena, *place.items, RowOf(self))));
  }));
  if (!made || set(made.get())) return made.Take();
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  RemoveElement(self, made.get());
  PyErr_Restore(type, value, traceback);
  return nullptr;
}

PyObject* AddFromDict(PyObject* self, PyObject* dict) {
  return AddAnd(self, [dict](PyObject* made) { return SetFromDict(made, dict); });
}

PyObject* Add(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  if (count != 0) {
    PyErr_SetString(PyExc_TypeError, "add() takes no positional arguments, only fields by keyword");
    return nullptr;
  }
  return AddAnd(self, [&](PyObject* made) { return SetFromKeywords(made, arguments, names); });
}

PyObject* Extend(PyObject* self, PyObject* iterable) {
  if (IsListFace(iterable) && AsList(iterable).field->child == &ChildOf(self)) {  // also of itself, as it is now
    return Guard([&] {
      const ListPlace place = Changing(self);
      Verbs::AppendCopies(place.arena, *place.items, RowOf(self), ItemsOf(iterable));
      return None();
    });
  }
  const Ref taken = PyList_CheckExact(iterable) || PyTuple_CheckExact(iterable) ? Ref::To(iterable) : Ref(PySequence_List(iterable));
  if (!taken) return nullptr;
  for (size_t i = 0; i < SizeOf(taken.get()); ++i) {
    if (!IsSameClass(ItemOf(taken.get(), i), ChildOf(self), "extend()")) return nullptr;
  }
  return Guard([&] {
    AppendMessages(Changing(self), RowOf(self), taken.get());
    return None();
  });
}

}  // namespace

bool HoldsOnly(PyObject* sequence, const FaceType& type) {
  if (!PyList_CheckExact(sequence) && !PyTuple_CheckExact(sequence)) return false;
  size_t i = 0;
  const size_t size = SizeOf(sequence);
  while (i < size && Py_TYPE(ItemOf(sequence, i)) == type.type) ++i;
  return i == size;
}

void AppendMessages(const ListPlace& place, const Row& row, PyObject* sequence) {
  const size_t size = SizeOf(sequence);
  Verbs::Reserve(place.arena, *place.items, row, place.items->count + size);
  for (size_t i = 0; i < size; ++i) {
    Message* const copy = Verbs::Clone(row.child(), place.arena, *AsMessage(ItemOf(sequence, i)).message);
    Verbs::Insert(place.arena, *place.items, row, place.items->count, copy);
  }
}

bool ExtendWithMessagesOrDicts(PyObject* self, PyObject* iterable) {
  const Ref items(PyObject_GetIter(iterable));
  if (!items) return false;
  for (;;) {
    const Ref item(PyIter_Next(items.get()));
    if (!item) return !PyErr_Occurred();
    const bool added =
        PyDict_Check(item.get()) ? static_cast<bool>(Ref(AddFromDict(self, item.get()))) : static_cast<bool>(Ref(Append(self, item.get())));
    if (!added) return false;
  }
}

int SetMessageItem(PyObject* self, PyObject* key, PyObject* object) {
  if (!object) return DeleteItem(self, key);
  if (PySlice_Check(key) || IndexFrom(self, key) >= 0)
    PyErr_SetString(PyExc_TypeError, "messages of a list cannot be assigned: use CopyFrom");
  return -1;
}

PyMethodDef message_list_methods[] = {
    {"append", Append, METH_O, "append($self, message, /)\n--\n\nAdds a copy at the end and returns it."},
    {"add", FastWithKeywords(Add), METH_FASTCALL | METH_KEYWORDS,
     "add($self, **fields)\n--\n\nAdds a new element, made from keywords as by the constructor, and returns it."},
    {"extend", Extend, METH_O,
     "extend($self, messages, /)\n--\n\nAdds copies of all messages of an iterable, or none if one does not fit."},
    {"MergeFrom", Extend, METH_O, "MergeFrom($self, messages, /)\n--\n\nThe same as extend."},
    {"insert", Insert, METH_VARARGS, "insert($self, index, message, /)\n--\n\nAdds a copy before another element."},
    {}};

}  // namespace ONNX_LIGHT_NAMESPACE::py
