#include "onnx_lib/graph/names.h"

#include "onnx_proto/error.h"

namespace ONNX_LIGHT_NAMESPACE::graph {
namespace {

// What the graphs around a graph inside the node define; the chain ends at the node.
struct Inside {
  const Inside* outer;
  ViewSet defined;
  bool Has(std::string_view name) const {
    for (const Inside* scope = this; scope; scope = scope->outer) {
      if (scope->defined.contains(name)) return true;
    }
    return false;
  }
};

using Visit = std::function<void(std::string_view)>;

void VisitCaptured(const GraphProto& graph, const Inside* outer, int depth, const Visit& visit);

void VisitUses(const NodeProto& node, const Inside* scope, int depth, const Visit& visit) {
  for (int i = 0; i < node.input_size(); ++i) {
    const std::string_view name = node.view_input(i);
    if (!name.empty() && !(scope && scope->Has(name))) visit(name);
  }
  ForEachSubgraph(node, [&](const GraphProto& graph) { VisitCaptured(graph, scope, depth + 1, visit); });
}

void VisitCaptured(const GraphProto& graph, const Inside* outer, int depth, const Visit& visit) {
  CheckGraphDepth(depth);
  Inside scope{outer, {}};
  ForEachDefinition(graph, [&](std::string_view name) { scope.defined.insert(name); });
  for (int i = 0; i < graph.node_size(); ++i) VisitUses(graph.node(i), &scope, depth, visit);
  for (int i = 0; i < graph.output_size(); ++i) {
    const std::string_view name = graph.output(i).view_name();
    if (!name.empty() && !scope.Has(name)) visit(name);
  }
}

}  // namespace

void CheckGraphDepth(int depth) {
  if (depth > kMaxGraphDepth) throw NestingError("graphs lie in graphs deeper than " + std::to_string(kMaxGraphDepth) + " levels");
}

void ForEachUse(const NodeProto& node, const Visit& visit) { VisitUses(node, nullptr, 0, visit); }

}  // namespace ONNX_LIGHT_NAMESPACE::graph
