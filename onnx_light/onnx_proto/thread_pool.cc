#include "onnx_proto/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <utility>

#if defined(__linux__)
#include <sched.h>
#endif

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {

// Processors this process may use; containers often allow fewer than there are.
int Processors() {
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace

int ThreadCount(int32_t num_threads) {
  constexpr int kMost = 256;  // whoever asks for more has made a mistake
  if (num_threads >= 1) return std::min(num_threads, kMost);
  return std::clamp(Processors(), 1, 8);
}

ThreadPool::ThreadPool(int32_t num_threads) : most_workers_(static_cast<size_t>(ThreadCount(num_threads) - 1)) {}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    jobs_.clear();
    ends_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::Submit(std::function<void()> job) {
  bool start = false;
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    start = idle_ < jobs_.size() && workers_.size() < most_workers_;
  }
  if (start) {
    try {
      workers_.emplace_back([this] { Work(); });
    } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch): no thread to be had; the one that waits does the job
    }
  }
  wake_.notify_one();
}

// True if there was a job. An exception is kept, and ends the jobs that have not begun.
bool ThreadPool::RunOne(std::unique_lock<std::mutex>& lock) {
  if (jobs_.empty()) return false;
  std::function<void()> job = std::move(jobs_.front());
  jobs_.pop_front();
  ++running_;
  lock.unlock();
  std::exception_ptr failure;
  try {
    job();
  } catch (...) {
    failure = std::current_exception();
  }
  job = nullptr;  // what it holds ends outside of the lock
  lock.lock();
  if (failure && !failure_) {
    failure_ = failure;
    jobs_.clear();
  }
  if (--running_ == 0 && jobs_.empty()) done_.notify_all();
  return true;
}

void ThreadPool::Work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (RunOne(lock)) continue;
    if (ends_) return;
    ++idle_;
    wake_.wait(lock, [this] { return ends_ || !jobs_.empty(); });
    --idle_;
  }
}

void ThreadPool::Wait() {
  std::unique_lock lock(mutex_);
  while (RunOne(lock)) {
  }
  done_.wait(lock, [this] { return running_ == 0 && jobs_.empty(); });
  if (const std::exception_ptr failure = std::exchange(failure_, nullptr)) {
    lock.unlock();
    std::rethrow_exception(failure);
  }
}

void ThreadPool::ForEach(size_t count, const std::function<void(size_t)>& job) {
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};
  const auto work = [&] {
    for (size_t i = next++; i < count && !failed; i = next++) {
      try {
        job(i);
      } catch (...) {
        failed = true;
        throw;
      }
    }
  };
  struct Finish {  // also when there is no memory for a job: those that run look at what lies here
    ThreadPool& pool;
    ~Finish() {
      try {
        pool.Wait();
      } catch (...) {  // NOLINT(bugprone-empty-catch): another exception is on its way
      }
    }
  };
  const Finish finish{*this};
  const size_t helpers = std::min(most_workers_, count ? count - 1 : 0);
  for (size_t i = 0; i < helpers; ++i) Submit(work);
  work();  // the caller's share: a single job needs no other thread, and what interrupts the caller reaches it
  Wait();
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
