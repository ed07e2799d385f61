// Clearing: what goes, what stays, and that nothing is lost of the arena's memory.
#include <gtest/gtest.h>

#include "onnx_proto/onnx.h"
#include "onnx_proto/testing/sample.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::RichModel;

TEST(Clear, EveryFieldOfAFullModelIsGone) {
  ModelProto model = RichModel();
  model.Clear();
  EXPECT_EQ(model, ModelProto());
  EXPECT_EQ(model.SerializeAsString(), "");
  model.MergeFrom(RichModel());
  EXPECT_EQ(model, RichModel());
}

TEST(Clear, FieldsGoOneByOneAndTheOthersStay) {
  ModelProto model = RichModel();
  for (const proto::Row& row : ModelProto::table().rows) {
    ModelProto without = model;
    proto::Verbs::ClearField(without, row);
    EXPECT_FALSE(proto::IsList(row.kind) ? proto::Verbs::Count(without, row) != 0 : without.Has(row)) << row.name;
    proto::Verbs::ClearField(without, row);  // again, now absent
    without.MergeFrom(model);
    EXPECT_TRUE(proto::IsList(row.kind) || without.Has(row) == model.Has(row));
  }
  GraphProto* graph = model.mutable_graph();
  graph->clear_node();
  graph->clear_initializer();
  graph->clear_input();
  EXPECT_EQ(graph->name(), "many");
  EXPECT_TRUE(graph->has_doc_string());
  graph->clear_doc_string();
  graph->clear_name();
  EXPECT_EQ(model.graph(), GraphProto());
  EXPECT_TRUE(model.has_graph());
}

TEST(Clear, UnknownFieldsGoWithTheMessageOrByThemselvesAtAnyDepth) {
  NodeProto node;
  const std::string known =
      "\x2a\x03\x0a\x01"
      "a";
  node.ParseFromString(known + "\xa0\x06\x05" + std::string("\x2a\x03\xa0\x06\x05", 5));
  EXPECT_EQ(node.unknown(), "\xa0\x06\x05");
  node.DiscardUnknownFields();
  EXPECT_EQ(node.SerializeAsString(), known + std::string("\x2a\x00", 2));
  node.ParseFromString("\xa0\x06\x05");
  node.Clear();
  EXPECT_EQ(node.unknown(), "");
  EXPECT_EQ(node, NodeProto());
}

TEST(Clear, ReferencesToListsStringsAndPayloadsStayAndAreEmpty) {
  TensorProto tensor;
  auto& dims = tensor.ref_dims();
  auto& floats = tensor.ref_float_data();  // a rare one
  auto& name = tensor.ref_name();
  auto& doc = tensor.ref_doc_string();
  auto& raw = tensor.ref_raw_data();
  for (int round = 0; round < 3; ++round) {
    dims.push_back(1);
    floats.push_back(1);
    name = "n";
    doc = "d";
    raw.assign("r", 1);
    EXPECT_EQ(tensor.DebugString(), "dims: 1\nfloat_data: 1\nname: \"n\"\nraw_data: \"r\"\ndoc_string: \"d\"\n");
    if (round == 1) {
      for (const proto::Row& row : TensorProto::table().rows) proto::Verbs::ClearField(tensor, row);
    } else {
      tensor.Clear();
    }
    EXPECT_TRUE(dims.empty() && floats.empty() && name.null() && doc.null() && raw.empty());
    EXPECT_EQ(name.value(), "");
    EXPECT_EQ(tensor, TensorProto());
    EXPECT_EQ(tensor.SerializeAsString(), "");
  }
}

TEST(Clear, AHeldListInTheValueSlotDoesNotKeepOtherValuesOut) {
  AttributeProto attribute;
  auto& ints = attribute.ref_ints();
  attribute.set_i(5);
  ints.push_back(6);
  attribute.clear_ints();
  attribute.set_f(0.5f);
  EXPECT_EQ(attribute.i(), 5);
  EXPECT_TRUE(ints.empty());
  attribute.Clear();
  attribute.set_s("s");
  ints.push_back(7);
  EXPECT_EQ(attribute.DebugString(), "s: \"s\"\nints: 7\n");
}

TEST(Clear, FillingAndClearingInALoopDoesNotGrowTheArena) {
  ModelProto model;
  size_t used = 0;
  for (int i = 0; i < 30; ++i) {
    model.MergeFrom(RichModel());
    model.mutable_graph()->mutable_node(0)->mutable_name()->append("held");
    model.mutable_graph()->ref_node().RemoveLast();
    (void)model.mutable_graph()->ref_initializer();
    model.MergeFromString(std::string("\x3a\x03\xa0\x06\x05", 5));
    if (i % 2) {
      model.Clear();
    } else {
      model.clear_graph();
      model.clear_opset_import();
    }
    if (i == 10) used = model.arena()->bytes_used();
  }
  EXPECT_EQ(model.arena()->bytes_used(), used);
}

TEST(Clear, PayloadsAreLetGoOfAtOnceAndTheirDeletersMayUseTheMessage) {
  ModelProto model;
  std::string seen;
  for (int i = 0; i < 3; ++i) {
    model.mutable_graph()->add_initializer()->set_raw_data_with_deleter("x", 1, [&] {
      seen += std::to_string(model.graph().initializer_size());
      model.mutable_graph()->set_name("set by a deleter");
      model.mutable_graph()->Clear();
    });
  }
  model.mutable_graph()->clear_initializer();
  EXPECT_EQ(seen, "000");
  model.mutable_graph()->add_initializer()->set_raw_data_with_deleter("x", 1, [&] { model.mutable_graph()->set_name("last"); });
  model.mutable_graph()->ref_initializer().RemoveLast();
  EXPECT_EQ(model.graph().name(), "last");
}

TEST(Clear, OfAOneofTheSlotIsFreeForTheNextMember) {
  TypeProto type;
  size_t used = 0;
  for (int i = 0; i < 100; ++i) {
    type.mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_param("N");
    type.mutable_map_type()->mutable_value_type()->mutable_tensor_type();
    type.mutable_sequence_type();
    type.clear_value();
    if (i == 3) used = type.arena()->bytes_used();
  }
  EXPECT_EQ(type.arena()->bytes_used(), used);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
