#include "onnx_lib/graph/merge.h"

#include <set>
#include <stdexcept>

#include "onnx_lib/graph/part.h"
#include "onnx_lib/graph/rename.h"
#include "onnx_proto/text/quoted.h"

namespace ONNX_LIGHT_NAMESPACE::graph {
namespace {

// ---- names that stand in both

class Common {
 public:
  explicit Common(const ViewSet& excluded) : excluded_(excluded) {}
  void InFirst(std::string_view name) {
    if (!name.empty() && !excluded_.contains(name)) first_.insert(name);
  }
  void InSecond(std::string_view name) {
    if (first_.contains(name) && found_.insert(name).second) names_.emplace_back(name);
  }
  std::vector<std::string> names() && { return std::move(names_); }

 private:
  const ViewSet& excluded_;
  ViewSet first_;
  ViewSet found_;
  std::vector<std::string> names_;
};

template <class Visit>
void ForEachEdge(const GraphProto& graph, const Visit& visit) {
  for (int i = 0; i < graph.input_size(); ++i) visit(graph.input(i).view_name());
  for (int i = 0; i < graph.node_size(); ++i) {
    const NodeProto& node = graph.node(i);
    for (int k = 0; k < node.input_size(); ++k) visit(node.view_input(k));
    for (int k = 0; k < node.output_size(); ++k) visit(node.view_output(k));
  }
  for (int i = 0; i < graph.output_size(); ++i) visit(graph.output(i).view_name());
}
template <class Visit>
void ForEachInfo(const GraphProto& graph, const Visit& visit) {
  for (int i = 0; i < graph.value_info_size(); ++i) visit(graph.value_info(i).view_name());
}
template <class Visit>
void ForEachInitializer(const GraphProto& graph, const Visit& visit) {
  for (int i = 0; i < graph.initializer_size(); ++i) visit(graph.initializer(i).view_name());
}
template <class Visit>
void ForEachSparse(const GraphProto& graph, const Visit& visit) {
  for (int i = 0; i < graph.sparse_initializer_size(); ++i) {
    visit(graph.sparse_initializer(i).values().view_name());
    visit(graph.sparse_initializer(i).indices().view_name());
  }
}

// ---- connecting

// Elements whose name is in `names` leave the list.
template <class List>
void DropNamed(List& list, const NameSet& names) {
  for (size_t i = list.size(); i-- > 0;) {
    if (names.contains(list[i].view_name())) list.DeleteSubrange(static_cast<int>(i), 1);
  }
}

void CheckNoOverlap(const GraphProto& first, const GraphProto& second, const Connections& io_map) {
  const std::vector<Overlap> overlaps = OverlappingNames(first, second, io_map);
  if (overlaps.empty()) return;
  std::string text = "both graphs have ";
  for (const Overlap& overlap : overlaps) {
    if (&overlap != overlaps.data()) text += "; ";
    text += overlap.kind + " names";
    for (size_t i = 0; i < overlap.names.size() && i < 10; ++i) text += (i ? ", " : " ") + Quoted(overlap.names[i]);
    if (overlap.names.size() > 10) text += " and " + std::to_string(overlap.names.size() - 10) + " more";
  }
  throw std::invalid_argument(text + ". A prefix for one of the graphs keeps them apart (add_prefix, prefix1, prefix2).");
}

void CheckConnections(const GraphProto& first, const GraphProto& second, const Connections& io_map) {
  ViewSet outputs;
  for (int i = 0; i < first.output_size(); ++i) outputs.insert(first.output(i).view_name());
  ViewSet inputs;
  for (int i = 0; i < second.input_size(); ++i) inputs.insert(second.input(i).view_name());
  for (const auto& [output, input] : io_map) {
    if (!outputs.contains(output)) throw std::invalid_argument("io_map: the first graph has no output named " + Quoted(output));
    if (!inputs.contains(input)) throw std::invalid_argument("io_map: the second graph has no input named " + Quoted(input));
  }
}

// The second graph uses outputs of the first for its connected inputs, which it no longer has.
void Connect(GraphProto& second, const Connections& io_map) {
  NameMap names;
  NameSet gone;
  for (const auto& [output, input] : io_map) {
    names[input] = output;
    gone.insert(input);
  }
  DropNamed(second.ref_input(), gone);
  DropNamed(second.ref_initializer(), gone);
  DropNamed(second.ref_value_info(), gone);
  for (int i = second.sparse_initializer_size(); i-- > 0;) {
    if (gone.contains(second.sparse_initializer(i).values().view_name())) second.ref_sparse_initializer().DeleteSubrange(i, 1);
  }
  RenameValues(second, names);
}

template <class List, class M>
void AppendUnlessNamed(List& list, const M& message, NameSet& names) {
  if (names.emplace(message.view_name()).second) list.push_back(message);
}

// Adds entries with new keys. What both say has to be the same if `is_strict`; else the first one counts.
template <class List>
void MergeProps(List& into, const List& from, bool is_strict, const char* what) {
  NameMap present;
  for (size_t i = 0; i < into.size(); ++i) present.emplace(into[i].view_key(), into[i].view_value());
  for (size_t i = 0; i < from.size(); ++i) {
    const auto found = present.find(from[i].view_key());
    if (found == present.end()) {
      into.push_back(from[i]);
    } else if (is_strict && found->second != from[i].view_value()) {
      throw std::invalid_argument(std::string(what) + " " + Quoted(from[i].view_key()) + " is " + Quoted(found->second) +
                                  " in the first model and " + Quoted(from[i].view_value()) + " in the second");
    }
  }
}

std::string BothDocs(const GraphProto& first, const GraphProto& second) {
  std::string text;
  for (const GraphProto* graph : {&first, &second}) {
    if (graph->view_doc_string().empty()) continue;
    if (!text.empty()) text += "\n\n";
    text += std::string(graph->view_name()) + ": " + std::string(graph->view_doc_string());
  }
  return text;
}

// `first` becomes both graphs. Prefixes are there already, in the graphs and in `io_map`.
void Join(GraphProto& first, GraphProto& second, const Connections& io_map, const MergeOptions& options) {
  const std::string name = options.name.value_or(std::string(first.view_name()) + "_" + std::string(second.view_name()));
  const std::string doc = options.doc_string.value_or(BothDocs(first, second));
  Connect(second, io_map);

  NameSet connected;
  for (const auto& [output, input] : io_map) connected.insert(output);
  NameSet infos;
  for (int i = 0; i < first.value_info_size(); ++i) infos.emplace(first.value_info(i).view_name());
  for (int i = 0; i < second.value_info_size(); ++i) AppendUnlessNamed(first.ref_value_info(), second.value_info(i), infos);
  for (int i = 0; i < first.output_size(); ++i) {  // what is known about a connected output stays known
    if (connected.contains(first.output(i).view_name())) AppendUnlessNamed(first.ref_value_info(), first.output(i), infos);
  }
  DropNamed(first.ref_output(), connected);
  NameSet outputs;
  for (int i = 0; i < first.output_size(); ++i) outputs.emplace(first.output(i).view_name());
  for (int i = 0; i < second.output_size(); ++i) AppendUnlessNamed(first.ref_output(), second.output(i), outputs);
  first.ref_input().MergeFrom(second.ref_input());
  first.ref_node().MergeFrom(second.ref_node());
  first.ref_initializer().MergeFrom(second.ref_initializer());
  if (second.sparse_initializer_size()) first.ref_sparse_initializer().MergeFrom(second.ref_sparse_initializer());
  if (second.quantization_annotation_size()) first.ref_quantization_annotation().MergeFrom(second.ref_quantization_annotation());
  if (second.metadata_props_size()) MergeProps(first.ref_metadata_props(), second.ref_metadata_props(), false, "");
  first.set_name(name);
  first.set_doc_string(doc);

  if (!options.inputs && !options.outputs) return;
  const auto names_of = [](const auto& list) {
    std::vector<std::string> names;
    for (size_t i = 0; i < list.size(); ++i) names.emplace_back(list[i].view_name());
    return names;
  };
  KeepPart(first, options.inputs.value_or(names_of(first.ref_input())), options.outputs.value_or(names_of(first.ref_output())));
}

void MergeImports(ModelProto& merged, const ModelProto& first, const ModelProto& second) {
  std::unordered_map<std::string, int64_t> versions;
  for (const ModelProto* model : {&first, &second}) {
    for (int i = 0; i < model->opset_import_size(); ++i) {
      const OperatorSetIdProto& import = model->opset_import(i);
      const std::string domain(import.view_domain() == "ai.onnx" ? "" : import.view_domain());
      const auto [found, is_new] = versions.emplace(domain, import.version());
      if (is_new) {
        *merged.add_opset_import() = import;
      } else if (found->second != import.version()) {
        throw std::invalid_argument("the models import different versions of domain " + Quoted(domain) + ": " +
                                    std::to_string(found->second) + " and " + std::to_string(import.version()) +
                                    ". Convert one of them first (version_converter).");
      }
    }
  }
}

void MergeFunctions(ModelProto& merged, const ModelProto& first, const ModelProto& second) {
  std::set<std::string> seen;
  for (const ModelProto* model : {&first, &second}) {
    for (int i = 0; i < model->functions_size(); ++i) {
      const FunctionProto& function = model->functions(i);
      const std::string key =
          std::string(function.view_domain()) + '\0' + std::string(function.view_name()) + '\0' + std::string(function.view_overload());
      if (!seen.insert(key).second) {
        throw std::invalid_argument("both models have a function " + Quoted(function.view_name()) + " of domain " +
                                    Quoted(function.view_domain()) + ". A prefix keeps them apart (prefix1, prefix2).");
      }
      *merged.add_functions() = function;
    }
  }
}

Connections Prefixed(const MergeOptions& options) {
  Connections io_map = options.io_map;
  for (auto& [output, input] : io_map) {
    output.insert(0, options.prefix1);
    input.insert(0, options.prefix2);
  }
  return io_map;
}

}  // namespace

std::vector<Overlap> OverlappingNames(const GraphProto& first, const GraphProto& second, const Connections& io_map) {
  ViewSet connected;
  for (const auto& [output, input] : io_map) connected.insert(input);
  std::vector<Overlap> overlaps;
  const auto compare = [&](const char* kind, const auto& for_each) {
    Common common(connected);
    for_each(first, [&](std::string_view name) { common.InFirst(name); });
    for_each(second, [&](std::string_view name) { common.InSecond(name); });
    std::vector<std::string> names = std::move(common).names();
    if (!names.empty()) overlaps.push_back({kind, std::move(names)});
  };
  compare("edge", [](const GraphProto& graph, const auto& visit) { ForEachEdge(graph, visit); });
  compare("value_info", [](const GraphProto& graph, const auto& visit) { ForEachInfo(graph, visit); });
  compare("initializer", [](const GraphProto& graph, const auto& visit) { ForEachInitializer(graph, visit); });
  compare("sparse_initializer", [](const GraphProto& graph, const auto& visit) { ForEachSparse(graph, visit); });
  return overlaps;
}

GraphProto MergeGraphs(const GraphProto& first, const GraphProto& second, const MergeOptions& options) {
  GraphProto merged(first);
  GraphProto other(second);
  NameMap names1;
  NameMap names2;
  if (!options.prefix1.empty()) AddPrefix(merged, options.prefix1, {}, names1);
  if (!options.prefix2.empty()) AddPrefix(other, options.prefix2, {}, names2);
  const Connections io_map = Prefixed(options);
  CheckConnections(merged, other, io_map);
  CheckNoOverlap(merged, other, io_map);
  Join(merged, other, io_map, options);
  return merged;
}

ModelProto MergeModels(const ModelProto& first, const ModelProto& second, const MergeOptions& options) {
  if (first.ir_version() != second.ir_version()) {
    throw std::invalid_argument("the models have different IR versions: " + std::to_string(first.ir_version()) + " and " +
                                std::to_string(second.ir_version()));
  }
  ModelProto merged;
  merged.set_ir_version(first.ir_version());
  MergeImports(merged, first, second);
  ModelProto one(first);
  ModelProto other(second);
  if (!options.prefix1.empty()) AddPrefix(one, options.prefix1, {}, true);
  if (!options.prefix2.empty()) AddPrefix(other, options.prefix2, {}, true);
  MergeFunctions(merged, one, other);
  const Connections io_map = Prefixed(options);
  CheckConnections(one.graph(), other.graph(), io_map);
  CheckNoOverlap(one.graph(), other.graph(), io_map);
  Join(*one.mutable_graph(), *other.mutable_graph(), io_map, options);
  *merged.mutable_graph() = std::move(*one.mutable_graph());
  for (ModelProto* model : {&one, &other}) {
    for (int i = 0; i < model->training_info_size(); ++i) *merged.add_training_info() = model->training_info(i);
  }
  MergeProps(merged.ref_metadata_props(), one.ref_metadata_props(), true, "metadata");
  MergeProps(merged.ref_metadata_props(), other.ref_metadata_props(), true, "metadata");
  NameSet configurations;
  for (ModelProto* model : {&one, &other}) {
    for (int i = 0; i < model->configuration_size(); ++i) {
      AppendUnlessNamed(merged.ref_configuration(), model->configuration(i), configurations);
    }
  }
  return merged;
}

}  // namespace ONNX_LIGHT_NAMESPACE::graph
