// What C++ tests share: messages with something of everything, and the text of an error.
#pragma once

#include <functional>
#include <string>

#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE::testing_support {

// A model with one of each kind of field, some of them set in unusual ways (empty but set, two values in one attribute, a subgraph).
inline ModelProto RichModel() {
  ModelProto model;
  model.set_ir_version(10);
  model.set_producer_name("sample");
  OperatorSetIdProto* opset = model.add_opset_import();
  opset->set_domain("");
  opset->set_version(21);
  GraphProto* graph = model.mutable_graph();
  for (int i = 0; i < 3; ++i) {
    NodeProto* node = graph->add_node();
    node->add_input("layer.00000000/val" + std::to_string(i));
    node->add_input("x");
    node->add_output("layer.00000000/val" + std::to_string(i + 1));
    node->set_name("node" + std::to_string(i));
    node->set_op_type(i % 2 ? "Conv" : "Relu");
    AttributeProto* axis = node->add_attribute();
    axis->set_name("axis");
    axis->set_i(i);
    axis->set_type(AttributeProto::INT);
    AttributeProto* shape = node->add_attribute();
    shape->set_name("shape");
    shape->add_ints(1);
    shape->add_ints(300);
    shape->set_type(AttributeProto::INTS);
  }
  graph->set_name("many");
  graph->set_doc_string("");
  TensorProto* tensor = graph->add_initializer();
  tensor->set_name("w");
  tensor->add_dims(2);
  tensor->add_dims(300);
  tensor->set_data_type(TensorProto::FLOAT);
  tensor->set_raw_data("12345678");
  tensor->add_float_data(1.5f);
  tensor->add_int64_data(-1);
  tensor->add_int32_data(-1);
  tensor->add_double_data(0.1);
  tensor->add_uint64_data(~uint64_t{0});
  tensor->add_string_data("a\0b\xff");
  AttributeProto* both = graph->mutable_node(1)->add_attribute();
  both->set_name("both");
  both->set_f(0.0f);
  both->set_i(-5);
  both->set_doc_string("two values");
  both->add_ints(7);
  ValueInfoProto* input = graph->add_input();
  input->set_name("x");
  input->mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_param("N");
  input->mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(3);
  AttributeProto* inner = graph->mutable_node(2)->add_attribute();
  inner->set_name("body");
  inner->mutable_g()->add_node()->set_name("inside");
  inner->set_type(AttributeProto::GRAPH);
  return model;
}

inline std::string ErrorOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace ONNX_LIGHT_NAMESPACE::testing_support
