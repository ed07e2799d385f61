// Parses that let other threads run: what is to be called back waits until they are done.
#pragma once

#include <utility>
#include <vector>

#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/serialize_options.h"
#include "onnx_py/message_caster.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// What is parsed without the GIL must not call Python: callbacks are called afterwards. Nor does it look at the caller's options, which
// others may change meanwhile.
class Quiet {
 public:
  explicit Quiet(const ParseOptions& options) : options_(options), callback_(std::exchange(options_.raw_data_callback, nullptr)) {}
  const ParseOptions& options() const { return options_; }
  // The callable may do anything with the message: each tensor that it is to be told of is held before it is called. Gives the face of
  // the message itself where it has got one (a graph or tensor that was parsed alone): what that stands for afterwards is the result.
  Ref Call(const Table& table, Message& message) const {
    if (!callback_) return Ref();
    std::vector<std::pair<Ref, Ref>> places;
    for (MutableTensorWalk walk(table, message); walk.Next();) {
      if (!walk.tensor().has_raw_data()) continue;
      GraphProto* const graph = walk.graph();
      places.emplace_back(FaceOf(FaceTypeFor<TensorProto>(), walk.tensor()), graph ? FaceOf(FaceTypeFor<GraphProto>(), *graph) : None());
      if (!places.back().first || !places.back().second) throw nanobind::python_error();
    }
    Ref own_face = message.face() ? Ref::To(static_cast<PyObject*>(message.face())) : Ref();
    for (const auto& [tensor, graph] : places) {
      auto& parsed = static_cast<TensorProto&>(*AsMessage(tensor.get()).message);
      auto* const around = graph.get() == Py_None ? nullptr : static_cast<GraphProto*>(AsMessage(graph.get()).message);
      utils::Deleter deleter = callback_(parsed, around);
      // The callable may have made the face stand for another message.
      static_cast<TensorProto&>(*AsMessage(tensor.get()).message).attach_raw_data_deleter(std::move(deleter));
    }
    return own_face;
  }

 private:
  ParseOptions options_;
  const RawDataCallback callback_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::py
