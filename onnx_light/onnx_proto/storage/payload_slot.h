// A message's payload: a span that knows its field. One with an owner of its own hangs on the arena's list, so that the arena can let go of
// it without a walk; of one that was parsed into a slab the arena knows by the slab.
#pragma once

#include <new>
#include <utility>

#include "onnx_proto/simple_span.h"
#include "onnx_proto/storage/payload_slab.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class PayloadSlot final : public Finalizer, public utils::ByteSpan {
 public:
  static PayloadSlot* New(Arena* arena) {
    auto* made = new (arena->Allocate(sizeof(PayloadSlot))) PayloadSlot;
    made->List(arena);
    return made;
  }
  // Bytes that lie in a slab of the arena. To be listed before it is given to anybody who may put other bytes into it.
  static PayloadSlot* NewInSlab(Arena* arena, const uint8_t* bytes, size_t size, PayloadSlab* slab) {
    return new (arena->Allocate(sizeof(PayloadSlot))) PayloadSlot(bytes, size, slab);
  }
  void List(Arena* arena) {
    if (!std::exchange(listed_, true)) arena->AdoptWritersFinalizer(this);
  }
  // The end of one that the arena does not outlive it for.
  void Delete(Arena* arena) {
    if (listed_) arena->DeleteFinalizer(this);
    else Finish();
    arena->Recycle(this, sizeof(PayloadSlot));
  }
  void Finish() override { this->~PayloadSlot(); }  // the memory is the arena's
  FieldHome& home() { return home_; }
  utils::ByteSpan& span() { return *this; }
  const utils::ByteSpan& span() const { return *this; }

 private:
  PayloadSlot() = default;
  PayloadSlot(const uint8_t* bytes, size_t size, PayloadSlab* slab) : ByteSpan(bytes, size, slab) {}
  ~PayloadSlot() = default;
  bool listed_ = false;
};
static_assert(sizeof(PayloadSlot) == 72);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
