// Letting other Python threads run, and coming back.
#pragma once

#include <exception>

#include "onnx_py/python.h"

#if defined(__GLIBC__)
#include <unistd.h>
#endif

namespace ONNX_LIGHT_NAMESPACE::py {

// Runs what takes the GIL, or runs Python code, which takes it now and then. While the interpreter ends, CPython before 3.14 answers a
// daemon thread by pthread_exit, which glibc turns into an exception that nobody may keep: it would unwind this stack through functions
// that must not throw (all that nanobind calls are called by one), and destructors that count references without the GIL. The thread
// stands still here instead, as it does with 3.14, until the process ends.
template <class Act>
auto OrStandStill(const Act& act) {
#if defined(__GLIBC__)
  try {
    return act();
  } catch (const std::exception&) {  // an error of Python's
    throw;
  } catch (...) {
    for (;;) pause();
  }
#else
  return act();
#endif
}

// The GIL for the scope, in a thread that may have let go of it.
class GilTaken {
 public:
  GilTaken() : state_(OrStandStill(PyGILState_Ensure)) {}
  GilTaken(const GilTaken&) = delete;
  GilTaken& operator=(const GilTaken&) = delete;
  ~GilTaken() { PyGILState_Release(state_); }

 private:
  const PyGILState_STATE state_;
};

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
