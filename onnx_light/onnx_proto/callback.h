// utils::Callback: any callable of a signature, as std::function is, and made from one where somebody has it.
//
// It exists since <functional> was a fifth of what the compiler did for a file that includes onnx.h.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "onnx_proto/storage/shared_count.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

template <class Signature>
class Callback;

/// Copies share one callable, which goes with the last of them, on whichever thread; copying never throws. Made from nothing, nullptr or
/// an empty std::function it is empty, and calling it then gives a value-initialised result.
/// Threads: distinct copies may be called from distinct threads as far as the callable itself may.
template <class Result, class... Arguments>
class Callback<Result(Arguments...)> {
 public:
  Callback() = default;
  Callback(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): as std::function
  template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, Callback> &&
                                              std::is_invocable_r_v<Result, std::decay_t<F>&, Arguments...>>>
  Callback(F&& callable) {  // NOLINT(google-explicit-constructor): as std::function
    if (!IsNull<std::decay_t<F>>(callable)) held_ = new Of<std::decay_t<F>>(std::forward<F>(callable));
  }
  Callback(const Callback& other) : held_(other.held_) {
    if (held_) held_->holders.Add();
  }
  Callback(Callback&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  Callback& operator=(Callback other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~Callback() {
    if (held_ && held_->holders.Drop()) delete held_;
  }

  Result operator()(Arguments... arguments) const {
    if (!held_) return Result();
    return held_->Call(std::forward<Arguments>(arguments)...);
  }
  explicit operator bool() const { return held_ != nullptr; }
  friend bool operator==(const Callback& callback, std::nullptr_t) { return callback.held_ == nullptr; }

  /// The callable, if it is an F; null otherwise.
  template <class F>
  const F* target() const {
    return held_ && held_->type == &kTypeOf<F> ? &static_cast<const Of<F>*>(held_)->callable : nullptr;
  }

 private:
  template <class F>
  static constexpr char kTypeOf = 0;

  struct Held {
    explicit Held(const char* of) : type(of) {}
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    virtual ~Held() = default;
    virtual Result Call(Arguments... arguments) = 0;
    proto::SharedCount holders{1};
    const char* type;
  };
  template <class F>
  struct Of final : Held {
    explicit Of(F from) : Held(&kTypeOf<F>), callable(std::move(from)) {}
    Result Call(Arguments... arguments) override { return static_cast<Result>(callable(std::forward<Arguments>(arguments)...)); }
    F callable;
  };

  // Of pointers, and of classes that can be compared with nullptr (a lambda without captures can, by way of a pointer that never is null).
  template <class F>
  static bool IsNull(const F& callable) {
    if constexpr (!std::is_empty_v<F> && requires { callable == nullptr; }) return callable == nullptr;
    else return false;
  }

  Held* held_ = nullptr;
};

/// Runs once, when what it is attached to goes.
using Deleter = Callback<void()>;

}  // namespace ONNX_LIGHT_NAMESPACE::utils
