// Telling a caller of each payload that was parsed.
#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/verbs/parse_source.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

void RunRawDataCallback(const Table& table, Message& message, const RawDataCallback& callback) {
  if (!callback) return;
  for (MutableTensorWalk walk(table, message); walk.Next();) {
    TensorProto& tensor = walk.tensor();
    if (tensor.has_raw_data()) tensor.attach_raw_data_deleter(callback(tensor, walk.graph()));
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
