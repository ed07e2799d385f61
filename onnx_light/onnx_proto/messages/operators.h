// Operator sets as files (onnx-operators).
#pragma once

#include "onnx_proto/messages/model.h"

namespace ONNX_LIGHT_NAMESPACE {

BEGIN_PROTO(OperatorProto, "An operator of a set.")
  FIELD_WORD(op_type, 1, "The operator's name.")
  FIELD(int64_t, since_version, 2, "The version of the set that brought it in this form.")
  FIELD(OperatorStatus, status, 3, "Whether it may still change.")
  FIELD_STR(doc_string, 10, "For people.", RARE)
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO(OperatorSetProto, "A set of operators and functions.")
  FIELD_STR(magic, 1, "The text ONNXOPSET.")
  FIELD(int64_t, ir_version, 2, "The version of the format.")
  FIELD_STR(ir_version_prerelease, 3, "The pre-release part of that version.", RARE)
  FIELD_WORD(domain, 4, "Whose operators.")
  FIELD(int64_t, opset_version, 5, "The version of the set.")
  FIELD_STR(doc_string, 6, "For people.", RARE)
  FIELD_STR(ir_build_metadata, 7, "The build part of that version.", RARE)
  FIELD_REPEATED(OperatorProto, operator_, 8, "The operators.")
  FIELD_REPEATED(FunctionProto, functions, 9, "The functions.")
  SERIALIZATION_METHOD()
END_PROTO()

#define ONNX_LIGHT_OPERATORS_MESSAGES(DO) DO(OperatorProto) DO(OperatorSetProto)

}  // namespace ONNX_LIGHT_NAMESPACE
