// Graphs: values, nodes, attributes.
#pragma once

#include "onnx_proto/messages/device.h"
#include "onnx_proto/messages/tensor.h"
#include "onnx_proto/messages/type.h"

namespace ONNX_LIGHT_NAMESPACE {

BEGIN_PROTO(ValueInfoProto, "A named value and its type.")
  FIELD_STR(name, 1, "The value's name.")
  FIELD(TypeProto, type, 2, "Its type, as far as it is known.")
  FIELD_STR(doc_string, 3, "For people.", RARE)
  FIELD_REPEATED(StringStringEntryProto, metadata_props, 4, "Named texts.", RARE)
  SERIALIZATION_METHOD()
END_PROTO()

// clang-format off
#define ONNX_LIGHT_ATTRIBUTE_TYPES(DO, prefix)                                                                                       \
  DO(prefix, UNDEFINED, 0) DO(prefix, FLOAT, 1) DO(prefix, INT, 2) DO(prefix, STRING, 3) DO(prefix, TENSOR, 4) DO(prefix, GRAPH, 5)  \
  DO(prefix, FLOATS, 6) DO(prefix, INTS, 7) DO(prefix, STRINGS, 8) DO(prefix, TENSORS, 9) DO(prefix, GRAPHS, 10)                     \
  DO(prefix, SPARSE_TENSOR, 11) DO(prefix, SPARSE_TENSORS, 12) DO(prefix, TYPE_PROTO, 13) DO(prefix, TYPE_PROTOS, 14)
// clang-format on

BEGIN_PROTO(AttributeProto, "A named argument of a node: one value, of the kind that `type` names.")
  PROTO_ENUM(AttributeProto, AttributeType, ONNX_LIGHT_ATTRIBUTE_TYPES)
  VALUE_SLOT()
  FIELD_WORD(name, 1, "The argument's name.")
  FIELD(float, f, 2, "A number.", VALUE)
  FIELD(int64_t, i, 3, "An integer.", VALUE)
  FIELD_BYTES(s, 4, "A text, in UTF-8.", VALUE)
  FIELD(TensorProto, t, 5, "A tensor.", VALUE)
  FIELD(GraphProto, g, 6, "A graph.", VALUE)
  FIELD_REPEATED(float, floats, 7, "Numbers.", VALUE)
  FIELD_REPEATED(int64_t, ints, 8, "Integers.", VALUE)
  FIELD_REPEATED_BYTES(strings, 9, "Texts, in UTF-8.", VALUE)
  FIELD_REPEATED(TensorProto, tensors, 10, "Tensors.", VALUE)
  FIELD_REPEATED(GraphProto, graphs, 11, "Graphs.", VALUE)
  FIELD_STR(doc_string, 13, "For people.", RARE)
  FIELD(TypeProto, tp, 14, "A type.", VALUE)
  FIELD_REPEATED(TypeProto, type_protos, 15, "Types.", VALUE)
  FIELD(AttributeType, type, 20, "Which of the values counts.")
  FIELD_STR(ref_attr_name, 21, "In a function's body: the function's attribute whose value is to be taken.", RARE)
  FIELD(SparseTensorProto, sparse_tensor, 22, "A sparse tensor.", VALUE)
  FIELD_REPEATED(SparseTensorProto, sparse_tensors, 23, "Sparse tensors.", VALUE)
  SERIALIZATION_METHOD()
END_PROTO()

PROTO_ENUM_ALIASES(AttributeProto, AttributeType, ONNX_LIGHT_ATTRIBUTE_TYPES)

BEGIN_PROTO(NodeProto, "One application of an operator, or of a function of the model.")
  FIELD_REPEATED_STR(utils::String, input, 1, "Names of values; an empty one leaves an optional input out.")
  FIELD_REPEATED_STR(utils::String, output, 2, "Names of values.")
  FIELD_STR(name, 3, "The node's own name.")
  FIELD_WORD(op_type, 4, "The operator.")
  FIELD_REPEATED(AttributeProto, attribute, 5, "Arguments, each name once.")
  FIELD_STR(doc_string, 6, "For people.", RARE)
  FIELD_WORD(domain, 7, "Whose operator; empty or absent for ONNX's own.", RARE)
  FIELD_STR(overload, 8, "Which function of that domain and name.", RARE)
  FIELD_REPEATED(StringStringEntryProto, metadata_props, 9, "Named texts.", RARE)
  FIELD_REPEATED(NodeDeviceConfigurationProto, device_configurations, 10, "How the node is spread over devices.", RARE)
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO(GraphProto, "Nodes in an order in which they can run, the constants they use, and what goes in and comes out.")
  FIELD_REPEATED(NodeProto, node, 1, "Sorted: a value is made before it is used.")
  FIELD_STR(name, 2, "The graph's name.")
  FIELD_REPEATED(TensorProto, initializer, 5, "Constants, and default values of inputs of the same name.")
  FIELD_STR(doc_string, 10, "For people.", RARE)
  FIELD_REPEATED(ValueInfoProto, input, 11, "What the graph is given.")
  FIELD_REPEATED(ValueInfoProto, output, 12, "What it gives.")
  FIELD_REPEATED(ValueInfoProto, value_info, 13, "What is known about values in between.")
  FIELD_REPEATED(TensorAnnotation, quantization_annotation, 14, "How tensors are quantized.", RARE)
  FIELD_REPEATED(SparseTensorProto, sparse_initializer, 15, "Constants that are sparse.", RARE)
  FIELD_REPEATED(StringStringEntryProto, metadata_props, 16, "Named texts.", RARE)
  SERIALIZATION_METHOD()
END_PROTO()

#define ONNX_LIGHT_GRAPH_MESSAGES(DO) DO(ValueInfoProto) DO(AttributeProto) DO(NodeProto) DO(GraphProto)

}  // namespace ONNX_LIGHT_NAMESPACE
