// A message's payload: a span that knows its field, and hangs on the arena's list, so that the arena can let go of it without a walk.
#pragma once

#include <new>

#include "onnx_proto/simple_span.h"
#include "onnx_proto/storage/arena.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class PayloadSlot final : public utils::ByteSpan, public Finalizer {
 public:
  static PayloadSlot* New(Arena* arena) {
    auto* made = new (arena->Allocate(sizeof(PayloadSlot))) PayloadSlot;
    arena->AdoptWritersFinalizer(made);
    return made;
  }
  void Finish() override { this->~PayloadSlot(); }  // the memory is the arena's
  FieldHome& home() { return home_; }
  utils::ByteSpan& span() { return *this; }

 private:
  PayloadSlot() = default;
  ~PayloadSlot() = default;
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
