#include "onnx_py/values.h"

#include "onnx_proto/text/utf8.h"
#include "onnx_py/buffer.h"
#include "onnx_py/errors.h"
#include "onnx_py/gil.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

PyObject* BytesToPython(std::string_view bytes) { return PyBytes_FromStringAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size())); }

// Whether the bytes stay as they are while somebody holds them, whoever runs: those of a block that Python cannot write into, or of a file.
bool StaysWhileHeld(const utils::ByteSpan& payload) {
  const proto::PayloadOwner* const owner = payload.owner_or_null();
  return owner && (!payload.is_borrowed() || owner->mapping());
}

PyObject* PayloadToPython(const utils::ByteSpan& payload) {
  return Guard([&] {
    Ref bytes = NewBytes(payload.size());
    if (!bytes) return bytes.Take();
    char* const to = BytesToFill(bytes);
    if (payload.size() < kWorthReleasing || !StaysWhileHeld(payload)) {
      payload.CopyTo(to);
    } else {
      const utils::ByteSpan held(payload);  // the message may get others meanwhile, or go
      const GilReleased released(true);
      held.CopyTo(to);
    }
    return bytes.Take();
  });
}

bool OutOfRange(PyObject* object) {
  PyErr_Format(PyExc_ValueError, "Value out of range: %R", object);
  return false;
}

// numpy scalars are numbers, arrays are not, though they have __float__.
bool IsArray(PyObject* object) {
  const Ref name(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__name__"));
  const bool is_array = name && PyUnicode_Check(name.get()) && PyUnicode_CompareWithASCIIString(name.get(), "ndarray") == 0;
  PyErr_Clear();
  return is_array;
}

bool ToNumber(const Row& row, PyObject* object, Value& value) {
  if (!PyFloat_Check(object) && !PyLong_Check(object) && IsArray(object)) {
    PyErr_Format(PyExc_TypeError, "%s: an array is not a number: %R", std::string(row.name).c_str(), object);
    return false;
  }
  const double number = PyFloat_AsDouble(object);
  if (number == -1.0 && PyErr_Occurred()) return false;
  if (row.kind == Kind::kDoubles) value.number = number;
  else value.single = static_cast<float>(number);
  return true;
}

bool ToUnsigned(PyObject* index, Value& value) {
  value.uint64 = PyLong_AsUnsignedLongLong(index);
  if (value.uint64 != UINT64_MAX || !PyErr_Occurred()) return true;
  PyErr_Clear();
  return OutOfRange(index);
}

bool ToSigned(const Row& row, PyObject* index, Value& value) {
  int overflow = 0;
  const int64_t number = PyLong_AsLongLongAndOverflow(index, &overflow);
  if (number == -1 && PyErr_Occurred()) return false;
  if (overflow) return OutOfRange(index);
  if (proto::ElementSize(row.kind) == 8) {
    value.int64 = number;
    return true;
  }
  if (number != static_cast<int32_t>(number)) return OutOfRange(index);
  if (row.kind == Kind::kEnum && !row.enumeration->Has(number)) {
    PyErr_Format(PyExc_ValueError, "%s: %s has no number %R", std::string(row.name).c_str(), std::string(row.enumeration->name).c_str(),
                 index);
    return false;
  }
  value.int32 = static_cast<int32_t>(number);
  return true;
}

bool ToInteger(const Row& row, PyObject* object, Value& value) {
  const Ref index = PyLong_Check(object) ? Ref::To(object) : Ref(PyNumber_Index(object));
  if (!index) return false;
  return row.kind == Kind::kUint64s ? ToUnsigned(index.get(), value) : ToSigned(row, index.get(), value);
}

bool TextOf(PyObject* object, std::string_view& text) {
  Py_ssize_t size = 0;
  const char* const chars = PyUnicode_AsUTF8AndSize(object, &size);
  if (chars) text = {chars, static_cast<size_t>(size)};
  return chars != nullptr;
}

bool ToEnum(const Row& row, PyObject* object, Value& value) {
  if (!PyUnicode_Check(object)) return ToInteger(row, object, value);
  std::string_view name;
  if (!TextOf(object, name)) return false;
  for (const proto::EnumValue& known : row.enumeration->values) {
    if (known.name != name) continue;
    value.int32 = known.number;
    return true;
  }
  PyErr_Format(PyExc_ValueError, "%s: %s has no name %R", std::string(row.name).c_str(), std::string(row.enumeration->name).c_str(),
               object);
  return false;
}

bool ToBytes(const Row& row, PyObject* object, Value& value) {
  const bool is_text = row.kind == Kind::kString || row.kind == Kind::kStrings;
  if (is_text && PyUnicode_Check(object)) return TextOf(object, value.bytes);
  if (!PyBytes_Check(object)) {
    const Ref type(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__name__"));
    if (type) {
      PyErr_Format(PyExc_TypeError, "%s: expected %s, %S found", std::string(row.name).c_str(), is_text ? "str" : "bytes", type.get());
    }
    return false;
  }
  value.bytes = {PyBytes_AsString(object), static_cast<size_t>(PyBytes_Size(object))};
  if (!is_text || proto::IsUtf8(value.bytes)) return true;
  // Python's own decoder says what is wrong with it.
  const Ref decoded(PyUnicode_DecodeUTF8(value.bytes.data(), static_cast<Py_ssize_t>(value.bytes.size()), "strict"));
  return false;
}

}  // namespace

#if !defined(Py_LIMITED_API)
namespace {

// Most text of models is ASCII: it is looked at while it is copied, by words. Null without an exception if it is not ASCII.
PyObject* AsciiToPython(std::string_view text) {
  const size_t size = text.size();
  PyObject* const made = PyUnicode_New(static_cast<Py_ssize_t>(size), 127);
  if (!made) {
    PyErr_Clear();
    return nullptr;
  }
  const char* const from = text.data();
  auto* const to = reinterpret_cast<char*>(PyUnicode_1BYTE_DATA(made));
  uint64_t all = 0;
  const auto move = [&](size_t at) {
    uint64_t word;
    std::memcpy(&word, from + at, 8);
    std::memcpy(to + at, &word, 8);
    all |= word;
  };
  for (size_t at = 0; at + 8 < size; at += 8) move(at);
  move(size - 8);  // the rest, and some of it once more
  if (!(all & 0x8080808080808080u)) return made;
  Py_DECREF(made);
  return nullptr;
}

}  // namespace
#endif

PyObject* TextToPython(std::string_view text) {
#if !defined(Py_LIMITED_API)
  if (text.size() >= 8) {
    if (PyObject* made = AsciiToPython(text)) return made;
  }
#endif
  if (PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "strict")) return made;
  if (!PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) return nullptr;
  PyErr_Clear();
  return BytesToPython(text);
}

PyObject* ToPython(const Row& row, const void* at) {
  switch (row.kind) {
    case Kind::kInt64:
    case Kind::kInt64s: return PyLong_FromLongLong(*static_cast<const int64_t*>(at));
    case Kind::kInt32:
    case Kind::kEnum:
    case Kind::kInt32s: return PyLong_FromLong(*static_cast<const int32_t*>(at));
    case Kind::kUint64s: return PyLong_FromUnsignedLongLong(*static_cast<const uint64_t*>(at));
    case Kind::kFloat:
    case Kind::kFloats: return PyFloat_FromDouble(double{*static_cast<const float*>(at)});
    case Kind::kDoubles: return PyFloat_FromDouble(*static_cast<const double*>(at));
    case Kind::kString:
    case Kind::kStrings: {
      const std::string_view text = static_cast<const proto::StringHandle*>(at)->view();
      return row.repeats ? WordToPython(text) : TextToPython(text);
    }
    case Kind::kPayload: return PayloadToPython(static_cast<const proto::Slot*>(at)->payload->span());
    default: return BytesToPython(static_cast<const proto::StringHandle*>(at)->view());
  }
}

PyObject* DefaultOf(const Row& row) {
  switch (row.kind) {
    case Kind::kFloat: return PyFloat_FromDouble(0);
    case Kind::kString: return PyUnicode_FromStringAndSize("", 0);
    case Kind::kBytes:
    case Kind::kPayload: return PyBytes_FromStringAndSize("", 0);
    default: return PyLong_FromLong(0);
  }
}

bool FromPython(const Row& row, PyObject* object, Value& value) {
  switch (row.kind) {
    case Kind::kFloat:
    case Kind::kFloats:
    case Kind::kDoubles: return ToNumber(row, object, value);
    case Kind::kInt64:
    case Kind::kInt32:
    case Kind::kInt64s:
    case Kind::kInt32s:
    case Kind::kUint64s: return ToInteger(row, object, value);
    case Kind::kEnum: return ToEnum(row, object, value);
    default: return ToBytes(row, object, value);
  }
}

bool IsOfExactType(PyObject* object) {
  return PyUnicode_CheckExact(object) || PyLong_CheckExact(object) || PyFloat_CheckExact(object) || PyBytes_CheckExact(object);
}

void SetValue(Message& message, const Row& row, const Value& value) {
  if (row.kind == Kind::kPayload) {
    utils::ByteSpan span;
    span.assign(value.bytes);
    Verbs::SetPayload(message, row, std::move(span));
  } else if (IsString(row.kind)) {
    Verbs::SetString(message, row, value.bytes);
  } else {
    std::memcpy(Verbs::Present(message, row), &value.int64, proto::ElementSize(row.kind));
  }
}

void StoreElement(Arena* arena, const Row& row, void* at, const Value& value) {
  if (proto::IsStringList(row.kind)) static_cast<proto::StringHandle*>(at)->Assign(arena, value.bytes);
  else std::memcpy(at, &value.int64, proto::ElementSize(row.kind));
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
