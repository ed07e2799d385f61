// From C++ exceptions to Python's: each kind arrives as the class that users of `onnx` already catch.
#pragma once

#include <new>
#include <stdexcept>
#include <string_view>

#include "onnx_proto/error.h"
#include "onnx_py/python.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// Makes the classes Error, DecodeError, EncodeError, TextParseError, JsonParseError, SyntaxParseError (which the package knows as
// onnx.parser.ParseError) and ValidationError (onnx.checker's), and adds them to the module.
bool MakeErrors(PyObject* module);

// The class that is raised now for one of these names: where protobuf is in use, one that is derived from its own as well. A borrowed
// reference; null, without an exception, if there is no such name.
PyObject* ErrorNamed(std::string_view name);

// Sets the Python exception for the C++ exception that is being handled.
//   ParseError -> DecodeError; TextParseError, JsonParseError, OnnxSyntaxError -> its subclasses, with `line` and `column`;
//   SerializeError -> EncodeError (if the module of google.protobuf is imported that has such a class: one derived from both ours and
//   theirs); ValidationError -> checker.ValidationError, NestingError -> RecursionError, FileError -> OSError (its subclass by errno),
//   std::bad_alloc -> MemoryError, std::out_of_range -> IndexError, others -> RuntimeError.
void RaiseCurrent();

// Runs `act`; if it throws, the Python exception is set and the result is `failed`.
template <class Result, class Act>
Result Guard(Result failed, const Act& act) {
  try {
    return act();
  } catch (...) {
    RaiseCurrent();
  }
  return failed;
}
template <class Act>
PyObject* Guard(const Act& act) {
  return Guard<PyObject*>(nullptr, act);
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
