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
    void* const memory = first_;
    if (!memory) return New(type);
    first_ = *static_cast<void**>(memory);
    --kept_;
    auto* const object = static_cast<PyObject*>(memory);
#if defined(Py_LIMITED_API) || defined(Py_TRACE_REFS) || defined(Py_REF_DEBUG)
    PyObject_Init(object, type);
#else  // what PyObject_Init does to an object that nobody traces, without two calls
    Py_SET_TYPE(object, static_cast<PyTypeObject*>(static_cast<void*>(Py_NewRef(type))));
    Py_SET_REFCNT(object, 1);
#endif
    return static_cast<Object*>(memory);
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
  static Object* New(PyTypeObject* type) {
    void* const memory = PyObject_Malloc(sizeof(Object));
    if (!memory) {
      PyErr_NoMemory();
      return nullptr;
    }
    return reinterpret_cast<Object*>(PyObject_Init(static_cast<PyObject*>(memory), type));
  }

#if defined(__SANITIZE_ADDRESS__)
  static constexpr int kMost = 0;  // a kept object would hide its use after the end
#else
  static constexpr int kMost = 64;
#endif
  void* first_ = nullptr;
  int kept_ = 0;
};

}  // namespace ONNX_LIGHT_NAMESPACE::py
