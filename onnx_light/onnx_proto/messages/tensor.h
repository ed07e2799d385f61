// Tensors: dense, sparse, and what is said about how one was quantized.
#pragma once

#include "onnx_proto/messages/basic.h"

namespace ONNX_LIGHT_NAMESPACE {

// clang-format off
#define ONNX_LIGHT_DATA_TYPES(DO, prefix)                                                                                            \
  DO(prefix, UNDEFINED, 0) DO(prefix, FLOAT, 1) DO(prefix, UINT8, 2) DO(prefix, INT8, 3) DO(prefix, UINT16, 4) DO(prefix, INT16, 5)  \
  DO(prefix, INT32, 6) DO(prefix, INT64, 7) DO(prefix, STRING, 8) DO(prefix, BOOL, 9) DO(prefix, FLOAT16, 10) DO(prefix, DOUBLE, 11) \
  DO(prefix, UINT32, 12) DO(prefix, UINT64, 13) DO(prefix, COMPLEX64, 14) DO(prefix, COMPLEX128, 15) DO(prefix, BFLOAT16, 16)        \
  DO(prefix, FLOAT8E4M3FN, 17) DO(prefix, FLOAT8E4M3FNUZ, 18) DO(prefix, FLOAT8E5M2, 19) DO(prefix, FLOAT8E5M2FNUZ, 20)              \
  DO(prefix, UINT4, 21) DO(prefix, INT4, 22) DO(prefix, FLOAT4E2M1, 23) DO(prefix, FLOAT8E8M0, 24) DO(prefix, UINT2, 25)             \
  DO(prefix, INT2, 26) DO(prefix, FLOAT6E2M3, 27) DO(prefix, FLOAT6E3M2, 28)
// clang-format on

#define ONNX_LIGHT_DATA_LOCATIONS(DO, prefix) DO(prefix, DEFAULT, 0) DO(prefix, EXTERNAL, 1)

BEGIN_PROTO_NAMED(TensorProto_Segment, "TensorProto.Segment", "The part of a larger tensor that a tensor holds.")
  FIELD(int64_t, begin, 1, "The first element.")
  FIELD(int64_t, end, 2, "One past the last element.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO(TensorProto, "A tensor: shape, element type, and the elements, in one of several fields or in another file.")
  PROTO_ENUM(TensorProto, DataType, ONNX_LIGHT_DATA_TYPES)
  PROTO_ENUM(TensorProto, DataLocation, ONNX_LIGHT_DATA_LOCATIONS)
  using Segment = TensorProto_Segment;
  FIELD_REPEATED(int64_t, dims, 1, "The shape, outermost axis first.")
  FIELD(int32_t, data_type, 2, "The element type: a TensorProto.DataType.")
  FIELD(TensorProto_Segment, segment, 3, "Which part of a larger tensor this is.", RARE)
  FIELD_REPEATED_PACKED(float, float_data, 4, "Elements of FLOAT; real and imaginary parts of COMPLEX64.", RARE)
  FIELD_REPEATED_PACKED(int32_t, int32_data, 5, "Elements of the types of up to 32 bits; small ones packed, floats as their bits.", RARE)
  FIELD_REPEATED_BYTES(string_data, 6, "Elements of STRING.", RARE)
  FIELD_REPEATED_PACKED(int64_t, int64_data, 7, "Elements of INT64.", RARE)
  FIELD_STR(name, 8, "The value the tensor is.")
  FIELD_PAYLOAD(raw_data, 9, "The elements as bytes: little-endian, row-major; not for STRING.")
  FIELD_REPEATED_PACKED(double, double_data, 10, "Elements of DOUBLE; real and imaginary parts of COMPLEX128.", RARE)
  FIELD_REPEATED_PACKED(uint64_t, uint64_data, 11, "Elements of UINT32 and UINT64.", RARE)
  FIELD_STR(doc_string, 12, "For people.", RARE)
  FIELD_REPEATED(StringStringEntryProto, external_data, 13, "Where the bytes lie: location, offset, length, checksum.", RARE)
  FIELD(DataLocation, data_location, 14, "Whether the elements are here or in another file.", RARE)
  FIELD_REPEATED(StringStringEntryProto, metadata_props, 16, "Named texts.", RARE)
  SERIALIZATION_METHOD()
END_PROTO()

PROTO_ENUM_ALIASES(TensorProto, DataType, ONNX_LIGHT_DATA_TYPES)
PROTO_ENUM_ALIASES(TensorProto, DataLocation, ONNX_LIGHT_DATA_LOCATIONS)

BEGIN_PROTO(SparseTensorProto, "A tensor of which only some elements are stored; the others are zero.")
  FIELD(TensorProto, values, 1, "The stored elements, of shape [count]; its name is the sparse tensor's.")
  FIELD(TensorProto, indices, 2, "Where they are: linear indices [count], or coordinates [count, rank], ascending.")
  FIELD_REPEATED(int64_t, dims, 3, "The shape of the whole.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO(TensorAnnotation, "What is known about how a tensor is quantized.")
  FIELD_STR(tensor_name, 1, "The tensor that is spoken of.")
  FIELD_REPEATED(StringStringEntryProto, quant_parameter_tensor_names, 2, "By role (SCALE_TENSOR, …), the tensor that plays it.")
  SERIALIZATION_METHOD()
END_PROTO()

#define ONNX_LIGHT_TENSOR_MESSAGES(DO) DO(TensorProto_Segment) DO(TensorProto) DO(SparseTensorProto) DO(TensorAnnotation)

}  // namespace ONNX_LIGHT_NAMESPACE
