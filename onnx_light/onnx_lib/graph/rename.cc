#include "onnx_lib/graph/rename.h"

#include <string>

namespace ONNX_LIGHT_NAMESPACE::graph {
namespace {

// What names become in a graph. A name that no scope knows stays as it is.
struct Scope {
  const Scope* outer;
  const NameMap* names;
  const std::string* Find(std::string_view name) const {
    for (const Scope* scope = this; scope; scope = scope->outer) {
      if (const auto found = scope->names->find(name); found != scope->names->end()) return &found->second;
    }
    return nullptr;
  }
};

class Renamer {
 public:
  // With `own_prefix`, graphs in attributes get it before the names of nodes and of the values that they define themselves.
  explicit Renamer(const std::string* node_prefix = nullptr, const std::string* own_prefix = nullptr)
      : node_prefix_(node_prefix), own_prefix_(own_prefix) {}

  void Graph(GraphProto& graph, const Scope& scope, int depth) const {
    CheckGraphDepth(depth);
    for (int i = 0; i < graph.input_size(); ++i) Named(*graph.mutable_input(i), scope);
    for (int i = 0; i < graph.output_size(); ++i) Named(*graph.mutable_output(i), scope);
    for (int i = 0; i < graph.value_info_size(); ++i) Named(*graph.mutable_value_info(i), scope);
    for (int i = 0; i < graph.initializer_size(); ++i) Named(*graph.mutable_initializer(i), scope);
    for (int i = 0; i < graph.sparse_initializer_size(); ++i) {
      SparseTensorProto& sparse = *graph.mutable_sparse_initializer(i);
      if (sparse.has_values()) Named(*sparse.mutable_values(), scope);
      if (sparse.has_indices()) Named(*sparse.mutable_indices(), scope);
    }
    for (int i = 0; i < graph.quantization_annotation_size(); ++i) Annotation(*graph.mutable_quantization_annotation(i), scope);
    for (int i = 0; i < graph.node_size(); ++i) Node(*graph.mutable_node(i), scope, depth);
  }

 private:
  template <class M>
  static void Named(M& message, const Scope& scope) {
    if (!message.has_name()) return;
    if (const std::string* name = scope.Find(message.view_name())) message.set_name(*name);
  }
  static void Annotation(TensorAnnotation& annotation, const Scope& scope) {
    if (const std::string* name = scope.Find(annotation.view_tensor_name())) annotation.set_tensor_name(*name);
    for (int i = 0; i < annotation.quant_parameter_tensor_names_size(); ++i) {
      StringStringEntryProto& entry = *annotation.mutable_quant_parameter_tensor_names(i);
      if (const std::string* name = scope.Find(entry.view_value())) entry.set_value(*name);
    }
  }
  void Node(NodeProto& node, const Scope& scope, int depth) const {
    for (int i = 0; i < node.input_size(); ++i) {
      if (const std::string* name = scope.Find(node.view_input(i))) node.set_input(i, *name);
    }
    for (int i = 0; i < node.output_size(); ++i) {
      if (const std::string* name = scope.Find(node.view_output(i))) node.set_output(i, *name);
    }
    if (node_prefix_ && !node.view_name().empty()) node.set_name(*node_prefix_ + std::string(node.view_name()));
    for (int i = 0; i < node.device_configurations_size(); ++i) {
      NodeDeviceConfigurationProto& configuration = *node.mutable_device_configurations(i);
      for (int k = 0; k < configuration.sharding_spec_size(); ++k) {
        ShardingSpecProto& spec = *configuration.mutable_sharding_spec(k);
        if (const std::string* name = scope.Find(spec.view_tensor_name())) spec.set_tensor_name(*name);
      }
    }
    ForEachSubgraph(node, [&](GraphProto& graph) {
      const NameMap own = OwnNames(graph);
      Graph(graph, Scope{&scope, &own}, depth + 1);
    });
  }
  // What a graph defines itself, with its new names; the same ones where they only hide what is outside.
  NameMap OwnNames(const GraphProto& graph) const {
    NameMap own;
    const auto add = [&](std::string_view name) {
      if (!name.empty()) own.try_emplace(std::string(name), own_prefix_ ? *own_prefix_ + std::string(name) : std::string(name));
    };
    ForEachDefinition(graph, add);
    for (int i = 0; i < graph.sparse_initializer_size(); ++i) add(graph.sparse_initializer(i).indices().view_name());
    return own;
  }

  const std::string* node_prefix_;
  const std::string* own_prefix_;
};

// The names of the graph's own values that get the prefix.
void CollectNames(const GraphProto& graph, const std::string& prefix, const PrefixOptions& options, NameMap& names) {
  const auto add = [&](std::string_view name) {
    if (!name.empty()) names.try_emplace(std::string(name), prefix + std::string(name));
  };
  if (options.edges) {
    ViewSet border{""};
    for (int i = 0; i < graph.input_size(); ++i) border.insert(graph.input(i).view_name());
    for (int i = 0; i < graph.output_size(); ++i) border.insert(graph.output(i).view_name());
    for (int i = 0; i < graph.initializer_size(); ++i) border.insert(graph.initializer(i).view_name());
    for (int i = 0; i < graph.sparse_initializer_size(); ++i) border.insert(graph.sparse_initializer(i).values().view_name());
    for (int i = 0; i < graph.node_size(); ++i) {
      const NodeProto& node = graph.node(i);
      for (int k = 0; k < node.output_size(); ++k) {
        if (!border.contains(node.view_output(k))) add(node.view_output(k));
      }
    }
  }
  for (int i = 0; options.inputs && i < graph.input_size(); ++i) add(graph.input(i).view_name());
  for (int i = 0; options.outputs && i < graph.output_size(); ++i) add(graph.output(i).view_name());
  for (int i = 0; options.initializers && i < graph.initializer_size(); ++i) add(graph.initializer(i).view_name());
  for (int i = 0; options.initializers && i < graph.sparse_initializer_size(); ++i) {
    add(graph.sparse_initializer(i).values().view_name());
    add(graph.sparse_initializer(i).indices().view_name());
  }
  for (int i = 0; options.value_infos && i < graph.value_info_size(); ++i) add(graph.value_info(i).view_name());
}

// ---- functions

std::string FunctionKey(std::string_view domain, std::string_view name, std::string_view overload) {
  std::string key(domain);
  key.append(1, '\0').append(name).append(1, '\0').append(overload);
  return key;
}

void RenameCalls(NodeProto& node, const NameSet& functions, const std::string& prefix, int depth);
void RenameCalls(GraphProto& graph, const NameSet& functions, const std::string& prefix, int depth) {
  CheckGraphDepth(depth);
  for (int i = 0; i < graph.node_size(); ++i) RenameCalls(*graph.mutable_node(i), functions, prefix, depth);
}
void RenameCalls(NodeProto& node, const NameSet& functions, const std::string& prefix, int depth) {
  if (functions.contains(FunctionKey(node.view_domain(), node.view_op_type(), node.view_overload()))) {
    node.set_op_type(prefix + std::string(node.view_op_type()));
  }
  ForEachSubgraph(node, [&](GraphProto& graph) { RenameCalls(graph, functions, prefix, depth + 1); });
}

void PrefixFunctions(ModelProto& model, const std::string& prefix) {
  NameSet functions;
  for (int i = 0; i < model.functions_size(); ++i) {
    const FunctionProto& function = model.functions(i);
    functions.insert(FunctionKey(function.view_domain(), function.view_name(), function.view_overload()));
  }
  if (functions.empty()) return;
  for (int i = 0; i < model.functions_size(); ++i) {
    FunctionProto& function = *model.mutable_functions(i);
    function.set_name(prefix + std::string(function.view_name()));
    for (int k = 0; k < function.node_size(); ++k) RenameCalls(*function.mutable_node(k), functions, prefix, 0);
  }
  if (model.has_graph()) RenameCalls(*model.mutable_graph(), functions, prefix, 0);
  for (int i = 0; i < model.training_info_size(); ++i) {
    TrainingInfoProto& info = *model.mutable_training_info(i);
    if (info.has_initialization()) RenameCalls(*info.mutable_initialization(), functions, prefix, 0);
    if (info.has_algorithm()) RenameCalls(*info.mutable_algorithm(), functions, prefix, 0);
  }
}

// ---- training

void PrefixTrainingGraph(GraphProto& graph, const std::string& prefix, const PrefixOptions& options, const Scope& model, NameMap& own) {
  CollectNames(graph, prefix, options, own);
  const Scope scope{&model, &own};
  Renamer(options.nodes ? &prefix : nullptr, options.nodes ? &prefix : nullptr).Graph(graph, scope, 0);
}

// Keys name values of the model, values name outputs of the training graph.
void RenameBinding(StringStringEntryProto& entry, const Scope& keys, const Scope& values) {
  if (const std::string* name = keys.Find(entry.view_key())) entry.set_key(*name);
  if (const std::string* name = values.Find(entry.view_value())) entry.set_value(*name);
}

}  // namespace

void RenameValues(GraphProto& graph, const NameMap& names) { Renamer().Graph(graph, Scope{nullptr, &names}, 0); }

void AddPrefix(GraphProto& graph, std::string_view prefix, const PrefixOptions& options, NameMap& names) {
  const std::string text(prefix);
  CollectNames(graph, text, options, names);
  const std::string* const inside = options.nodes ? &text : nullptr;
  Renamer(inside, inside).Graph(graph, Scope{nullptr, &names}, 0);
}

void AddPrefix(ModelProto& model, std::string_view prefix, const PrefixOptions& options, bool functions) {
  const std::string text(prefix);
  NameMap names;
  AddPrefix(*model.mutable_graph(), prefix, options, names);
  const Scope scope{nullptr, &names};
  for (int i = 0; i < model.training_info_size(); ++i) {
    TrainingInfoProto& info = *model.mutable_training_info(i);
    NameMap first;
    NameMap step;
    if (info.has_initialization()) PrefixTrainingGraph(*info.mutable_initialization(), text, options, scope, first);
    if (info.has_algorithm()) PrefixTrainingGraph(*info.mutable_algorithm(), text, options, scope, step);
    for (int k = 0; k < info.initialization_binding_size(); ++k) {
      RenameBinding(*info.mutable_initialization_binding(k), scope, Scope{&scope, &first});
    }
    for (int k = 0; k < info.update_binding_size(); ++k) {
      RenameBinding(*info.mutable_update_binding(k), Scope{&scope, &first}, Scope{&scope, &step});
    }
  }
  if (functions) PrefixFunctions(model, text);
}

}  // namespace ONNX_LIGHT_NAMESPACE::graph
