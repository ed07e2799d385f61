#include "onnx_py/make_node.h"

#include <string_view>

#include "onnx_proto/onnx.h"
#include "onnx_py/errors.h"
#include "onnx_py/face.h"
#include "onnx_py/gil.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

// UTF-8 of a str, which lives as long as that; false with the exception set.
bool Utf8(PyObject* text, std::string_view& view) {
  Py_ssize_t size = 0;
  const char* const data = PyUnicode_AsUTF8AndSize(text, &size);
  if (data) view = {data, static_cast<size_t>(size)};
  return data != nullptr;
}

// The bytes of a bytes object or of a str; false, with the exception set, for a str that has no UTF-8.
bool TextBytes(PyObject* object, std::string_view& view) {
  if (!PyBytes_CheckExact(object)) return Utf8(object, view);
  view = {PyBytes_AsString(object), static_cast<size_t>(PyBytes_Size(object))};
  return true;
}

bool IsExactText(PyObject* object) { return PyUnicode_CheckExact(object) || PyBytes_CheckExact(object); }

// A list or tuple, read where it lies: nothing here runs Python code that could change it.
class Items {
 public:
  explicit Items(PyObject* object)
      : object_(object),
        is_list_(PyList_CheckExact(object)),
        size_(is_list_                     ? PyList_Size(object)
              : PyTuple_CheckExact(object) ? PyTuple_Size(object)
                                           : -1) {}
  bool valid() const { return size_ >= 0; }
  Py_ssize_t size() const { return size_; }
  PyObject* operator[](Py_ssize_t at) const { return is_list_ ? PyList_GetItem(object_, at) : PyTuple_GetItem(object_, at); }

 private:
  PyObject* object_;
  bool is_list_;
  Py_ssize_t size_;
};

// Room for all elements of a list at once: growing one by one would leave pieces behind, and nodes are small and many.
void Reserve(Message& message, const Table& table, std::string_view field, Py_ssize_t count) {
  if (count <= 0) return;
  const Row& row = *table.Find(field);
  Verbs::Reserve(message.arena(), Verbs::MakeItems(message, row), row, static_cast<size_t>(count));
}

enum class Outcome { kDone, kOther, kFailed };

Outcome FillInteger(AttributeProto& attribute, PyObject* value) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);  // NOLINT(google-runtime-int): the type of the C API
  if (overflow) return Outcome::kOther;                                     // the error is the other path's
  attribute.set_i(number);
  attribute.set_type(AttributeProto::INT);
  return Outcome::kDone;
}

Outcome FillList(AttributeProto& attribute, const Items& items) {
  if (items.size() == 0) return Outcome::kOther;
  bool integers = false;
  bool floats = false;
  bool texts = false;
  for (Py_ssize_t i = 0; i < items.size(); ++i) {
    PyObject* const item = items[i];
    if (PyLong_CheckExact(item) || PyBool_Check(item)) {
      integers = true;
    } else if (PyFloat_CheckExact(item)) {
      floats = true;
    } else if (IsExactText(item)) {
      texts = true;
    } else {
      return Outcome::kOther;
    }
  }
  if (texts && (integers || floats)) return Outcome::kOther;
  const char* const field = texts ? "strings" : floats ? "floats" : "ints";
  Reserve(attribute, AttributeProto::table(), field, items.size());
  for (Py_ssize_t i = 0; i < items.size(); ++i) {
    PyObject* const item = items[i];
    if (texts) {
      std::string_view text;
      if (!TextBytes(item, text)) return Outcome::kFailed;
      attribute.add_strings(text);
    } else if (floats) {
      const double number = PyFloat_CheckExact(item) ? PyFloat_AsDouble(item) : PyLong_AsDouble(item);
      if (number == -1.0 && PyErr_Occurred()) return Outcome::kFailed;
      attribute.add_floats(static_cast<float>(number));
    } else {
      int overflow = 0;
      const long long number = PyLong_AsLongLongAndOverflow(item, &overflow);  // NOLINT(google-runtime-int)
      if (overflow) {
        attribute.ref_ints().clear();
        return Outcome::kOther;
      }
      attribute.add_ints(number);
    }
  }
  attribute.set_type(texts ? AttributeProto::STRINGS : floats ? AttributeProto::FLOATS : AttributeProto::INTS);
  return Outcome::kDone;
}

Outcome FillValue(AttributeProto& attribute, PyObject* value) {
  if (PyLong_CheckExact(value) || PyBool_Check(value)) return FillInteger(attribute, value);
  if (PyFloat_CheckExact(value)) {
    attribute.set_f(static_cast<float>(PyFloat_AsDouble(value)));
    attribute.set_type(AttributeProto::FLOAT);
    return Outcome::kDone;
  }
  if (IsExactText(value)) {
    std::string_view text;
    if (!TextBytes(value, text)) return Outcome::kFailed;
    attribute.set_s(text);
    attribute.set_type(AttributeProto::STRING);
    return Outcome::kDone;
  }
  const Items items(value);
  return items.valid() ? FillList(attribute, items) : Outcome::kOther;
}

FaceType& AttributeFace() {
  static FaceType& type = FaceTypeOf(AttributeProto::table());
  return type;
}

// Names of values: quickly from a list or tuple of str, by way of the field's own `extend` from anything else.
template <class Add>
bool AddNames(PyObject* node, const char* field, PyObject* names, const Add& add) {
  const Items items(names);
  bool plain = items.valid();
  for (Py_ssize_t i = 0; plain && i < items.size(); ++i) plain = PyUnicode_CheckExact(items[i]);
  if (plain) {
    Reserve(*AsMessage(node).message, NodeProto::table(), field, items.size());
    for (Py_ssize_t i = 0; i < items.size(); ++i) {
      std::string_view name;
      if (!Utf8(items[i], name)) return false;
      add(name);
    }
    return true;
  }
  const Ref list(PyObject_GetAttrString(node, field));
  if (!list) return false;
  return static_cast<bool>(Ref(OrStandStill([&] { return PyObject_CallMethod(list.get(), "extend", "O", names); })));
}

// A text field: quickly from str, by way of the attribute from anything else.
template <class Set>
bool SetText(PyObject* node, const char* field, PyObject* value, const Set& set) {
  if (!PyUnicode_CheckExact(value)) return PyObject_SetAttrString(node, field, value) == 0;
  std::string_view text;
  if (!Utf8(value, text)) return false;
  set(text);
  return true;
}

bool AddAttribute(PyObject* face, PyObject* name, PyObject* value, PyObject* fill) {
  NodeProto& node = static_cast<NodeProto&>(*AsMessage(face).message);
  AttributeProto& attribute = *node.add_attribute();
  std::string_view text;
  if (!Utf8(name, text)) return false;
  const Outcome outcome = FillValue(attribute, value);
  if (outcome == Outcome::kDone) attribute.set_name(text);
  if (outcome != Outcome::kOther) return outcome == Outcome::kDone;
  const Ref attribute_face(FaceOf(AttributeFace(), attribute));
  if (!attribute_face) return false;
  return static_cast<bool>(
      Ref(OrStandStill([&] { return PyObject_CallFunctionObjArgs(fill, attribute_face.get(), name, value, nullptr); })));
}

bool AddAttributes(PyObject* face, PyObject* keywords, PyObject* fill) {
  if (PyDict_Size(keywords) == 0) return true;
  const Ref names(PyDict_Keys(keywords));
  if (!names || PyList_Sort(names.get()) < 0) return false;
  Reserve(*AsMessage(face).message, NodeProto::table(), "attribute", PyList_Size(names.get()));
  for (Py_ssize_t i = 0; i < PyList_Size(names.get()); ++i) {
    const Ref name = Ref::To(PyList_GetItem(names.get(), i));
    PyObject* const found = PyDict_GetItemWithError(keywords, name.get());
    if (!found) {  // a class of its own for names may have any hash
      if (!PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, name.get());
      return false;
    }
    const Ref value = Ref::To(found);
    if (value.get() != Py_None && !AddAttribute(face, name.get(), value.get(), fill)) return false;
  }
  return true;
}

}  // namespace

PyObject* MakeNode(PyObject* op_type, PyObject* inputs, PyObject* outputs, PyObject* name, PyObject* doc_string, PyObject* domain,
                   PyObject* overload, PyObject* keywords, PyObject* fill) {
  return Guard([&]() -> PyObject* {
    static FaceType& type = FaceTypeOf(NodeProto::table());
    Ref face(NewRootFace(type));
    if (!face) return nullptr;
    NodeProto& node = static_cast<NodeProto&>(*AsMessage(face.get()).message);
    if (!SetText(face.get(), "op_type", op_type, [&](std::string_view text) { node.set_op_type(text); })) return nullptr;
    if (!AddNames(face.get(), "input", inputs, [&](std::string_view text) { node.add_input(text); })) return nullptr;
    if (!AddNames(face.get(), "output", outputs, [&](std::string_view text) { node.add_output(text); })) return nullptr;
    const int has_name = PyObject_IsTrue(name);
    const int has_doc = PyObject_IsTrue(doc_string);
    if (has_name < 0 || has_doc < 0) return nullptr;
    if (has_name && !SetText(face.get(), "name", name, [&](std::string_view text) { node.set_name(text); })) return nullptr;
    if (has_doc && !SetText(face.get(), "doc_string", doc_string, [&](std::string_view text) { node.set_doc_string(text); }))
      return nullptr;
    if (domain != Py_None && !SetText(face.get(), "domain", domain, [&](std::string_view text) { node.set_domain(text); })) return nullptr;
    if (overload != Py_None && !SetText(face.get(), "overload", overload, [&](std::string_view text) { node.set_overload(text); })) {
      return nullptr;
    }
    return AddAttributes(face.get(), keywords, fill) ? face.Take() : nullptr;
  });
}

bool FillAttribute(PyObject* attribute, PyObject* name, PyObject* value) {
  return Guard<bool>(false, [&] {
    if (!PyUnicode_CheckExact(name) || FaceTypeOf(attribute) != &AttributeFace()) return false;
    std::string_view text;
    if (!Utf8(name, text)) return false;
    AttributeProto& target = static_cast<AttributeProto&>(*AsMessage(attribute).message);
    if (FillValue(target, value) != Outcome::kDone) return false;
    target.set_name(text);
    return true;
  });
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
