// Letting other Python threads run, and coming back.
#pragma once

#include "onnx_py/python.h"

#if defined(__GLIBC__)
#include <unistd.h>
#endif

namespace ONNX_LIGHT_NAMESPACE::py {

// Runs what takes the GIL. While the interpreter ends, CPython before 3.14 answers a daemon thread by pthread_exit, which glibc turns into
// an exception that nobody may keep: it would unwind this stack through destructors that must not throw, and others that count references
// without the GIL. The thread stands still here instead, as it does with 3.14, until the process ends.
template <class Take>
auto OrStandStill(const Take& take) {
#if defined(__GLIBC__)
  try {
    return take();
  } catch (...) {  // nothing else comes out of Python
    for (;;) pause();
  }
#else
  return take();
#endif
}

// Bytes to be moved that are worth letting go of it.
inline constexpr size_t kWorthReleasing = size_t{64} << 10;

// Without the GIL for the scope, if that is worth it. What is worked on meanwhile must be nobody else's.
class GilReleased {
 public:
  explicit GilReleased(bool release) : state_(release ? PyEval_SaveThread() : nullptr) {}
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;
  ~GilReleased() {
    if (state_) OrStandStill([this] { PyEval_RestoreThread(state_); });
  }

 private:
  PyThreadState* const state_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::py
