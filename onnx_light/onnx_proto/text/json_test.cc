// What json_format's own output cannot prove: errors and their places, wholeness, limits, streaming. The rest is in
// tests/test_text_forms.py.
#include <gtest/gtest.h>

#include "onnx_proto/onnx_text.h"
#include "onnx_proto/testing/sample.h"
#include "onnx_proto/text/json_names.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::ErrorOf;
using testing_support::RichModel;

template <class M = ModelProto>
M Read(std::string_view text, const JsonParseOptions& options = {}) {
  M message;
  FromJson(text, message, options);
  return message;
}

std::string Repeated(std::string_view piece, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(Json, ReadsWhatItPrints) {
  const ModelProto model = RichModel();
  EXPECT_EQ(Read(ToJson(model)), model);
  JsonOptions options;
  options.preserving_proto_field_name = options.sort_keys = options.use_integers_for_enums = true;
  options.always_print_fields_with_no_presence = true;
  options.ensure_ascii = false;
  for (const std::optional<int> indent : {std::optional<int>(), std::optional(-1), std::optional(0), std::optional(9)}) {
    options.indent = indent;
    EXPECT_EQ(Read(ToJson(model, options)), model);
  }
}

TEST(Json, CamelNamesDropUnderscoresAndRaiseTheNextLetter) {
  EXPECT_EQ(proto::CamelName("ir_version"), "irVersion");
  EXPECT_EQ(proto::CamelName("a_b_c"), "aBC");
  EXPECT_EQ(proto::CamelName("int32_data"), "int32Data");
  EXPECT_EQ(proto::CamelName("dim_1"), "dim1");
  EXPECT_EQ(proto::CamelName("plain"), "plain");
}

TEST(Json, PrintsInPiecesThatMakeUpTheWhole) {
  TensorProto tensor;
  tensor.set_raw_data(std::string(100'000, '\xff'));
  tensor.set_name(Repeated("é", 50'000));
  std::string text;
  WriteJson(tensor, [&](std::string_view piece) {
    EXPECT_LE(piece.size(), 16u << 10);
    text += piece;
  });
  EXPECT_EQ(text, ToJson(tensor));
  EXPECT_EQ(Read<TensorProto>(text), tensor);
}

TEST(Json, EveryLengthOfBytesSurvives) {
  std::string bytes;
  for (int i = 0; i < 2000; ++i) {
    TensorProto tensor;
    tensor.set_raw_data(bytes);
    tensor.add_string_data(bytes);
    ASSERT_EQ(Read<TensorProto>(ToJson(tensor)), tensor) << i;
    bytes.push_back(static_cast<char>(i * 37));
  }
}

TEST(Json, StringsThatAreNotUtf8CannotBePrinted) {
  NodeProto node;
  node.set_name("a\xff");
  EXPECT_EQ(ErrorOf([&] { ToJson(node); }), "NodeProto.name is not UTF-8, and JSON has no other strings");
  EXPECT_THROW(ToJson(node), SerializeError);
}

TEST(Json, ErrorsNameLineColumnPathRuleAndWhatWasFound) {
  const auto error = [](std::string_view text) { return ErrorOf([&] { Read(text); }); };
  EXPECT_EQ(error("{\n  \"graph\": {\n    \"node\": [{}, {\"name\": 7}]\n  }\n}"),
            "JsonParseError: line 3, column 27, ModelProto.graph.node[1].name: expected a string, found \"7\"");
  EXPECT_EQ(error("{\"graph\": {\"node\": [{\"opt\": 1}]}}"),
            "JsonParseError: line 1, column 22, ModelProto.graph.node[0]: NodeProto has no field \"opt\"");
  EXPECT_EQ(error("{\"domain\": \"é\" 1"), "JsonParseError: line 1, column 16, ModelProto: expected '}', found \"1\"");
  EXPECT_EQ(error("{\"graph\": "), "JsonParseError: line 1, column 11, ModelProto.graph: expected '{', found the end of the text");
  EXPECT_EQ(error("{\"irVersion\": 1.5}"),
            "JsonParseError: line 1, column 15, ModelProto.ir_version: expected an integer of type int64, found \"1.5\"");
  EXPECT_EQ(error("{\"domain\": \"\\q\"}"), "JsonParseError: line 1, column 13, ModelProto.domain: there is no such escape");
  EXPECT_EQ(error("{\"domain\": \"\xff\"}"), "JsonParseError: line 1, column 12, ModelProto.domain: the string is not UTF-8");
  EXPECT_EQ(error("{\"irVersion\": 1, \"ir_version\": 2}"),
            "JsonParseError: line 1, column 18, ModelProto: ModelProto.ir_version is given twice");
  EXPECT_EQ(error("{\"graph\": {\"node\": [null]}}"),
            "JsonParseError: line 1, column 21, ModelProto.graph.node[0]: null is no element of a list");
  EXPECT_EQ(ErrorOf([] { Read<TensorProto>("{\"rawData\": \"AA?A\"}"); }),
            "JsonParseError: line 1, column 16, TensorProto.raw_data: this is not base64");
  EXPECT_EQ(ErrorOf([] { Read<TypeProto>("{\"tensorType\": {}, \"mapType\": {}}"); }),
            "JsonParseError: line 1, column 20, TypeProto: of value one member can be set; tensor_type is, before map_type");
}

TEST(Json, CutShortAnywhereLeavesTheTargetAsItWas) {
  const ModelProto before = RichModel();
  const std::string text = ToJson(before);
  for (size_t n = 0; n < text.size(); ++n) {
    ModelProto target = before;
    ASSERT_THROW(FromJson(std::string_view(text).substr(0, n), target), JsonParseError) << n;
    ASSERT_EQ(target, before) << n;
  }
}

TEST(Json, ReplacesAPartOfAMessageInItsPlace) {
  ModelProto model = RichModel();
  GraphProto* const graph = model.mutable_graph();
  EXPECT_THROW(FromJson("{\"name\": 1}", *graph), JsonParseError);
  EXPECT_EQ(model, RichModel());
  FromJson("{\"name\": \"new\"}", *graph);
  EXPECT_EQ(model.mutable_graph(), graph);
  EXPECT_EQ(graph->DebugString(), "name: \"new\"\n");
}

TEST(Json, NestsAsDeepAsAllVerbsAndNoDeeper) {
  const std::string level = "{\"sequenceType\":{\"elemType\":";
  const TypeProto type = Read<TypeProto>(Repeated(level, 200) + "{}" + Repeated("}}", 200));
  EXPECT_EQ(Read<TypeProto>(ToJson(type, {.indent = std::nullopt})), type);
  EXPECT_THROW(Read<TypeProto>(Repeated(level, 201) + "{}" + Repeated("}}", 201)), JsonParseError);
  EXPECT_THROW(Read<TypeProto>("{\"sequenceType\":{}}", {.max_recursion_depth = 0}), JsonParseError);
}

TEST(Json, WhatIsSkippedNestsNoDeeperEither) {
  const JsonParseOptions skipping{.ignore_unknown_fields = true};
  const auto lists = [](size_t count) { return "{\"x\":" + Repeated("[", count) + Repeated("]", count) + "}"; };
  EXPECT_EQ(Read<TypeProto>(lists(400), skipping), TypeProto());
  EXPECT_THROW(Read<TypeProto>(lists(401), skipping), JsonParseError);
}

TEST(Json, TakesTimeInProportionToItsInput) {  // or this test does not end
  const size_t many = 300'000;
  EXPECT_EQ(Read<TensorProto>("{\"dims\":[" + Repeated("1,", many) + "1]}").dims_size(), static_cast<int>(many) + 1);
  EXPECT_EQ(Read<TensorProto>("{\"name\":\"" + Repeated("\\u0041", many) + "\"}").name().size(), many);
  EXPECT_THROW(Read<TensorProto>(Repeated("\n", many) + "x"), JsonParseError);
  EXPECT_EQ(Read<TensorProto>("{" + Repeated("\"x\":{\"x\":[]},", many) + "\"name\":\"a\"}", {.ignore_unknown_fields = true}).name(), "a");
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
