#include "onnx_proto/storage/payload_slab.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

PayloadSlab* PayloadSlab::New(Arena* arena, size_t size, uint8_t** bytes) {
  PayloadOwner* const block = NewBlock(size, bytes);
  PayloadSlab* made = nullptr;
  try {
    made = new PayloadSlab(arena, block);
  } catch (...) {
    block->LetGo();
    throw;
  }
  arena->AdoptWritersFinalizer(made);
  return made;
}

PayloadOwner* PayloadSlab::End() {
  PayloadOwner* const block = block_;
  delete this;
  return block;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
