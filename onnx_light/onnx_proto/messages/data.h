// Values that are not tensors (onnx-data): what a model of sequences, maps and optionals is given and gives.
#pragma once

#include "onnx_proto/messages/tensor.h"

namespace ONNX_LIGHT_NAMESPACE {

// clang-format off
#define ONNX_LIGHT_VALUE_KINDS(DO, prefix)                                                                                  \
  DO(prefix, UNDEFINED, 0) DO(prefix, TENSOR, 1) DO(prefix, SPARSE_TENSOR, 2) DO(prefix, SEQUENCE, 3) DO(prefix, MAP, 4)    \
  DO(prefix, OPTIONAL, 5)
// clang-format on

BEGIN_PROTO(SequenceProto, "A sequence of values of one kind, which `elem_type` names.")
  PROTO_ENUM(SequenceProto, DataType, ONNX_LIGHT_VALUE_KINDS)
  FIELD_STR(name, 1, "The sequence's name.")
  FIELD(int32_t, elem_type, 2, "A SequenceProto.DataType: which of the lists counts.")
  FIELD_REPEATED(TensorProto, tensor_values, 3, "Tensors.")
  FIELD_REPEATED(SparseTensorProto, sparse_tensor_values, 4, "Sparse tensors.", RARE)
  FIELD_REPEATED(SequenceProto, sequence_values, 5, "Sequences.", RARE)
  FIELD_REPEATED(MapProto, map_values, 6, "Maps.", RARE)
  FIELD_REPEATED(OptionalProto, optional_values, 7, "Optionals.", RARE)
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO(MapProto, "A map: keys and, at the same places, their values.")
  FIELD_STR(name, 1, "The map's name.")
  FIELD(int32_t, key_type, 2, "A TensorProto.DataType: an integer type or STRING.")
  FIELD_REPEATED(int64_t, keys, 3, "The keys, if they are integers.")
  FIELD_REPEATED_BYTES(string_keys, 4, "The keys, if they are texts.")
  FIELD(SequenceProto, values, 5, "The values.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO(OptionalProto, "A value of the kind that `elem_type` names, or none.")
  PROTO_ENUM(OptionalProto, DataType, ONNX_LIGHT_VALUE_KINDS)
  FIELD_STR(name, 1, "The value's name.")
  FIELD(int32_t, elem_type, 2, "An OptionalProto.DataType.")
  FIELD(TensorProto, tensor_value, 3, "A tensor.", RARE)
  FIELD(SparseTensorProto, sparse_tensor_value, 4, "A sparse tensor.", RARE)
  FIELD(SequenceProto, sequence_value, 5, "A sequence.", RARE)
  FIELD(MapProto, map_value, 6, "A map.", RARE)
  FIELD(OptionalProto, optional_value, 7, "An optional.", RARE)
  SERIALIZATION_METHOD()
END_PROTO()

PROTO_ENUM_ALIASES(SequenceProto, DataType, ONNX_LIGHT_VALUE_KINDS)
PROTO_ENUM_ALIASES(OptionalProto, DataType, ONNX_LIGHT_VALUE_KINDS)

#define ONNX_LIGHT_DATA_MESSAGES(DO) DO(SequenceProto) DO(MapProto) DO(OptionalProto)

}  // namespace ONNX_LIGHT_NAMESPACE
