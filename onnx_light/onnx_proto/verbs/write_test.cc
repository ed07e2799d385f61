#include "onnx_proto/verbs/write.h"

#include <gtest/gtest.h>

#include <sstream>
#include <thread>
#include <vector>

#include "onnx_proto/onnx.h"
#include "onnx_proto/testing/sample.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::RichModel;

TEST(Write, FieldsComeInTheOrderOfTheirNumbersHoweverTheyWereSet) {
  OperatorSetIdProto opset;
  opset.set_version(300);
  opset.set_domain("d");
  EXPECT_EQ(opset.SerializeAsString(),
            "\x0a\x01"
            "d\x10\xac\x02");
}

TEST(Write, WhatIsSetButEmptyOrZeroIsWritten) {
  AttributeProto attribute;
  attribute.set_name("");
  attribute.set_f(0);
  attribute.set_i(0);
  attribute.mutable_t();
  attribute.set_type(AttributeProto::UNDEFINED);
  EXPECT_EQ(attribute.SerializeAsString(), std::string("\x0a\0\x15\0\0\0\0\x18\0\x2a\0\xa0\x01\0", 14));
}

TEST(Write, NegativeNumbersTakeTenBytesAndPackedListsOneTag) {
  TensorProto tensor;
  tensor.add_int32_data(-1);
  tensor.add_int32_data(1);
  tensor.add_dims(-1);
  const std::string ten = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
  EXPECT_EQ(tensor.SerializeAsString(), "\x08" + ten + "\x2a\x0b" + ten + "\x01");
  EXPECT_EQ(tensor.ByteSizeLong(), 24u);
}

TEST(Write, VarintsOfEveryLengthAreReadBack) {
  TensorProto tensor;
  for (int bits = 0; bits < 64; ++bits) {
    const uint64_t one = uint64_t{1} << bits;
    for (const uint64_t unsigned_value : {one, one - 1, 0 - one}) {
      const auto value = static_cast<int64_t>(unsigned_value);
      tensor.add_dims(value);
      tensor.add_int64_data(value);
      tensor.add_uint64_data(unsigned_value);
      tensor.add_int32_data(static_cast<int32_t>(value));
    }
  }
  const std::string bytes = tensor.SerializeAsString();
  EXPECT_EQ(tensor.ByteSizeLong(), bytes.size());
  TensorProto read;
  read.ParseFromString(bytes);
  EXPECT_EQ(read, tensor);
}

TEST(Write, StringsOfEveryLengthAreReadBack) {
  NodeProto node;
  std::string text;
  for (int i = 0; i < 300; ++i) {
    node.add_input(text);
    text.push_back(static_cast<char>(i));
  }
  node.set_name(std::string(5000000, 'n'));  // longer than any segment
  const std::string bytes = node.SerializeAsString();
  EXPECT_EQ(node.ByteSizeLong(), bytes.size());
  NodeProto read;
  read.ParseFromString(bytes);
  EXPECT_EQ(read, node);
}

TEST(Write, PayloadsOfEverySizeAroundTheOneThatIsNotCopied) {
  GraphProto graph;
  for (const size_t size : {0, 1, 4095, 4096, 4097, 16383, 16384, 16385, 100000}) {
    TensorProto* tensor = graph.add_initializer();
    tensor->set_raw_data(std::string(size, static_cast<char>(size)));
    tensor->set_name("after");
    tensor->add_uint64_data(size);
  }
  const std::string bytes = graph.SerializeAsString();
  EXPECT_EQ(graph.ByteSizeLong(), bytes.size());
  GraphProto read;
  read.ParseFromString(bytes);
  EXPECT_EQ(read, graph);
  EXPECT_TRUE(read.initializer(0).has_raw_data());
  const GraphProto copy = read;
  EXPECT_EQ(copy.SerializeAsString(), bytes);
}

TEST(Write, EveryWayOutGivesTheSameBytes) {
  const ModelProto model = RichModel();
  const std::string bytes = model.SerializeAsString();
  std::string text = "overwritten";
  EXPECT_TRUE(model.SerializeToString(&text));
  EXPECT_EQ(text, bytes);
  EXPECT_TRUE(model.SerializeToString(text));
  EXPECT_EQ(text, bytes);
  std::ostringstream out;
  EXPECT_TRUE(model.SerializeToOstream(&out));
  EXPECT_EQ(out.str(), bytes);
  utils::StringWriteStream stream;
  EXPECT_TRUE(model.SerializeToStream(stream));
  EXPECT_EQ(stream.str(), bytes);
  EXPECT_EQ(stream.size(), bytes.size());
}

TEST(Write, AnArrayThatIsTooSmallIsLeftAsItWas) {
  const ModelProto model = RichModel();
  const std::string bytes = model.SerializeAsString();
  std::string array(bytes.size() + 1, '#');
  for (const size_t size : {size_t{0}, size_t{1}, bytes.size() - 1}) {
    EXPECT_FALSE(model.SerializeToArray(array.data(), size));
    EXPECT_EQ(array, std::string(bytes.size() + 1, '#'));
  }
  EXPECT_TRUE(model.SerializeToArray(array.data(), bytes.size()));
  EXPECT_EQ(array, bytes + "#");
  EXPECT_TRUE(ModelProto().SerializeToArray(nullptr, 0));
}

TEST(Write, OptionsLimitTheSizeAndLeavePayloadsOut) {
  ModelProto model = RichModel();
  const std::string whole = model.SerializeAsString();
  SerializeOptions options;
  options.max_serialized_size_bytes = static_cast<int64_t>(whole.size());
  EXPECT_EQ(model.SerializeAsString(options), whole);
  options.max_serialized_size_bytes -= 1;
  EXPECT_THROW(model.SerializeAsString(options), SerializeError);
  options.max_serialized_size_bytes = -1;
  options.skip_raw_data = true;
  EXPECT_EQ(model.SerializeAsString(options), whole);  // eight bytes are below the threshold
  options.raw_data_threshold = 8;
  const std::string without = model.SerializeAsString(options);
  model.mutable_graph()->mutable_initializer(0)->clear_raw_data();
  EXPECT_EQ(without, model.SerializeAsString());
}

TEST(Write, DepthIsBoundedByTheOptionWhateverItsValue) {
  TypeProto type;
  type.mutable_sequence_type()->mutable_elem_type()->mutable_tensor_type();  // three below the outermost
  SerializeOptions options;
  for (const int32_t depth : {-5, 0, 1, 2}) {
    options.max_recursion_depth = depth;
    EXPECT_THROW(type.SerializeAsString(options), SerializeError) << depth;
  }
  for (const int32_t depth : {3, 4, INT32_MAX}) {
    options.max_recursion_depth = depth;
    EXPECT_EQ(type.SerializeAsString(options), type.SerializeAsString()) << depth;
  }
  ParseOptions parsing;
  for (const int32_t depth : {-5, 0, 2}) {
    parsing.max_recursion_depth = depth;
    EXPECT_THROW(TypeProto().ParseFromString(type.SerializeAsString(), parsing), ParseError) << depth;
  }
  parsing.max_recursion_depth = 3;
  TypeProto read;
  read.ParseFromString(type.SerializeAsString(), parsing);
  EXPECT_EQ(read, type);
}

TEST(Write, NoOptionAllowsMoreThanTheStackCanTake) {
  std::string bytes;
  for (int i = 0; i < 30000; ++i) {  // types in sequences in types
    std::string length;
    for (size_t rest = bytes.size(); length.empty() || rest; rest >>= 7)
      length.push_back(static_cast<char>((rest & 0x7f) | (rest >> 7 ? 0x80 : 0)));
    bytes.insert(0, (i % 2 ? "\x22" : "\x0a") + length);
  }
  ParseOptions parsing;
  parsing.max_recursion_depth = INT32_MAX;
  EXPECT_THROW(TypeProto().ParseFromString(bytes, parsing), ParseError);
  EXPECT_THROW(TypeProto().ParseFromString(std::string(100000, '\xa3'), parsing), ParseError);
  std::string groups;
  for (int i = 0; i < 30000; ++i) groups += "\xa3\x06";
  EXPECT_THROW(TypeProto().ParseFromString(groups, parsing), ParseError);
  AttributeProto deep;
  GraphProto* graph = deep.mutable_g();
  for (int i = 0; i < 30000; ++i) graph = graph->add_node()->add_attribute()->mutable_g();
  SerializeOptions writing;
  writing.max_recursion_depth = INT32_MAX;
  EXPECT_THROW(deep.SerializeAsString(writing), SerializeError);
}

TEST(Write, AConstMessageMayBeReadWrittenCopiedAndComparedByManyThreads) {
  const ModelProto model = RichModel();
  const std::string bytes = RichModel().SerializeAsString();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 3; ++round) {
        if (i % 2) {
          for (const NodeProto& node : model.graph().node()) {
            EXPECT_EQ(node.name(), node.view_name());
            EXPECT_EQ(node.input(0), node.view_input(0));
            EXPECT_EQ(node.str_domain(), "");
            for (const AttributeProto& attribute : node.attribute()) EXPECT_EQ(attribute.doc_string(), attribute.view_doc_string());
          }
        }
        const ModelProto copy = model;
        EXPECT_EQ(copy, model);
        EXPECT_EQ(copy.SerializeAsString(), bytes);
        EXPECT_EQ(model.SerializeAsString(), bytes);
        EXPECT_EQ(model.DebugString(), copy.DebugString());
        ModelProto merged;
        merged.MergeFrom(model);
        EXPECT_EQ(merged, model);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Write, OneOptionsObjectServesManyThreads) {
  const ParseOptions options;
  const std::string bytes = RichModel().SerializeAsString();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      ModelProto model;
      for (int round = 0; round < 5; ++round) model.ParseFromString(bytes, options);
      EXPECT_EQ(model.SerializeAsString(), bytes);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
