// A block that the small payloads of one arena share.
//
// The arena holds it once for all spans that lie in it: making or dropping such a span changes a plain number, and an arena that goes lets
// go of the block without a look at the spans. A span that leaves the arena (a copy, a move) holds the block as it would any other owner.
#pragma once

#include "onnx_proto/storage/arena.h"
#include "onnx_proto/storage/payload_owner.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class PayloadSlab final : public PayloadOwner, public Finalizer {
 public:
  // `size` bytes, 64-byte aligned, not cleared, as the arena's newest finalizer. Counts one span, which the maker ends when it has put the
  // last one into it. Throws std::bad_alloc.
  static PayloadSlab* New(Arena* arena, size_t size, uint8_t** bytes);
  void AddSpan() { ++spans_; }
  // The arena lets go with the last one.
  void EndSpan() {
    if (--spans_ == 0) arena_->DeleteFinalizer(this);
  }
  void Finish() override { LetGo(); }

 private:
  PayloadSlab(Arena* arena, PayloadOwner* block) : PayloadOwner(true), arena_(arena), block_(block) {}
  ~PayloadSlab() override = default;
  PayloadOwner* End() override;

  Arena* const arena_;
  PayloadOwner* const block_;
  size_t spans_ = 1;
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
