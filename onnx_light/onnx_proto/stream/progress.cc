#include "onnx_proto/stream/progress.h"

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {

constexpr std::chrono::milliseconds kBetween{100};
constexpr uint64_t kMuch = uint64_t{16} << 20;  // bytes that do not wait so long: nobody knows when more of them come

thread_local const InCallback* innermost = nullptr;

}  // namespace

InCallback::InCallback(const Progress* progress) : progress_(progress), outer_(innermost) { innermost = this; }
InCallback::~InCallback() { innermost = outer_; }
bool InCallback::Running() { return innermost != nullptr; }
bool InCallback::RunningOf(const Progress* progress) {
  for (const InCallback* at = innermost; at; at = at->outer_) {
    if (at->progress_ == progress) return true;
  }
  return false;
}

void Progress::Count(uint64_t bytes) {
  untold_ += bytes;
  if (InCallback::RunningOf(this)) return;                // what its callback moves is told with what comes next
  const std::unique_lock lock(mutex_, std::try_to_lock);  // while one thread tells, the others go on
  if (lock) Tell(false);
}

void Progress::Flush() {
  if (!callback_ || InCallback::RunningOf(this)) return;
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
    const InCallback in_callback(this);
    callback_(bytes);
  } catch (...) {
    failure_ = std::current_exception();
    throw;
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
