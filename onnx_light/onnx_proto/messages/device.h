// How a model is spread over several devices.
#pragma once

#include "onnx_proto/messages/basic.h"

namespace ONNX_LIGHT_NAMESPACE {

BEGIN_PROTO(IntIntListEntryProto, "A number and the numbers it stands for.")
  FIELD(int64_t, key, 1, "The number.")
  FIELD_REPEATED(int64_t, value, 2, "What it stands for.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO(SimpleShardedDimProto, "How (a part of) one axis is cut into shards of equal size.")
  ONEOF_CASE(dim, DimCase, DIM_NOT_SET, kDimValue = 1, kDimParam = 2)
  VALUE_SLOT()
  FIELD(int64_t, dim_value, 1, "How long the axis is.", ONEOF(dim, kDimValue))
  FIELD_STR(dim_param, 2, "The name of a length that is not known.", ONEOF(dim, kDimParam))
  FIELD(int64_t, num_shards, 3, "Into how many shards it is cut.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO(ShardedDimProto, "How one axis of a tensor is cut.")
  FIELD(int64_t, axis, 1, "Which axis; negative ones count from the end.")
  FIELD_REPEATED(SimpleShardedDimProto, simple_sharding, 2, "The cuts, outermost first.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO(ShardingSpecProto, "How one input or output of a node is spread over devices.")
  FIELD_STR(tensor_name, 1, "The input or output.")
  FIELD_REPEATED(int64_t, device, 2, "The devices, or groups of them (negative numbers).")
  FIELD_REPEATED(IntIntListEntryProto, index_to_device_group_map, 3, "The devices of each group.")
  FIELD_REPEATED(ShardedDimProto, sharded_dim, 4, "The axes that are cut.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO(NodeDeviceConfigurationProto, "How a node is spread over devices, in one configuration of the model.")
  FIELD_STR(configuration_id, 1, "The name of the model's configuration.")
  FIELD_REPEATED(ShardingSpecProto, sharding_spec, 2, "How the node's inputs and outputs are spread.")
  FIELD(int32_t, pipeline_stage, 3, "The stage of the pipeline the node runs in.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO(DeviceConfigurationProto, "A set of devices the model can run on.")
  FIELD_STR(name, 1, "What nodes call it.")
  FIELD(int32_t, num_devices, 2, "How many devices there are.")
  FIELD_REPEATED_STR(utils::String, device, 3, "Their names, if they have any.")
  SERIALIZATION_METHOD()
END_PROTO()

// clang-format off
#define ONNX_LIGHT_DEVICE_MESSAGES(DO)                                                                       \
  DO(IntIntListEntryProto) DO(SimpleShardedDimProto) DO(ShardedDimProto) DO(ShardingSpecProto)               \
  DO(NodeDeviceConfigurationProto) DO(DeviceConfigurationProto)
// clang-format on

}  // namespace ONNX_LIGHT_NAMESPACE
