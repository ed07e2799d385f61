// Debian's libprotobuf with the classes that its protoc makes of the onnx.proto in the installed `onnx` package: on an arena, and on the
// heap.
#include "messages.h"
#include "onnx.pb.h"

namespace bench {
namespace {

class ArenaRoot {
 public:
  onnx::ModelProto& model() { return *model_; }
  const onnx::ModelProto& model() const { return *model_; }

 private:
  google::protobuf::Arena arena_;
  onnx::ModelProto* model_ = google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&arena_);
};

class HeapRoot {
 public:
  onnx::ModelProto& model() { return model_; }
  const onnx::ModelProto& model() const { return model_; }

 private:
  onnx::ModelProto model_;
};

}  // namespace

void AddLibprotobuf(Regions& regions) {
  Add<ParseModel<ArenaRoot>>(regions, "libprotobuf_arena.parse");
  Add<SerialiseModel<ArenaRoot>>(regions, "libprotobuf_arena.serialise");
  Add<CopyModel<ArenaRoot>>(regions, "libprotobuf_arena.copy");
  Add<DestroyModel<ArenaRoot>>(regions, "libprotobuf_arena.destroy");
  Add<ParseModel<HeapRoot>>(regions, "libprotobuf_heap.parse");
  Add<CopyModel<HeapRoot>>(regions, "libprotobuf_heap.copy");
  Add<DestroyModel<HeapRoot>>(regions, "libprotobuf_heap.destroy");
}

}  // namespace bench
