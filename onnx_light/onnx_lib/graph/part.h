// The part of a graph between some of its values: the nodes that compute the outputs from the inputs, and what they need.
//
// Nothing recurses along the graph, each node is looked at once, and whatever need not change is kept, fields of the future included.
#pragma once

#include <string>
#include <vector>

#include "onnx_lib/graph/names.h"

namespace ONNX_LIGHT_NAMESPACE::graph {

/// Reduces the graph, in place, to what computes `outputs` when `inputs` are given: nodes, initializers, types and annotations of values,
/// and what annotations name. Graphs in attributes count: what they capture is needed too. A value may be an input that was none before;
/// its type comes along as far as it is known. Throws std::invalid_argument if the graph has no value of a given name; the graph is then as
/// it was. What the part uses and nothing of it defines, because it depends on an input that is not given, is for the caller to look at.
ONNX_LIGHT_API void KeepPart(GraphProto& graph, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

/// The same for a copy of a model, which keeps only those functions that are called from the part, directly or through others. Before IR
/// version 4 the inputs whose defaults are initializers of the part are kept too: else it would be no model of that version.
/// With `whole`, throws ValidationError, which names the value, where the part uses one that nothing defines.
ONNX_LIGHT_API ModelProto ExtractPart(const ModelProto& model, const std::vector<std::string>& inputs,
                                      const std::vector<std::string>& outputs, bool whole = true);

}  // namespace ONNX_LIGHT_NAMESPACE::graph
