// What lists can do in Python: RepeatedScalarContainer holds numbers or strings, RepeatedCompositeContainer messages.
#pragma once

#include <functional>

#include "onnx_py/errors.h"
#include "onnx_py/face.h"
#include "onnx_py/values.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// Where elements go: looked up anew after every call that may run Python code.
struct ListPlace {
  Arena* arena;
  ListHandle* items;
};

inline ListHandle& ItemsOf(PyObject* self) { return AsList(self).list->items; }
inline const Row& RowOf(PyObject* self) { return *AsList(self).field->row; }
// The list is about to be changed: messages above it become present.
inline ListPlace Changing(PyObject* self) {
  ListObject& list = *AsList(self).list;
  Verbs::Touch(list);
  return {list.arena, &list.items};
}

// ---- lists and tuples of Python, by one pair of functions

inline size_t SizeOf(PyObject* sequence) {
  return static_cast<size_t>(PyList_Check(sequence) ? PyList_Size(sequence) : PyTuple_Size(sequence));
}
inline PyObject* ItemOf(PyObject* sequence, size_t index) {  // borrowed
  const auto at = static_cast<Py_ssize_t>(index);
  return PyList_Check(sequence) ? PyList_GetItem(sequence, at) : PyTuple_GetItem(sequence, at);
}

// ---- reading (list_read.cc)

// Of a list of messages. Their size is known without asking the row for its table.
inline Message& MessageAt(const ListHandle& items, const FieldFace& field, size_t index) {
  if (items.pointers()) return *reinterpret_cast<Message**>(items.data())[index];
  return *reinterpret_cast<Message*>(items.data() + index * field.child->table->size);
}

// Looks at the length itself: IndexError if there is no such element (any more).
PyObject* ItemAt(PyObject* self, size_t index);
PyObject* ItemAtSigned(PyObject* self, Py_ssize_t index);  // as the sequence protocol asks: no negative ones
PyObject* GetItem(PyObject* self, PyObject* key);
Py_ssize_t LengthOf(PyObject* self);
PyObject* CompareLists(PyObject* self, PyObject* other, int operation);
PyObject* TextOfList(PyObject* self);
PyObject* DeepCopyList(PyObject* self, PyObject* memo);
// A place in the list of the length it has now; -1 with IndexError, or TypeError if `key` is no index.
Py_ssize_t IndexFrom(PyObject* self, PyObject* key);

// ---- iterating (list_iterator.cc)

struct IteratorFace {
  PyObject_HEAD PyObject* list;  // null once the end was met: an iterator that has ended stays so
  size_t next;
};
extern PyMethodDef iterator_methods[];
PyObject* IterateList(PyObject* self);
PyObject* NextOfList(PyObject* iterator);
void FreeIterator(PyObject* iterator);

// ---- editing that both kinds share (list_edit.cc): del, pop, remove, reverse, sort, clear
extern PyMethodDef edit_methods[];
int EraseItems(PyObject* self, size_t begin, size_t end);
int DeleteItem(PyObject* self, PyObject* key);

// ---- numbers and strings (list_values.cc)
extern PyMethodDef value_list_methods[];
int SetValueItem(PyObject* self, PyObject* key, PyObject* object);
// Appends all or none of an iterable. `place` is called when no Python code can run any more; calling it makes the list present.
bool ExtendWithValues(const Row& row, PyObject* iterable, const std::function<ListPlace()>& place);

// ---- messages (list_messages.cc)
extern PyMethodDef message_list_methods[];
int SetMessageItem(PyObject* self, PyObject* key, PyObject* object);
// A list or tuple that holds nothing but messages of this class: copying them runs no Python code.
bool HoldsOnly(PyObject* sequence, const FaceType& type);
// Appends copies of the messages of such a sequence.
void AppendMessages(const ListPlace& place, const Row& row, PyObject* sequence);
// Appends copies of the messages of an iterable; an item may be a dict, which the new element is made from.
bool ExtendWithMessagesOrDicts(PyObject* self, PyObject* iterable);

}  // namespace ONNX_LIGHT_NAMESPACE::py
