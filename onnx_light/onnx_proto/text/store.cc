#include "onnx_proto/text/store.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

void ReplaceMessage(const Table& table, Message& message, size_t expected_bytes, const std::function<void(Message&)>& fill) {
  if (message.is_value() || !message.arena_or_null()) {
    NewRoot root(table, expected_bytes);
    fill(root.message());
    return Verbs::TakeRoot(table, message, root.Take());
  }
  const Detached fresh(table, Verbs::New(table, message.arena()));
  fill(*fresh);
  Verbs::Move(table, message, *fresh);
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
