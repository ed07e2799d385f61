// Bytes of Python objects: to be filled, of one call, or kept for longer.
#pragma once

#include <memory>
#include <string_view>

#include "onnx_py/python.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// A bytes object that nobody has seen and that is yet to be filled; null: MemoryError is set. Large ones lie in huge pages.
Ref NewBytes(size_t size);
inline char* BytesToFill(const Ref& bytes) { return PyBytes_AsString(bytes.get()); }

// Bytes of an object, which cannot be resized as long as this lives. False: TypeError is set.
class Buffer {
 public:
  explicit Buffer(PyObject* source);
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (held_) PyBuffer_Release(&buffer_);
  }
  explicit operator bool() const { return held_; }
  std::string_view bytes() const { return {static_cast<const char*>(buffer_.buf), static_cast<size_t>(buffer_.len)}; }
  // Nobody can write into them, whoever runs.
  bool immutable() const { return immutable_; }

 private:
  Py_buffer buffer_{};
  bool held_ = false;
  bool immutable_ = false;
};

// The same for as long as the result lives; it may end on any thread. The object's bytes, in C order, are put into `bytes`.
// Throws nanobind::python_error (TypeError, BufferError).
std::shared_ptr<void> ShareBuffer(PyObject* source, std::string_view& bytes);

}  // namespace ONNX_LIGHT_NAMESPACE::py
