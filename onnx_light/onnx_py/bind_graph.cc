// Prefixing, merging, extracting and verifying: the structure of graphs, without knowledge of operators.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "onnx_lib/graph/merge.h"

#include <vector>

#include "onnx_lib/graph/part.h"
#include "onnx_lib/graph/rename.h"
#include "onnx_lib/graph/verify.h"
#include "onnx_py/areas.h"
#include "onnx_py/message_caster.h"

namespace nb = nanobind;

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

using graph::MergeOptions;
using graph::NameMap;
using graph::PrefixOptions;

NameMap NamesFrom(const nb::dict& dict) {
  NameMap names;
  for (const auto& [key, value] : dict) names.emplace(nb::cast<std::string>(key), nb::cast<std::string>(value));
  return names;
}
// Adds what is new; entries that were there stay in their places.
void UpdateNames(nb::dict dict, const NameMap& names) {
  for (const auto& [key, value] : names) {
    const nb::str name(key.data(), key.size());
    if (!dict.contains(name)) dict[name] = nb::str(value.data(), value.size());
  }
}

using Strings = std::optional<std::vector<std::string>>;
using Text = std::optional<std::string>;

MergeOptions Options(graph::Connections io_map, Strings inputs, Strings outputs, const Text& prefix1, const Text& prefix2, Text name,
                     Text doc_string) {
  return {.io_map = std::move(io_map),
          .inputs = std::move(inputs),
          .outputs = std::move(outputs),
          .prefix1 = prefix1.value_or(""),
          .prefix2 = prefix2.value_or(""),
          .name = std::move(name),
          .doc_string = std::move(doc_string)};
}

}  // namespace

void BindGraph(nb::module_& module) {
  nb::module_ area = module.def_submodule("graph", "The structure of graphs: prefixes, merging, parts, verification.");
  area.def(
      "add_prefix_to_graph",
      [](GraphProto& target, std::string_view prefix, bool nodes, bool edges, bool inputs, bool outputs, bool initializers,
         bool value_infos, nb::object name_map) {
        NameMap names = name_map.is_none() ? NameMap() : NamesFrom(nb::cast<nb::dict>(name_map));
        graph::AddPrefix(target, prefix, {nodes, edges, inputs, outputs, initializers, value_infos}, names);
        if (!name_map.is_none()) UpdateNames(nb::cast<nb::dict>(name_map), names);
      },
      nb::arg("graph"), nb::arg("prefix"), nb::arg("nodes"), nb::arg("edges"), nb::arg("inputs"), nb::arg("outputs"),
      nb::arg("initializers"), nb::arg("value_infos"), nb::arg("name_map").none(),
      "Puts a prefix before names of the graph, in place; name_map (a dict, or None) says otherwise for some, and takes all that are "
      "renamed.");
  area.def(
      "add_prefix_to_model",
      [](ModelProto& model, std::string_view prefix, bool nodes, bool edges, bool inputs, bool outputs, bool initializers, bool value_infos,
         bool functions) {
        graph::AddPrefix(model, prefix, {nodes, edges, inputs, outputs, initializers, value_infos}, functions);
      },
      nb::arg("model"), nb::arg("prefix"), nb::arg("nodes"), nb::arg("edges"), nb::arg("inputs"), nb::arg("outputs"),
      nb::arg("initializers"), nb::arg("value_infos"), nb::arg("functions"), "The same for a model, in place.");
  area.def(
      "rename_values", [](GraphProto& target, const nb::dict& names) { graph::RenameValues(target, NamesFrom(names)); }, nb::arg("graph"),
      nb::arg("names"), "Renames values of the graph, in place, wherever they are used.");
  area.def(
      "overlapping_names",
      [](const GraphProto& first, const GraphProto& second, const graph::Connections& io_map) {
        std::vector<std::pair<std::string, std::vector<std::string>>> found;
        for (graph::Overlap& overlap : graph::OverlappingNames(first, second, io_map)) {
          found.emplace_back(std::move(overlap.kind), std::move(overlap.names));
        }
        return found;
      },
      nb::arg("first"), nb::arg("second"), nb::arg("io_map"), "(kind, names) for each kind of names that stand in both graphs.");
  area.def(
      "merge_graphs",
      [](const GraphProto& first, const GraphProto& second, graph::Connections io_map, Strings inputs, Strings outputs, const Text& prefix1,
         const Text& prefix2, Text name, Text doc_string) {
        return graph::MergeGraphs(
            first, second,
            Options(std::move(io_map), std::move(inputs), std::move(outputs), prefix1, prefix2, std::move(name), std::move(doc_string)));
      },
      nb::arg("first"), nb::arg("second"), nb::arg("io_map"), nb::arg("inputs").none(), nb::arg("outputs").none(),
      nb::arg("prefix1").none(), nb::arg("prefix2").none(), nb::arg("name").none(), nb::arg("doc_string").none(),
      "Both graphs in sequence, as a new one.");
  area.def(
      "merge_models",
      [](const ModelProto& first, const ModelProto& second, graph::Connections io_map, Strings inputs, Strings outputs, const Text& prefix1,
         const Text& prefix2, Text name, Text doc_string) {
        return graph::MergeModels(
            first, second,
            Options(std::move(io_map), std::move(inputs), std::move(outputs), prefix1, prefix2, std::move(name), std::move(doc_string)));
      },
      nb::arg("first"), nb::arg("second"), nb::arg("io_map"), nb::arg("inputs").none(), nb::arg("outputs").none(),
      nb::arg("prefix1").none(), nb::arg("prefix2").none(), nb::arg("name").none(), nb::arg("doc_string").none(),
      "Both models in sequence, as a new one.");
  area.def(
      "extract_part", &graph::ExtractPart, nb::arg("model"), nb::arg("inputs"), nb::arg("outputs"), nb::arg("whole") = true,
      "A copy of the model with what computes the outputs from the inputs. Raises ValidationError, unless whole is false, where it uses "
      "what nothing in it defines.");
  area.def("verify_model", &graph::VerifyModel, nb::arg("model"), "Raises ValidationError if the model breaks a rule of structure.");
  area.def("verify_tensor", &graph::VerifyTensor, nb::arg("tensor"), nb::arg("ir_version"));
  area.def("verify_sparse_tensor", &graph::VerifySparseTensor, nb::arg("sparse"), nb::arg("ir_version"));
  area.def("verify_value_info", &graph::VerifyValueInfo, nb::arg("value"), nb::arg("ir_version"));
  area.def("verify_attribute", &graph::VerifyAttribute, nb::arg("attribute"), nb::arg("ir_version"));
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
