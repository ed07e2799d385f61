#include "onnx_proto/simple_string.h"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {

TEST(RefString, IsAViewThatKnowsItsLength) {
  const std::string text("a\0b", 3);
  const RefString view(text.data(), text.size());
  EXPECT_EQ(view.data(), text.data());
  EXPECT_EQ(view.size(), 3u);
  EXPECT_EQ(view[2], 'b');
  EXPECT_EQ(view.as_string(), text);
  EXPECT_TRUE(RefString().empty());
  std::ostringstream out;
  out << view;
  EXPECT_EQ(out.str(), text);
}

TEST(String, IsAStdStringThatRefStringsCanBeAssignedTo) {
  String text = "one";
  std::string& plain = text;
  plain += " two";
  EXPECT_EQ(text, "one two");
  text = RefString("three", 5);
  EXPECT_EQ(text.as_string(), "three");
  text = std::string("four");
  EXPECT_EQ(text, "four");
  EXPECT_EQ(String(RefString("five", 4)), "five");
}

TEST(OptionalString, TellsUnsetFromEmpty) {
  OptionalString unset;
  OptionalString empty = "";
  EXPECT_TRUE(unset.null());
  EXPECT_FALSE(empty.null());
  EXPECT_FALSE(unset == empty);
  EXPECT_FALSE(unset == "");
  EXPECT_TRUE(empty == "");
  EXPECT_EQ(unset.value(), "");
  EXPECT_STREQ(unset.c_str(), "");
  EXPECT_EQ(unset.value_or("other"), "other");
  EXPECT_EQ(empty.value_or("other"), "");
  unset.mutable_ref() = "set";
  EXPECT_TRUE(unset.has_value());
  EXPECT_EQ(*unset, "set");
  unset.reset();
  EXPECT_TRUE(unset.null());
  EXPECT_EQ(OptionalString(std::nullopt).size(), 0u);
}

TEST(OptionalString, TakesEveryKindOfString) {
  OptionalString text;
  text = "chars";
  EXPECT_EQ(text, "chars");
  text = std::string("std");
  EXPECT_EQ(text, std::string("std"));
  text = RefString("ref", 3);
  EXPECT_EQ(text->size(), 3u);
  text = OptionalString("other");
  EXPECT_EQ(text.size(), 5u);
  text = OptionalString();
  EXPECT_TRUE(text.null());
  const std::string& as_std = text;
  EXPECT_TRUE(as_std.empty());
}

TEST(OptionalString, OfAFieldLookingLeavesItAbsentAndSettingMakesItPresent) {
  NodeProto node;
  OptionalString& name = node.ref_name();
  EXPECT_FALSE(node.has_name());
  EXPECT_TRUE(name.null());
  name = "n";
  EXPECT_TRUE(node.has_name());
  EXPECT_EQ(node.view_name(), "n");
  node.set_name("through the message");
  EXPECT_EQ(name, "through the message");
  name.reset();
  EXPECT_FALSE(node.has_name());
  EXPECT_EQ(node.SerializeAsString(), "");
  name.mutable_ref().append("again");
  EXPECT_EQ(node.str_name(), "again");
  name = "";
  EXPECT_TRUE(node.has_name());
}

TEST(OptionalString, OfAFieldACopyIsAValueOfItsOwn) {
  NodeProto node;
  node.set_name("n");
  OptionalString copy = node.ref_name();
  copy = "changed";
  EXPECT_EQ(node.name(), "n");
  copy.reset();
  EXPECT_TRUE(node.has_name());
  node.clear_name();
  OptionalString& name = node.ref_name();
  OptionalString absent = name;
  EXPECT_TRUE(absent.null());
  name = copy;
  EXPECT_FALSE(node.has_name());
}

TEST(OptionalString, OfAFieldStaysTheSameObjectAcrossClearMoveAndGrowth) {
  std::vector<NodeProto> nodes(1);
  OptionalString* name = &nodes[0].ref_name();
  OptionalString* domain = &nodes[0].ref_domain();  // a rare one
  nodes[0].Clear();
  EXPECT_EQ(&nodes[0].ref_name(), name);
  for (int i = 0; i < 100; ++i) nodes.emplace_back();
  EXPECT_EQ(&nodes[0].ref_name(), name);
  *name = "set";
  *domain = "d";
  EXPECT_EQ(nodes[0].view_name(), "set");
  EXPECT_EQ(nodes[0].view_domain(), "d");
  nodes[0].clear_domain();
  EXPECT_TRUE(domain->null());
}

TEST(OptionalString, OfAOneofMemberSettingItEndsTheOtherMember) {
  TensorShapeProto::Dimension dim;
  dim.set_dim_value(3);
  OptionalString& param = dim.ref_dim_param();
  EXPECT_EQ(dim.value_case(), TensorShapeProto::Dimension::kDimValue);
  param = "N";
  EXPECT_EQ(dim.value_case(), TensorShapeProto::Dimension::kDimParam);
  EXPECT_EQ(dim.dim_value(), 0);
  dim.set_dim_value(4);
  EXPECT_TRUE(param.null());
  EXPECT_EQ(param.value(), "");
  *dim.mutable_dim_param() = "M";
  EXPECT_EQ(param, "M");
  EXPECT_FALSE(dim.has_dim_value());
}

TEST(OptionalString, OfAConstMessageIsSafeToReadAndKeepsItsValue) {
  NodeProto node;
  node.set_name("n");
  const NodeProto& shared = node;
  const OptionalString& name = shared.ref_name();
  EXPECT_TRUE(name.has_value());
  EXPECT_TRUE(shared.ref_domain().null());
  node.set_name("other");
  EXPECT_EQ(name, "other");
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE::utils
