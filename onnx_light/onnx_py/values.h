// Single values between Python and the core: numbers, strings and bytes, with the checks of their field.
#pragma once

#include <string_view>

#include "onnx_py/face.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// A Python value that has passed its field's checks.
struct Value {
  union {
    int64_t int64;
    uint64_t uint64;
    int32_t int32;
    float single;
    double number;
  };
  std::string_view bytes;  // of strings: lives as long as the Python object
};

// `at`: where the value lies, as a field or an element of a list. Text that is not UTF-8 is given as bytes.
PyObject* ToPython(const Row& row, const void* at);
// The value of an absent field.
PyObject* DefaultOf(const Row& row);

// False with the exception set that protobuf sets: TypeError, ValueError, OverflowError, UnicodeEncodeError, UnicodeDecodeError. May run
// Python code (`__index__`, `__float__`), but not for objects of the exact types int, float, str and bytes.
bool FromPython(const Row& row, PyObject* object, Value& value);
bool IsOfExactType(PyObject* object);

// Into a singular field, which becomes present.
void SetValue(Message& message, const Row& row, const Value& value);
// Into an element of a list, which exists.
void StoreElement(Arena* arena, const Row& row, void* at, const Value& value);

// A str from a small table of those seen last: words that repeat are made once.
PyObject* WordToPython(std::string_view text);

// What is UTF-8 as str, the rest as bytes.
PyObject* TextToPython(std::string_view text);

}  // namespace ONNX_LIGHT_NAMESPACE::py
