// Python's C API as this room uses it: the limited one from 3.12 on (the build defines Py_LIMITED_API), the full one before.
#pragma once

#include <Python.h>

#include <utility>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// One reference, given back at the end of the scope. Empty means: a Python exception is set.
class Ref {
 public:
  Ref() = default;
  explicit Ref(PyObject* owned) : object_(owned) {}
  static Ref To(PyObject* borrowed) { return Ref(Py_NewRef(borrowed)); }
  Ref(Ref&& other) noexcept : object_(other.Take()) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { Py_XDECREF(object_); }
  explicit operator bool() const { return object_ != nullptr; }
  PyObject* get() const { return object_; }
  PyObject* Take() { return std::exchange(object_, nullptr); }

 private:
  PyObject* object_ = nullptr;
};

inline PyObject* None() { return Py_NewRef(Py_None); }

// What a slot of a type specification holds: a function as void*.
template <class Function>
void* Slot(Function* function) {
  return reinterpret_cast<void*>(function);
}
// Functions that take keywords, as a method table holds them.
inline PyCFunction FastWithKeywords(PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function));
}
inline PyCFunction WithKeywords(PyCFunctionWithKeywords function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function));
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
