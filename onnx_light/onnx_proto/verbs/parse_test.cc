#include "onnx_proto/verbs/parse.h"

#include <vector>

#include <gtest/gtest.h>

#include "onnx_proto/onnx.h"
#include "onnx_proto/testing/sample.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::ErrorOf;
using testing_support::RichModel;

std::string Bytes(std::initializer_list<int> bytes) {
  std::string made;
  for (const int byte : bytes) made.push_back(static_cast<char>(byte));
  return made;
}

TEST(Parse, BytesSurviveARoundTrip) {
  const std::string bytes = RichModel().SerializeAsString();
  for (const bool no_copy : {false, true}) {
    ParseOptions options;
    options.no_copy = no_copy;
    ModelProto model;
    model.ParseFromString(bytes, options);
    EXPECT_EQ(model, RichModel());
    EXPECT_EQ(model.SerializeAsString(), bytes);
    EXPECT_EQ(model.ByteSizeLong(), bytes.size());
    EXPECT_EQ(model.graph().node(1).attribute(2).i(), -5);
    EXPECT_EQ(model.graph().node(1).attribute(2).ints(0), 7);
    EXPECT_TRUE(model.graph().has_doc_string());
    EXPECT_EQ(model.graph().initializer(0).raw_data().is_borrowed(), no_copy);
  }
}

TEST(Parse, UnknownFieldsAndForeignWireTypesAreKeptAfterTheKnownOnes) {
  const std::string bytes(
      "\x3a\x02"
      "f1"
      "\x1a\x01"
      "n"
      "\xa0\x06\x05"
      "\x20\x07",
      12);  // domain, name, number 100, op_type as a varint
  NodeProto node;
  node.ParseFromString(bytes);
  EXPECT_EQ(node.view_name(), "n");
  EXPECT_FALSE(node.has_op_type());
  EXPECT_EQ(node.SerializeAsString(), std::string("\x1a\x01n\x3a\x02"
                                                  "f1\xa0\x06\x05\x20\x07",
                                                  12));
}

TEST(Parse, AnUnknownEnumNumberIsKeptInItsShortestForm) {
  for (const auto& [read, written] : {std::pair{Bytes({0xa0, 0x01, 0x8f, 0x00}), Bytes({0xa0, 0x01, 0x0f})},
                                      {Bytes({0xa0, 0x81, 0x00, 0x0f}), Bytes({0xa0, 0x01, 0x0f})},
                                      {Bytes({0xa0, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}),
                                       Bytes({0xa0, 0x01, 0xff, 0xff, 0xff, 0xff, 0x0f})}}) {
    AttributeProto attribute;
    attribute.ParseFromString(read);
    EXPECT_FALSE(attribute.has_type());
    EXPECT_EQ(attribute.SerializeAsString(), written);
  }
  AttributeProto cut;  // to 32 bits first, and then it is known
  cut.ParseFromString(Bytes({0xa0, 0x01, 0x81, 0x80, 0x80, 0x80, 0x10}));
  EXPECT_EQ(cut.type(), AttributeProto::FLOAT);
}

TEST(Parse, FieldCutShortAtAnyByteThrowsAndLeavesTheTargetAsItWas) {
  const std::string bytes = RichModel().SerializeAsString();
  int whole = 0;
  for (size_t n = 0; n < bytes.size(); ++n) {
    ModelProto target;
    target.set_domain("kept");
    const std::string cut = bytes.substr(0, n);  // of its own size, so that the sanitizer sees the first byte too far
    ParseOptions options;
    options.no_copy = true;
    if (ErrorOf([&] { target.ParseFromString(cut, options); }).empty()) {
      ++whole;
    } else {
      EXPECT_EQ(target.domain(), "kept");
      EXPECT_FALSE(target.has_graph());
    }
  }
  EXPECT_EQ(whole, 4);  // nothing at all, and the ends of the first three fields
}

TEST(Parse, ErrorsNamePlaceRuleAndValue) {
  ModelProto model;
  EXPECT_EQ(ErrorOf([&] {
              model.ParseFromString(
                  std::string_view("\x3a\x06\x0a\x04\x0a\x05"
                                   "ab",
                                   8));
            }),
            "ParseError: ModelProto.graph.node[0].input[0]: needs 5 bytes at offset 6, the input has 2 left");
  EXPECT_EQ(ErrorOf([&] {
              model.ParseFromString(
                  std::string_view("\x3a\x0a\x0a\x00\x0a\x06\x0a\x01"
                                   "a\x0a\x05"
                                   "b\x08\x01",
                                   14));
            }),
            "ParseError: ModelProto.graph.node[1].input[1]: needs 5 bytes at offset 11, its message has 1 left");
  EXPECT_EQ(ErrorOf([&] { model.ParseFromString("\x07"); }), "ParseError: ModelProto: field number 0 at offset 1");
  EXPECT_EQ(ErrorOf([&] { model.ParseFromString("\x0e"); }), "ParseError: ModelProto.ir_version: wire type 6 does not exist at offset 1");
  EXPECT_EQ(ErrorOf([&] { model.ParseFromString("\x3a\x02\x0a\x05"); }),
            "ParseError: ModelProto.graph.node[0]: needs 5 bytes at offset 4, the input has 0 left");
}

TEST(Parse, EveryChangedByteGivesAnErrorOrAMessageThatRoundTrips) {
  const std::string bytes = RichModel().SerializeAsString();
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (int value = 0; value < 256; value += 5) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(value);
      ModelProto model;
      if (!ErrorOf([&] { model.ParseFromString(changed); }).empty()) continue;
      ModelProto again;
      again.ParseFromString(model.SerializeAsString());
      EXPECT_EQ(again, model);
    }
  }
}

TEST(Parse, PackedAndUnpackedNumbersAreBothRead) {
  TensorProto tensor;
  tensor.ParseFromString(Bytes({0x0a, 0x02, 0x01, 0x02, 0x08, 0x03, 0x2a, 0x02, 0x01, 0x00, 0x28, 0x01, 0x2a, 0x01, 0x03}));
  EXPECT_EQ(tensor.dims(), (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(tensor.int32_data(), (std::vector<int32_t>{1, 0, 1, 3}));
  EXPECT_EQ(tensor.SerializeAsString(), Bytes({0x08, 0x01, 0x08, 0x02, 0x08, 0x03, 0x2a, 0x04, 0x01, 0x00, 0x01, 0x03}));
}

TEST(Parse, ALaterScalarWinsALaterMessageMergesAndALaterOneofMemberReplaces) {
  ModelProto model;
  model.ParseFromString(Bytes({0x08, 0x01, 0x08, 0x02, 0x3a, 0x03, 0x12, 0x01, 'a', 0x3a, 0x03, 0x52, 0x01, 'b'}));
  EXPECT_EQ(model.ir_version(), 2);
  EXPECT_EQ(model.graph().name(), "a");
  EXPECT_EQ(model.graph().doc_string(), "b");
  TypeProto type;
  type.ParseFromString(Bytes({0x0a, 0x02, 0x08, 0x01, 0x42, 0x00, 0x0a, 0x02, 0x12, 0x00}));
  EXPECT_EQ(type.value_case(), TypeProto::kTensorType);
  EXPECT_FALSE(type.tensor_type().has_elem_type());
  EXPECT_TRUE(type.tensor_type().has_shape());
}

TEST(Parse, NestingIsBoundedByTheOption) {
  TypeProto type;
  std::string nested;
  const auto wrap = [&](int levels) {
    nested.clear();
    for (int i = 0; i < levels; ++i) {
      const int size = static_cast<int>(nested.size());
      nested = Bytes({i % 2 ? 0x22 : 0x0a, (size & 0x7f) | 0x80, size >> 7}) + nested;
    }
  };
  wrap(400);
  EXPECT_NO_THROW(type.ParseFromString(nested));
  EXPECT_EQ(TypeProto(type), type);
  wrap(402);
  EXPECT_THROW(type.ParseFromString(nested), ParseError);
  ParseOptions options;
  options.max_recursion_depth = 3;
  wrap(4);
  EXPECT_THROW(type.ParseFromString(nested, options), ParseError);
}

TEST(Parse, BytesThatAreTooDeepToBeMergedChangeNothingWhateverTheOptionsAllow) {
  AttributeProto deep;
  deep.set_name("new");
  GraphProto* innermost = deep.mutable_g();
  for (int i = 0; i < 140; ++i) innermost = innermost->add_node()->add_attribute()->mutable_g();
  SerializeOptions written;
  ParseOptions read;
  written.max_recursion_depth = read.max_recursion_depth = 1000;
  const std::string bytes = deep.SerializeAsString(written);
  AttributeProto attribute;
  attribute.set_name("old");
  EXPECT_THROW(attribute.MergeFromString(bytes, read), ParseError);
  EXPECT_EQ(attribute.name(), "old");
  attribute.ParseFromString(bytes, read);
  EXPECT_EQ(attribute.name(), "new");
}

TEST(Parse, LimitsAreErrorsBeforeAnythingIsAllocated) {
  TensorProto tensor;
  tensor.set_raw_data(std::string(100, 'x'));
  const std::string bytes = tensor.SerializeAsString();
  ParseOptions options;
  options.max_tensor_size_bytes = 99;
  TensorProto read;
  EXPECT_THROW(read.ParseFromString(bytes, options), ParseError);
  options.max_tensor_size_bytes = 100;
  options.max_total_size_bytes = static_cast<int64_t>(bytes.size()) - 1;
  EXPECT_THROW(read.ParseFromString(bytes, options), ParseError);
  options.max_total_size_bytes = static_cast<int64_t>(bytes.size());
  read.ParseFromString(bytes, options);
  options.skip_raw_data = true;
  options.raw_data_threshold = 101;
  read.ParseFromString(bytes, options);
  EXPECT_TRUE(read.has_raw_data());
  options.raw_data_threshold = 100;
  read.ParseFromString(bytes, options);
  EXPECT_FALSE(read.has_raw_data());
}

TEST(Parse, OfTwoPayloadsTheLastOneCountsAlsoWhereItIsLeftOut) {
  TensorProto small, large;
  small.set_raw_data("small");
  large.set_raw_data(std::string(100, 'l'));
  ParseOptions options;
  options.skip_raw_data = true;
  options.raw_data_threshold = 100;
  TensorProto read;
  for (const bool no_copy : {false, true}) {
    options.no_copy = no_copy;
    const std::string large_last = small.SerializeAsString() + large.SerializeAsString();
    read.ParseFromString(large_last, options);
    EXPECT_FALSE(read.has_raw_data());
    const std::string small_last = large.SerializeAsString() + small.SerializeAsString();
    read.ParseFromString(small_last, options);
    EXPECT_EQ(read.raw_data().view(), "small");
  }
}

TEST(Parse, ParsingIntoOneMessageAgainAndAgainDoesNotGrowIt) {
  const std::string bytes = RichModel().SerializeAsString();
  ModelProto model;
  size_t used = 0;
  for (int i = 0; i < 20; ++i) {
    model.ParseFromString(bytes);
    model.mutable_graph()->mutable_node(0)->ParseFromString(model.graph().node(1).SerializeAsString());
    if (i == 0) used = model.arena()->bytes_used();
    EXPECT_EQ(model.arena()->bytes_used(), used);
  }
  for (int i = 0; i < 40; ++i) {  // a child stays in its root's arena; its pieces find their sizes within a few rounds
    model.mutable_graph()->ParseFromString(RichModel().graph().SerializeAsString());
    if (i == 10) used = model.arena()->bytes_used();
  }
  EXPECT_EQ(model.arena()->bytes_used(), used);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
