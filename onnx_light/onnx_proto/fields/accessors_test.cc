// What one FIELD line gives: the accessors, in both styles.
#include <gtest/gtest.h>

#include "onnx_proto/onnx.h"
#include "onnx_proto/testing/sample.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::ErrorOf;

TEST(Accessors, ANumberIsAbsentUntilItIsSetAlsoToZero) {
  ModelProto model;
  EXPECT_FALSE(model.has_ir_version());
  EXPECT_EQ(model.ir_version(), 0);
  EXPECT_EQ(std::as_const(model).ref_ir_version(), 0);
  EXPECT_FALSE(model.has_ir_version());
  model.set_ir_version(0);
  EXPECT_TRUE(model.has_ir_version());
  EXPECT_EQ(model.SerializeAsString(), std::string("\x08\0", 2));
  model.ref_ir_version() = 7;
  EXPECT_EQ(model.ir_version(), 7);
  model.clear_ir_version();
  EXPECT_FALSE(model.has_ir_version());
  EXPECT_EQ(model.ir_version(), 0);
  EXPECT_EQ(model, ModelProto());
}

TEST(Accessors, NonConstReferenceToANumberMakesItPresent) {
  ModelProto model;
  EXPECT_EQ(model.ref_ir_version(), 0);
  EXPECT_TRUE(model.has_ir_version());
}

TEST(Accessors, AStringKeepsNulAndBytesThatAreNoText) {
  const std::string odd("a\0\xff\n", 4);
  NodeProto node;
  node.set_name(odd);
  EXPECT_EQ(node.name(), odd);
  EXPECT_EQ(node.str_name(), odd);
  EXPECT_EQ(node.view_name(), odd);
  node.set_name("abc", 2);
  EXPECT_EQ(node.name(), "ab");
  node.set_name("");
  EXPECT_TRUE(node.has_name());
  EXPECT_EQ(node.SerializeAsString(), std::string("\x1a\0", 2));
}

TEST(Accessors, AStringMayBeSetFromItself) {
  NodeProto node;
  node.set_name("prefix/name");
  node.set_name(node.view_name().substr(7));
  EXPECT_EQ(node.view_name(), "name");
  node.set_name(std::string_view(node.name()).substr(1));  // now a std::string
  EXPECT_EQ(node.view_name(), "ame");
  node.set_domain(node.view_name());
  node.set_name(node.view_domain());
  EXPECT_EQ(node.name(), "ame");
  node.add_input("an input that is longer than a small string");
  node.set_input(0, node.view_input(0).substr(3));
  node.add_input(node.view_input(0));
  for (int i = 0; i < 20; ++i) node.add_input(node.view_input(1).substr(2));
  node.mutable_input()->push_back(node.input(0));
  EXPECT_EQ(node.input(22), "input that is longer than a small string");
  EXPECT_EQ(node.input(21), "put that is longer than a small string");
}

TEST(Accessors, AnAbsentChildReadsAsTheDefaultAndNothingIsMade) {
  const ModelProto model;
  EXPECT_EQ(&model.graph(), &GraphProto::default_instance());
  EXPECT_EQ(&model.ref_graph(), &GraphProto::default_instance());
  EXPECT_EQ(model.graph().node_size(), 0);
  EXPECT_EQ(model.arena_or_null(), nullptr);
}

TEST(Accessors, MutableMakesAChildPresentOnceAndItStaysTheSame) {
  ModelProto model;
  GraphProto* graph = model.mutable_graph();
  EXPECT_TRUE(model.has_graph());
  EXPECT_EQ(model.SerializeAsString(), std::string("\x3a\0", 2));
  EXPECT_EQ(model.mutable_graph(), graph);
  EXPECT_EQ(&model.ref_graph(), graph);
  EXPECT_EQ(&std::as_const(model).graph(), graph);
  model.clear_graph();
  EXPECT_FALSE(model.has_graph());
}

TEST(Accessors, SetTakesACopyAlsoOfWhatIsInside) {
  TypeProto type;
  type.mutable_sequence_type()->mutable_elem_type()->mutable_tensor_type()->set_elem_type(7);
  AttributeProto attribute;
  attribute.set_tp(type);
  type.Clear();
  EXPECT_EQ(attribute.tp().sequence_type().elem_type().tensor_type().elem_type(), 7);
  attribute.set_tp(attribute.tp().sequence_type().elem_type());
  EXPECT_EQ(attribute.tp().tensor_type().elem_type(), 7);
}

TEST(Accessors, MembersOfAOneofPushEachOtherOut) {
  TypeProto type;
  EXPECT_EQ(type.value_case(), TypeProto::VALUE_NOT_SET);
  type.set_denotation("kept");
  type.mutable_tensor_type()->set_elem_type(1);
  EXPECT_EQ(type.value_case(), TypeProto::kTensorType);
  type.mutable_sequence_type();
  EXPECT_EQ(type.value_case(), TypeProto::kSequenceType);
  EXPECT_FALSE(type.has_tensor_type());
  EXPECT_EQ(type.tensor_type().elem_type(), 0);
  type.set_map_type(TypeProto::Map());
  EXPECT_FALSE(type.has_sequence_type());
  type.clear_tensor_type();  // not the one that is set
  EXPECT_EQ(type.value_case(), TypeProto::kMapType);
  type.clear_value();
  EXPECT_EQ(type.value_case(), TypeProto::VALUE_NOT_SET);
  type.clear_value();
  EXPECT_EQ(type.denotation(), "kept");
}

TEST(Accessors, AOneofMemberMayBeSetFromTheMemberThatItReplaces) {
  TypeProto type;
  type.mutable_sequence_type()->mutable_elem_type()->mutable_optional_type()->mutable_elem_type()->mutable_tensor_type()->set_elem_type(9);
  type.set_optional_type(type.sequence_type().elem_type().optional_type());
  EXPECT_EQ(type.value_case(), TypeProto::kOptionalType);
  EXPECT_EQ(type.optional_type().elem_type().tensor_type().elem_type(), 9);
}

TEST(Accessors, AnAttributeHoldsSeveralValuesAtOnceInAnyOrder) {
  AttributeProto all;
  all.set_f(1.5f);
  all.set_i(-3);
  all.set_s("s");
  all.mutable_t()->set_name("t");
  all.mutable_g()->set_name("g");
  all.add_floats(2.5f);
  all.add_ints(4);
  all.add_strings("str");
  all.add_tensors()->set_name("ts");
  all.add_graphs()->set_name("gs");
  all.mutable_tp()->set_denotation("tp");
  all.add_type_protos()->set_denotation("tps");
  all.mutable_sparse_tensor()->add_dims(1);
  all.add_sparse_tensors()->add_dims(2);
  all.set_doc_string("doc");
  all.set_ref_attr_name("ref");
  const std::string bytes = all.SerializeAsString();

  AttributeProto read;
  read.ParseFromString(bytes);
  EXPECT_EQ(read, all);
  EXPECT_EQ(read.SerializeAsString(), bytes);
  EXPECT_EQ(AttributeProto(read).DebugString(), all.DebugString());

  // Cleared one by one, from either end, the others stay.
  for (const bool from_the_end : {false, true}) {
    AttributeProto shrinking = read;
    AttributeProto growing;
    const auto& rows = AttributeProto::table().rows;
    for (size_t i = 0; i < rows.size(); ++i) {
      const proto::Row& row = rows[from_the_end ? rows.size() - 1 - i : i];
      AttributeProto only = all;
      for (const proto::Row& other : rows) {
        if (&other != &row) proto::Verbs::ClearField(only, other);
      }
      growing.MergeFrom(only);
      proto::Verbs::ClearField(shrinking, row);
      AttributeProto both = shrinking;
      both.MergeFrom(growing);
      EXPECT_EQ(both, all) << row.name;
    }
    EXPECT_EQ(shrinking, AttributeProto());
    EXPECT_EQ(growing, all);
  }
  EXPECT_EQ(all.f(), 1.5f);
  EXPECT_EQ(all.i(), -3);
  EXPECT_EQ(all.s(), "s");
  EXPECT_EQ(all.g().name(), "g");
  EXPECT_EQ(all.strings(0), "str");
}

TEST(Accessors, ValuesThatComeAndGoLeaveNoMemoryBehind) {
  AttributeProto attribute;
  size_t used = 0;
  for (int i = 0; i < 200; ++i) {
    attribute.set_i(i);
    attribute.set_f(1.0f);
    attribute.mutable_t()->set_name("t");
    attribute.add_ints(i);
    attribute.set_s("bytes");
    switch (i % 4) {
      case 0: attribute.clear_i(); [[fallthrough]];
      case 1: attribute.clear_t(); [[fallthrough]];
      case 2: attribute.clear_ints(); break;
      default: attribute.Clear();
    }
    if (i == 20) used = attribute.arena()->bytes_used();
  }
  EXPECT_EQ(attribute.arena()->bytes_used(), used);
}

TEST(Accessors, SettingInALoopDoesNotGrowTheArena) {
  ModelProto model;
  NodeProto* node = model.mutable_graph()->add_node();
  size_t used = 0;
  for (int i = 0; i < 3000; ++i) {
    node->set_name(std::string(static_cast<size_t>(i * 37 % 3000), 'n'));
    node->set_doc_string(std::string(static_cast<size_t>(i * 53 % 2500), 'd'));
    node->add_input("x");
    node->add_attribute()->add_ints(i);
    if (i % 10 == 0) node->clear_input();
    if (i % 7 == 0) node->clear_attribute();
    if (i % 11 == 0) node->clear_doc_string();
    node->mutable_input()->push_back("y");
    if (i == 1000) used = model.arena()->bytes_used();
  }
  EXPECT_LE(model.arena()->bytes_used(), used + 20000);
}

TEST(Accessors, ListsAreReadByIndexAndRangesAreChecked) {
  NodeProto node;
  node.add_input("a");
  *node.add_input() = "b";
  node.set_input(0, "A");
  node.mutable_input(1)->append("B");
  EXPECT_EQ(node.input_size(), 2);
  EXPECT_TRUE(node.has_input());
  EXPECT_FALSE(node.has_output());
  EXPECT_EQ(node.input(1), "bB");
  for (const int index : {-1, 2, 1 << 30}) {
    EXPECT_THROW(node.input(index), std::out_of_range);
    EXPECT_THROW(node.view_input(index), std::out_of_range);
    EXPECT_THROW(node.set_input(index, "x"), std::out_of_range);
    EXPECT_THROW(node.mutable_input(index), std::out_of_range);
    EXPECT_THROW(node.attribute(index), std::out_of_range);
    EXPECT_THROW(node.mutable_attribute(index), std::out_of_range);
  }
  EXPECT_EQ(ErrorOf([&] { node.input(2); }), "element 2 of input, which has 2");
  TensorProto tensor;
  tensor.add_dims(3);
  tensor.set_dims(0, 4);
  EXPECT_EQ(tensor.dims(0), 4);
  EXPECT_THROW(tensor.set_dims(1, 0), std::out_of_range);
}

TEST(Accessors, LookingAtAConstMessageMakesNoArena) {
  const NodeProto node;
  EXPECT_EQ(node.input_size(), 0);
  EXPECT_TRUE(node.ref_input().empty());
  EXPECT_TRUE(node.name().empty());
  EXPECT_TRUE(node.ref_domain().null());
  EXPECT_EQ(node.SerializeAsString(), "");
  EXPECT_EQ(node.DebugString(), "");
  EXPECT_EQ(NodeProto(node), node);
  EXPECT_EQ(node.arena_or_null(), nullptr);
}

TEST(Accessors, EnumsHaveBothSpellingsAndKnowTheirNames) {
  static_assert(TensorProto::FLOAT == TensorProto_DataType_FLOAT);
  static_assert(std::is_same_v<TensorProto::DataType, TensorProto_DataType>);
  EXPECT_EQ(TensorProto::DataType::BFLOAT16, 16);
  EXPECT_TRUE(TensorProto::DataType_IsValid(26));
  EXPECT_FALSE(TensorProto_DataType_IsValid(99));
  EXPECT_FALSE(TensorProto_DataType_IsValid(-1));
  EXPECT_EQ(TensorProto_DataType_Name(TensorProto::INT4), "INT4");
  EXPECT_EQ(TensorProto::DataType_Name(99), "");
  TensorProto::DataType type{};
  EXPECT_TRUE(TensorProto::DataType_Parse("DOUBLE", &type));
  EXPECT_EQ(type, TensorProto::DOUBLE);
  EXPECT_FALSE(TensorProto::DataType_Parse("double", &type));
  EXPECT_EQ(type, TensorProto::DOUBLE);
  EXPECT_EQ(Version_Name(IR_VERSION), "IR_VERSION");
  AttributeProto attribute;
  EXPECT_EQ(attribute.type(), AttributeProto::UNDEFINED);
  attribute.set_type(AttributeProto::GRAPH);
  EXPECT_EQ(attribute.type(), AttributeProto_AttributeType_GRAPH);
  TensorProto tensor;
  tensor.set_data_location(TensorProto::EXTERNAL);
  EXPECT_EQ(tensor.data_location(), TensorProto_DataLocation_EXTERNAL);
}

TEST(Accessors, AnEnumNumberWithoutANameIsWrittenAndComesBackAsUnknown) {
  AttributeProto attribute;
  attribute.set_type(static_cast<AttributeProto::AttributeType>(99));
  EXPECT_EQ(attribute.DebugString(), "type: 99\n");
  AttributeProto read;
  read.ParseFromString(attribute.SerializeAsString());
  EXPECT_FALSE(read.has_type());
  EXPECT_EQ(read.SerializeAsString(), attribute.SerializeAsString());
}

TEST(Accessors, ReleaseGivesAChildThatOutlivesItsModelAndAdoptTakesItBack) {
  utils::Owned<GraphProto> graph;
  {
    ModelProto model;
    EXPECT_FALSE(model.release_graph());
    model.mutable_graph()->add_node()->set_name("n");
    const GraphProto* before = &model.graph();
    graph = model.release_graph();
    EXPECT_EQ(graph.get(), before);  // nothing was copied
    EXPECT_FALSE(model.has_graph());
    model.mutable_graph()->set_name("another");
  }
  EXPECT_EQ(graph->node(0).name(), "n");
  graph->add_node();
  ModelProto other;
  other.set_allocated_graph(std::move(graph));
  EXPECT_EQ(other.graph().node_size(), 2);
  other.set_allocated_graph(other.release_graph());
  EXPECT_EQ(other.graph().node_size(), 2);
  other.set_allocated_graph({});
  EXPECT_FALSE(other.has_graph());
}

TEST(Accessors, ReleasingAndDroppingInALoopDoesNotGrowTheArena) {
  ModelProto model;
  size_t used = 0;
  for (int i = 0; i < 100; ++i) {
    model.mutable_graph()->add_node()->set_name("n");
    const utils::Owned<GraphProto> dropped = model.release_graph();
    if (i == 2) used = model.arena()->bytes_used();
  }
  EXPECT_EQ(model.arena()->bytes_used(), used);
}

TEST(Accessors, PayloadsAreSharedNotCopied) {
  TensorProto tensor;
  tensor.set_raw_data(std::string(100000, 'p'));
  const TensorProto copy = tensor;
  EXPECT_EQ(copy.raw_data().data(), tensor.raw_data().data());
  tensor.ref_raw_data().mutable_data()[0] = 'q';
  EXPECT_EQ(copy.raw_data()[0], 'p');
  EXPECT_EQ(tensor.raw_data()[0], 'q');
  const utils::ByteSpan taken = tensor.release_raw_data();
  EXPECT_FALSE(tensor.has_raw_data());
  EXPECT_EQ(taken[0], 'q');
  tensor.set_raw_data(taken);
  EXPECT_EQ(tensor.raw_data().data(), taken.data());
  tensor.set_raw_data("text");
  EXPECT_EQ(tensor.raw_data(), "text");
  tensor.set_raw_data("text", 2);
  EXPECT_EQ(std::string(tensor.raw_data().view()), "te");
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
