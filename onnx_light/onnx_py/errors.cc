#include "onnx_py/errors.h"

#include <string>

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

struct ErrorClass {
  const char* name;
  PyObject* ours = nullptr;
  PyObject* theirs = nullptr;  // the class that `both` was made for
  PyObject* both = nullptr;
};
ErrorClass decode_error{"DecodeError"};
ErrorClass encode_error{"EncodeError"};

// protobuf is never imported by us: only if somebody else has, its users may be waiting for its classes.
Ref Theirs(const char* name) {
  PyObject* const modules = PyImport_GetModuleDict();
  PyObject* const module = PyDict_GetItemString(modules, "google.protobuf.message");
  if (!module) return Ref();
  Ref theirs(PyObject_GetAttrString(module, name));
  if (!theirs) PyErr_Clear();
  return theirs && PyType_Check(theirs.get()) ? std::move(theirs) : Ref();
}

PyObject* ClassToRaise(ErrorClass& error) {
  const Ref theirs = Theirs(error.name);
  if (!theirs) return error.ours;
  if (theirs.get() != error.theirs) {
    const Ref both(PyErr_NewException((std::string("onnx_light.onnx.") + error.name).c_str(),
                                      Ref(PyTuple_Pack(2, error.ours, theirs.get())).get(), nullptr));
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

void RaiseFileError(const FileError& error) {
  const Ref arguments(Py_BuildValue("(is)", error.code(), error.what()));
  if (arguments) PyErr_SetObject(PyExc_OSError, arguments.get());
}

}  // namespace

bool MakeErrors(PyObject* module) {
  static PyObject* const base =
      PyErr_NewExceptionWithDoc("onnx_light.onnx.Error", "What goes wrong between messages and bytes.", nullptr, nullptr);
  if (!base || PyModule_AddObjectRef(module, "Error", base) < 0) return false;
  for (ErrorClass* error : {&decode_error, &encode_error}) {
    if (!error->ours) {
      const char* const doc = error == &decode_error ? "Bytes that are not the message they should be."
                                                     : "A message that cannot be written: nested too deep or too large.";
      error->ours = PyErr_NewExceptionWithDoc((std::string("onnx_light.onnx.") + error->name).c_str(), doc, base, nullptr);
    }
    if (!error->ours || PyModule_AddObjectRef(module, error->name, error->ours) < 0) return false;
  }
  return true;
}

void RaiseCurrent() {
  try {
    throw;
  } catch (const ParseError& error) {
    PyErr_SetString(ClassToRaise(decode_error), error.what());
  } catch (const SerializeError& error) {
    PyErr_SetString(ClassToRaise(encode_error), error.what());
  } catch (const NestingError& error) {
    PyErr_SetString(PyExc_RecursionError, error.what());
  } catch (const FileError& error) {
    RaiseFileError(error);
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::out_of_range& error) {
    PyErr_SetString(PyExc_IndexError, error.what());
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
