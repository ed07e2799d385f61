// Where tensors are in a model, how large they are, and their elements as bytes: what tools of any kind look at.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "onnx_proto/external_data/model_folder.h"
#include "onnx_proto/external_data/raw_bytes.h"
#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/tensor_size.h"
#include "onnx_py/areas.h"
#include "onnx_py/message_caster.h"
#include "onnx_py/raw_data_view.h"

namespace nb = nanobind;

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

nb::list Places(ModelProto& model) {
  struct Found {
    std::string place;
    nb::object tensor;
    bool is_initializer;
  };
  std::vector<Found> found;  // before the first tuple, which may run the garbage collector, and with it any code
  for (MutableTensorWalk walk(model); walk.Next();) {
    found.push_back({walk.place(), nb::cast(&walk.tensor(), nb::rv_policy::reference), walk.is_initializer()});
  }
  nb::list places;
  for (const Found& one : found) places.append(nb::make_tuple(one.place, one.tensor, one.is_initializer));
  return places;
}

// Elements that are borrowed from typed fields are copied: the view holds bytes, not the tensor.
nb::object RawBytes(const TensorProto& tensor) {
  std::optional<utils::ByteSpan> bytes = RawBytesOf(tensor);
  if (!bytes) return nb::none();
  if (!tensor.has_raw_data() && bytes->is_borrowed()) {
    utils::ByteSpan own;
    own.assign(bytes->view());
    bytes = own;
  }
  PyObject* const view = NewRawDataView(*bytes);
  if (!view) throw nb::python_error();
  return nb::steal(view);
}

}  // namespace

void BindTensors(nb::module_& module) {
  nb::module_ area = module.def_submodule("tensors", "Where tensors are in a model, how large they are, and their elements as bytes.");
  area.def("places", &Places, nb::arg("model"));
  area.def("payload_size", &PayloadSize, nb::arg("tensor"));
  area.def("element_count", &ElementCount, nb::arg("tensor"));
  area.def("has_elements", &HasElements, nb::arg("tensor"));
  area.def("raw_bytes", &RawBytes, nb::arg("tensor"));
  area.def(
      "external_file_size",
      [](const std::string& model_path, const std::string& location) {
        return ModelFolder::OfModel(model_path).Open(location, "the model").size;
      },
      nb::arg("model_path"), nb::arg("location"));
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
