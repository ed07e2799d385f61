#include "onnx_py/face.h"

#include "onnx_py/face_types.h"
#include "onnx_py/free_list.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

FreeList<MessageFace> message_faces;
FreeList<ListFace> list_faces;

template <class Face, class Held>
PyObject* Join(FreeList<Face>& faces, Face* face, Held& held) {
  try {
    Verbs::SetFace(held, face);
  } catch (...) {
    faces.Free(face);
    throw;
  }
  return reinterpret_cast<PyObject*>(face);
}

}  // namespace

PyObject* FaceOf(FaceType& type, Message& message) {
  if (void* const face = message.face()) return Py_NewRef(static_cast<PyObject*>(face));
  MessageFace* const face = message_faces.Make(type.type);
  if (!face) return nullptr;
  face->message = &message;
  face->type = &type;
  return Join(message_faces, face, message);
}

PyObject* FaceOf(const FieldFace& field, ListObject& list) {
  if (list.face) return Py_NewRef(static_cast<PyObject*>(list.face));
  ListFace* const face = list_faces.Make(ListTypeOf(field));
  if (!face) return nullptr;
  face->list = &list;
  face->field = &field;
  return Join(list_faces, face, list);
}

PyObject* FaceOfField(const FieldFace& field, Message& message) {
  if (field.row->kind == Kind::kMessage) return FaceOf(*field.child, *Verbs::Reach(message, *field.row));
  return FaceOf(field, *Verbs::Hold(message, *field.row));
}

PyObject* NewRootFace(FaceType& type) {
  const proto::NewRoot root(*type.table);
  return FaceOf(type, root.message());
}

PyObject* FaceOfRoot(FaceType& type, Message* root) {
  const proto::ArenaOwner owner(root->arena());
  return FaceOf(type, *root);
}

void MoveFace(MessageFace& face, Message& to) {
  Message& from = *std::exchange(face.message, &to);
  try {
    Verbs::MoveFace(*face.type->table, from, to);
  } catch (...) {
    face.message = &from;
    throw;
  }
}

void FreeMessageFace(PyObject* self) {
  MessageFace& face = AsMessage(self);
  Verbs::DropFace(*face.type->table, *face.message);
  message_faces.Free(&face);
}

void FreeListFace(PyObject* self) {
  ListFace& face = AsList(self);
  Verbs::DropFace(*face.list);
  list_faces.Free(&face);
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
