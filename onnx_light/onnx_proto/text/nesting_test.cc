// What is nested is read as deep as it is printed and written, in every form.
#include <gtest/gtest.h>

#include "onnx_proto/onnx_text.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

std::string Repeated(std::string_view piece, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += piece;
  return text;
}

template <class Error, class Act>
bool Fits(const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_NE(std::string_view(error.what()).find("nested deeper than"), std::string_view::npos) << error.what();
    return false;
  }
  return true;
}

// Whether the wire takes the message; all forms must do as it does.
template <class M>
bool FitsInEveryForm(const std::string& syntax) {
  M message;
  FromOnnxSyntax(syntax, message, {.max_recursion_depth = 2000});
  const bool fits = Fits<SerializeError>([&] { message.SerializeAsString(); });
  M read;
  EXPECT_EQ(Fits<OnnxSyntaxError>([&] { FromOnnxSyntax(syntax, read); }), fits) << syntax.substr(0, 100);
  std::string printed;
  EXPECT_EQ(Fits<NestingError>([&] { printed = ToOnnxSyntax(message); }), fits) << syntax.substr(0, 100);
  std::string text;
  EXPECT_EQ(Fits<NestingError>([&] { text = ToTextFormat(message, {.as_one_line = true}); }), fits) << syntax.substr(0, 100);
  std::string json;
  EXPECT_EQ(Fits<NestingError>([&] { json = ToJson(message, {.indent = std::nullopt}); }), fits) << syntax.substr(0, 100);
  if (!fits) return false;
  EXPECT_EQ(read, message);
  FromOnnxSyntax(printed, read);
  EXPECT_EQ(read, message);
  FromTextFormat(text, read);
  EXPECT_EQ(read, message);
  FromJson(json, read);
  EXPECT_EQ(read, message);
  return true;
}

// Each as the attribute of a node in a graph. None has the same depth under all four roots.
constexpr std::string_view kInnermost[] = {
    "a = 1",
    "a: ints = [1, 2]",
    "a: int = @b",
    "a = float[2] {1, 2}",
    "a = float {1}",
    "a = int8[2] w {1, 2} #@{raw}\n",
    "a = string[1] {\"s\"}",
    "a = float[2] w [\"location\": \"w\"]",
    "a: tensor = @{data_type: 99}",
    "a: tensor = @{segment {begin: 1}}",
    "a: tensors = [float[1] {1}, @{data_type: 99}]",
    "a: type_proto = float",
    "a: type_proto = float[]",
    "a: type_proto = float[?, N]",
    "a: type_proto = sparse_tensor(float[2])",
    "a: type_proto = opaque(a, b)",
    "a: type_proto = @{denotation: \"d\"}",
    "a: type_proto = map(int64, seq(float[1]))",
    "a: type_protos = [float[], float[2]]",
    "a = float[2]",
    "a = seq(optional(float[]))",
    "a: sparse_tensor = @{dims: 1}",
    "a: sparse_tensor = @{values {dims: 1}}",
    "a: graph = @{name: \"g\"}",
    "a = g () => () { }",
    "a = g (x) => (float y) { }",
    "a = g (float[2] x = {1, 2}) => () { }",
    "a = g () => () <float[2] w = {1, 2}> { }",
    "a = g () => () <float w = {1}> { }",
    "a = g () => () <w = @{data_type: 99}> { }",
    "a = g () => () <float[2] w = [\"location\": \"w\"]> { }",
    "a = g () => () <float[2] v> { }",
    "a = g () => () <float[] v, seq(float) w> { }",
    "a = g () => () <v> { }",
    "a = g () => () @{sparse_initializer {values {name: \"v\"}}} { }",
    "a = g () => () #@{metadata_props {key: \"k\"}}\n { }",
    "a = g () => () { y = A () }",
    "a = g () => () { y = A <b = 1> () }",
    "a = g () => () { y = A () #@{metadata_props {key: \"k\"}}\n }",
};

TEST(Nesting, WhatIsWrittenIsPrintedAndReadInEveryFormAndNothingDeeperIs) {
  for (const std::string_view innermost : kInnermost) {
    int fit[4] = {};
    for (int levels = 129; levels < 136; ++levels) {
      const std::string before = Repeated("a = g () => () { y = A <", static_cast<size_t>(levels));
      const std::string after = Repeated("> () }", static_cast<size_t>(levels));
      const std::string attribute = before + std::string(innermost) + after;
      fit[0] += FitsInEveryForm<AttributeProto>(attribute);
      fit[1] += FitsInEveryForm<NodeProto>("y = A <" + attribute + "> ()");
      fit[2] += FitsInEveryForm<GraphProto>("g () => () { y = A <" + attribute + "> () }");
      fit[3] += FitsInEveryForm<ModelProto>("g () => () { y = A <" + attribute + "> () }");
    }
    EXPECT_EQ(fit[0], fit[3] + 1) << innermost;  // three messages more, one level
    EXPECT_GT(fit[3], 0) << innermost;
    EXPECT_LT(fit[0], 7) << innermost;
  }
}

TEST(Nesting, TypesInTypesAreReadAsDeepAsTheyArePrinted) {
  for (const std::string_view innermost : {"float", "float[]", "float[2]", "sparse_tensor(float[])", "opaque(a)"}) {
    int fit = 0;
    for (size_t levels = 190; levels < 205; ++levels) {
      const std::string type = Repeated("seq(optional(", levels / 2) + std::string(innermost) + Repeated("))", levels / 2);
      fit += FitsInEveryForm<TypeProto>(type);
      FitsInEveryForm<ValueInfoProto>(type + " v");
      FitsInEveryForm<AttributeProto>("a = " + type);
      FitsInEveryForm<GraphProto>("g () => () <" + type + " v> { }");
    }
    EXPECT_GT(fit, 0);
    EXPECT_LT(fit, 15);
  }
}

TEST(Nesting, NoOptionLetsATextUseUpTheStack) {
  constexpr size_t kLevels = 200'000;
  constexpr int32_t kAny = INT32_MAX;
  AttributeProto attribute;
  TypeProto type;
  EXPECT_THROW(FromTextFormat(Repeated("g { node { attribute { ", kLevels), attribute, {.max_recursion_depth = kAny}), TextParseError);
  EXPECT_THROW(FromTextFormat(Repeated("no { ", kLevels), attribute, {.allow_unknown_field = true, .max_recursion_depth = kAny}),
               TextParseError);
  EXPECT_THROW(FromJson(Repeated(R"({"g": {"node": [{"attribute": [)", kLevels), attribute, {.max_recursion_depth = kAny}), JsonParseError);
  EXPECT_THROW(FromJson("{\"no\": " + Repeated("[", kLevels), attribute, {.ignore_unknown_fields = true, .max_recursion_depth = kAny}),
               JsonParseError);
  EXPECT_THROW(FromOnnxSyntax(Repeated("seq(", kLevels), type, {.max_recursion_depth = kAny}), OnnxSyntaxError);
  EXPECT_THROW(
      FromOnnxSyntax("a: type_proto = @{" + Repeated("sequence_type { elem_type { ", kLevels), attribute, {.max_recursion_depth = kAny}),
      OnnxSyntaxError);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
