// A model with a tensor in every place where one can be; what C++ tests of payloads share.
#pragma once

#include <string>
#include <vector>

#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE::testing_support {

// The names of its tensors, in the order of its bytes. Up to the slash stands the graph they lie in.
inline std::vector<std::string> PlacesOfTensorEverywhere() {
  std::vector<std::string> names;
  for (const char* graph : {"main", "setup", "step"}) {
    for (const char* place : {"t", "tensors", "sparse values", "sparse indices", "sparses values", "sparses indices"}) {
      names.push_back(std::string(graph) + "/" + place);
    }
    if (std::string(graph) == "main") names.insert(names.end(), {"inner/initializer", "branch/initializer"});
    for (const char* place : {"initializer", "sparse_initializer values", "sparse_initializer indices"}) {
      names.push_back(std::string(graph) + "/" + place);
    }
  }
  names.insert(names.end(), {"function/t", "function/default"});
  return names;
}

// Each payload has `size` bytes (at least 8), all different from those of the others.
inline ModelProto TensorEverywhere(size_t size = 8) {
  ModelProto model;
  char next = 'a';
  const auto fill = [&](TensorProto* tensor, const std::string& name) {
    tensor->set_name(name);
    tensor->set_data_type(TensorProto::UINT8);
    tensor->add_dims(static_cast<int64_t>(size));
    tensor->set_raw_data(std::string(size, next++));
  };
  const auto fill_graph = [&](GraphProto* graph, const std::string& name) {
    graph->set_name(name);
    NodeProto* const node = graph->add_node();
    node->set_op_type("Constant");
    fill(node->add_attribute()->mutable_t(), name + "/t");
    fill(node->add_attribute()->add_tensors(), name + "/tensors");
    SparseTensorProto* sparse = node->add_attribute()->mutable_sparse_tensor();
    fill(sparse->mutable_values(), name + "/sparse values");
    fill(sparse->mutable_indices(), name + "/sparse indices");
    sparse = node->add_attribute()->add_sparse_tensors();
    fill(sparse->mutable_values(), name + "/sparses values");
    fill(sparse->mutable_indices(), name + "/sparses indices");
    fill(graph->add_initializer(), name + "/initializer");
    sparse = graph->add_sparse_initializer();
    fill(sparse->mutable_values(), name + "/sparse_initializer values");
    fill(sparse->mutable_indices(), name + "/sparse_initializer indices");
  };
  fill_graph(model.mutable_graph(), "main");
  NodeProto* const node = model.mutable_graph()->add_node();
  for (GraphProto* const graph : {node->add_attribute()->mutable_g(), node->add_attribute()->add_graphs()}) {
    graph->set_name(graph == &node->attribute(0).g() ? "inner" : "branch");
    fill(graph->add_initializer(), graph->name() + "/initializer");
  }
  TrainingInfoProto* const training = model.add_training_info();
  fill_graph(training->mutable_initialization(), "setup");
  fill_graph(training->mutable_algorithm(), "step");
  FunctionProto* const function = model.add_functions();
  function->set_name("f");
  fill(function->add_node()->add_attribute()->mutable_t(), "function/t");
  fill(function->add_attribute_proto()->mutable_t(), "function/default");
  return model;
}

}  // namespace ONNX_LIGHT_NAMESPACE::testing_support
