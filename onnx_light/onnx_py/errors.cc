#include "onnx_py/errors.h"
#include "onnx_proto/external_data/external_data_error.h"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

// A class of ours and, where protobuf has one of the same meaning, what that is called and where it lies.
struct ErrorClass {
  const char* name;
  const char* qualified_name;
  const char* doc;
  const char* their_module;
  const char* their_name;
  PyObject* ours = nullptr;
  PyObject* theirs = nullptr;  // the class that `both` was made for
  PyObject* both = nullptr;
};
ErrorClass decode_error{"DecodeError", "onnx_light.onnx.DecodeError", "Bytes or a text that are not the message they should be.",
                        "google.protobuf.message", "DecodeError"};
ErrorClass encode_error{"EncodeError", "onnx_light.onnx.EncodeError", "A message that cannot be written: nested too deep or too large.",
                        "google.protobuf.message", "EncodeError"};
ErrorClass text_parse_error{"TextParseError", "onnx_light.onnx.TextParseError", "A text that is not protobuf text format.",
                            "google.protobuf.text_format", "ParseError"};
ErrorClass json_parse_error{"JsonParseError", "onnx_light.onnx.JsonParseError", "A text that is not the JSON of a protobuf message.",
                            "google.protobuf.json_format", "ParseError"};
ErrorClass syntax_parse_error{"SyntaxParseError", "onnx_light.onnx.parser.ParseError", "A text that is not the ONNX syntax.", nullptr,
                              nullptr};
ErrorClass validation_error{"ValidationError", "onnx_light.onnx.onnx_cpp2py_export.checker.ValidationError",
                            "A message that breaks a rule of ONNX.", nullptr, nullptr};

// Weights that cannot be had: ValueError and ValidationError, as callers of `onnx` catch it, and OSError where the system refused.
PyObject* external_data_error = nullptr;
PyObject* external_data_not_found = nullptr;
PyObject* external_data_os_error = nullptr;

// protobuf is never imported by us: only if somebody else has, its users may be waiting for its classes.
Ref Theirs(const ErrorClass& error) {
  PyObject* const modules = PyImport_GetModuleDict();
  PyObject* const module = error.their_module ? PyDict_GetItemString(modules, error.their_module) : nullptr;
  if (!module) return Ref();
  Ref theirs(PyObject_GetAttrString(module, error.their_name));
  if (!theirs) PyErr_Clear();
  return theirs && PyType_Check(theirs.get()) ? std::move(theirs) : Ref();
}

// The most derived ones first.
constexpr ErrorClass* kErrors[] = {&text_parse_error, &json_parse_error, &syntax_parse_error,
                                   &decode_error,     &encode_error,     &validation_error};

// An error of a class of both is pickled as one of ours, and is of both again where protobuf is in use: the class itself is found by no
// name.
PyObject* ReduceError(PyObject* self, PyObject*) {
  PyObject* const type = reinterpret_cast<PyObject*>(Py_TYPE(self));
  const auto* const error = std::find_if(std::begin(kErrors), std::end(kErrors),
                                         [type](const ErrorClass* one) { return PyObject_IsSubclass(type, one->ours) == 1; });
  const Ref module(PyImport_ImportModule("onnx_light.onnx._messages"));
  const Ref restore(module ? PyObject_GetAttrString(module.get(), "restore_error") : nullptr);
  const Ref arguments(restore ? PyObject_GetAttrString(self, "args") : nullptr);
  const Ref state(arguments ? PyObject_GetAttrString(self, "__dict__") : nullptr);
  return state ? Py_BuildValue("O(sOO)", restore.get(), (*error)->name, arguments.get(), state.get()) : nullptr;
}
PyMethodDef reduce_error = {"__reduce__", ReduceError, METH_NOARGS, "__reduce__($self, /)\n--\n\nFor pickle and copy."};

PyObject* ClassOfBoth(const ErrorClass& error, PyObject* theirs) {
  const Ref bases(PyTuple_Pack(2, error.ours, theirs));
  Ref both(bases ? PyErr_NewException(error.qualified_name, bases.get(), nullptr) : nullptr);
  const Ref reduce(both ? PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(both.get()), &reduce_error) : nullptr);
  return reduce && PyObject_SetAttrString(both.get(), reduce_error.ml_name, reduce.get()) == 0 ? both.Take() : nullptr;
}

PyObject* ClassToRaise(ErrorClass& error) {
  const Ref theirs = Theirs(error);
  if (!theirs) return error.ours;
  if (theirs.get() != error.theirs) {
    const Ref both(ClassOfBoth(error, theirs.get()));
    if (!both) {  // their class does not go together with ours
      PyErr_Clear();
      return error.ours;
    }
    Py_XDECREF(error.both);
    Py_XDECREF(error.theirs);
    error.both = Py_NewRef(both.get());
    error.theirs = Py_NewRef(theirs.get());
  }
  return error.both;
}

// What was thrown is UTF-8 unless it names a file: nothing of an error may be lost to another one.
Ref Text(const char* what) { return Ref(PyUnicode_DecodeUTF8(what, static_cast<Py_ssize_t>(std::strlen(what)), "backslashreplace")); }
void Raise(PyObject* kind, const std::exception& error) {
  if (const Ref text = Text(error.what())) PyErr_SetObject(kind, text.get());
}

// A fault in a text; the exception has `line` and `column` as attributes.
void RaiseAt(ErrorClass& kind, const SyntaxError& error) {
  const Ref text = Text(error.what());
  const Ref raised(text ? PyObject_CallOneArg(ClassToRaise(kind), text.get()) : nullptr);
  const Ref line(PyLong_FromUnsignedLongLong(error.line()));
  const Ref column(PyLong_FromUnsignedLongLong(error.column()));
  if (!raised || !line || !column) return;
  for (const auto& [name, value] : {std::pair{"line", line.get()}, std::pair{"column", column.get()}}) {
    if (PyObject_SetAttrString(raised.get(), name, value) < 0) return;
  }
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised.get())), raised.get());
}

// As the system spells names of files: what is no UTF-8 goes the way of os.fsdecode.
Ref FromSystem(const std::string& text) { return Ref(PyUnicode_DecodeFSDefaultAndSize(text.data(), static_cast<Py_ssize_t>(text.size()))); }

void RaiseFileError(const FileError& error) {
  const Ref problem = FromSystem(error.problem());
  const Ref path = error.path().empty() ? Ref(None()) : FromSystem(error.path());
  const Ref arguments(problem && path ? Py_BuildValue("(iOO)", error.code(), problem.get(), path.get()) : nullptr);
  if (arguments) PyErr_SetObject(PyExc_OSError, arguments.get());
}

void RaiseExternalDataError(const ExternalDataError& error) {
  const Ref text = FromSystem(error.what());
  if (text && error.code() == 0) return PyErr_SetObject(external_data_error, text.get());
  const Ref arguments(text ? Py_BuildValue("(iO)", error.code(), text.get()) : nullptr);
  if (arguments) PyErr_SetObject(error.code() == ENOENT ? external_data_not_found : external_data_os_error, arguments.get());
}

}  // namespace

bool MakeErrors(PyObject* module) {
  static PyObject* const base =
      PyErr_NewExceptionWithDoc("onnx_light.onnx.Error", "What goes wrong between messages and bytes.", nullptr, nullptr);
  if (!base || PyModule_AddObjectRef(module, "Error", base) < 0) return false;
  for (ErrorClass* error : {&decode_error, &encode_error, &text_parse_error, &json_parse_error, &syntax_parse_error, &validation_error}) {
    if (!error->ours) {
      const bool is_text = error == &text_parse_error || error == &json_parse_error || error == &syntax_parse_error;
      error->ours = PyErr_NewExceptionWithDoc(error->qualified_name, error->doc, is_text ? decode_error.ours : base, nullptr);
    }
    if (!error->ours || PyModule_AddObjectRef(module, error->name, error->ours) < 0) return false;
  }
  if (!external_data_error) {
    const Ref bases(PyTuple_Pack(2, validation_error.ours, PyExc_ValueError));
    external_data_error = PyErr_NewExceptionWithDoc(
        "onnx_light.onnx.ExternalDataError",
        "Weights outside a model's file that are not what their tensor says, or lie where they may not lie.", bases.get(), nullptr);
    const auto with = [](const char* name, const char* doc, PyObject* parent) {
      const Ref both(PyTuple_Pack(2, parent, external_data_error));
      return PyErr_NewExceptionWithDoc(name, doc, both.get(), nullptr);
    };
    external_data_not_found =
        with("onnx_light.onnx.ExternalDataNotFoundError", "A file with weights that is not there.", PyExc_FileNotFoundError);
    external_data_os_error =
        with("onnx_light.onnx.ExternalDataOSError", "A file with weights that the system does not open.", PyExc_OSError);
  }
  return external_data_error && external_data_not_found && external_data_os_error &&
         PyModule_AddObjectRef(module, "ExternalDataError", external_data_error) == 0 &&
         PyModule_AddObjectRef(module, "ExternalDataNotFoundError", external_data_not_found) == 0 &&
         PyModule_AddObjectRef(module, "ExternalDataOSError", external_data_os_error) == 0;
}

PyObject* ErrorNamed(std::string_view name) {
  for (ErrorClass* error : kErrors) {
    if (name == error->name) return ClassToRaise(*error);
  }
  return nullptr;
}

void RaiseCurrent() {
  try {
    throw;
  } catch (nanobind::python_error& error) {  // of a callable that the library called
    error.restore();
  } catch (const nanobind::builtin_exception& error) {
    PyErr_SetString(error.type() == nanobind::exception_type::type_error ? PyExc_TypeError : PyExc_ValueError, error.what());
  } catch (const TextParseError& error) {
    RaiseAt(text_parse_error, error);
  } catch (const JsonParseError& error) {
    RaiseAt(json_parse_error, error);
  } catch (const OnnxSyntaxError& error) {
    RaiseAt(syntax_parse_error, error);
  } catch (const ParseError& error) {
    Raise(ClassToRaise(decode_error), error);
  } catch (const SerializeError& error) {
    Raise(ClassToRaise(encode_error), error);
  } catch (const CryptUnavailable& error) {
    Raise(PyExc_NotImplementedError, error);
  } catch (const NestingError& error) {
    Raise(PyExc_RecursionError, error);
  } catch (const ExternalDataError& error) {
    RaiseExternalDataError(error);
  } catch (const ValidationError& error) {
    Raise(validation_error.ours, error);
  } catch (const FileError& error) {
    RaiseFileError(error);
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::out_of_range& error) {
    Raise(PyExc_IndexError, error);
  } catch (const std::exception& error) {
    Raise(PyExc_RuntimeError, error);
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
