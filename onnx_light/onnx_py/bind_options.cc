// How to parse and how to serialise, with the names and defaults of serialize_options.h. The classes may be derived from.
#include "onnx_proto/serialize_options.h"

#include <nanobind/nanobind.h>

#include <string>

#include "onnx_py/areas.h"
#include "onnx_py/callbacks.h"

namespace nb = nanobind;

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

// ParseOptions may hold a Python callable, which may hold the options again.
int Traverse(PyObject* self, visitproc visit, void* arg) {
#if PY_VERSION_HEX >= 0x03090000
  Py_VISIT(Py_TYPE(self));
#endif
  if (!nb::inst_ready(self)) return 0;
  Py_VISIT(CallableOrNull(nb::inst_ptr<ParseOptions>(self)->raw_data_callback));
  return 0;
}
int Clear(PyObject* self) {
  if (!nb::inst_ready(self)) return 0;
  const RawDataCallback dropped = std::exchange(nb::inst_ptr<ParseOptions>(self)->raw_data_callback, nullptr);
  return 0;
}
PyType_Slot parse_options_slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(&Traverse)}, {Py_tp_clear, reinterpret_cast<void*>(&Clear)}, {0, nullptr}};

}  // namespace

void BindOptions(nb::module_& module) {
  nb::enum_<FileLoadMode>(module, "FileLoadMode", nb::is_arithmetic(), "How a model's file is read.")
      .value("AUTO", FileLoadMode::AUTO, "The fastest safe way: large files payload by payload, small ones as a whole.")
      .value("MMAP", FileLoadMode::MMAP, "Through a shared mapping; with no_copy payloads are slices of it.")
      .value("IFSTREAM", FileLoadMode::IFSTREAM, "From front to back into one block, which large payloads share.");

  nb::class_<TensorBufferOptions>(module, "TensorBufferOptions",
                                  "Which tensors an operation on tensor buffers touches, and how it places them.")
      .def(nb::init<>())
      .def_rw("raw_data_threshold", &TensorBufferOptions::raw_data_threshold, "Tensors of at least so many payload bytes.")
      .def_rw("alignment", &TensorBufferOptions::alignment, "Each payload starts at a multiple of this; 0 and 1: anywhere.");

  nb::class_<ParseOptions, TensorBufferOptions>(
      module, "ParseOptions", nb::type_slots(parse_options_slots),
      "How to parse; raw_data_threshold is 1024. Calls never change it: one object may serve many threads.")
      .def(nb::init<>())
      .def_rw("num_threads", &ParseOptions::num_threads,
              "Threads that read payloads of at least raw_data_threshold bytes from files; below 1: as many as pay. 1 unless set.")
      .def_rw("min_parallel_block_size", &ParseOptions::min_parallel_block_size,
              "Payloads are read in parallel in pieces of at least so many bytes, and only if there are 16 such pieces.")
      .def_rw("no_copy", &ParseOptions::no_copy,
              "Payloads borrow the bytes of the source (a bytes-like object, or a file with FileLoadMode.MMAP) and keep it alive.")
      .def_rw("skip_raw_data", &ParseOptions::skip_raw_data,
              "Payloads (raw_data) of at least raw_data_threshold bytes are left out: the field stays absent.")
      .def_rw("file_load_mode", &ParseOptions::file_load_mode, "How a model's file is read: a FileLoadMode.")
      .def_rw("max_recursion_depth", &ParseOptions::max_recursion_depth,
              "Nested messages below the one that is parsed, at most 2000. More: DecodeError.")
      .def_rw("max_tensor_size_bytes", &ParseOptions::max_tensor_size_bytes,
              "Payload bytes of one tensor; more: DecodeError before anything is allocated. Negative: no limit.")
      .def_rw("max_total_size_bytes", &ParseOptions::max_total_size_bytes,
              "Bytes of the whole source; more: DecodeError. Negative: no limit.")
      .def_prop_rw(
          "raw_data_callback", [](const ParseOptions& options) { return CallableOf(options.raw_data_callback); },
          [](ParseOptions& options, nb::object callable) { options.raw_data_callback = RawDataCallbackFrom(std::move(callable)); },
          nb::arg("callable").none(),
          "Called with (tensor, graph or None) for each tensor that has a payload, in the order of the bytes, when the message has been\n"
          "parsed. Returns None or a callable that becomes a deleter of the payload. What it raises ends the parse.");

  nb::class_<SerializeOptions, TensorBufferOptions>(
      module, "SerializeOptions", "How to serialise; raw_data_threshold is 64. Calls never change it: one object may serve many threads.")
      .def(nb::init<>())
      .def_rw("num_threads", &SerializeOptions::num_threads, "Threads that write, one a file; below 1: as many as pay. 1 unless set.")
      .def_rw("max_external_file_size", &SerializeOptions::max_external_file_size,
              "Bytes of one file of external data; then the next file begins. 0 and below: no limit.")
      .def_rw("skip_raw_data", &SerializeOptions::skip_raw_data, "Payloads (raw_data) of at least raw_data_threshold bytes are left out.")
      .def_rw("max_recursion_depth", &SerializeOptions::max_recursion_depth,
              "Nested messages below the one that is written, at most 2000. More: EncodeError.")
      .def_rw("max_serialized_size_bytes", &SerializeOptions::max_serialized_size_bytes,
              "Bytes of the result; more: EncodeError. Negative: no limit.");
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
