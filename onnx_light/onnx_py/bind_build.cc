// Messages from Python values in one step, for helper.
#include <nanobind/stl/string_view.h>

#include "onnx_py/areas.h"
#include "onnx_py/make_node.h"
#include "onnx_py/message_caster.h"
#include "onnx_py/typed_fields.h"

namespace nb = nanobind;

namespace ONNX_LIGHT_NAMESPACE::py {

void BindBuild(nb::module_& module) {
  nb::module_ build = module.def_submodule("build", "Messages from Python values in one step.");
  build.def(
      "make_node",
      [](nb::handle op_type, nb::handle inputs, nb::handle outputs, nb::handle name, nb::handle doc_string, nb::handle domain,
         nb::handle overload, const nb::dict& attributes, nb::handle fill) {
        PyObject* const node = MakeNode(op_type.ptr(), inputs.ptr(), outputs.ptr(), name.ptr(), doc_string.ptr(), domain.ptr(),
                                        overload.ptr(), attributes.ptr(), fill.ptr());
        if (!node) throw nb::python_error();
        return nb::steal(node);
      },
      nb::arg("op_type"), nb::arg("inputs"), nb::arg("outputs"), nb::arg("name").none(), nb::arg("doc_string").none(),
      nb::arg("domain").none(), nb::arg("overload").none(), nb::arg("attributes"), nb::arg("fill"),
      "A node; values of attributes that are not plain numbers, text or lists of these go to fill(attribute, name, value).");
  build.def(
      "typed_bytes",
      [](const TensorProto& tensor, std::string_view field) {
        const std::string_view bytes = TypedBytes(tensor, field);
        return nb::bytes(bytes.data(), bytes.size());
      },
      nb::arg("tensor"), nb::arg("field"), "The numbers of a typed field as bytes, in the machine's byte order.");
  build.def(
      "append_typed_bytes",
      [](TensorProto& tensor, std::string_view field, const nb::bytes& bytes) {
        AppendTypedBytes(tensor, field, {bytes.c_str(), bytes.size()});
      },
      nb::arg("tensor"), nb::arg("field"), nb::arg("bytes"), "Appends numbers that typed_bytes could have given.");
  build.def(
      "fill_attribute",
      [](nb::handle attribute, nb::handle name, nb::handle value) {
        const bool done = FillAttribute(attribute.ptr(), name.ptr(), value.ptr());
        if (!done && PyErr_Occurred()) throw nb::python_error();
        return done;
      },
      nb::arg("attribute"), nb::arg("name"), nb::arg("value").none(),
      "Whether the value is a plain number, text or list of these; the attribute has it then, with name and type.");
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
