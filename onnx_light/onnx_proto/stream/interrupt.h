// Long reads and writes ask now and then whether they are to go on: a program that was told to stop (Ctrl-C) does not finish gigabytes
// first.
#pragma once

#include <cstddef>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

/// Called by whatever thread moves bytes, about every few MiB. What it throws ends the work as any failure does: what was there before is
/// there as it was. `now`: a call of the system was interrupted, so there is a reason to look.
using InterruptCheck = void (*)(bool now);
/// One for the process; null: none, as at the start. Any thread may call it at any time.
ONNX_LIGHT_API void SetInterruptCheck(InterruptCheck check);
/// Calls it, if there is one.
ONNX_LIGHT_API void CheckInterrupt(bool now = false);

/// Calls it about every 4 MiB of what one thread moves in smaller pieces.
class InterruptPace {
 public:
  void Moved(size_t bytes) {
    if ((unchecked_ += bytes) < kBetween) return;
    CheckInterrupt();
    unchecked_ = 0;
  }

 private:
  static constexpr size_t kBetween = size_t{4} << 20;
  size_t unchecked_ = 0;
};

}  // namespace ONNX_LIGHT_NAMESPACE::utils
