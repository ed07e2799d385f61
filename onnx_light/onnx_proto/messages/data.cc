// Compiles the messages of messages/data.h.
#include "onnx_proto/verbs/instantiate.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

ONNX_LIGHT_DATA_MESSAGES(ONNX_LIGHT_COMPILE)

}  // namespace ONNX_LIGHT_NAMESPACE::proto
