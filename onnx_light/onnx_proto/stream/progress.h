// How far an operation has got, from all its threads to the one callback of whoever asked.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>

#include "onnx_proto/serialize_options.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

/// Collects bytes for a ProgressCallback, which says when it is called. What that throws comes out of the call that counted, and then out
/// of those of all other threads, so that they end as well. Without a callback nothing happens.
class ONNX_LIGHT_API Progress {
 public:
  explicit Progress(ProgressCallback callback) : callback_(std::move(callback)) {}
  void Add(uint64_t bytes) {
    if (callback_) Count(bytes);
  }
  /// Tells the rest.
  void Flush();
  /// Whether a callback is running on this thread.
  static bool Tells();

 private:
  void Count(uint64_t bytes);
  void Tell(bool now);

  const ProgressCallback callback_;
  std::atomic<uint64_t> untold_{0};
  std::mutex mutex_;  // of what follows
  std::chrono::steady_clock::time_point last_;
  std::exception_ptr failure_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::utils
