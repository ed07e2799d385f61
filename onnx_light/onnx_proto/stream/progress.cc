#include "onnx_proto/stream/progress.h"

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {

constexpr std::chrono::milliseconds kBetween{100};
constexpr uint64_t kMuch = uint64_t{16} << 20;  // bytes that do not wait so long: nobody knows when more of them come

// A callback that runs on this thread; it may do what has a callback of its own.
class Running {
 public:
  explicit Running(const Progress* progress) : progress_(progress), outer_(innermost) { innermost = this; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() { innermost = outer_; }
  static bool Any() { return innermost != nullptr; }
  static bool Of(const Progress* progress) {
    for (const Running* at = innermost; at; at = at->outer_) {
      if (at->progress_ == progress) return true;
    }
    return false;
  }

 private:
  static thread_local const Running* innermost;
  const Progress* const progress_;
  const Running* const outer_;
};
thread_local const Running* Running::innermost = nullptr;

}  // namespace

bool Progress::Tells() { return Running::Any(); }

void Progress::Count(uint64_t bytes) {
  untold_ += bytes;
  if (Running::Of(this)) return;                          // what its callback moves is told with what comes next
  const std::unique_lock lock(mutex_, std::try_to_lock);  // while one thread tells, the others go on
  if (lock) Tell(false);
}

void Progress::Flush() {
  if (!callback_ || Running::Of(this)) return;
  const std::lock_guard lock(mutex_);
  Tell(true);
}

void Progress::Tell(bool now) {
  if (failure_) std::rethrow_exception(failure_);
  const auto time = std::chrono::steady_clock::now();
  if (!now && untold_ < kMuch && time - last_ < kBetween) return;
  const uint64_t bytes = untold_.exchange(0);
  if (!bytes) return;
  last_ = time;
  try {
    const Running running(this);
    callback_(bytes);
  } catch (...) {
    failure_ = std::current_exception();
    throw;
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
