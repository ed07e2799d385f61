// The structural verifier: the rules of ONNX that need no knowledge of operators.
//
// Values are defined once and before they are used, at any depth; names that have to be there are there; attributes, tensors and types hold
// what they say they hold; every domain that is used is imported. What an operator takes and gives is not looked at.
// Everything throws ValidationError, with the place, the rule and the value; NestingError for graphs nested too deep.
#pragma once

#include <string_view>

#include "onnx_lib/graph/names.h"

namespace ONNX_LIGHT_NAMESPACE::graph {

ONNX_LIGHT_API void VerifyModel(const ModelProto& model);
ONNX_LIGHT_API void VerifyTensor(const TensorProto& tensor, int64_t ir_version);
ONNX_LIGHT_API void VerifySparseTensor(const SparseTensorProto& sparse, int64_t ir_version);
ONNX_LIGHT_API void VerifyValueInfo(const ValueInfoProto& value, int64_t ir_version);
/// An attribute by itself: its type and value, and the structure of graphs in it, which may use names that are defined elsewhere.
ONNX_LIGHT_API void VerifyAttribute(const AttributeProto& attribute, int64_t ir_version);

}  // namespace ONNX_LIGHT_NAMESPACE::graph
