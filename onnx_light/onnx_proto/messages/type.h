// Types of values: tensors with element type and shape, and what is built from them.
#pragma once

#include "onnx_proto/messages/basic.h"

namespace ONNX_LIGHT_NAMESPACE {

BEGIN_PROTO_NAMED(TensorShapeProto_Dimension, "TensorShapeProto.Dimension", "One axis: a length, a name for it, or neither.")
  ONEOF_CASE(value, ValueCase, VALUE_NOT_SET, kDimValue = 1, kDimParam = 2)
  VALUE_SLOT()
  FIELD(int64_t, dim_value, 1, "How long the axis is.", ONEOF(value, kDimValue))
  FIELD_STR(dim_param, 2, "The name of a length that is not known.", ONEOF(value, kDimParam))
  FIELD_STR(denotation, 3, "What the axis means.", RARE)
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO(TensorShapeProto, "The axes of a tensor.")
  using Dimension = TensorShapeProto_Dimension;
  FIELD_REPEATED(TensorShapeProto_Dimension, dim, 1, "Outermost first; none: a scalar.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO_NAMED(TypeProto_Tensor, "TypeProto.Tensor", "The type of a dense tensor.")
  FIELD(int32_t, elem_type, 1, "A TensorProto.DataType.")
  FIELD(TensorShapeProto, shape, 2, "Absent: the rank is not known.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO_NAMED(TypeProto_Sequence, "TypeProto.Sequence", "The type of a sequence of values of one type.")
  FIELD(TypeProto, elem_type, 1, "Of each element.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO_NAMED(TypeProto_Map, "TypeProto.Map", "The type of a map.")
  FIELD(int32_t, key_type, 1, "A TensorProto.DataType: an integer type or STRING.")
  FIELD(TypeProto, value_type, 2, "Of each value.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO_NAMED(TypeProto_Optional, "TypeProto.Optional", "The type of a value that may be missing.")
  FIELD(TypeProto, elem_type, 1, "Of the value.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO_NAMED(TypeProto_SparseTensor, "TypeProto.SparseTensor", "The type of a sparse tensor.")
  FIELD(int32_t, elem_type, 1, "A TensorProto.DataType.")
  FIELD(TensorShapeProto, shape, 2, "Absent: the rank is not known.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO_NAMED(TypeProto_Opaque, "TypeProto.Opaque", "A type that only its domain understands.")
  FIELD_WORD(domain, 1, "Whose type; empty or absent for ONNX's own.")
  FIELD_STR(name, 2, "The type's name there.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO(TypeProto, "The type of a value.")
  using Tensor = TypeProto_Tensor;
  using Sequence = TypeProto_Sequence;
  using Map = TypeProto_Map;
  using Opaque = TypeProto_Opaque;
  using SparseTensor = TypeProto_SparseTensor;
  using Optional = TypeProto_Optional;
  ONEOF_CASE(value, ValueCase, VALUE_NOT_SET, kTensorType = 1, kSequenceType = 4, kMapType = 5, kOpaqueType = 7, kSparseTensorType = 8,
             kOptionalType = 9)
  VALUE_SLOT()
  FIELD(TypeProto_Tensor, tensor_type, 1, "A tensor.", ONEOF(value, kTensorType))
  FIELD(TypeProto_Sequence, sequence_type, 4, "A sequence.", ONEOF(value, kSequenceType))
  FIELD(TypeProto_Map, map_type, 5, "A map.", ONEOF(value, kMapType))
  FIELD_STR(denotation, 6, "What the value means.", RARE)
  FIELD(TypeProto_Opaque, opaque_type, 7, "Something only its domain understands.", ONEOF(value, kOpaqueType))
  FIELD(TypeProto_SparseTensor, sparse_tensor_type, 8, "A sparse tensor.", ONEOF(value, kSparseTensorType))
  FIELD(TypeProto_Optional, optional_type, 9, "A value that may be missing.", ONEOF(value, kOptionalType))
  SERIALIZATION_METHOD()
END_PROTO()

// clang-format off
#define ONNX_LIGHT_TYPE_MESSAGES(DO)                                                                                            \
  DO(TensorShapeProto_Dimension) DO(TensorShapeProto) DO(TypeProto_Tensor) DO(TypeProto_Sequence) DO(TypeProto_Map)             \
  DO(TypeProto_Optional) DO(TypeProto_SparseTensor) DO(TypeProto_Opaque) DO(TypeProto)
// clang-format on

}  // namespace ONNX_LIGHT_NAMESPACE
