// Compiles the messages of messages/device.h.
#include "onnx_proto/verbs/instantiate.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

ONNX_LIGHT_DEVICE_MESSAGES(ONNX_LIGHT_COMPILE)

}  // namespace ONNX_LIGHT_NAMESPACE::proto
