// utils::Owned: a message that has left its place in another one, and belongs to whoever has the handle.
#pragma once

#include <utility>

#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

/// Like std::unique_ptr, for messages that lie in an arena: never deleted by hand. Null where there was nothing to release.
template <class T>
class Owned {
 public:
  Owned() = default;
  // Takes a detached message; keeps its arena.
  explicit Owned(proto::Message* message) : message_(message) {
    if (message_) message_->arena()->AddOwner();
  }
  Owned(Owned&& other) noexcept : message_(std::exchange(other.message_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(message_, other.message_);
    return *this;
  }
  ~Owned() {
    if (!message_) return;
    proto::Arena* const arena = message_->arena();
    if (!message_->face()) proto::Verbs::RecycleOne(T::table(), *message_);  // else it lives on
    arena->DropOwner();
  }

  T* get() const { return static_cast<T*>(message_); }
  T& operator*() const { return *get(); }
  T* operator->() const { return get(); }
  explicit operator bool() const { return message_ != nullptr; }

 private:
  proto::Message* message_ = nullptr;
};

}  // namespace ONNX_LIGHT_NAMESPACE::utils
