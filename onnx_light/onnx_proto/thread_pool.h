// utils::ThreadPool: a few threads that run jobs, for payloads that are worth it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

/// As many threads as the options ask for: `num_threads` itself, or below 1 as many as the machine runs at once (at most 8: beyond that
/// memory is the limit).
ONNX_LIGHT_API int ThreadCount(int32_t num_threads);

/// Runs jobs on up to `threads - 1` threads of its own and on the one that waits. A thread starts when a job finds none that is free.
/// The first exception of a job is thrown by Wait; jobs that have not begun by then are dropped. Used by one thread.
class ONNX_LIGHT_API ThreadPool {
 public:
  explicit ThreadPool(int32_t num_threads);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  /// Drops jobs that have not begun, and waits for the others.
  ~ThreadPool();

  void Submit(std::function<void()> job);
  /// Until all jobs are done; the calling thread works as well.
  void Wait();
  /// Threads that have been started so far.
  size_t started() const { return workers_.size(); }

  /// Calls `job(i)` for each i below `count`, shared out one by one; the calling thread begins at once. Throws what a failing one threw.
  void ForEach(size_t count, const std::function<void(size_t)>& job);

 private:
  void Work();
  bool RunOne(std::unique_lock<std::mutex>& lock);

  const size_t most_workers_;
  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::deque<std::function<void()>> jobs_;
  size_t running_ = 0;
  size_t idle_ = 0;
  bool ends_ = false;
  std::exception_ptr failure_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::utils
