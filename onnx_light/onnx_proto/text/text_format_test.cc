// Protobuf text format as printed by DebugString. The expected texts were compared with what protobuf prints (tests/oracle does so at random).
#include <gtest/gtest.h>

#include <clocale>
#include <limits>

#include "onnx_proto/onnx.h"
#include "onnx_proto/text/utf8.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

std::string Printed(std::string_view text) {
  NodeProto node;
  node.set_name(text);
  return node.DebugString();
}
std::string PrintedBytes(std::string_view bytes) {
  AttributeProto attribute;
  attribute.set_s(bytes);
  return attribute.DebugString();
}
std::string Printed(float number) {
  AttributeProto attribute;
  attribute.set_f(number);
  return attribute.DebugString();
}
std::string Printed(double number) {
  TensorProto tensor;
  tensor.add_double_data(number);
  return tensor.DebugString();
}

TEST(TextFormat, FieldsComeByNumberMessagesAreIndented) {
  ModelProto model;
  model.mutable_graph()->set_name("g");
  NodeProto* node = model.mutable_graph()->add_node();
  node->add_output("y");
  node->add_input("x");
  node->add_input("");
  node->add_attribute()->set_type(AttributeProto::INTS);
  model.set_ir_version(-1);
  model.add_opset_import();
  EXPECT_EQ(model.DebugString(),
            "ir_version: -1\n"
            "graph {\n"
            "  node {\n"
            "    input: \"x\"\n"
            "    input: \"\"\n"
            "    output: \"y\"\n"
            "    attribute {\n"
            "      type: INTS\n"
            "    }\n"
            "  }\n"
            "  name: \"g\"\n"
            "}\n"
            "opset_import {\n"
            "}\n");
  EXPECT_EQ(ModelProto().DebugString(), "");
}

TEST(TextFormat, AFieldNamedLikeAWordOfCppPrintsWithoutTheUnderscore) {
  OperatorSetProto set;
  set.add_operator_()->set_op_type("Op");
  EXPECT_EQ(set.DebugString(), "operator {\n  op_type: \"Op\"\n}\n");
}

TEST(TextFormat, TextKeepsUtf8AndEscapesTheRest) {
  EXPECT_EQ(Printed("a\n\r\t\"'\\b"), "name: \"a\\n\\r\\t\\\"\\'\\\\b\"\n");
  EXPECT_EQ(Printed("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), "name: \"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"\n");
  EXPECT_EQ(Printed(std::string_view("\0\x01\x7f", 3)), "name: \"\\000\\001\\177\"\n");
  EXPECT_EQ(Printed("\xff\xc3"), "name: \"\\377\\303\"\n");
  EXPECT_EQ(PrintedBytes("\xc3\xa9"), "s: \"\\303\\251\"\n");
}

TEST(TextFormat, NumbersHaveAsManyDigitsAsTheyNeed) {
  EXPECT_EQ(Printed(0.5f), "f: 0.5\n");
  EXPECT_EQ(Printed(1.0f), "f: 1\n");
  EXPECT_EQ(Printed(0.1f), "f: 0.1\n");
  EXPECT_EQ(Printed(1.0f / 3), "f: 0.333333343\n");
  EXPECT_EQ(Printed(1e10f), "f: 1e+10\n");
  EXPECT_EQ(Printed(123456789.0f), "f: 123456792\n");
  EXPECT_EQ(Printed(-0.0f), "f: -0\n");
  EXPECT_EQ(Printed(std::numeric_limits<float>::denorm_min()), "f: 1.4013e-45\n");
  EXPECT_EQ(Printed(std::numeric_limits<float>::infinity()), "f: inf\n");
  EXPECT_EQ(Printed(-std::numeric_limits<float>::infinity()), "f: -inf\n");
  EXPECT_EQ(Printed(std::numeric_limits<float>::quiet_NaN()), "f: nan\n");
  EXPECT_EQ(Printed(-std::numeric_limits<float>::quiet_NaN()), "f: nan\n");
  EXPECT_EQ(Printed(0.1), "double_data: 0.1\n");
  EXPECT_EQ(Printed(1.0 / 3), "double_data: 0.33333333333333331\n");
  EXPECT_EQ(Printed(std::numeric_limits<double>::denorm_min()), "double_data: 4.94065645841247e-324\n");
  TensorProto tensor;
  tensor.add_uint64_data(~uint64_t{0});
  tensor.add_int64_data(INT64_MIN);
  EXPECT_EQ(tensor.DebugString(), "int64_data: -9223372036854775808\nuint64_data: 18446744073709551615\n");
}

TEST(TextFormat, ALocaleChangesNothing) {
  const std::string before = setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
    if (!setlocale(LC_ALL, name)) continue;
    EXPECT_EQ(Printed(0.5f), "f: 0.5\n");
  }
  setlocale(LC_ALL, before.c_str());
}

TEST(TextFormat, UnknownFieldsAreNotShownAndEnumsWithoutANameAreNumbers) {
  AttributeProto attribute;
  attribute.ParseFromString("\xa0\x01\x63\xa0\x06\x01");
  EXPECT_EQ(attribute.DebugString(), "");
  attribute.set_type(static_cast<AttributeProto::AttributeType>(-3));
  EXPECT_EQ(attribute.DebugString(), "type: -3\n");
}

TEST(Utf8, KnowsWellFormedSequencesFromTheRest) {
  using proto::IsUtf8;
  for (const char* good : {"", "a", "\xc2\x80", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(IsUtf8(good));
  }
  for (const char* bad : {"\x80", "\xc1\x80", "\xc2", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
                          "\xe2\x82", "a\xff"}) {
    EXPECT_FALSE(IsUtf8(bad));
  }
  EXPECT_TRUE(IsUtf8(std::string_view("\0", 1)));
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
