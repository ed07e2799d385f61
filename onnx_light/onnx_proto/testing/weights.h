// What C++ tests of weights share: models with tensors in several places, and references made by hand.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "onnx_proto/onnx.h"
#include "onnx_proto/testing/folder.h"

namespace ONNX_LIGHT_NAMESPACE::testing_support {

inline void Fill(TensorProto& tensor, const std::string& name, const std::string& bytes) {
  tensor.set_name(name);
  tensor.set_data_type(TensorProto::UINT8);
  tensor.add_dims(static_cast<int64_t>(bytes.size()));
  tensor.set_raw_data(bytes);
}

inline TensorProto* AddTensor(ModelProto& model, const std::string& name, const std::string& bytes) {
  TensorProto* tensor = model.mutable_graph()->add_initializer();
  Fill(*tensor, name, bytes);
  return tensor;
}

// Makes it a tensor of one dimension that is in another file, whatever it was before but for its bytes.
inline void Refer(TensorProto& tensor, const std::string& name, int32_t type, int64_t dim,
                  const std::vector<std::pair<std::string, std::string>>& keys) {
  tensor.set_name(name);
  tensor.set_data_type(type);
  tensor.clear_dims();
  tensor.add_dims(dim);
  tensor.clear_external_data();
  for (const auto& [key, value] : keys) {
    StringStringEntryProto* entry = tensor.add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }
  tensor.set_data_location(TensorProto::EXTERNAL);
}

// Initializers w0, w1, … of `size` bytes, one of 10 bytes, one in a branch, one in an attribute, one sparse. Models that differ in `seed`
// have equal layouts and different values.
inline ModelProto WeightsModel(int count, size_t size, uint32_t seed = 1) {
  ModelProto model;
  model.set_ir_version(10);
  const auto bytes = [&seed](size_t of) { return Pattern(of, seed += 1000); };
  GraphProto* graph = model.mutable_graph();
  for (int i = 0; i < count; ++i) AddTensor(model, "w" + std::to_string(i), bytes(size));
  AddTensor(model, "small", bytes(10));
  AttributeProto* branch = graph->add_node()->add_attribute();
  branch->set_type(AttributeProto::GRAPH);
  Fill(*branch->mutable_g()->add_initializer(), "in a branch", bytes(size));
  AttributeProto* constant = graph->add_node()->add_attribute();
  constant->set_type(AttributeProto::TENSOR);
  Fill(*constant->mutable_t(), "constant", bytes(size));
  Fill(*graph->add_sparse_initializer()->mutable_values(), "sparse", bytes(size));
  return model;
}

}  // namespace ONNX_LIGHT_NAMESPACE::testing_support
