// Making messages: NodeProto(op_type="Add", input=["x", "y"]); messages may be given as dicts, None means unset.
#include "onnx_py/errors.h"
#include "onnx_py/list_face.h"
#include "onnx_py/message_face.h"
#include "onnx_py/values.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

bool SetChild(PyObject* self, const FieldFace& field, PyObject* value) {
  if (!PyDict_Check(value) && !IsSameClass(value, *field.child, "a message field")) return false;
  const Ref child(Guard([&] { return FaceOfField(field, *AsMessage(self).message); }));
  if (!child) return false;
  return Guard(false, [&] {
    AsMessage(child.get()).message->Touch();
    if (PyDict_Check(value)) return SetFromDict(child.get(), value);
    Verbs::Merge(*field.child->table, *AsMessage(child.get()).message, *AsMessage(value).message);
    return true;
  });
}

bool SetList(PyObject* self, const FieldFace& field, PyObject* value) {
  if (!field.child) {
    return ExtendWithValues(*field.row, value, [&] {
      Message& message = *AsMessage(self).message;
      return ListPlace{message.arena(), &Verbs::MakeItems(message, *field.row)};
    });
  }
  if (HoldsOnly(value, *field.child)) {
    return Guard(false, [&] {
      Message& message = *AsMessage(self).message;
      AppendMessages({message.arena(), &Verbs::MakeItems(message, *field.row)}, *field.row, value);
      return true;
    });
  }
  // The list is held: items may be dicts, whose values may run Python code.
  const Ref list(Guard([&] { return FaceOfField(field, *AsMessage(self).message); }));
  return list && ExtendWithMessagesOrDicts(list.get(), value);
}

bool SetOne(PyObject* self, const FieldFace& field, PyObject* object) {
  if (IsList(field.row->kind)) return SetList(self, field, object);
  if (field.child) return SetChild(self, field, object);
  Value value;
  if (!FromPython(*field.row, object, value)) return false;
  return Guard(false, [&] {
    SetValue(*AsMessage(self).message, *field.row, value);
    return true;
  });
}

const FieldFace* FindField(const FaceType& type, PyObject* name) {
  if (const FieldFace* const field = type.FieldNamed(name)) return field;
  std::string_view text;
  if (!NameFrom(name, text)) return nullptr;
  if (const Row* const row = type.table->Find(text)) return &type.FieldOf(*row);
  bool is_oneof = false;
  for (const Row& row : type.table->rows) is_oneof = is_oneof || (row.oneof == text && !text.empty());
  if (is_oneof) PyErr_Format(PyExc_ValueError, "%R is a oneof of %s, a field is needed", name, std::string(type.table->name).c_str());
  else RaiseNoSuchField(type, text);
  return nullptr;
}

bool SetNamed(PyObject* self, PyObject* name, PyObject* value) {
  const FieldFace* const field = FindField(*AsMessage(self).type, name);
  return field && (value == Py_None || SetOne(self, *field, value));
}

bool Touched(PyObject* self) {
  return Guard(false, [&] {
    AsMessage(self).message->Touch();
    return true;
  });
}

int RefusePositional(const FaceType& type) {
  PyErr_Format(PyExc_TypeError, "%s takes no positional arguments, only fields by keyword", std::string(type.table->name).c_str());
  return -1;
}

}  // namespace

PyObject* NameOfType(PyObject* object) {
  PyObject* const type = reinterpret_cast<PyObject*>(Py_TYPE(object));
  const Ref name(PyObject_GetAttrString(type, "__qualname__"));
  if (!name) return nullptr;
  const Ref module(PyObject_GetAttrString(type, "__module__"));
  if (!module) PyErr_Clear();  // some types of extensions have none
  if (!module || !PyUnicode_Check(module.get()) || PyUnicode_CompareWithASCIIString(module.get(), "builtins") == 0)
    return Py_NewRef(name.get());
  return PyUnicode_FromFormat("%U.%S", module.get(), name.get());
}

bool IsSameClass(PyObject* object, const FaceType& type, const char* verb) {
  if (Py_TYPE(object) == type.type) return true;
  const Ref given(NameOfType(object));
  if (given) PyErr_Format(PyExc_TypeError, "%s takes a %s, not %S", verb, std::string(type.table->name).c_str(), given.get());
  return false;
}

bool SetFromDict(PyObject* self, PyObject* dict) {
  const Py_ssize_t size = PyDict_Size(dict);
  PyObject* key = nullptr;
  PyObject* object = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &key, &object);) {
    // Code that a value runs may change a dict of the caller's.
    const Ref name = Ref::To(key);
    const Ref value = Ref::To(object);
    if (!SetNamed(self, name.get(), value.get())) return false;
    if (PyDict_Size(dict) == size) continue;
    PyErr_SetString(PyExc_RuntimeError, "the dict was changed while a message was made from it");
    return false;
  }
  return true;
}

bool SetFromKeywords(PyObject* self, PyObject* const* values, PyObject* names) {
  const Py_ssize_t count = names ? PyTuple_Size(names) : 0;
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (!SetNamed(self, PyTuple_GetItem(names, i), values[i])) return false;
  }
  return true;
}

PyObject* NewMessage(PyTypeObject* type, PyObject*, PyObject*) {
  return Guard([&] { return NewRootFace(*FaceTypeOf(type)); });
}

int InitMessage(PyObject* self, PyObject* arguments, PyObject* keywords) {
  if (PyTuple_Size(arguments) != 0) return RefusePositional(*AsMessage(self).type);
  return !keywords || (Touched(self) && SetFromDict(self, keywords)) ? 0 : -1;
}

#if !defined(Py_LIMITED_API)
PyObject* CallClass(PyObject* callable, PyObject* const* arguments, size_t flags, PyObject* names) {
  auto* const type = reinterpret_cast<PyTypeObject*>(callable);
  const Py_ssize_t count = PyVectorcall_NARGS(flags);
  if (type->tp_new != NewMessage || type->tp_init != InitMessage) {  // somebody has assigned __init__ or __new__
    const Ref positional(PyTuple_New(count));
    const Ref keywords(PyDict_New());
    if (!positional || !keywords) return nullptr;
    for (Py_ssize_t i = 0; i < count; ++i) PyTuple_SetItem(positional.get(), i, Py_NewRef(arguments[i]));
    for (Py_ssize_t i = 0; names && i < PyTuple_Size(names); ++i) {
      if (PyDict_SetItem(keywords.get(), PyTuple_GetItem(names, i), arguments[count + i]) < 0) return nullptr;
    }
    return PyType_Type.tp_call(callable, positional.get(), keywords.get());
  }
  FaceType& face_type = *FaceTypeOf(type);
  if (count != 0) {
    RefusePositional(face_type);
    return nullptr;
  }
  Ref made(Guard([&] { return NewRootFace(face_type); }));
  return made && SetFromKeywords(made.get(), arguments, names) ? made.Take() : nullptr;
}
#endif

}  // namespace ONNX_LIGHT_NAMESPACE::py
