// Letting other Python threads run, and coming back.
#pragma once

#include "onnx_py/python.h"

#if defined(__GLIBC__)
#include <unistd.h>
#endif

namespace ONNX_LIGHT_NAMESPACE::py {

// Takes the GIL back. While the interpreter ends, CPython before 3.14 answers a daemon thread by pthread_exit, which glibc turns into an
// exception that nobody may keep: it would unwind this stack through destructors that must not throw, and others that count references
// without the GIL. The thread stands still here instead, as it does with 3.14, until the process ends.
inline void TakeGilBack(PyThreadState* state) {
#if defined(__GLIBC__)
  try {
    PyEval_RestoreThread(state);
  } catch (...) {  // nothing else comes out of Python
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
