// How far an operation has got, from all its threads to the one callback of whoever asked.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>

#include "onnx_proto/serialize_options.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

class Progress;

/// For as long as it lives, this thread runs what a save has called, which must not wait for that save to end. That may do what has a
/// callback of its own.
class ONNX_LIGHT_API InCallback {
 public:
  explicit InCallback(const Progress* progress = nullptr);
  InCallback(const InCallback&) = delete;
  InCallback& operator=(const InCallback&) = delete;
  ~InCallback();
  /// Whether there is one on this thread, and whether there is one of this progress.
  static bool Running();
  static bool RunningOf(const Progress* progress);

 private:
  const Progress* const progress_;
  const InCallback* const outer_;
};

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
