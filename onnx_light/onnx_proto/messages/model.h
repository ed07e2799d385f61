// Models: a graph, the functions it calls, and what it takes to read them.
#pragma once

#include "onnx_proto/messages/graph.h"

namespace ONNX_LIGHT_NAMESPACE {

BEGIN_PROTO(FunctionProto, "A function of the model: called by nodes whose domain, op_type and overload name it.")
  FIELD_STR(name, 1, "The function's name.")
  FIELD_REPEATED_STR(utils::String, input, 4, "Names of its formal inputs.")
  FIELD_REPEATED_STR(utils::String, output, 5, "Names of its formal outputs.")
  FIELD_REPEATED_STR(utils::String, attribute, 6, "Names of attributes without a default value.")
  FIELD_REPEATED(NodeProto, node, 7, "The body, sorted like a graph's.")
  FIELD_STR(doc_string, 8, "For people.", RARE)
  FIELD_REPEATED(OperatorSetIdProto, opset_import, 9, "The operator sets the body uses.")
  FIELD_WORD(domain, 10, "Whose function.")
  FIELD_REPEATED(AttributeProto, attribute_proto, 11, "Attributes with their default values.", RARE)
  FIELD_REPEATED(ValueInfoProto, value_info, 12, "What is known about values of the body.", RARE)
  FIELD_STR(overload, 13, "Tells functions of one domain and name apart.", RARE)
  FIELD_REPEATED(StringStringEntryProto, metadata_props, 14, "Named texts.", RARE)
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO(TrainingInfoProto, "How the model's constants are set up and trained.")
  FIELD(GraphProto, initialization, 1, "Run once: gives first values.")
  FIELD(GraphProto, algorithm, 2, "Run once a step: gives new values.")
  FIELD_REPEATED(StringStringEntryProto, initialization_binding, 3, "By constant, the output of `initialization` that sets it.")
  FIELD_REPEATED(StringStringEntryProto, update_binding, 4, "By constant, the output of `algorithm` that updates it.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO(ModelProto, "A model: its graph and what it takes to read it.")
  FIELD(int64_t, ir_version, 1, "The version of the format: a Version.")
  FIELD_STR(producer_name, 2, "The tool that made the model.")
  FIELD_STR(producer_version, 3, "The tool's version.")
  FIELD_STR(domain, 4, "The model's name space.")
  FIELD(int64_t, model_version, 5, "The model's own version.")
  FIELD_STR(doc_string, 6, "For people.", RARE)
  FIELD(GraphProto, graph, 7, "What to run.")
  FIELD_REPEATED(OperatorSetIdProto, opset_import, 8, "The operator sets the graph uses, each domain once.")
  FIELD_REPEATED(StringStringEntryProto, metadata_props, 14, "Named texts.", RARE)
  FIELD_REPEATED(TrainingInfoProto, training_info, 20, "How to train it.", RARE)
  FIELD_REPEATED(FunctionProto, functions, 25, "The functions its nodes call.", RARE)
  FIELD_REPEATED(DeviceConfigurationProto, configuration, 26, "The sets of devices it can run on.", RARE)
  SERIALIZATION_METHOD()
END_PROTO()

#define ONNX_LIGHT_MODEL_MESSAGES(DO) DO(FunctionProto) DO(TrainingInfoProto) DO(ModelProto)

}  // namespace ONNX_LIGHT_NAMESPACE
