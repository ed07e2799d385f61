#include "onnx_proto/stream/progress.h"

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {

constexpr std::chrono::milliseconds kBetween{100};
constexpr uint64_t kMuch = uint64_t{16} << 20;  // bytes that do not wait so long: nobody knows when more of them come

thread_local int running = 0;

struct Running {
  Running() { ++running; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() { --running; }
};

}  // namespace

bool Progress::Tells() { return running > 0; }

void Progress::Count(uint64_t bytes) {
  untold_ += bytes;
  const std::unique_lock lock(mutex_, std::try_to_lock);  // while one thread tells, the others go on
  if (lock) Tell(false);
}

void Progress::Flush() {
  if (!callback_) return;
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
    const Running running_now;
    callback_(bytes);
  } catch (...) {
    failure_ = std::current_exception();
    throw;
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
