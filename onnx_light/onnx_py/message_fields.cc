// The properties of message classes: one getter and one setter for all fields.
#include "onnx_py/errors.h"
#include "onnx_py/message_face.h"
#include "onnx_py/values.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// A few instructions above what it takes to find and make the value: GetAttribute comes here for most attributes that code names.
PyObject* GetField(PyObject* self, void* closure) {
  const FieldFace& field = *static_cast<const FieldFace*>(closure);
  const Row& row = *field.row;
  Message& message = *AsMessage(self).message;
  if (row.kind == Kind::kString && message.Has(row)) {
    const std::string_view text = static_cast<const proto::StringHandle*>(message.Find(row))->view();
    return row.repeats ? WordToPython(text) : TextToPython(text);
  }
  if (!IsList(row.kind) && row.kind != Kind::kMessage) return message.Has(row) ? ToPython(row, message.Find(row)) : DefaultOf(row);
  return Guard([&] { return FaceOfField(field, message); });
}

int SetField(PyObject* self, PyObject* object, void* closure) {
  const Row& row = *static_cast<const FieldFace*>(closure)->row;
  if (!object || IsList(row.kind) || row.kind == Kind::kMessage) {
    const char* const what = !object            ? "deleted: use ClearField"
                             : IsList(row.kind) ? "assigned: change the list in place"
                                                : "assigned: use CopyFrom";
    PyErr_Format(PyExc_AttributeError, "%s.%s: the field cannot be %s", std::string(AsMessage(self).type->table->name).c_str(),
                 std::string(row.name).c_str(), what);
    return -1;
  }
  Value value;
  if (!FromPython(row, object, value)) return -1;
  return Guard(-1, [&] {
    SetValue(*AsMessage(self).message, row, value);
    return 0;
  });
}

namespace {

// The field of this name, which is mostly interned: then it is found, or found to be none, by its address.
const FieldFace* FieldOfName(const FaceType& type, PyObject* name) {
  if (const FieldFace* const field = type.FieldNamed(name)) return field;
#if !defined(Py_LIMITED_API)
  if (!PyUnicode_CheckExact(name) || PyUnicode_CHECK_INTERNED(name)) return nullptr;
#endif
  std::string_view text;
  if (NameFrom(name, text)) {
    const Row* const row = type.table->Find(text);
    return row ? &type.FieldOf(*row) : nullptr;
  }
  PyErr_Clear();
  return nullptr;
}

}  // namespace

PyObject* GetAttribute(PyObject* self, PyObject* name) {
  const FieldFace* const field = FieldOfName(*AsMessage(self).type, name);
  return field ? GetField(self, const_cast<FieldFace*>(field)) : PyObject_GenericGetAttr(self, name);
}

int SetAttribute(PyObject* self, PyObject* name, PyObject* object) {
  const FieldFace* const field = FieldOfName(*AsMessage(self).type, name);
  return field ? SetField(self, object, const_cast<FieldFace*>(field)) : PyObject_GenericSetAttr(self, name, object);
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
