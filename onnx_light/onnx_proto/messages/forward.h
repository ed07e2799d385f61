// The names of all messages, so that a message may hold others that are declared after it.
#pragma once

#include "onnx_proto/stream_class.h"

namespace ONNX_LIGHT_NAMESPACE {

class AttributeProto;
class DeviceConfigurationProto;
class FunctionProto;
class GraphProto;
class MapProto;
class NodeDeviceConfigurationProto;
class NodeProto;
class OperatorProto;
class OptionalProto;
class SequenceProto;
class ShardedDimProto;
class ShardingSpecProto;
class SimpleShardedDimProto;
class SparseTensorProto;
class TensorAnnotation;
class TensorProto;
class TrainingInfoProto;
class TypeProto;
class ValueInfoProto;

/// The version of the format. IR_VERSION is the one this library writes when nothing else is asked for.
// clang-format off
#define ONNX_LIGHT_VERSIONS(DO, prefix)                                                                                              \
  DO(prefix, _START_VERSION, 0) DO(prefix, IR_VERSION_2017_10_10, 1) DO(prefix, IR_VERSION_2017_10_30, 2)                            \
  DO(prefix, IR_VERSION_2017_11_3, 3) DO(prefix, IR_VERSION_2019_1_22, 4) DO(prefix, IR_VERSION_2019_3_18, 5)                        \
  DO(prefix, IR_VERSION_2019_9_19, 6) DO(prefix, IR_VERSION_2020_5_8, 7) DO(prefix, IR_VERSION_2021_7_30, 8)                         \
  DO(prefix, IR_VERSION_2023_5_5, 9) DO(prefix, IR_VERSION_2024_3_25, 10) DO(prefix, IR_VERSION_2025_05_12, 11)                      \
  DO(prefix, IR_VERSION_2025_08_26, 12) DO(prefix, IR_VERSION_2025_11_06, 13) DO(prefix, IR_VERSION, 14)
// clang-format on
PROTO_NAMESPACE_ENUM(Version, ONNX_LIGHT_VERSIONS)

#define ONNX_LIGHT_OPERATOR_STATUSES(DO, prefix) DO(prefix, EXPERIMENTAL, 0) DO(prefix, STABLE, 1)
PROTO_NAMESPACE_ENUM(OperatorStatus, ONNX_LIGHT_OPERATOR_STATUSES)

}  // namespace ONNX_LIGHT_NAMESPACE
