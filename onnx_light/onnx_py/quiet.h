// Parses that let other threads run: what is to be called back waits until they are done.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/serialize_options.h"
#include "onnx_py/message_caster.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// What is parsed without the GIL must not call Python: callbacks are called afterwards.
class Quiet {
 public:
  explicit Quiet(const ParseOptions& options) : options_(options) {
    if (options.raw_data_callback) copy_.emplace(options).raw_data_callback = nullptr;
  }
  const ParseOptions& options() const { return copy_ ? *copy_ : options_; }
  // The callable may do anything with the message: each tensor that it is to be told of is held before it is called. Gives the face of
  // the message itself where it has got one (a graph or tensor that was parsed alone): it would be emptied with its last face.
  Ref Call(const Table& table, Message& message) const {
    if (!copy_) return Ref();
    const RawDataCallback callback = options_.raw_data_callback;
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
      utils::Deleter deleter = callback(parsed, around);
      // The callable may have made the face stand for another message.
      static_cast<TensorProto&>(*AsMessage(tensor.get()).message).attach_raw_data_deleter(std::move(deleter));
    }
    return own_face;
  }

 private:
  const ParseOptions& options_;
  std::optional<ParseOptions> copy_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::py
