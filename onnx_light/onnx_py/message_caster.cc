#include "onnx_py/message_caster.h"

namespace ONNX_LIGHT_NAMESPACE::py {

MessageFace& FaceFrom(nanobind::handle message) {
  if (!FaceTypeOf(message.ptr())) throw nanobind::type_error("a message is needed");
  return AsMessage(message.ptr());
}

PyObject* FaceOfMoved(FaceType& type, Message& value) {
  Message* const root = Verbs::New(*type.table, value.arena());
  Verbs::Move(*type.table, *root, value);
  return FaceOf(type, *root);
}

PyObject* FaceOfReferred(FaceType& type, Message& message) {
  if (message.is_value() || !message.arena_or_null()) return FaceOfRoot(type, Verbs::CloneRoot(*type.table, message));
  return FaceOf(type, message);
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
