// Who keeps payload bytes alive: counted, shared by all spans of the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "onnx_proto/callback.h"
#include "onnx_proto/storage/shared_count.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class Mapping;

// Starts with one holder: its maker. Goes, on whichever thread, when the last holder has let go.
class ONNX_LIGHT_API PayloadOwner {
 public:
  PayloadOwner(const PayloadOwner&) = delete;
  PayloadOwner& operator=(const PayloadOwner&) = delete;

  void Hold(uint32_t times = 1) { holders_.Add(times); }
  void LetGo(uint32_t times = 1) {
    if (holders_.Drop(times)) EndChain(this);
  }
  bool alone() const { return holders_.IsOne(); }
  // True for the blocks of NewBlock: nobody but the holders is told of their end.
  bool is_block() const { return is_block_; }
  // The file whose mapping the bytes are a slice of, or null.
  virtual const Mapping* mapping() const { return nullptr; }

  // Bytes of a block made here, 64-byte aligned, not cleared; the block goes with its owner. From 4 MiB on it has pages of its own, on a
  // 2 MiB bound and huge as far as whole ones fit. Throws std::bad_alloc.
  static PayloadOwner* NewBlock(size_t size, uint8_t** bytes);
  // `release` runs once, at the end (what it throws is swallowed: there is nobody to catch it); then `previous` is let go (newest first).
  // Takes over one hold on `previous`, which may be null.
  static PayloadOwner* NewDeleter(utils::Deleter release, PayloadOwner* previous);
  // Holds a copy of anything that keeps the bytes alive: a std::shared_ptr, an OwnerToken.
  template <class T>
  static PayloadOwner* NewToken(T token);

  // While one lives, owners that the thread lets go of wait for its end: their deleters may call anything, also what changes the tree
  // that is being edited. For edits during which payloads are replaced.
  class ONNX_LIGHT_API EndsLater {
   public:
    EndsLater();
    EndsLater(const EndsLater&) = delete;
    EndsLater& operator=(const EndsLater&) = delete;
    ~EndsLater();

   private:
    friend class PayloadOwner;
    PayloadOwner* waiting_ = nullptr;
    EndsLater* const outer_;
  };

 protected:
  explicit PayloadOwner(bool is_block) : is_block_(is_block) {}
  virtual ~PayloadOwner();
  // Ends the object, and gives the owner that it had a hold on, if any.
  virtual PayloadOwner* End() = 0;

 private:
  static void EndChain(PayloadOwner* owner);  // without recursion, however long the chain, and by whomever it goes on
  const bool is_block_;
  PayloadOwner* waits_behind_ = nullptr;  // in the list of an EndsLater
  SharedCount holders_{1};
};

template <class T>
class PayloadToken final : public PayloadOwner {
 public:
  explicit PayloadToken(T token) : PayloadOwner(false), token_(static_cast<T&&>(token)) {}

 private:
  PayloadOwner* End() override {
    delete this;
    return nullptr;
  }
  T token_;
};
template <class T>
PayloadOwner* PayloadOwner::NewToken(T token) {
  return new PayloadToken<T>(static_cast<T&&>(token));
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
