#include "onnx_proto/storage/payload_owner.h"

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
  explicit Block(size_t bytes) : PayloadOwner(true), bytes_(bytes) {}

 private:
  PayloadOwner* End() override {
    const size_t bytes = bytes_;
    this->~Block();
    if (bytes >= kOwnPages) {
      GiveHugeBlock(this, bytes);
    } else {
      std::free(this);
    }
    return nullptr;
  }
  const size_t bytes_;
};

class Deleter final : public PayloadOwner {
 public:
  Deleter(std::function<void()> release, PayloadOwner* previous) : PayloadOwner(false), release_(std::move(release)), previous_(previous) {}

 private:
  PayloadOwner* End() override {
    try {
      release_();
    } catch (...) {  // NOLINT(bugprone-empty-catch): the header says so
    }
    PayloadOwner* const previous = previous_;
    delete this;
    return previous;
  }
  std::function<void()> release_;
  PayloadOwner* previous_;
};

class Token final : public PayloadOwner {
 public:
  explicit Token(std::shared_ptr<void> token) : PayloadOwner(false), token_(std::move(token)) {}

 private:
  PayloadOwner* End() override {
    delete this;
    return nullptr;
  }
  std::shared_ptr<void> token_;
};

}  // namespace

PayloadOwner::~PayloadOwner() = default;

void PayloadOwner::EndChain(PayloadOwner* owner) {
  do {
    owner = owner->End();
  } while (owner && owner->holders_.fetch_sub(1, std::memory_order_acq_rel) == 1);
}

PayloadOwner* PayloadOwner::NewBlock(size_t size, uint8_t** bytes) {
  static_assert(sizeof(Block) <= kAlignment);
  if (size > SIZE_MAX / 2) throw std::bad_alloc();
  size_t whole = RoundUp(size + kAlignment, kAlignment);
  void* memory = nullptr;
  if (whole >= kOwnPages) {
    whole = RoundUp(whole, kHugePage);
    memory = TakeHugeBlock(whole);
  } else {
    memory = std::aligned_alloc(kAlignment, whole);
    if (!memory) throw std::bad_alloc();
  }
  *bytes = static_cast<uint8_t*>(memory) + kAlignment;
  return new (memory) Block(whole);
}

PayloadOwner* PayloadOwner::NewDeleter(std::function<void()> release, PayloadOwner* previous) {
  return new Deleter(std::move(release), previous);
}

PayloadOwner* PayloadOwner::NewToken(std::shared_ptr<void> token) { return new Token(std::move(token)); }

}  // namespace ONNX_LIGHT_NAMESPACE::proto
