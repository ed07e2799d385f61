// Presence, and fields by name: HasField, ClearField, WhichOneof, ListFields, SetInParent.
#include "onnx_py/errors.h"
#include "onnx_py/message_face.h"
#include "onnx_py/values.h"

namespace ONNX_LIGHT_NAMESPACE::py {

bool NameFrom(PyObject* object, std::string_view& name) {
  if (PyBytes_Check(object)) {
    name = {PyBytes_AsString(object), static_cast<size_t>(PyBytes_Size(object))};
    return true;
  }
  if (!PyUnicode_Check(object)) {
    PyErr_Format(PyExc_ValueError, "expected the name of a field, not %R", object);
    return false;
  }
  Py_ssize_t size = 0;
  const char* const chars = PyUnicode_AsUTF8AndSize(object, &size);
  if (chars) name = {chars, static_cast<size_t>(size)};
  return chars != nullptr;
}

void RaiseNoSuchField(const FaceType& type, std::string_view name) {
  PyErr_Format(PyExc_ValueError, "%s has no field or oneof \"%s\"", std::string(type.table->name).c_str(), std::string(name).c_str());
}

const Row* SetMember(const FaceType& type, const Message& message, std::string_view oneof, bool& known) {
  const Row* found = nullptr;
  known = false;
  for (const Row& row : type.table->rows) {
    if (row.oneof.empty() || oneof != row.oneof) continue;
    known = true;
    if (message.Has(row)) found = &row;
  }
  return found;
}

namespace {

// -1 with an exception set.
int Has(PyObject* self, PyObject* object) {
  const FaceType& type = *AsMessage(self).type;
  const Message& message = *AsMessage(self).message;
  // Names in code are interned.
  if (const FieldFace* const field = type.FieldNamed(object); field && !IsList(field->row->kind)) return message.Has(*field->row);
  std::string_view name;
  if (!NameFrom(object, name)) return -1;
  if (const Row* const row = type.table->Find(name)) {
    if (!IsList(row->kind)) return message.Has(*row);
    PyErr_Format(PyExc_ValueError, "%s.%s is repeated: it has no presence", std::string(type.table->name).c_str(),
                 std::string(name).c_str());
    return -1;
  }
  bool known = false;
  const Row* const member = SetMember(type, message, name, known);
  if (known) return member != nullptr;
  RaiseNoSuchField(type, name);
  return -1;
}

PyObject* HasField(PyObject* self, PyObject* name) {
  const int has = Has(self, name);
  return has < 0 ? nullptr : PyBool_FromLong(has);
}

PyObject* WhichOneof(PyObject* self, PyObject* object) {
  std::string_view name;
  if (!NameFrom(object, name)) return nullptr;
  const FaceType& type = *AsMessage(self).type;
  bool known = false;
  const Row* const member = SetMember(type, *AsMessage(self).message, name, known);
  if (!known) {
    RaiseNoSuchField(type, name);
    return nullptr;
  }
  return member ? Py_NewRef(type.FieldOf(*member).name) : None();
}

PyObject* ClearField(PyObject* self, PyObject* object) {
  std::string_view name;
  if (!NameFrom(object, name)) return nullptr;
  const FaceType& type = *AsMessage(self).type;
  return Guard([&]() -> PyObject* {
    Message& message = *AsMessage(self).message;
    bool known = true;
    const Row* row = type.table->Find(name);
    if (!row) row = SetMember(type, message, name, known);
    if (!known) {
      RaiseNoSuchField(type, name);
      return nullptr;
    }
    if (row) Verbs::ClearField(message, *row);
    else message.Touch();
    return None();
  });
}

bool IsSet(const Message& message, const Row& row) { return IsList(row.kind) ? Verbs::Count(message, row) != 0 : message.Has(row); }

// Pairs of a field's descriptor and its value, ascending by number.
PyObject* ListFields(PyObject* self, PyObject*) {
  Ref pairs(PyList_New(0));
  if (!pairs) return nullptr;
  for (FieldFace& field : AsMessage(self).type->fields) {
    if (!IsSet(*AsMessage(self).message, *field.row)) continue;
    const Ref value(GetField(self, &field));
    if (!value) return nullptr;
    const Ref pair(PyTuple_Pack(2, field.descriptor ? field.descriptor : field.name, value.get()));
    if (!pair || PyList_Append(pairs.get(), pair.get()) < 0) return nullptr;
  }
  return pairs.Take();
}

PyObject* SetInParent(PyObject* self, PyObject*) {
  return Guard([&] {
    AsMessage(self).message->Touch();
    return None();
  });
}

}  // namespace

int ContainsField(PyObject* self, PyObject* name) { return Has(self, name); }

PyMethodDef presence_methods[] = {
    {"HasField", HasField, METH_O, "HasField($self, field_name, /)\n--\n\nWhether a singular field, or a member of a oneof, is set."},
    {"WhichOneof", WhichOneof, METH_O, "WhichOneof($self, oneof_group, /)\n--\n\nThe name of the member of a oneof that is set, or None."},
    {"ClearField", ClearField, METH_O, "ClearField($self, field_name, /)\n--\n\nA field, or the member of a oneof, becomes absent."},
    {"ListFields", ListFields, METH_NOARGS, "ListFields($self, /)\n--\n\nPairs of descriptor and value of all fields that are set."},
    {"SetInParent", SetInParent, METH_NOARGS, "SetInParent($self, /)\n--\n\nThe message becomes present in the one it was reached from."},
    {}};

}  // namespace ONNX_LIGHT_NAMESPACE::py
