#include "onnx_proto/simple_span.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "onnx_proto/storage/payload_slab.h"
#include "onnx_proto/stream/mapped_file.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

using proto::PayloadOwner;
using proto::PayloadSlab;

ByteSpan::ByteSpan(const uint8_t* data, size_t size, PayloadSlab* slab)
    : data_(data), size_(size), owner_(slab), owned_(true), in_arena_(true) {
  slab->AddSpan();
}

void ByteSpan::EndInArena(PayloadOwner* owner) { static_cast<PayloadSlab*>(owner)->EndSpan(); }

// Before the bytes leave the arena.
void ByteSpan::HoldForItself() {
  if (!in_arena_) return;
  owner_->Hold();
  in_arena_ = false;
  EndInArena(owner_);
}

namespace {

class NewBlock {
 public:
  NewBlock(size_t size, uint8_t** bytes) : owner_(PayloadOwner::NewBlock(size, bytes)) {}
  NewBlock(const NewBlock&) = delete;
  NewBlock& operator=(const NewBlock&) = delete;
  ~NewBlock() {
    if (owner_) owner_->LetGo();
  }
  PayloadOwner* Take() { return std::exchange(owner_, nullptr); }

 private:
  PayloadOwner* owner_;
};

}  // namespace

ByteSpan::ByteSpan(const ByteSpan& other) : data_(other.data_), size_(other.size_), owner_(other.owner_), owned_(other.owned_) {
  if (owner_) owner_->Hold();
}

ByteSpan::ByteSpan(ByteSpan&& other) noexcept {
  other.HoldForItself();
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  owner_ = std::exchange(other.owner_, nullptr);
  owned_ = std::exchange(other.owned_, false);
}

// NOLINTNEXTLINE(bugprone-unhandled-self-assignment): held before it is let go
ByteSpan& ByteSpan::operator=(const ByteSpan& other) {
  if (other.owner_) other.owner_->Hold();
  Replace(other.data_, other.size_, other.owner_, other.owned_);
  return *this;
}

ByteSpan& ByteSpan::operator=(ByteSpan&& other) noexcept {
  if (this == &other) return *this;
  ByteSpan taken(std::move(other));
  Replace(taken.data_, taken.size_, std::exchange(taken.owner_, nullptr), taken.owned_);
  return *this;
}

// The old owner goes last: its deleter may look at this span.
void ByteSpan::Replace(const void* data, size_t size, PayloadOwner* owner, bool owned) {
  PayloadOwner* const old = std::exchange(owner_, owner);
  const bool old_in_arena = std::exchange(in_arena_, false);
  data_ = static_cast<const uint8_t*>(data);
  size_ = size;
  owned_ = owned;
  home_.Announce();
  LetGo(old, old_in_arena);
}

OwnerToken ByteSpan::owner() const {
  if (!owner_) return {};
  owner_->Hold();
  return {data_, owner_};
}

void ByteSpan::assign(const void* data, size_t size) {
  if (size == 0) return Replace(nullptr, 0, nullptr, false);
  uint8_t* bytes = nullptr;
  PayloadOwner* const block = PayloadOwner::NewBlock(size, &bytes);
  std::memcpy(bytes, data, size);
  Replace(bytes, size, block, true);
}

void ByteSpan::assign_borrowed(const void* data, size_t size) { Replace(data, size, nullptr, false); }

void ByteSpan::assign_with_deleter(const void* data, size_t size, Deleter deleter) {
  Replace(data, size, deleter ? PayloadOwner::NewDeleter(std::move(deleter), nullptr) : nullptr, false);
}

void ByteSpan::attach_deleter(Deleter deleter) {
  if (!deleter) return;
  HoldForItself();
  owner_ = PayloadOwner::NewDeleter(std::move(deleter), owner_);
  home_.Announce();
}

void ByteSpan::adopt(const void* data, size_t size, PayloadOwner* owner, bool owned) { Replace(data, size, owner, owned); }

std::string_view ByteSpan::checked_view() const {
  if (const proto::Mapping* const mapping = owner_ ? owner_->mapping() : nullptr) mapping->CheckSize();
  return view();
}

void ByteSpan::CopyTo(void* to, size_t size) const {
  const proto::Mapping* const mapping = owner_ ? owner_->mapping() : nullptr;
  if (mapping) mapping->Copy(view().substr(0, size), to);
  else if (size) std::memcpy(to, data_, size);
}

uint8_t* ByteSpan::mutable_data() {
  if (size_ == 0 || (owned_ && owner_->alone() && owner_->is_block())) return const_cast<uint8_t*>(data_);
  uint8_t* bytes = nullptr;
  NewBlock block(size_, &bytes);
  CopyTo(bytes, size_);
  Replace(bytes, size_, block.Take(), true);
  return bytes;
}

void ByteSpan::resize(size_t size) {
  if (size == size_) {
    mutable_data();
    home_.Announce();
    return;
  }
  if (size == 0) return Replace(nullptr, 0, nullptr, false);
  uint8_t* bytes = nullptr;
  NewBlock block(size, &bytes);
  const size_t kept = std::min(size, size_);
  CopyTo(bytes, kept);
  std::memset(bytes + kept, 0, size - kept);
  Replace(bytes, size, block.Take(), true);
}

void ByteSpan::clear() {
  PayloadOwner* const old = std::exchange(owner_, nullptr);
  data_ = nullptr;
  size_ = 0;
  owned_ = false;
  LetGo(old, std::exchange(in_arena_, false));
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
