// How nanobind passes messages: functions take and return them by reference, and Python sees the very object.
//
//   m.def("first_node", [](GraphProto& graph) -> NodeProto& { return *graph.mutable_node(0); });
//
// Arguments: `T&`, `const T&` and `T*` are the face's own message (None for a null pointer), `T` a copy. They are looked up when all
// arguments have been converted; a function that runs Python code before it needs the message (a path, a buffer, a callable) takes a
// `Late<T>`, as the face may stand for another message by then. Results: a reference or pointer to a message of an arena is the face of it;
// a value, and a message that no arena holds, becomes a message of its own.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <type_traits>
#include <utility>

#include "onnx_proto/onnx.h"
#include "onnx_py/face.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// A new root with what `value` holds; the value is empty afterwards.
PyObject* FaceOfMoved(FaceType& type, Message& value);
// The face of a message, or of a copy of it if it is a C++ value.
PyObject* FaceOfReferred(FaceType& type, Message& message);

// Of a message of any class; throws nanobind::type_error for everything else.
MessageFace& FaceFrom(nanobind::handle message);

// An argument whose message is looked up when it is asked for.
template <class T>
class Late {
 public:
  Late() = default;
  explicit Late(MessageFace* face) : face_(face) {}
  T& operator*() const { return static_cast<T&>(*face_->message); }

 private:
  MessageFace* face_ = nullptr;
};

template <class T>
FaceType& FaceTypeFor() {
  static FaceType& type = FaceTypeOf(T::table());
  return type;
}
// The class's name, for signatures.
template <class T>
inline constexpr auto kPythonName = [] {
  constexpr std::string_view module = "onnx_light.onnx.";
  std::array<char, module.size() + T::kName.size() + 1> text{};
  size_t at = 0;
  for (const char c : module) text[at++] = c;
  for (const char c : T::kName) text[at++] = c;
  return text;
}();

}  // namespace ONNX_LIGHT_NAMESPACE::py

namespace nanobind::detail {

template <class T>
struct type_caster<T, std::enable_if_t<std::is_base_of_v<ONNX_LIGHT_NAMESPACE::proto::Message, T>, int>> {
  using Face = ONNX_LIGHT_NAMESPACE::py::MessageFace;
  template <class Wanted>
  using Cast = precise_cast_t<Wanted>;

  static constexpr auto Name = []<size_t... I>(std::index_sequence<I...>) {
    return descr<sizeof...(I)>{ONNX_LIGHT_NAMESPACE::py::kPythonName<T>[I]...};
  }
  (std::make_index_sequence<ONNX_LIGHT_NAMESPACE::py::kPythonName<T>.size() - 1>{});

  bool from_python(handle source, uint8_t, cleanup_list*) noexcept {
    if (source.is_none()) {
      face_ = nullptr;
      return true;
    }
    if (Py_TYPE(source.ptr()) != ONNX_LIGHT_NAMESPACE::py::FaceTypeFor<T>().type) return false;
    face_ = reinterpret_cast<Face*>(source.ptr());
    return true;
  }
  template <class Wanted>
  bool can_cast() const noexcept {
    return std::is_pointer_v<Wanted> || face_ != nullptr;
  }
  operator T*() { return face_ ? &message() : nullptr; }  // NOLINT(google-explicit-constructor): nanobind asks for conversions
  operator T&() { return message(); }                     // NOLINT(google-explicit-constructor)
  operator T&&() { return std::move(message()); }         // NOLINT(google-explicit-constructor)

  template <class Given>
  static handle from_cpp(Given&& given, rv_policy, cleanup_list*) noexcept {
    namespace py = ONNX_LIGHT_NAMESPACE::py;
    try {
      if constexpr (std::is_pointer_v<std::remove_cvref_t<Given>>) {
        if (!given) return none().release();
        return py::FaceOfReferred(py::FaceTypeFor<T>(), const_cast<T&>(*given));
      } else if constexpr (std::is_lvalue_reference_v<Given>) {
        return py::FaceOfReferred(py::FaceTypeFor<T>(), const_cast<T&>(given));
      } else {
        return py::FaceOfMoved(py::FaceTypeFor<T>(), given);
      }
    } catch (...) {
      PyErr_NoMemory();
      return handle();
    }
  }

 private:
  T& message() const { return static_cast<T&>(*face_->message); }
  Face* face_ = nullptr;
};

template <class T>
struct type_caster<ONNX_LIGHT_NAMESPACE::py::Late<T>> {
  NB_TYPE_CASTER(ONNX_LIGHT_NAMESPACE::py::Late<T>, make_caster<T>::Name)

  bool from_python(handle source, uint8_t, cleanup_list*) noexcept {
    if (Py_TYPE(source.ptr()) != ONNX_LIGHT_NAMESPACE::py::FaceTypeFor<T>().type) return false;
    value = ONNX_LIGHT_NAMESPACE::py::Late<T>(reinterpret_cast<ONNX_LIGHT_NAMESPACE::py::MessageFace*>(source.ptr()));
    return true;
  }
};

}  // namespace nanobind::detail
