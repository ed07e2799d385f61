// Compiles the messages of messages/type.h.
#include "onnx_proto/verbs/instantiate.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

ONNX_LIGHT_TYPE_MESSAGES(ONNX_LIGHT_COMPILE)

}  // namespace ONNX_LIGHT_NAMESPACE::proto
