// Whole messages: copy, merge, clear, compare, print.
#include "onnx_py/errors.h"
#include "onnx_py/message_face.h"
#include "onnx_py/print_apart.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

const Table& TableOf(PyObject* self) { return *AsMessage(self).type->table; }

PyObject* CopyFrom(PyObject* self, PyObject* other) {
  MessageFace& face = AsMessage(self);
  if (!IsSameClass(other, *face.type, "CopyFrom()")) return nullptr;
  if (self == other) return None();
  return Guard([&] {
    const Message& from = *AsMessage(other).message;
    if (StandsAlone(*face.message)) {  // a new arena: copying again and again into one message does not make it grow
      Message* const copy = Verbs::CloneRoot(TableOf(self), from);
      const proto::ArenaOwner owner(copy->arena());
      MoveFace(face, *copy);
    } else {
      Verbs::Copy(TableOf(self), *face.message, from);
    }
    return None();
  });
}

PyObject* MergeFrom(PyObject* self, PyObject* other) {
  if (!IsSameClass(other, *AsMessage(self).type, "MergeFrom()")) return nullptr;
  return Guard([&] {
    Verbs::Merge(TableOf(self), *AsMessage(self).message, *AsMessage(other).message);
    return None();
  });
}

PyObject* Clear(PyObject* self, PyObject*) {
  return Guard([&] {
    Verbs::Clear(TableOf(self), *AsMessage(self).message);
    return None();
  });
}

PyObject* DiscardUnknownFields(PyObject* self, PyObject*) {
  return Guard([&] {
    Verbs::ClearUnknown(TableOf(self), *AsMessage(self).message);
    return None();
  });
}

// protobuf gives them by a function of its own, which only knows its own messages.
PyObject* UnknownFields(PyObject*, PyObject*) {
  PyErr_SetString(PyExc_NotImplementedError, "unknown fields are kept and written, but not shown one by one");
  return nullptr;
}

// No field of ONNX is required.
PyObject* IsInitialized(PyObject*, PyObject*) { return PyBool_FromLong(1); }
PyObject* FindInitializationErrors(PyObject*, PyObject*) { return PyList_New(0); }

PyObject* CopyOf(PyObject* self, PyObject*) {
  return Guard([&] { return FaceOfRoot(*AsMessage(self).type, Verbs::CloneRoot(TableOf(self), *AsMessage(self).message)); });
}

}  // namespace

bool StandsAlone(const Message& message) { return !message.attached() && !message.pending(); }

PyObject* CompareMessages(PyObject* self, PyObject* other, int operation) {
  if (Py_TYPE(self) != Py_TYPE(other) || (operation != Py_EQ && operation != Py_NE)) return Py_NewRef(Py_NotImplemented);
  return Guard([&] {
    const bool equal = Verbs::Equal(TableOf(self), *AsMessage(self).message, *AsMessage(other).message);
    return PyBool_FromLong(equal == (operation == Py_EQ));
  });
}

PyObject* TextOfMessage(PyObject* self) {
  return Guard([&] {
    const Table& table = TableOf(self);
    const std::string text = Printed(table, *AsMessage(self).message, [&](const Message& message, const TextSink& sink) {
      proto::TextForms::WriteText(table, message, sink, {});
    });
    return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "strict");
  });
}

PyMethodDef whole_methods[] = {
    {"CopyFrom", CopyFrom, METH_O, "CopyFrom($self, other_msg, /)\n--\n\nBecomes a copy of a message of the same class."},
    {"MergeFrom", MergeFrom, METH_O, "MergeFrom($self, other_msg, /)\n--\n\nTakes over what is set in the other one; lists are appended."},
    {"Clear", Clear, METH_NOARGS, "Clear($self, /)\n--\n\nAll fields become absent."},
    {"DiscardUnknownFields", DiscardUnknownFields, METH_NOARGS,
     "DiscardUnknownFields($self, /)\n--\n\nForgets the unknown fields, here and in all messages below."},
    {"UnknownFields", UnknownFields, METH_NOARGS, "UnknownFields($self, /)\n--\n\nRaises NotImplementedError, as protobuf does."},
    {"IsInitialized", IsInitialized, METH_VARARGS, "IsInitialized($self, errors=None, /)\n--\n\nTrue: no field is required."},
    {"FindInitializationErrors", FindInitializationErrors, METH_NOARGS,
     "FindInitializationErrors($self, /)\n--\n\nAn empty list: no field is required."},
    {"__copy__", CopyOf, METH_NOARGS, "__copy__($self, /)\n--\n\nA deep copy, which shares the payloads of tensors."},
    {"__deepcopy__", CopyOf, METH_VARARGS, "__deepcopy__($self, memo=None, /)\n--\n\nA deep copy, which shares the payloads of tensors."},
    {}};

}  // namespace ONNX_LIGHT_NAMESPACE::py
