// What tests look through: how much memory an arena has handed out, and functions that take and return messages.
#include <nanobind/stl/string_view.h>

#include "onnx_py/areas.h"
#include "onnx_py/message_caster.h"

namespace nb = nanobind;

namespace ONNX_LIGHT_NAMESPACE::py {

void BindProbes(nb::module_& module) {
  nb::module_ probes = module.def_submodule("probes", "What tests look through.");
  probes.def("arena_bytes", [](nb::handle message) {
    if (!FaceTypeOf(message.ptr())) throw nb::type_error("arena_bytes takes a message");
    return AsMessage(message.ptr()).message->arena()->bytes_used();
  });
  probes.def(
      "first_node", [](GraphProto& graph) { return graph.node_size() ? graph.mutable_node(0) : nullptr; }, nb::rv_policy::reference);
  probes.def(
      "graph_of", [](ModelProto& model) -> GraphProto& { return *model.mutable_graph(); }, nb::rv_policy::reference);
  probes.def("new_node", [](const std::string_view op_type) {
    NodeProto node;
    node.set_op_type(op_type);
    return node;
  });
  probes.def(
      "op_type_or",
      [](const NodeProto* node, std::string_view otherwise) {
        return node ? nb::str(node->view_op_type().data(), node->view_op_type().size()) : nb::str(otherwise.data(), otherwise.size());
      },
      nb::arg("node").none(), nb::arg("otherwise"));
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
