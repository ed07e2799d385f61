#include "onnx_lib/graph/part.h"

#include <stdexcept>

#include "onnx_proto/error.h"
#include "onnx_proto/text/quoted.h"

namespace ONNX_LIGHT_NAMESPACE::graph {
namespace {

// Elements that are not to be kept leave the list; the others stay in their order.
template <class List>
void KeepOnly(List& list, const std::vector<bool>& keep) {
  size_t kept = 0;
  for (size_t i = 0; i < keep.size(); ++i) {
    if (!keep[i]) continue;
    if (i != kept) list.SwapElements(static_cast<int>(kept), static_cast<int>(i));
    ++kept;
  }
  if (kept < keep.size()) list.DeleteSubrange(static_cast<int>(kept), static_cast<int>(keep.size() - kept));
}

// Where each value of a graph comes from and what is known about it. Views of names: the graph is not changed meanwhile.
struct Index {
  ViewMap<int> producer;  // node
  ViewMap<int> initializer;
  ViewMap<int> sparse_initializer;
  ViewMap<const ValueInfoProto*> info;
  ViewMap<std::vector<int>> annotations;

  explicit Index(const GraphProto& graph) {
    for (int i = 0; i < graph.node_size(); ++i) {
      const NodeProto& node = graph.node(i);
      for (int k = 0; k < node.output_size(); ++k) producer.emplace(node.view_output(k), i);
    }
    producer.erase("");
    for (int i = 0; i < graph.initializer_size(); ++i) initializer.emplace(graph.initializer(i).view_name(), i);
    for (int i = 0; i < graph.sparse_initializer_size(); ++i) {
      sparse_initializer.emplace(graph.sparse_initializer(i).values().view_name(), i);
    }
    for (int i = 0; i < graph.input_size(); ++i) info.emplace(graph.input(i).view_name(), &graph.input(i));
    for (int i = 0; i < graph.output_size(); ++i) info.emplace(graph.output(i).view_name(), &graph.output(i));
    for (int i = 0; i < graph.value_info_size(); ++i) info.emplace(graph.value_info(i).view_name(), &graph.value_info(i));
    for (int i = 0; i < graph.quantization_annotation_size(); ++i) {
      annotations[graph.quantization_annotation(i).view_tensor_name()].push_back(i);
    }
  }
  bool Knows(std::string_view name) const {
    return producer.contains(name) || initializer.contains(name) || sparse_initializer.contains(name) || info.contains(name);
  }
};

// What is needed for the outputs.
struct Needed {
  std::vector<bool> nodes;
  std::vector<bool> annotations;
  ViewSet values;  // that a kept node makes or uses

  Needed(const GraphProto& graph, const Index& index, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs)
      : nodes(static_cast<size_t>(graph.node_size())), annotations(static_cast<size_t>(graph.quantization_annotation_size())) {
    const ViewSet given(inputs.begin(), inputs.end());
    std::vector<std::string_view> waiting(outputs.rbegin(), outputs.rend());
    const auto need = [&](std::string_view name) { waiting.push_back(name); };
    while (!waiting.empty()) {
      const std::string_view name = waiting.back();
      waiting.pop_back();
      if (!values.insert(name).second) continue;
      if (const auto notes = index.annotations.find(name); notes != index.annotations.end()) {
        for (const int note : notes->second) NeedAnnotation(graph, index, note, need);
      }
      if (given.contains(name)) continue;
      const auto found = index.producer.find(name);
      if (found == index.producer.end() || nodes[static_cast<size_t>(found->second)]) continue;
      nodes[static_cast<size_t>(found->second)] = true;
      const NodeProto& node = graph.node(found->second);
      ForEachUse(node, need);
      // Outputs that nobody needs are made all the same: what is known about them stays.
      for (int k = 0; k < node.output_size(); ++k) {
        if (!node.view_output(k).empty() && !given.contains(node.view_output(k))) need(node.view_output(k));
      }
    }
  }
  bool Has(std::string_view name) const { return values.contains(name); }

 private:
  template <class Need>
  void NeedAnnotation(const GraphProto& graph, const Index& index, int note, const Need& need) {
    annotations[static_cast<size_t>(note)] = true;
    const TensorAnnotation& annotation = graph.quantization_annotation(note);
    for (int k = 0; k < annotation.quant_parameter_tensor_names_size(); ++k) {
      const std::string_view name = annotation.quant_parameter_tensor_names(k).view_value();
      if (index.Knows(name)) need(name);
    }
  }
};

void CheckKnown(const Index& index, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!index.Knows(name)) throw std::invalid_argument("the graph has no value named " + Quoted(name));
  }
}

// A part is cut too narrow where it needs a value that is neither given nor made in it.
void CheckDefined(const GraphProto& part) {
  ViewSet defined;
  ForEachDefinition(part, [&](std::string_view name) { defined.insert(name); });
  const auto check = [&](std::string_view name, const std::string& who) {
    if (defined.contains(name)) return;
    throw ValidationError("the part uses value " + Quoted(name) + " (" + who +
                          "), which is not among its inputs and depends on none of them: name it as an input too");
  };
  for (int i = 0; i < part.node_size(); ++i) {
    const NodeProto& node = part.node(i);
    ForEachUse(node,
               [&](std::string_view name) { check(name, "in node " + Quoted(node.view_name()) + ", " + Shown(node.view_op_type())); });
  }
  for (int i = 0; i < part.output_size(); ++i) check(part.output(i).view_name(), "as an output");
}

// Before IR version 4 each initializer is the default of an input: of those that are kept, the inputs are kept behind the given ones.
void KeepDefaults(GraphProto& part, const GraphProto& whole) {
  ViewSet defaults;
  for (int i = 0; i < part.initializer_size(); ++i) defaults.insert(part.initializer(i).view_name());
  for (int i = 0; i < part.input_size(); ++i) defaults.erase(part.input(i).view_name());
  for (int i = 0; i < whole.input_size(); ++i) {
    if (defaults.contains(whole.input(i).view_name())) *part.add_input() = whole.input(i);
  }
}

// Copies of what is known about values.
std::vector<ValueInfoProto> Infos(const Index& index, const std::vector<std::string>& names) {
  std::vector<ValueInfoProto> infos(names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    const auto found = index.info.find(names[i]);
    if (found != index.info.end()) infos[i] = *found->second;
    infos[i].set_name(names[i]);
  }
  return infos;
}

template <class List>
void Replace(List& list, const std::vector<ValueInfoProto>& infos) {
  list.clear();
  for (const ValueInfoProto& info : infos) list.push_back(info);
}

// ---- functions

std::string FunctionKey(std::string_view domain, std::string_view name, std::string_view overload) {
  std::string key(domain);
  key.append(1, '\0').append(name).append(1, '\0').append(overload);
  return key;
}

class Functions {
 public:
  explicit Functions(const ModelProto& model) : model_(model), called_(static_cast<size_t>(model.functions_size())) {
    for (int i = 0; i < model.functions_size(); ++i) {
      const FunctionProto& function = model.functions(i);
      const std::string key = FunctionKey(function.view_domain(), function.view_name(), function.view_overload());
      index_.try_emplace(key, i);
      if (index_.at(key) != i) called_[static_cast<size_t>(i)] = true;  // a second one of the same name is not ours to drop
    }
  }
  // Marks what the graph calls, and what that calls.
  const std::vector<bool>& CalledFrom(const GraphProto& graph) {
    for (int i = 0; i < graph.node_size(); ++i) Call(graph.node(i), 0);
    while (!waiting_.empty()) {
      const FunctionProto& function = model_.functions(waiting_.back());
      waiting_.pop_back();
      for (int i = 0; i < function.node_size(); ++i) Call(function.node(i), 0);
    }
    return called_;
  }

 private:
  void Call(const NodeProto& node, int depth) {
    CheckGraphDepth(depth);
    const auto found = index_.find(FunctionKey(node.view_domain(), node.view_op_type(), node.view_overload()));
    if (found != index_.end() && !called_[static_cast<size_t>(found->second)]) {
      called_[static_cast<size_t>(found->second)] = true;
      waiting_.push_back(found->second);
    }
    ForEachSubgraph(node, [&](const GraphProto& graph) {
      for (int i = 0; i < graph.node_size(); ++i) Call(graph.node(i), depth + 1);
    });
  }

  const ModelProto& model_;
  std::unordered_map<std::string, int> index_;
  std::vector<bool> called_;
  std::vector<int> waiting_;
};

}  // namespace

void KeepPart(GraphProto& graph, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  const Index index(graph);
  CheckKnown(index, inputs);
  CheckKnown(index, outputs);
  const Needed needed(graph, index, inputs, outputs);
  std::vector<ValueInfoProto> new_inputs = Infos(index, inputs);
  std::vector<ValueInfoProto> new_outputs = Infos(index, outputs);

  // What was known about a former input or output, and is inside now, is known about a value in between.
  ViewSet told(inputs.begin(), inputs.end());
  told.insert(outputs.begin(), outputs.end());
  std::vector<bool> infos;
  for (int i = 0; i < graph.value_info_size(); ++i) {
    const std::string_view name = graph.value_info(i).view_name();
    infos.push_back(needed.Has(name) && told.insert(name).second);
  }
  std::vector<ValueInfoProto> more;
  for (int i = 0; i < graph.output_size(); ++i) {
    const std::string_view name = graph.output(i).view_name();
    if (needed.Has(name) && index.producer.contains(name) && told.insert(name).second) more.push_back(graph.output(i));
  }
  std::vector<bool> initializers;
  initializers.reserve(static_cast<size_t>(graph.initializer_size()));
  for (int i = 0; i < graph.initializer_size(); ++i) initializers.push_back(needed.Has(graph.initializer(i).view_name()));
  std::vector<bool> sparse;
  sparse.reserve(static_cast<size_t>(graph.sparse_initializer_size()));
  for (int i = 0; i < graph.sparse_initializer_size(); ++i) sparse.push_back(needed.Has(graph.sparse_initializer(i).values().view_name()));

  // From here on names may go.
  KeepOnly(graph.ref_node(), needed.nodes);
  if (graph.initializer_size()) KeepOnly(graph.ref_initializer(), initializers);
  if (graph.sparse_initializer_size()) KeepOnly(graph.ref_sparse_initializer(), sparse);
  if (graph.value_info_size()) KeepOnly(graph.ref_value_info(), infos);
  if (graph.quantization_annotation_size()) KeepOnly(graph.ref_quantization_annotation(), needed.annotations);
  for (const ValueInfoProto& info : more) *graph.add_value_info() = info;
  Replace(graph.ref_input(), new_inputs);
  Replace(graph.ref_output(), new_outputs);
}

ModelProto ExtractPart(const ModelProto& model, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                       bool whole) {
  ModelProto part(model);
  KeepPart(*part.mutable_graph(), inputs, outputs);
  if (part.ir_version() < 4) KeepDefaults(*part.mutable_graph(), model.graph());
  if (whole) CheckDefined(part.graph());
  if (part.functions_size()) {
    const std::vector<bool> called = Functions(part).CalledFrom(part.graph());
    KeepOnly(part.ref_functions(), called);
  }
  return part;
}

}  // namespace ONNX_LIGHT_NAMESPACE::graph
