#include <gtest/gtest.h>

#include <clocale>
#include <ctime>

#include "onnx_proto/onnx_text.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

template <class M>
std::string WhyNot(const std::string& text, M& message) {
  try {
    FromOnnxSyntax(text, message);
  } catch (const OnnxSyntaxError& error) {
    return error.what();
  }
  return "it is";
}

template <class M>
M Read(std::string_view text) {
  M message;
  FromOnnxSyntax(text, message);
  return message;
}

template <class M>
void ExpectSameAgain(const M& message) {
  EXPECT_EQ(Read<M>(ToOnnxSyntax(message)), message) << ToOnnxSyntax(message);
}

TEST(OnnxSyntax, ModelIsReadAndPrinted) {
  const auto model = Read<ModelProto>(R"(<ir_version: 8, opset_import: ["" : 17]>
    # a comment
    agraph (float[N, 2] x, seq(float) s) => (float[] y) <float[2] w = {1, 2.5}, int64 k> {
      [first] t, = my.domain.Op:over <a = 1, b: floats = [1, inf], c = float[1] {-0.0}> (x, , w)
      y = If (t) <then_branch = g () => (float z) { z = Neg (t) }>
    }
    <domain: "my.domain"> Op <q, r: int = 3> (x) => (y) { y = Abs (x) })");
  EXPECT_EQ(model.ir_version(), 8);
  EXPECT_EQ(model.graph().node(0).input_size(), 3);
  EXPECT_EQ(model.graph().node(0).view_domain(), "my.domain");
  EXPECT_EQ(model.graph().node(1).attribute(0).g().node(0).view_op_type(), "Neg");
  EXPECT_EQ(model.graph().initializer(0).float_data(1), 2.5F);
  EXPECT_EQ(model.functions(0).attribute_proto(0).i(), 3);
  ExpectSameAgain(model);
}

TEST(OnnxSyntax, ErrorsNameLineColumnAndWhatWasExpected) {
  NodeProto node;
  node.set_name("kept");
  EXPECT_EQ(WhyNot("y = Neg\n  x)", node), "OnnxSyntaxError: line 2, column 3: expected '(', found \"x\"");
  EXPECT_EQ(WhyNot("y = Neg (x", node), "OnnxSyntaxError: line 1, column 11: expected ')', found the end of the text");
  EXPECT_EQ(WhyNot("y = A <a: int = 1.5> ()", node),
            "OnnxSyntaxError: line 1, column 17: expected a value of type int, found one of type float");
  EXPECT_EQ(WhyNot("y = A () @{\n op: 1}", node), "OnnxSyntaxError: line 2, column 2, NodeProto: NodeProto has no field \"op\"");
  EXPECT_EQ(node.view_name(), "kept");
}

TEST(OnnxSyntax, NotesHoldWhatTheSyntaxHasNoWordsFor) {
  NodeProto node;
  node.set_op_type("Neg");
  node.set_doc_string("two\nlines");
  EXPECT_EQ(ToOnnxSyntax(node), "    = Neg () #@{-domain doc_string: \"two\\nlines\"}\n");
  ExpectSameAgain(node);
  TensorProto tensor;
  tensor.set_data_type(TensorProto::INT8);
  tensor.add_dims(2);
  tensor.set_raw_data("\x01\xff");
  EXPECT_EQ(ToOnnxSyntax(tensor), "int8[2] {1,-1} #@{raw -name}\n");
  ExpectSameAgain(tensor);
}

// What the fuzzer found: an empty string's bytes lie nowhere, which memcpy does not take.
TEST(OnnxSyntax, EmptyNamesArePrinted) {
  const auto node = Read<NodeProto>(", y = Neg (, x)");
  EXPECT_EQ(ToOnnxSyntax(node), "   \"\", y = Neg (\"\", x)\n");
  ExpectSameAgain(node);
}

TEST(OnnxSyntax, TextIsTheSameInEveryLocale) {
  AttributeProto attribute;
  attribute.set_name("a");
  attribute.set_type(AttributeProto::FLOAT);
  attribute.set_f(1234.5F);
  const char* const german = std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(ToOnnxSyntax(attribute), "a: float = 1234.5");
  ExpectSameAgain(attribute);
  if (german) std::setlocale(LC_ALL, "C");
}

// Seconds of processor time of the fastest of some rounds.
template <class Act>
double Seconds(const Act& act) {
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    const std::clock_t start = std::clock();
    act();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

TEST(OnnxSyntax, TimeGrowsWithTheTextAndNotFaster) {
  const auto text_of = [](int count) {
    GraphProto graph;
    graph.set_name("g");
    for (int i = 0; i < count; ++i) {
      NodeProto& node = *graph.add_node();
      node.set_op_type("Neg");
      node.set_doc_string("d");
      node.add_input("x" + std::to_string(i));
      graph.add_value_info()->set_name("v");
    }
    return ToOnnxSyntax(graph);
  };
  const std::string small = text_of(2000);
  const std::string large = text_of(32000);
  const double once = Seconds([&] { Read<GraphProto>(small); });
  EXPECT_LT(Seconds([&] { Read<GraphProto>(large); }), 80 * once + 0.01);  // 16, were both in the cache
}

TEST(OnnxSyntax, TextIsHandedOverInPieces) {
  TensorProto tensor;
  tensor.set_data_type(TensorProto::INT64);
  for (int i = 0; i < 100'000; ++i) tensor.add_int64_data(i);
  size_t largest = 0;
  std::string all;
  WriteOnnxSyntax(tensor, [&](std::string_view piece) {
    largest = std::max(largest, piece.size());
    all.append(piece);
  });
  EXPECT_LE(largest, 16u << 10);
  EXPECT_EQ(Read<TensorProto>(all).int64_data_size(), 100'000);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
