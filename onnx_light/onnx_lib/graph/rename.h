// Renames values, nodes and functions in place, so that every use follows, at any depth, and nothing changes but names.
//
// A graph in an attribute sees the values around it. A name that it defines itself hides the same name outside, and is not renamed with it.
#pragma once

#include <string_view>

#include "onnx_lib/graph/names.h"

namespace ONNX_LIGHT_NAMESPACE::graph {

// Which names get a prefix. A name that is renamed for one reason is renamed wherever it stands.
struct PrefixOptions {
  bool nodes = true;  // names of nodes, and all that graphs in attributes define themselves
  bool edges = true;  // outputs of nodes that are no outputs of the graph; what nothing here defines keeps its name
  bool inputs = true;
  bool outputs = true;
  bool initializers = true;  // also sparse ones: their values and indices
  bool value_infos = true;   // all names that value_info mentions
};

/// Renames values of the graph as `names` says. Values of graphs in attributes that hide a name stay.
ONNX_LIGHT_API void RenameValues(GraphProto& graph, const NameMap& names);

/// Puts `prefix` before names of the graph; empty names stay. `names` may say otherwise for some of them, and holds all old and new names
/// of the graph's own values afterwards. Throws NestingError; the graph is then partly renamed.
ONNX_LIGHT_API void AddPrefix(GraphProto& graph, std::string_view prefix, const PrefixOptions& options, NameMap& names);

/// The same for the model's graph and its training graphs and, with `functions`, for the names of its functions and of all nodes that call
/// them. What stands in the bodies of functions is private, and stays.
ONNX_LIGHT_API void AddPrefix(ModelProto& model, std::string_view prefix, const PrefixOptions& options, bool functions);

}  // namespace ONNX_LIGHT_NAMESPACE::graph
