#include "onnx_proto/text/store.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

void ReplaceMessage(const Table& table, Message& message, size_t expected_bytes, const std::function<void(Message&)>& fill) {
  if (message.is_value() || !message.arena_or_null()) {
    NewRoot root(table, expected_bytes);
    fill(root.message());
    return Verbs::TakeRoot(table, message, root.Take());
  }
  Message* const fresh = Verbs::New(table, message.arena());
  Dropped dropped(table, fresh);
  try {
    fill(*fresh);
  } catch (...) {
    Verbs::Recycle(dropped);
    throw;
  }
  Verbs::Move(table, message, *fresh);
  Verbs::Recycle(dropped);
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
