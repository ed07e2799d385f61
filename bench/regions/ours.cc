// This library.
#include "onnx_proto/onnx.h"
#include "onnx_proto/storage/block_cache.h"

#include "messages.h"

namespace bench {
namespace {

struct OurRoot {
  ONNX_LIGHT_NAMESPACE::ModelProto& model() { return model_; }
  const ONNX_LIGHT_NAMESPACE::ModelProto& model() const { return model_; }

 private:
  ONNX_LIGHT_NAMESPACE::ModelProto model_;
};

// Strings and payloads point into the source, which outlives the model.
class ParseBorrowing : public ParseModel<OurRoot> {
 public:
  using ParseModel<OurRoot>::ParseModel;
  void Act() override {
    ONNX_LIGHT_NAMESPACE::ParseOptions options;
    options.no_copy = true;
    root_->model().ParseFromString(bytes(), options);
  }
};

}  // namespace

// The block of a 1 GiB model and its structure is larger than that.
void KeepOurFreedMemory() { ONNX_LIGHT_NAMESPACE::proto::LimitKeptHugeBlocks(size_t{2} << 30); }

void AddOurs(Regions& regions) {
  Add<ParseModel<OurRoot>>(regions, "ours.parse");
  Add<ParseBorrowing>(regions, "ours.parse_no_copy");
  Add<SerialiseModel<OurRoot>>(regions, "ours.serialise");
  Add<DestroyModel<OurRoot>>(regions, "ours.destroy");
  Add<CopyModel<OurRoot>>(regions, "ours.copy");
  Add<CompareModels<OurRoot>>(regions, "ours.equal");
}

}  // namespace bench
