// What message classes can do in Python; each file message_*.cc is one part of it.
#pragma once

#include <string_view>

#include "onnx_py/face.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// ---- properties (message_fields.cc); the closure is a FieldFace
PyObject* GetField(PyObject* self, void* closure);
int SetField(PyObject* self, PyObject* object, void* closure);
// All attributes. Fields come first, as with protobuf: what is assigned to the class under the name of a field hides none of it.
PyObject* GetAttribute(PyObject* self, PyObject* name);
int SetAttribute(PyObject* self, PyObject* name, PyObject* object);

// ---- construction (message_init.cc)
PyObject* NewMessage(PyTypeObject* type, PyObject* arguments, PyObject* keywords);
int InitMessage(PyObject* self, PyObject* arguments, PyObject* keywords);
// Sets fields as the constructor does, from a dict of names and values. May run Python code.
bool SetFromDict(PyObject* self, PyObject* dict);
// The same from keywords as a vectorcall passes them: a tuple of names (or null), and as many values.
bool SetFromKeywords(PyObject* self, PyObject* const* values, PyObject* names);
#if !defined(Py_LIMITED_API)
// Calls a class without a dict of the keywords.
PyObject* CallClass(PyObject* type, PyObject* const* arguments, size_t flags, PyObject* names);
#endif
// The name of an object's class as a new str, with its module unless that is builtins: packages call their messages alike. Null: an error.
PyObject* NameOfType(PyObject* object);
// True, or TypeError: the two are faces of one class.
bool IsSameClass(PyObject* object, const FaceType& type, const char* verb);

// ---- presence and fields by name (message_presence.cc)
extern PyMethodDef presence_methods[];
int ContainsField(PyObject* self, PyObject* name);
// A field's name, from str or bytes; ValueError otherwise.
bool NameFrom(PyObject* object, std::string_view& name);
void RaiseNoSuchField(const FaceType& type, std::string_view name);
// The member of a oneof that is set, or null; `known` says whether there is such a oneof.
const Row* SetMember(const FaceType& type, const Message& message, std::string_view oneof, bool& known);

// ---- whole messages (message_whole.cc): copy, merge, clear, compare, print
extern PyMethodDef whole_methods[];
PyObject* CompareMessages(PyObject* self, PyObject* other, int operation);
PyObject* TextOfMessage(PyObject* self);
// A root or detached message: nothing sees it but faces.
bool StandsAlone(const Message& message);

// ---- bytes (message_bytes.cc)
extern PyMethodDef bytes_methods[];

}  // namespace ONNX_LIGHT_NAMESPACE::py
