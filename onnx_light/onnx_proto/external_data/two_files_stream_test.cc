#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <vector>

#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/onnx_files.h"
#include "onnx_proto/onnx_helper.h"
#include "onnx_proto/testing/folder.h"
#include "onnx_proto/testing/sample.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::Pattern;

ModelProto Weights() {
  ModelProto model = testing_support::RichModel();
  for (const size_t size : {size_t{5} << 20, size_t{3000}, size_t{10}}) {
    TensorProto* const tensor = model.mutable_graph()->add_initializer();
    tensor->set_name(std::to_string(size));
    tensor->set_data_type(TensorProto::UINT8);
    tensor->add_dims(static_cast<int64_t>(size));
    tensor->set_raw_data(Pattern(size));
  }
  return model;
}

class TwoFilesTest : public testing_support::FolderTest {
 protected:
  void Save(const ModelProto& model) const {
    utils::TwoFilesWriteStream out(Path("m.onnx"), Path("m.data"));
    SerializeModelProtoToStream(model, out);
  }
  ModelProto Load(const ParseOptions& options = {}, const std::string& weights = "m.data") const {
    utils::TwoFilesStream in(Path("m.onnx"), Path(weights));
    ModelProto model;
    ParseModelProtoFromStream(model, in, options);
    return model;
  }
};

TEST_F(TwoFilesTest, AModelAndItsWeightsGoToTwoFilesAndComeBack) {
  const ModelProto model = Weights();
  Save(model);
  EXPECT_EQ(model, Weights());
  EXPECT_LT(std::filesystem::file_size(Path("m.onnx")), 3000u);
  EXPECT_GE(std::filesystem::file_size(Path("m.data")), (5u << 20) + 3000);
  for (const bool no_copy : {false, true}) {
    ParseOptions options;
    options.no_copy = no_copy;
    const ModelProto loaded = Load(options);  // the stream is gone
    for (int i = 1; i < 4; ++i) {
      const utils::ByteSpan& raw = loaded.graph().initializer(i).raw_data();
      EXPECT_EQ(raw, model.graph().initializer(i).raw_data());
      EXPECT_EQ(raw.is_borrowed(), no_copy && raw.size() > 64) << raw.size();  // the smallest stays in the model's file
      EXPECT_NE(raw.owner(), nullptr);
    }
  }
}

TEST_F(TwoFilesTest, TheWeightsMayHaveAnotherNameThanTheModelHasForThem) {
  Save(Weights());
  std::filesystem::rename(Path("m.data"), Path("moved"));
  EXPECT_EQ(Load({}, "moved").graph().initializer(1).raw_data().view(), Pattern(5 << 20));
  EXPECT_ANY_THROW(Load());
}

TEST_F(TwoFilesTest, TheCallbackIsToldOfThePayloadsOfBothFilesAndWhatItThrowsLeavesTheTarget) {
  Save(Weights());
  std::vector<size_t> sizes;
  ParseOptions options;
  options.raw_data_callback = [&](TensorProto& tensor, GraphProto*) -> std::function<void()> {
    sizes.push_back(tensor.raw_data().size());
    return {};
  };
  Load(options);
  EXPECT_EQ(sizes, (std::vector<size_t>{8, 5 << 20, 3000, 10}));
  options.raw_data_callback = [](TensorProto&, GraphProto*) -> std::function<void()> { throw std::out_of_range("stop"); };
  ModelProto model = testing_support::RichModel();
  utils::TwoFilesStream in(Path("m.onnx"), Path("m.data"));
  EXPECT_THROW(model.ParseFromStream(in, options), std::out_of_range);
  EXPECT_EQ(model, testing_support::RichModel());
}

TEST_F(TwoFilesTest, OnlyModelsAreWrittenToTwoFiles) {
  utils::TwoFilesWriteStream out(Path("m.onnx"), Path("m.data"));
  EXPECT_THROW(TensorProto().SerializeToStream(out), SerializeError);
  EXPECT_THROW(out.Write("bytes"), SerializeError);
  EXPECT_EQ(Files(), 0u);
  EXPECT_THROW(utils::TwoFilesStream(Path("none"), Path("m.data")), FileError);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
