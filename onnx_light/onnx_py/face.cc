#include "onnx_py/face.h"

#include "onnx_py/face_types.h"
#include "onnx_py/free_list.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

FreeList<MessageFace> message_faces;
FreeList<ListFace> list_faces;

}  // namespace

PyObject* FaceOf(FaceType& type, Message& message) {
  if (void* const face = message.face()) return Py_NewRef(static_cast<PyObject*>(face));
  MessageFace* const face = message_faces.Make(type.type);
  if (!face) return nullptr;
  face->message = &message;
  face->type = &type;
  try {
    Verbs::SetFace(message, face, face->link);
  } catch (...) {
    message_faces.Free(face);
    throw;
  }
  return reinterpret_cast<PyObject*>(face);
}

namespace {

template <class Find>
PyObject* NewListFace(const FieldFace& field, const Find& find) {
  ListFace* const face = list_faces.Make(ListTypeOf(field));
  if (!face) return nullptr;
  face->field = &field;
  try {
    face->list = find(&face->lent);
  } catch (...) {
    list_faces.Free(face);
    throw;
  }
  Verbs::SetFace(*face->list, face);
  return reinterpret_cast<PyObject*>(face);
}

}  // namespace

PyObject* FaceOf(const FieldFace& field, ListObject& list) {
  if (list.face) return Py_NewRef(static_cast<PyObject*>(list.face));
  return NewListFace(field, [&](ListObject*) { return &list; });
}

PyObject* FaceOfField(const FieldFace& field, Message& message) {
  if (field.row->kind == Kind::kMessage) return FaceOf(*field.child, *Verbs::Reach(message, *field.row));
  if (ListObject* const held = Verbs::Held(message, *field.row)) return FaceOf(field, *held);
  return NewListFace(field, [&](ListObject* lent) { return Verbs::Hold(message, *field.row, lent); });
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
  Verbs::MoveFace(*face.type->table, from, to, face.link);
}

void FreeMessageFace(PyObject* self) {
  MessageFace& face = AsMessage(self);
  Verbs::DropFace(*face.type->table, *face.message, face.link);
  message_faces.Free(&face);
}

void FreeListFace(PyObject* self) {
  ListFace& face = AsList(self);
  Verbs::DropFace(*face.list, &face.lent);
  list_faces.Free(&face);
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
