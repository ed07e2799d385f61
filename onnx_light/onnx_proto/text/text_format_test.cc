// What protobuf's own output cannot prove: errors and their places, wholeness, limits, streaming. The rest is in tests/test_text_forms.py.
#include <gtest/gtest.h>

#include <clocale>

#include "onnx_proto/onnx_text.h"
#include "onnx_proto/testing/sample.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::ErrorOf;
using testing_support::RichModel;

template <class M = ModelProto>
M Read(std::string_view text, const TextFormatParseOptions& options = {}) {
  M message;
  FromTextFormat(text, message, options);
  return message;
}

std::string Repeated(std::string_view piece, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(TextFormat, ReadsWhatItPrints) {
  const ModelProto model = RichModel();
  for (const NumberStyle numbers : {NumberStyle::kShort, NumberStyle::kPython}) {
    for (const bool as_one_line : {false, true}) {
      for (const bool as_utf8 : {false, true}) {
        EXPECT_EQ(Read(ToTextFormat(model, {numbers, as_one_line, !as_utf8, as_utf8})), model);
      }
    }
  }
  EXPECT_EQ(ToTextFormat(model), model.DebugString());
}

TEST(TextFormat, PrintsInPiecesThatMakeUpTheWhole) {
  TensorProto tensor;
  tensor.set_raw_data(std::string(100'000, '\xff'));
  tensor.set_name(Repeated("é", 50'000));
  size_t pieces = 0;
  std::string text;
  WriteTextFormat(tensor, [&](std::string_view piece) {
    ++pieces;
    EXPECT_LE(piece.size(), 16u << 10);
    text += piece;
  });
  EXPECT_GT(pieces, 25u);
  EXPECT_EQ(text, tensor.DebugString());
  EXPECT_EQ(Read<TensorProto>(text), tensor);
}

TEST(TextFormat, WhatTheSinkThrowsEndsThePrinting) {
  EXPECT_THROW(WriteTextFormat(RichModel(), [](std::string_view) { throw FileError("full", 28); }), FileError);
}

TEST(TextFormat, ErrorsNameLineColumnPathRuleAndWhatWasFound) {
  const auto error = [](std::string_view text) { return ErrorOf([&] { Read(text); }); };
  EXPECT_EQ(error("graph {\n  node { }\n  node {\n    name: 7\n  }\n}"),
            "TextParseError: line 4, column 11, ModelProto.graph.node[1].name: expected a string, found \"7\"");
  EXPECT_EQ(error("graph { node { } node { opt: 1 } }"),
            "TextParseError: line 1, column 25, ModelProto.graph.node[1]: NodeProto has no field \"opt\"");
  EXPECT_EQ(error("producer_name: \"é\" ir_version 1"),
            "TextParseError: line 1, column 31, ModelProto.ir_version: expected ':', found \"1\"");
  EXPECT_EQ(error("graph {"), "TextParseError: line 1, column 8, ModelProto.graph: expected '}', found the end of the text");
  EXPECT_EQ(error("graph { node { attribute { ints: [1, 2, x] } } }"),
            "TextParseError: line 1, column 41, ModelProto.graph.node[0].attribute[0].ints[2]: expected an integer of at most 64 bits, "
            "found \"x\"");
  EXPECT_EQ(error("domain: \"a\\q\""), "TextParseError: line 1, column 11, ModelProto.domain: there is no such escape");
  EXPECT_EQ(error("domain: \"a\n\""), "TextParseError: line 1, column 9, ModelProto.domain: the string does not end on its line");
  EXPECT_EQ(error("ir_version: 1 ir_version: 2"), "TextParseError: line 1, column 15, ModelProto: ModelProto.ir_version is given twice");
  EXPECT_EQ(ErrorOf([] { Read<TypeProto>("tensor_type { } map_type { }"); }),
            "TextParseError: line 1, column 17, TypeProto: of value one member can be set; tensor_type is, before map_type");
  EXPECT_EQ(ErrorOf([] { Read<TensorProto>("data_type: 2147483648"); }),
            "TextParseError: line 1, column 12, TensorProto.data_type: 2147483648 is no int32");
  EXPECT_EQ(
      ErrorOf([] { Read<AttributeProto>("type: NONE"); }),
      "TextParseError: line 1, column 7, AttributeProto.type: expected a name or number of AttributeProto.AttributeType, found \"NONE\"");
}

TEST(TextFormat, ErrorsCarryTheirPlace) {
  try {
    Read("\n\n  x: 1");
    FAIL();
  } catch (const TextParseError& error) {
    EXPECT_EQ(error.line(), 3u);
    EXPECT_EQ(error.column(), 3u);
  }
}

TEST(TextFormat, CutShortAnywhereLeavesTheTargetAsItWas) {
  const ModelProto before = RichModel();
  const std::string text = ToTextFormat(before);
  size_t refused = 0;
  for (size_t n = 0; n < text.size(); ++n) {
    ModelProto target = before;
    try {
      FromTextFormat(std::string_view(text).substr(0, n), target);
    } catch (const TextParseError&) {
      ++refused;
      ASSERT_EQ(target, before) << n;
    }
  }
  EXPECT_GT(refused, text.size() * 9 / 10);
}

TEST(TextFormat, ReplacesAPartOfAMessageInItsPlace) {
  ModelProto model = RichModel();
  GraphProto* const graph = model.mutable_graph();
  EXPECT_THROW(FromTextFormat("name: 1", *graph), TextParseError);
  EXPECT_EQ(model, RichModel());
  FromTextFormat("name: \"new\"", *graph);
  EXPECT_EQ(model.mutable_graph(), graph);
  EXPECT_EQ(graph->DebugString(), "name: \"new\"\n");
}

TEST(TextFormat, MayCutItsSourceOutOfTheTarget) {
  NodeProto node;
  node.set_doc_string("name: \"a\" doc_string: \"b\"");
  FromTextFormat(node.doc_string(), node);
  EXPECT_EQ(ToTextFormat(node), "name: \"a\"\ndoc_string: \"b\"\n");
}

TEST(TextFormat, NestsAsDeepAsAllVerbsAndNoDeeper) {
  const std::string deep = Repeated("sequence_type<elem_type<", 200) + Repeated(">>", 200);
  const TypeProto type = Read<TypeProto>(deep);
  EXPECT_EQ(Read<TypeProto>(ToTextFormat(type)), type);
  EXPECT_EQ(ErrorOf([&] { Read<TypeProto>(Repeated("sequence_type{elem_type{", 200) + "sequence_type{"); }).substr(0, 36),
            "TextParseError: line 1, column 4814,");
  EXPECT_THROW(Read<TypeProto>(deep, {.max_recursion_depth = 399}), TextParseError);
  EXPECT_THROW(Read<TypeProto>("sequence_type { }", {.max_recursion_depth = 0}), TextParseError);
}

TEST(TextFormat, TakesTimeInProportionToItsInput) {  // or this test does not end
  const size_t many = 300'000;
  EXPECT_EQ(Read<TensorProto>(Repeated("dims:1 ", many)).dims_size(), static_cast<int>(many));
  EXPECT_EQ(Read<TensorProto>("raw_data:" + Repeated("'ab'", many)).raw_data().size(), 2 * many);
  EXPECT_EQ(Read<TensorProto>("name:\"" + Repeated("\\101", many) + "\"").name().size(), many);
  EXPECT_THROW(Read<TensorProto>(Repeated("\n", many) + "x"), TextParseError);
  EXPECT_THROW(Read<TensorProto>(Repeated("#", many) + "\nf"), TextParseError);
  EXPECT_THROW(Read<AttributeProto>("f: 1e" + Repeated("9", many) + "x"), TextParseError);
}

TEST(TextFormat, DoesNotCareForTheLocale) {
  const char* const found = std::setlocale(LC_ALL, "de_DE.UTF-8");
  AttributeProto attribute;
  attribute.set_f(1234567.5f);
  EXPECT_EQ(ToTextFormat(attribute), "f: 1234567.5\n");
  EXPECT_EQ(Read<AttributeProto>("f: 0.5").f(), 0.5f);
  if (found) std::setlocale(LC_ALL, "C");
}

TEST(TextFormat, AnEnumNumberWithoutANameIsPrintedAsANumber) {
  AttributeProto attribute;
  attribute.set_type(static_cast<AttributeProto::AttributeType>(77));
  EXPECT_EQ(ToTextFormat(attribute), "type: 77\n");
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
