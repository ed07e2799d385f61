// Letting other Python threads run, and coming back.
#pragma once

#include "onnx_py/python.h"

#if defined(__GLIBCXX__) || defined(__GLIBC__)
#include <cxxabi.h>
#include <unistd.h>
#define ONNX_LIGHT_THREADS_UNWIND 1
#endif

namespace ONNX_LIGHT_NAMESPACE::py {

// Takes the GIL back. While the interpreter ends, CPython before 3.14 answers a daemon thread by pthread_exit, which would unwind this
// stack: through destructors that must not throw, and others that count references without the GIL. The thread stands still instead, as it
// does with 3.14, until the process ends.
#if defined(ONNX_LIGHT_THREADS_UNWIND)
// What is caught is a reference to no object, as far as a sanitizer can see.
[[gnu::no_sanitize("undefined")]]
#endif
inline void
TakeGilBack(PyThreadState* state) {
#if defined(ONNX_LIGHT_THREADS_UNWIND)
  try {
    PyEval_RestoreThread(state);
  } catch (abi::__forced_unwind&) {
    for (;;) pause();
  }
#else
  PyEval_RestoreThread(state);
#endif
}

// Without the GIL for the scope, if that is worth it. What is worked on meanwhile must be nobody else's.
class GilReleased {
 public:
  explicit GilReleased(bool release) : state_(release ? PyEval_SaveThread() : nullptr) {}
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;
  ~GilReleased() {
    if (state_) TakeGilBack(state_);
  }

 private:
  PyThreadState* const state_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::py
