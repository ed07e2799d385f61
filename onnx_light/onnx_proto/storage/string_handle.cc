#include "onnx_proto/storage/string_handle.h"

#include <atomic>

namespace ONNX_LIGHT_NAMESPACE::proto {

OwnedString& StringHandle::Own(Arena* arena) const {
  uintptr_t word = Load();
  if (word & kOwned) return *Owned(word);
  auto* made = new OwnedString(view(), word);
  if (!std::atomic_ref(word_).compare_exchange_strong(word, reinterpret_cast<uintptr_t>(made) | kOwned, std::memory_order_acq_rel)) {
    delete made;
    return *Owned(word);
  }
  arena->AdoptFinalizer(made);
  return *made;
}

const utils::String& StringHandle::str(Arena* arena) const {
  static const utils::String empty;
  return stored() ? Own(arena).text() : empty;
}

void StringHandle::Assign(Arena* arena, std::string_view bytes) {
  if (OwnedString* owned = this->owned()) {  // somebody may hold it: it stays
    owned->text().assign(bytes);
    return;
  }
  char* piece = bytes.empty() ? nullptr : static_cast<char*>(arena->Allocate(bytes.size()));
  if (piece) std::memcpy(piece, bytes.data(), bytes.size());
  Release(arena);
  word_ = reinterpret_cast<uintptr_t>(piece);
  size_ = bytes.size() | (piece ? kPiece : 0);
}

void StringHandle::Append(Arena* arena, std::string_view bytes) {
  if (!stored()) return Assign(arena, bytes);
  Own(arena).text().append(bytes);
}

void StringHandle::Release(Arena* arena) {
  uintptr_t chars = word_;
  if (chars & kOwned) {
    OwnedString* const owned = Owned(chars);
    chars = owned->chars();
    arena->DeleteFinalizer(owned);
  }
  if (size_ & kPiece) arena->Recycle(reinterpret_cast<char*>(chars), size_ & ~kPiece);
  word_ = 0;
  size_ = 0;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
