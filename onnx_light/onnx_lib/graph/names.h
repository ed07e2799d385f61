// Sets and maps of names, looked up by view; and the names that a graph defines.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE::graph {

struct NameHash {
  using is_transparent = void;
  size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
};
using NameSet = std::unordered_set<std::string, NameHash, std::equal_to<>>;
using NameMap = std::unordered_map<std::string, std::string, NameHash, std::equal_to<>>;
// Names that lie in messages, which are not changed while the set lives.
using ViewSet = std::unordered_set<std::string_view>;
template <class Value>
using ViewMap = std::unordered_map<std::string_view, Value>;

// How deep graphs may lie in graphs: what the deepest message has room for.
inline constexpr int kMaxGraphDepth = 400;
// Throws NestingError for a depth beyond it.
ONNX_LIGHT_API void CheckGraphDepth(int depth);

// Calls visit(graph) for each graph in an attribute of the node.
template <class Node, class Visit>
void ForEachSubgraph(Node& node, const Visit& visit) {
  for (int i = 0; i < node.attribute_size(); ++i) {
    if constexpr (std::is_const_v<Node>) {
      const AttributeProto& attribute = node.attribute(i);
      if (attribute.has_g()) visit(attribute.g());
      for (int k = 0; k < attribute.graphs_size(); ++k) visit(attribute.graphs(k));
    } else {
      AttributeProto& attribute = *node.mutable_attribute(i);
      if (attribute.has_g()) visit(*attribute.mutable_g());
      for (int k = 0; k < attribute.graphs_size(); ++k) visit(*attribute.mutable_graphs(k));
    }
  }
}

// Calls visit(name) for each value that the graph itself defines: inputs, initializers, outputs of nodes. Not what graphs below it define.
template <class Visit>
void ForEachDefinition(const GraphProto& graph, const Visit& visit) {
  for (int i = 0; i < graph.input_size(); ++i) visit(graph.input(i).view_name());
  for (int i = 0; i < graph.initializer_size(); ++i) visit(graph.initializer(i).view_name());
  for (int i = 0; i < graph.sparse_initializer_size(); ++i) visit(graph.sparse_initializer(i).values().view_name());
  for (int i = 0; i < graph.node_size(); ++i) {
    const NodeProto& node = graph.node(i);
    for (int k = 0; k < node.output_size(); ++k) visit(node.view_output(k));
  }
}

// Calls visit(name) for each value that the node uses: its inputs, and what graphs in its attributes capture, at any depth. A name may come
// more than once; the empty name never does.
ONNX_LIGHT_API void ForEachUse(const NodeProto& node, const std::function<void(std::string_view)>& visit);

}  // namespace ONNX_LIGHT_NAMESPACE::graph
