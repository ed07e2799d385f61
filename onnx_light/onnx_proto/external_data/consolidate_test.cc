#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <vector>

#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/onnx_helper.h"
#include "onnx_proto/testing/sample.h"
#include "onnx_proto/testing/tensor_everywhere.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::PlacesOfTensorEverywhere;
using testing_support::TensorEverywhere;

TEST(Consolidate, MovesThePayloadsOfEveryPlaceIntoOneBlock) {
  for (const int64_t alignment : {0, 1, 48, 64, 4096}) {
    ModelProto model = TensorEverywhere(21);
    const ModelProto before = model;
    TensorBufferOptions options;
    options.alignment = alignment;
    const std::shared_ptr<uint8_t[]> block = ConsolidateTensorsToBuffer(model, options);
    EXPECT_EQ(model, before);
    const auto step = static_cast<uintptr_t>(alignment ? alignment : 1);
    uintptr_t expected = reinterpret_cast<uintptr_t>(block.get());
    EXPECT_EQ(expected % step, 0u);
    size_t places = 0;
    for (TensorWalk walk(model); walk.Next(); ++places) {
      const utils::ByteSpan& payload = walk.tensor().raw_data();
      EXPECT_EQ(reinterpret_cast<uintptr_t>(payload.data()), expected) << walk.place();
      EXPECT_TRUE(payload.is_borrowed());
      EXPECT_NE(payload.owner(), nullptr);
      expected = (expected + 21 + step - 1) / step * step;
    }
    EXPECT_EQ(places, PlacesOfTensorEverywhere().size());
  }
}

TEST(Consolidate, LeavesTensorsBelowTheThresholdAsTheyAre) {
  ModelProto model = TensorEverywhere(21);
  TensorProto& large = *model.mutable_graph()->mutable_initializer(0);
  large.set_raw_data(std::string(1024, 'x'));
  const char text[] = "borrowed";
  model.mutable_graph()->add_initializer()->mutable_raw_data()->assign_borrowed(text, 8);
  ParseOptions options;  // its threshold is 1024, and every options object will do
  const auto block = ConsolidateTensorsToBuffer(model, options);
  EXPECT_EQ(large.raw_data().data(), block.get());
  EXPECT_EQ(model.graph().initializer(1).raw_data().data(), reinterpret_cast<const uint8_t*>(text));
  EXPECT_FALSE(model.graph().node(0).attribute(0).t().raw_data().is_borrowed());
  EXPECT_EQ(ConsolidateTensorsToBuffer(model,
                                       [] {
                                         TensorBufferOptions none;
                                         none.raw_data_threshold = 1025;
                                         return none;
                                       }()),
            nullptr);
}

TEST(Consolidate, TheBlockLivesAsLongAsAnyTensorOrTheResult) {
  std::optional<ModelProto> model = TensorEverywhere(21);
  std::shared_ptr<uint8_t[]> block = ConsolidateTensorsToBuffer(*model);
  const uint8_t* const at = block.get();
  TensorProto last = model->graph().initializer(0);
  model.reset();
  EXPECT_EQ(block[0], 'a');
  block.reset();
  EXPECT_GT(last.raw_data().data(), at);
  EXPECT_EQ(last.raw_data().view(), std::string(21, 'g'));
}

TEST(Consolidate, ATensorThatIsChangedGetsBytesOfItsOwn) {
  ModelProto model = TensorEverywhere(21);
  const auto block = ConsolidateTensorsToBuffer(model);
  model.mutable_graph()->mutable_initializer(0)->mutable_raw_data()->mutable_data()[0] = 'X';
  EXPECT_EQ(model.graph().initializer(0).raw_data().view(), "X" + std::string(20, 'g'));
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(block.get()) + size_t{21} * 8, 21), std::string(21, 'g'));
}

TEST(Consolidate, DeletersOfTheOldPayloadsRunOnceAndWhenAllHaveBeenMoved) {
  ModelProto model;
  const char text[] = "payload";
  std::vector<bool> all_moved;
  for (int i = 0; i < 3; ++i) {
    model.mutable_graph()->add_initializer()->set_raw_data_with_deleter(text, 7, [&] {
      bool moved = true;
      for (const TensorProto& tensor : model.graph().initializer())
        moved = moved && tensor.raw_data().data() != static_cast<const void*>(text);
      all_moved.push_back(moved);
    });
  }
  ConsolidateTensorsToBuffer(model);
  EXPECT_EQ(all_moved, (std::vector<bool>{true, true, true}));
}

TEST(Consolidate, AnImpossibleAlignmentChangesNothing) {
  ModelProto model = TensorEverywhere();
  for (const int64_t alignment : {int64_t{-1}, int64_t{1} << 31, INT64_MAX}) {
    TensorBufferOptions options;
    options.alignment = alignment;
    EXPECT_THROW(ConsolidateTensorsToBuffer(model, options), std::invalid_argument);
  }
  EXPECT_FALSE(model.graph().initializer(0).raw_data().is_borrowed());
  ModelProto empty;
  EXPECT_EQ(ConsolidateTensorsToBuffer(empty), nullptr);
}

TEST(ReleaseWeights, LetsGoOfWhatIsBorrowedAndOfNothingElse) {
  ModelProto model = TensorEverywhere();
  EXPECT_EQ(ReleaseWeights(model), 0u);
  int ends = 0;
  const char text[] = "payload";
  model.mutable_graph()->mutable_initializer(0)->set_raw_data_with_deleter(text, 7, [&] { ++ends; });
  EXPECT_EQ(ReleaseWeights(model), 7u);
  EXPECT_EQ(ends, 1);
  EXPECT_FALSE(model.graph().initializer(0).has_raw_data());
  EXPECT_TRUE(model.graph().node(0).attribute(0).t().has_raw_data());
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
