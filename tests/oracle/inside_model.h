// A place in a model for a message of any type that a model can hold, so that tests can work on messages that belong to a larger one.
#pragma once

#include "onnx_proto/onnx.h"

namespace oracle {

// Adds a new, empty message below `model` and returns it; null for a type that no model holds.
template <typename T>
struct InsideModel {
  static T* Add(onnx_light::ModelProto&) { return nullptr; }
};

#define INSIDE_MODEL(Type, ...)                                                         \
  template <>                                                                           \
  struct InsideModel<onnx_light::Type> {                                                \
    static onnx_light::Type* Add(onnx_light::ModelProto& model) { return __VA_ARGS__; } \
  };

INSIDE_MODEL(GraphProto, model.add_training_info()->mutable_algorithm())
INSIDE_MODEL(TrainingInfoProto, model.add_training_info())
INSIDE_MODEL(FunctionProto, model.add_functions())
INSIDE_MODEL(OperatorSetIdProto, model.add_opset_import())
INSIDE_MODEL(DeviceConfigurationProto, model.add_configuration())
INSIDE_MODEL(NodeProto, model.mutable_graph()->add_node())
INSIDE_MODEL(ValueInfoProto, model.mutable_graph()->add_input())
INSIDE_MODEL(TensorProto, model.mutable_graph()->add_initializer())
INSIDE_MODEL(SparseTensorProto, model.mutable_graph()->add_sparse_initializer())
INSIDE_MODEL(TensorAnnotation, model.mutable_graph()->add_quantization_annotation())
INSIDE_MODEL(TensorProto_Segment, InsideModel<onnx_light::TensorProto>::Add(model)->mutable_segment())
INSIDE_MODEL(StringStringEntryProto, InsideModel<onnx_light::NodeProto>::Add(model)->add_metadata_props())
INSIDE_MODEL(AttributeProto, InsideModel<onnx_light::NodeProto>::Add(model)->add_attribute())
INSIDE_MODEL(NodeDeviceConfigurationProto, InsideModel<onnx_light::NodeProto>::Add(model)->add_device_configurations())
INSIDE_MODEL(ShardingSpecProto, InsideModel<onnx_light::NodeDeviceConfigurationProto>::Add(model)->add_sharding_spec())
INSIDE_MODEL(IntIntListEntryProto, InsideModel<onnx_light::ShardingSpecProto>::Add(model)->add_index_to_device_group_map())
INSIDE_MODEL(ShardedDimProto, InsideModel<onnx_light::ShardingSpecProto>::Add(model)->add_sharded_dim())
INSIDE_MODEL(SimpleShardedDimProto, InsideModel<onnx_light::ShardedDimProto>::Add(model)->add_simple_sharding())
INSIDE_MODEL(TypeProto, InsideModel<onnx_light::ValueInfoProto>::Add(model)->mutable_type())
INSIDE_MODEL(TypeProto_Tensor, InsideModel<onnx_light::TypeProto>::Add(model)->mutable_tensor_type())
INSIDE_MODEL(TypeProto_SparseTensor, InsideModel<onnx_light::TypeProto>::Add(model)->mutable_sparse_tensor_type())
INSIDE_MODEL(TypeProto_Sequence, InsideModel<onnx_light::TypeProto>::Add(model)->mutable_sequence_type())
INSIDE_MODEL(TypeProto_Optional, InsideModel<onnx_light::TypeProto>::Add(model)->mutable_optional_type())
INSIDE_MODEL(TypeProto_Map, InsideModel<onnx_light::TypeProto>::Add(model)->mutable_map_type())
INSIDE_MODEL(TypeProto_Opaque, InsideModel<onnx_light::TypeProto>::Add(model)->mutable_opaque_type())
INSIDE_MODEL(TensorShapeProto, InsideModel<onnx_light::TypeProto_Tensor>::Add(model)->mutable_shape())
INSIDE_MODEL(TensorShapeProto_Dimension, InsideModel<onnx_light::TensorShapeProto>::Add(model)->add_dim())

#undef INSIDE_MODEL

}  // namespace oracle
