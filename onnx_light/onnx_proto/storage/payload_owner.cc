#include "onnx_proto/storage/payload_owner.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <utility>

#include "onnx_proto/storage/block_cache.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

constexpr size_t kAlignment = 64;              // of every owned payload: what vector code and numpy ask for at most
constexpr size_t kOwnPages = size_t{4} << 20;  // from here on a payload has pages of its own, which go back to the system with it

class Block final : public PayloadOwner {
 public:
  Block() : PayloadOwner(true) {}

 private:
  PayloadOwner* End() override {
    this->~Block();
    std::free(this);
    return nullptr;
  }
};

// Pages are not shared with a header: the last page of a payload would else often hold nothing but a few bytes.
class Pages final : public PayloadOwner {
 public:
  explicit Pages(size_t size)
      : PayloadOwner(true), room_(RoundUp(size, kHugePage)), at_(static_cast<uint8_t*>(TakeHugeBlock(room_))), tail_(TailOf(size)) {
    if (tail_) madvise(at_ + room_ - kHugePage, kHugePage, MADV_NOHUGEPAGE);
  }
  uint8_t* at() const { return at_; }

 private:
  // A last huge page that would be empty for more than a quarter is not worth it.
  static bool TailOf(size_t size) { return RoundUp(size, kHugePage) - size > kHugePage / 4; }
  PayloadOwner* End() override {
    if (tail_) madvise(at_ + room_ - kHugePage, kHugePage, MADV_HUGEPAGE);
    GiveHugeBlock(at_, room_);
    delete this;
    return nullptr;
  }
  const size_t room_;
  uint8_t* const at_;
  const bool tail_;
};

class WithDeleter final : public PayloadOwner {
 public:
  WithDeleter(utils::Deleter release, PayloadOwner* previous) : PayloadOwner(false), release_(std::move(release)), previous_(previous) {}

 private:
  const Mapping* mapping() const override { return previous_ ? previous_->mapping() : nullptr; }
  PayloadOwner* End() override {
    try {
      release_();
    } catch (...) {  // NOLINT(bugprone-empty-catch): the header says so
    }
    PayloadOwner* const previous = previous_;
    delete this;
    return previous;
  }
  utils::Deleter release_;
  PayloadOwner* previous_;
};

}  // namespace

PayloadOwner::~PayloadOwner() = default;

namespace {
thread_local PayloadOwner::EndsLater* ends_later = nullptr;  // the innermost one of the thread
}  // namespace

PayloadOwner::EndsLater::EndsLater() : outer_(ends_later) { ends_later = this; }

PayloadOwner::EndsLater::~EndsLater() {
  ends_later = outer_;
  while (PayloadOwner* const owner = waiting_) {
    waiting_ = owner->waits_behind_;
    EndChain(owner);
  }
}

void PayloadOwner::EndChain(PayloadOwner* owner) {
  if (EndsLater* const later = ends_later) {
    owner->waits_behind_ = std::exchange(later->waiting_, owner);
    return;
  }
  EndsLater later;
  while (owner) {
    do {
      owner = owner->End();
    } while (owner && owner->holders_.Drop());
    owner = later.waiting_;
    if (owner) later.waiting_ = owner->waits_behind_;
  }
}

PayloadOwner* PayloadOwner::NewBlock(size_t size, uint8_t** bytes) {
  static_assert(sizeof(Block) <= kAlignment);
  if (size > SIZE_MAX / 2) throw std::bad_alloc();
  if (size >= kOwnPages) {
    auto* const pages = new Pages(size);
    *bytes = pages->at();
    return pages;
  }
  void* const memory = std::aligned_alloc(kAlignment, RoundUp(size + kAlignment, kAlignment));
  if (!memory) throw std::bad_alloc();
  *bytes = static_cast<uint8_t*>(memory) + kAlignment;
  return new (memory) Block;
}

PayloadOwner* PayloadOwner::NewDeleter(utils::Deleter release, PayloadOwner* previous) {
  return new WithDeleter(std::move(release), previous);
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
