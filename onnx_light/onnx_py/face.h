// Faces: the Python objects that stand for messages, lists and iterators of the C++ library.
//
// A face is a pointer to its message and a reference on the arena; it never holds its parent's face. While it lives the message knows it
// (so `m.graph is m.graph`); when it goes the message is told (Verbs::DropFace). All of it runs with the GIL held.
//
// Rules that every function of this room keeps, because `__index__`, iterators, `__eq__`, deleters of payloads and (before 3.12) the
// garbage collector may run any Python code: values are converted first and places looked up last; what was looked up before such a call
// is looked up again after it; of a face only `message` and `list` are remembered across one, by holding the face.
#pragma once

#include <array>
#include <vector>

#include "onnx_proto/verbs/verbs.h"
#include "onnx_py/python.h"

namespace ONNX_LIGHT_NAMESPACE::py {

using proto::Arena;
using proto::IsList;
using proto::IsNumber;
using proto::IsString;
using proto::Kind;
using proto::ListHandle;
using proto::ListObject;
using proto::Message;
using proto::Row;
using proto::Table;
using proto::Verbs;

struct FaceType;

// A field as Python sees it; what the closure of its property points to.
struct FieldFace {
  const Row* row;
  FaceType* owner;
  FaceType* child;                 // of messages
  PyObject* name;                  // a str
  PyObject* descriptor = nullptr;  // what ListFields pairs the value with
};

struct MessageFace {
  PyObject_HEAD Message* message;
  FaceType* type;
  proto::Link link;  // lent to the message
};

// A message class.
struct FaceType {
  const Table* table;
  PyTypeObject* type = nullptr;
  std::vector<FieldFace> fields;  // as table->rows
  std::vector<PyGetSetDef> properties;
  // The fields by the address of their interned names: each has a place of its own.
  std::array<const FieldFace*, 64> by_name{};
  uint64_t spread = 0;

  // Of a name that is interned, as names in code are.
  const FieldFace* FieldNamed(const PyObject* name) const {
    const FieldFace* const field = by_name[reinterpret_cast<uintptr_t>(name) * spread >> 58];
    return field && field->name == name ? field : nullptr;
  }
  PyObject* object() const { return reinterpret_cast<PyObject*>(type); }
  const FieldFace& FieldOf(const Row& row) const { return fields[row.index]; }
};

struct ListFace {
  PyObject_HEAD ListObject* list;
  const FieldFace* field;
  ListObject lent;
};

inline MessageFace& AsMessage(PyObject* self) { return *reinterpret_cast<MessageFace*>(self); }
inline ListFace& AsList(PyObject* self) { return *reinterpret_cast<ListFace*>(self); }

// ---- the classes (face_types.cc)

FaceType& FaceTypeOf(const Table& table);
FaceType* FaceTypeOf(PyTypeObject* type);  // null if it is no message class
inline FaceType* FaceTypeOf(PyObject* face) { return FaceTypeOf(Py_TYPE(face)); }
bool IsListFace(PyObject* object);

// ---- the objects (face.cc). New references; they throw what the core throws, and give null with a Python exception set.

PyObject* FaceOf(FaceType& type, Message& message);
PyObject* FaceOf(const FieldFace& field, ListObject& list);
PyObject* NewRootFace(FaceType& type);
// The face of a message that is about to be a root: of one in `root`, which owns the arena until the face does.
PyObject* FaceOfRoot(FaceType& type, Message* root);
// The face leaves its message, which is a root or detached, for another root; what is held of the old one lives on.
void MoveFace(MessageFace& face, Message& to);
// A face of this class for the list of a field of a message.
PyObject* FaceOfField(const FieldFace& field, Message& message);

void FreeMessageFace(PyObject* self);
void FreeListFace(PyObject* self);

}  // namespace ONNX_LIGHT_NAMESPACE::py
