#include "onnx_proto/storage/payload_slab.h"

#include <memory>

namespace ONNX_LIGHT_NAMESPACE::proto {

PayloadSlab* PayloadSlab::New(Arena* arena, size_t size, uint8_t** bytes) {
  std::unique_ptr<PayloadSlab> made(new PayloadSlab(arena));
  made->block_ = NewBlock(size, bytes);
  arena->AdoptWritersFinalizer(made.get());
  return made.release();
}

PayloadOwner* PayloadSlab::End() {
  PayloadOwner* const block = block_;
  delete this;
  return block;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
