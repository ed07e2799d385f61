// Who keeps the bytes of tensors alive after each way of loading, and what copying, moving, overwriting and clearing do to that.
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "onnx_proto/onnx_helper.h"
#include "onnx_proto/testing/folder.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::Pattern;

constexpr size_t kLarge = 2 << 20;

ModelProto TwoTensors() {
  ModelProto model;
  for (const size_t size : {kLarge, size_t{3000}}) {
    TensorProto* const tensor = model.mutable_graph()->add_initializer();
    tensor->set_name(std::to_string(size));
    tensor->set_raw_data(Pattern(size));
  }
  return model;
}

enum class Owner { kTensor, kCaller, kShared };

// What a span says of itself.
Owner OwnerOf(const utils::ByteSpan& payload) {
  if (!payload.is_borrowed()) return Owner::kTensor;
  return payload.owner() ? Owner::kShared : Owner::kCaller;
}

class OwnershipTest : public testing_support::FolderTest {
 protected:
  OwnershipTest() { Put("m", bytes_); }
  void Expect(const ModelProto& model, Owner owner) const {
    EXPECT_EQ(model, TwoTensors());
    for (const TensorProto& tensor : model.graph().initializer()) EXPECT_EQ(OwnerOf(tensor.raw_data()), owner) << tensor.name();
  }
  ModelProto FromFile(bool no_copy, FileLoadMode mode = FileLoadMode::AUTO) const {
    ParseOptions options;
    options.no_copy = no_copy;
    options.file_load_mode = mode;
    utils::FileStream stream(Path("m"));
    ModelProto model;
    ParseModelProtoFromStream(model, stream, options);
    return model;
  }
  ModelProto FromBytes(bool no_copy) const {
    ParseOptions options;
    options.no_copy = no_copy;
    ModelProto model;
    model.ParseFromString(bytes_, options);
    return model;
  }
  const std::string bytes_ = TwoTensors().SerializeAsString();
};

TEST_F(OwnershipTest, OfASingleFileTensorsOwnCopiesWithAndWithoutNoCopy) {
  Expect(FromFile(false), Owner::kTensor);
  Expect(FromFile(true), Owner::kTensor);
}

TEST_F(OwnershipTest, OfAMappedFileTensorsShareTheMapping) { Expect(FromFile(true, FileLoadMode::MMAP), Owner::kShared); }

TEST_F(OwnershipTest, OfBytesTensorsOwnCopiesOrTheCallerKeepsThemAlive) {
  Expect(FromBytes(false), Owner::kTensor);
  const ModelProto model = FromBytes(true);
  Expect(model, Owner::kCaller);
  const utils::ByteSpan& raw = model.graph().initializer(0).raw_data();
  EXPECT_TRUE(raw.view().data() > bytes_.data() && raw.end() <= reinterpret_cast<const uint8_t*>(bytes_.data()) + bytes_.size());
}

TEST_F(OwnershipTest, OfAConsolidatedModelTensorsShareTheBuffer) {
  ModelProto model = FromFile(false);
  ConsolidateTensorsToBuffer(model);
  Expect(model, Owner::kShared);
}

TEST_F(OwnershipTest, MovingAndCopyingKeepItAndCopiesShareTheBytes) {
  const auto modes = {Owner::kTensor, Owner::kCaller, Owner::kShared};
  for (const Owner owner : modes) {
    ModelProto model = owner == Owner::kTensor   ? FromFile(false)
                       : owner == Owner::kCaller ? FromBytes(true)
                                                 : FromFile(true, FileLoadMode::MMAP);
    const uint8_t* const at = model.graph().initializer(0).raw_data().data();
    ModelProto moved = std::move(model);
    Expect(moved, owner);
    EXPECT_EQ(moved.graph().initializer(0).raw_data().data(), at);
    ModelProto copy = moved;
    Expect(copy, owner);
    EXPECT_EQ(copy.graph().initializer(0).raw_data().data(), at);
    copy.mutable_graph()->mutable_initializer(0)->mutable_raw_data()->mutable_data()[0] ^= 1;  // copy on write
    EXPECT_EQ(OwnerOf(copy.graph().initializer(0).raw_data()), Owner::kTensor);
    Expect(moved, owner);
    model = std::move(moved);
    Expect(model, owner);
  }
}

TEST_F(OwnershipTest, ADeleterRunsOnceWithTheLastCopyHoweverEachOneEnds) {
  using End = void (*)(TensorProto&);
  const End ends[] = {[](TensorProto& tensor) { tensor.set_raw_data("overwritten"); },
                      [](TensorProto& tensor) { tensor.clear_raw_data(); },
                      [](TensorProto& tensor) { tensor.Clear(); },
                      [](TensorProto& tensor) { tensor = TensorProto(); },
                      [](TensorProto& tensor) { tensor.CopyFrom(TensorProto()); },
                      [](TensorProto& tensor) { tensor.ParseFromString("\x4a\x01x"); },
                      [](TensorProto& tensor) { tensor.MergeFromString("\x4a\x01x"); },
                      [](TensorProto& tensor) { tensor.mutable_raw_data()->resize(3); },
                      [](TensorProto& tensor) { tensor.mutable_raw_data()->mutable_data(); },
                      [](TensorProto& tensor) { tensor.ref_raw_data().clear(); },
                      [](TensorProto& tensor) { tensor.ref_raw_data().assign("x"); },
                      [](TensorProto& tensor) { tensor.ref_raw_data().assign_borrowed("x", 1); },
                      [](TensorProto& tensor) { tensor.release_raw_data(); }};
  for (const End& end : ends) {
    for (const bool copied : {false, true}) {
      int runs = 0;
      {
        const auto block = std::make_unique<char[]>(10);
        TensorProto tensor;
        tensor.set_raw_data_with_deleter(block.get(), 10, [&] { ++runs; });
        tensor.attach_raw_data_deleter([&] { runs += 10; });
        TensorProto moved = std::move(tensor);
        std::optional<TensorProto> copy;
        if (copied) copy = moved;
        EXPECT_EQ(runs, 0);
        end(moved);
        EXPECT_EQ(runs, copied ? 0 : 11);
        if (copied) end(*copy);
        EXPECT_EQ(runs, 11);
      }
      EXPECT_EQ(runs, 11);
    }
  }
}

TEST_F(OwnershipTest, ADeleterWithoutAnActionAndAnOwnerAreAsBorrowing) {
  const char text[] = "1234";
  TensorProto tensor;
  tensor.set_raw_data_with_deleter(text, 4, {});
  EXPECT_EQ(OwnerOf(tensor.raw_data()), Owner::kCaller);
  auto owner = std::make_shared<std::string>("5678");
  tensor.ref_raw_data().assign_borrowed(owner->data(), 4, owner);
  EXPECT_EQ(owner.use_count(), 2);
  std::shared_ptr<void> kept = tensor.raw_data().owner();
  tensor.clear_raw_data();
  EXPECT_EQ(owner.use_count(), 2);
  kept.reset();
  EXPECT_EQ(owner.use_count(), 1);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
