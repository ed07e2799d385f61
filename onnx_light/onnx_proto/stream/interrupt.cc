#include "onnx_proto/stream/interrupt.h"

#include <atomic>

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {
std::atomic<InterruptCheck> interrupt_check{nullptr};
}  // namespace

void SetInterruptCheck(InterruptCheck check) { interrupt_check = check; }

void CheckInterrupt(bool now) {
  if (const InterruptCheck check = interrupt_check) check(now);
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
