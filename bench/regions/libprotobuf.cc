// Debian's libprotobuf with the classes that its protoc makes of the onnx.proto in the installed `onnx` package: on an arena as it is by
// default, on one with large blocks, and on the heap.
#include "messages.h"
#include "onnx.pb.h"

namespace bench {
namespace {

// The default: from 256 bytes to 8 KiB. With up to 1 MiB it is faster, with more no more so.
enum class Blocks { kDefault, kLarge };

google::protobuf::ArenaOptions Options(Blocks blocks) {
  google::protobuf::ArenaOptions options;
  if (blocks == Blocks::kLarge) {
    options.start_block_size = size_t{64} << 10;
    options.max_block_size = size_t{1} << 20;
  }
  return options;
}

template <Blocks blocks>
class ArenaRoot {
 public:
  onnx::ModelProto& model() { return *model_; }
  const onnx::ModelProto& model() const { return *model_; }

 private:
  google::protobuf::Arena arena_{Options(blocks)};
  onnx::ModelProto* model_ = google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&arena_);
};

class HeapRoot {
 public:
  onnx::ModelProto& model() { return model_; }
  const onnx::ModelProto& model() const { return model_; }

 private:
  onnx::ModelProto model_;
};

template <Blocks blocks>
void AddArena(Regions& regions, const std::string& side) {
  using Root = ArenaRoot<blocks>;
  Add<ParseModel<Root>>(regions, (side + ".parse").c_str());
  Add<SerialiseModel<Root>>(regions, (side + ".serialise").c_str());
  Add<CopyModel<Root>>(regions, (side + ".copy").c_str());
  Add<DestroyModel<Root>>(regions, (side + ".destroy").c_str());
}

}  // namespace

void AddLibprotobuf(Regions& regions) {
  AddArena<Blocks::kDefault>(regions, "libprotobuf_arena");
  AddArena<Blocks::kLarge>(regions, "libprotobuf_large_blocks");
  Add<ParseModel<HeapRoot>>(regions, "libprotobuf_heap.parse");
  Add<CopyModel<HeapRoot>>(regions, "libprotobuf_heap.copy");
  Add<DestroyModel<HeapRoot>>(regions, "libprotobuf_heap.destroy");
}

}  // namespace bench
