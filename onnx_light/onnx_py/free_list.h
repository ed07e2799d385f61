// Python objects of one size that were freed and wait to be used again: making a face costs a few instructions.
#pragma once

#include "onnx_py/python.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// All calls hold the GIL.
template <class Object>
class FreeList {
 public:
  // A new object of a heap type without garbage collection; null with MemoryError set.
  Object* Make(PyTypeObject* type) {
    void* memory = first_;
    if (memory) {
      first_ = *static_cast<void**>(memory);
      --kept_;
    } else {
      memory = PyObject_Malloc(sizeof(Object));
      if (!memory) {
        PyErr_NoMemory();
        return nullptr;
      }
    }
    return reinterpret_cast<Object*>(PyObject_Init(static_cast<PyObject*>(memory), type));
  }
  // Also gives back the reference that an instance has on its heap type.
  void Free(Object* object) {
    PyTypeObject* const type = Py_TYPE(reinterpret_cast<PyObject*>(object));
    if (kept_ < kMost) {
      *reinterpret_cast<void**>(object) = first_;
      first_ = object;
      ++kept_;
    } else {
      PyObject_Free(object);
    }
    Py_DECREF(reinterpret_cast<PyObject*>(type));
  }

 private:
#if defined(__SANITIZE_ADDRESS__)
  static constexpr int kMost = 0;  // a kept object would hide its use after the end
#else
  static constexpr int kMost = 64;
#endif
  void* first_ = nullptr;
  int kept_ = 0;
};

}  // namespace ONNX_LIGHT_NAMESPACE::py
