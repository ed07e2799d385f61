// The C++ calls that the design pages show, of the core: declaration, accessors, strings, payload ownership, streams.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "onnx_helper.h"
#include "onnx_proto/onnx.h"
#include "stream.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

TEST(Pages, ATensorTakesABufferFromMallocAndFreesItAtTheEnd) {
  int freed = 0;
  {
    const size_t size = 4 * sizeof(float);
    auto* buffer = static_cast<uint8_t*>(std::malloc(size));
    std::memset(buffer, 1, size);
    TensorProto tensor;
    tensor.set_data_type(TensorProto::DataType::FLOAT);
    tensor.ref_dims().push_back(4);
    tensor.set_raw_data_with_deleter(buffer, size, [buffer, &freed] {
      std::free(buffer);
      ++freed;
    });
    const TensorProto copy = tensor;
    EXPECT_EQ(tensor.ref_raw_data().data(), buffer);
    EXPECT_TRUE(tensor.raw_data().is_borrowed());
    tensor.Clear();
    EXPECT_EQ(copy.raw_data()[15], 1);
    EXPECT_EQ(freed, 0);
  }
  EXPECT_EQ(freed, 1);
}

TEST(Pages, ADeleterThatDoesNothingIsAsGoodAsBorrowing) {
  static const uint8_t kBytes[3] = {1, 2, 3};
  TensorProto with;
  with.set_raw_data_with_deleter(kBytes, sizeof kBytes, [] {});
  TensorProto without;
  without.ref_raw_data().assign_borrowed(kBytes, sizeof kBytes);
  EXPECT_EQ(with, without);
  EXPECT_TRUE(with.raw_data().is_borrowed());
  EXPECT_TRUE(without.raw_data().is_borrowed());
  EXPECT_TRUE(without.has_raw_data());
}

TEST(Pages, ASpanTakesADeleterAndMoreCanBeAttached) {
  std::string order;
  {
    TensorProto tensor;
    tensor.ref_raw_data().assign_with_deleter("abc", 3, [&] { order += "span "; });
    tensor.attach_raw_data_deleter([&] { order += "tensor "; });
    tensor.ref_raw_data().attach_deleter([&] { order += "again "; });
    EXPECT_TRUE(order.empty());
  }
  EXPECT_EQ(order, "again tensor span ");
}

TEST(Pages, OptionsShareABaseAndHaveTheirOwnThresholds) {
  EXPECT_EQ(TensorBufferOptions().raw_data_threshold, 0);
  EXPECT_EQ(TensorBufferOptions().alignment, 0);
  EXPECT_EQ(ParseOptions().raw_data_threshold, 1024);
  EXPECT_EQ(SerializeOptions().raw_data_threshold, kSmallTensorDataThresholdBytes);
  EXPECT_EQ(kSmallTensorDataThresholdBytes, 64);
  const auto threshold = [](const TensorBufferOptions& options) { return options.raw_data_threshold; };
  EXPECT_EQ(threshold(ParseOptions()), 1024);
  EXPECT_EQ(threshold(SerializeOptions()), 64);
}

TEST(Pages, ParsingCopiesUnlessItIsToldToBorrow) {
  ModelProto source;
  source.mutable_graph()->add_initializer()->set_raw_data("payload");
  const std::string bytes = source.SerializeAsString();
  ModelProto model;
  model.ParseFromString(bytes);
  EXPECT_FALSE(model.graph().initializer(0).raw_data().is_borrowed());
  ParseOptions options;
  options.no_copy = true;
  model.ParseFromString(bytes, options);
  const utils::ByteSpan& raw = model.graph().initializer(0).raw_data();
  EXPECT_TRUE(raw.is_borrowed());
  EXPECT_EQ(raw.owner(), nullptr);
  EXPECT_GE(reinterpret_cast<const char*>(raw.data()), bytes.data());
  EXPECT_LT(reinterpret_cast<const char*>(raw.data()), bytes.data() + bytes.size());
}

TEST(Pages, MovingPreservesHowThePayloadIsOwned) {
  const auto token = std::make_shared<std::string>("kept alive");
  ModelProto model;
  GraphProto* graph = model.mutable_graph();
  graph->add_initializer()->set_raw_data("owned");
  graph->add_initializer()->ref_raw_data().assign_borrowed("borrowed", 8);
  graph->add_initializer()->ref_raw_data().assign_borrowed(token->data(), token->size(), token);
  ModelProto moved = std::move(model);
  EXPECT_FALSE(moved.graph().initializer(0).raw_data().is_borrowed());
  EXPECT_TRUE(moved.graph().initializer(1).raw_data().is_borrowed());
  EXPECT_EQ(moved.graph().initializer(1).raw_data().owner(), nullptr);
  EXPECT_EQ(moved.graph().initializer(2).raw_data().owner().get(), token->data());
  EXPECT_EQ(token.use_count(), 2);
  moved = ModelProto();
  EXPECT_EQ(token.use_count(), 1);
}

TEST(Pages, AModelGoesThroughAFileStream) {
  const std::string path = (std::filesystem::temp_directory_path() / ("onnx_light_pages_" + std::to_string(::rand()) + ".onnx")).string();
  ModelProto model;
  model.set_ir_version(10);
  {
    utils::FileWriteStream out(path);
    SerializeProtoToStream(model, out, SerializeOptions());
  }
  ModelProto read;
  utils::FileStream stream(path);
  ParseOptions options;
  ParseProtoFromStream(read, stream, options);
  EXPECT_EQ(read, model);
  std::filesystem::remove(path);
  const std::string bytes = model.SerializeAsString();
  utils::StringStream memory(bytes);
  ModelProto again;
  ParseModelProtoFromStream(again, memory);
  utils::StringWriteStream written;
  SerializeModelProtoToStream(again, written);
  EXPECT_EQ(written.str(), bytes);
}

TEST(Pages, StringsAreStandardStrings) {
  NodeProto node;
  node.ref_input().push_back("x");
  const std::string& input = node.ref_input()[0];
  EXPECT_EQ(input, "x");
  node.ref_name() = std::string("n");
  node.ref_doc_string() = "from chars";
  node.ref_domain() = utils::RefString("from a view", 11);
  const std::string& name = node.str_name();
  EXPECT_EQ(name, "n");
  EXPECT_FALSE(node.ref_name().null());
  EXPECT_TRUE(node.ref_op_type().null());
  EXPECT_TRUE(node.ref_op_type().value().empty());
  EXPECT_STREQ(node.ref_op_type().c_str(), "");
  node.ref_op_type().mutable_ref() = "Relu";
  EXPECT_TRUE(node.has_op_type());
  for (utils::String& each : node.ref_input()) each += "!";
  EXPECT_EQ(node.input(0), "x!");
}

TEST(Pages, AModelIsPassedByReferenceAndCopiedByTheAssignmentSign) {
  const auto work = [](const ModelProto& model) {
    ModelProto copy = model;
    copy.mutable_graph()->set_name("changed");
    return copy;
  };
  ModelProto model;
  model.mutable_graph()->set_name("as it was");
  EXPECT_EQ(work(model).graph().name(), "changed");
  EXPECT_EQ(model.graph().name(), "as it was");
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
