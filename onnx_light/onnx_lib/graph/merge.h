// Two graphs, or models, in sequence: outputs of the first become inputs of the second.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "onnx_lib/graph/names.h"

namespace ONNX_LIGHT_NAMESPACE::graph {

using Connections = std::vector<std::pair<std::string, std::string>>;  // (output of the first, input of the second)

struct MergeOptions {
  Connections io_map;                               // in names without prefixes
  std::optional<std::vector<std::string>> inputs;   // the only ones to keep, in names with prefixes; what only others need goes
  std::optional<std::vector<std::string>> outputs;  // the same
  std::string prefix1;
  std::string prefix2;
  std::optional<std::string> name;        // by default both names
  std::optional<std::string> doc_string;  // by default both texts
};

struct Overlap {
  std::string kind;  // "edge", "value_info", "initializer" or "sparse_initializer"
  std::vector<std::string> names;
};

/// The names that stand in both graphs for different things, in the order of the first. Inputs of the second that are connected do not
/// count: they take other names.
ONNX_LIGHT_API std::vector<Overlap> OverlappingNames(const GraphProto& first, const GraphProto& second, const Connections& io_map);

/// Throws std::invalid_argument if a connection names no output or input, or if names overlap.
ONNX_LIGHT_API GraphProto MergeGraphs(const GraphProto& first, const GraphProto& second, const MergeOptions& options);

/// Merges graphs, imports, functions, training information, metadata and configurations.
/// Throws std::invalid_argument as MergeGraphs does, and where the models say different things: about their IR version, the version of a
/// domain, a function, or a metadata key.
ONNX_LIGHT_API ModelProto MergeModels(const ModelProto& first, const ModelProto& second, const MergeOptions& options);

}  // namespace ONNX_LIGHT_NAMESPACE::graph
