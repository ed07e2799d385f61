// Small messages that others are made of.
#pragma once

#include "onnx_proto/messages/forward.h"

namespace ONNX_LIGHT_NAMESPACE {

BEGIN_PROTO(StringStringEntryProto, "One entry of a list of named texts.")
  FIELD_STR(key, 1, "What the entry is called.")
  FIELD_STR(value, 2, "What it says.")
  SERIALIZATION_METHOD()
END_PROTO()

BEGIN_PROTO(OperatorSetIdProto, "An operator set: whose operators, and which version of them.")
  FIELD_WORD(domain, 1, "Whose operators; empty or absent for ONNX's own.")
  FIELD(int64_t, version, 2, "The version of the set.")
  SERIALIZATION_METHOD()
END_PROTO()

#define ONNX_LIGHT_BASIC_MESSAGES(DO) DO(StringStringEntryProto) DO(OperatorSetIdProto)

}  // namespace ONNX_LIGHT_NAMESPACE
