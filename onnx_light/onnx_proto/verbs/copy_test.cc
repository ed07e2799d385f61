// Copy, merge, move, swap: between values, children, and children of one arena, in all combinations.
#include <gtest/gtest.h>

#include <vector>

#include "onnx_proto/onnx.h"
#include "onnx_proto/testing/sample.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::RichModel;

// Two messages to copy between, each alone, in a message of its own, or both in one message.
struct Pair {
  explicit Pair(int kind) : kind_(kind) {
    if (kind_ == 1) a = one_.add_node();
    if (kind_ == 2) b = two_.add_node();
    if (kind_ == 3) {
      a = one_.add_node();
      b = two_.add_node();
    }
    if (kind_ == 4) {
      a = one_.add_node();
      b = one_.add_node();
    }
    Fill(*a, "a", 3);
    Fill(*b, "b", 40);
  }
  static constexpr int kKinds = 5;
  static void Fill(NodeProto& node, const std::string& name, int inputs) {
    node.set_name(name);
    for (int i = 0; i < inputs; ++i) node.add_input(name + " input that is longer than a small string " + std::to_string(i));
    node.set_domain(name);
    node.add_attribute()->mutable_t()->set_raw_data(std::string(5000, name[0]));
    node.add_attribute()->mutable_g()->add_node()->set_name(name + name);
    *node.mutable_op_type() = "held " + name;
    node.ref_output().push_back("held");
  }
  static NodeProto Filled(const std::string& name, int inputs) {
    NodeProto node;
    Fill(node, name, inputs);
    return node;
  }

  int kind_;
  NodeProto value_a_, value_b_;
  GraphProto one_, two_;
  NodeProto* a = &value_a_;
  NodeProto* b = &value_b_;
};

class EveryPair : public testing::TestWithParam<int> {
 protected:
  Pair pair_{GetParam()};
  NodeProto& a_ = *pair_.a;
  NodeProto& b_ = *pair_.b;
  const NodeProto was_a_ = Pair::Filled("a", 3);
  const NodeProto was_b_ = Pair::Filled("b", 40);
};

TEST_P(EveryPair, CopiesAreDeepAndEqual) {
  a_ = b_;
  EXPECT_EQ(a_, was_b_);
  EXPECT_EQ(b_, was_b_);
  b_.mutable_attribute(1)->mutable_g()->mutable_node(0)->set_name("changed");
  b_.ref_output()[0] = "changed";
  EXPECT_EQ(a_, was_b_);
  EXPECT_EQ(a_.attribute(0).t().raw_data().data(), b_.attribute(0).t().raw_data().data());  // but for payloads
  a_.CopyFrom(a_);
  EXPECT_EQ(a_, was_b_);
  a_.Clear();
  EXPECT_EQ(a_, NodeProto());
}

TEST_P(EveryPair, MovingGivesTheTargetEverything) {
  a_ = std::move(b_);
  EXPECT_EQ(a_, was_b_);
  b_ = was_a_;  // a moved-from message can be used again
  EXPECT_EQ(b_, was_a_);
  NodeProto& itself = a_;
  a_ = std::move(itself);
  EXPECT_EQ(a_, was_b_);
  NodeProto made(std::move(a_));
  EXPECT_EQ(made, was_b_);
}

TEST_P(EveryPair, SwappingExchangesContentsAndPlacesStay) {
  const NodeProto* in_a = &a_;
  a_.Swap(&b_);
  EXPECT_EQ(a_, was_b_);
  EXPECT_EQ(b_, was_a_);
  EXPECT_EQ(&a_, in_a);
  a_.ref_output().push_back("a");  // lists that were held know where they are
  b_.ref_output().push_back("b");
  EXPECT_EQ(a_.output_size(), 2);
  *a_.mutable_op_type() = "changed";
  EXPECT_EQ(b_.op_type(), "held a");
  std::swap(a_, b_);
  swap(a_, b_);
  EXPECT_EQ(a_.op_type(), "changed");
  a_.Swap(&a_);
  EXPECT_EQ(a_.output(1), "a");
  EXPECT_EQ(pair_.one_.SerializeAsString(), GraphProto(pair_.one_).SerializeAsString());
}

TEST_P(EveryPair, MergingIsWhatParsingBothOneAfterTheOtherGives) {
  NodeProto expected;
  expected.ParseFromString(a_.SerializeAsString() + b_.SerializeAsString());
  a_.MergeFrom(b_);
  EXPECT_EQ(a_, expected);
  EXPECT_EQ(b_, was_b_);
  NodeProto other = was_a_;
  other.MergeFromString(b_.SerializeAsString());
  EXPECT_EQ(other, expected);
  expected.ParseFromString(a_.SerializeAsString() + a_.SerializeAsString());
  a_.MergeFrom(a_);
  EXPECT_EQ(a_, expected);
}

TEST_P(EveryPair, ParsingIntoEitherReplacesIt) {
  a_.ParseFromString(was_b_.SerializeAsString());
  EXPECT_EQ(a_, was_b_);
  EXPECT_THROW(a_.ParseFromString("\x0a\x7f"), ParseError);
  EXPECT_EQ(a_, was_b_);
  a_.ParseFromString("");
  EXPECT_EQ(a_, NodeProto());
  EXPECT_EQ(b_, was_b_);
}

std::string PairName(const testing::TestParamInfo<int>& kind) {
  static const char* const kNames[] = {"ValueValue", "ChildValue", "ValueChild", "ChildOtherChild", "ChildSibling"};
  return kNames[kind.param];
}
INSTANTIATE_TEST_SUITE_P(Copy, EveryPair, testing::Range(0, Pair::kKinds), PairName);

TEST(Copy, SourcesInsideTheTargetAreTakenAsTheyWere) {
  for (const bool child : {false, true}) {
    NodeProto holder;
    AttributeProto value;
    AttributeProto& attribute = child ? *holder.add_attribute() : value;
    attribute.mutable_g()->add_node()->add_attribute()->set_name("deep");
    attribute.CopyFrom(attribute.g().node(0).attribute(0));
    EXPECT_EQ(attribute.name(), "deep");
    EXPECT_FALSE(attribute.has_g());

    attribute.mutable_g()->add_node()->add_attribute()->set_name("inner");
    AttributeProto* inside = attribute.mutable_g()->mutable_node(0)->mutable_attribute(0);
    inside->MergeFrom(attribute);  // the other way round: the target lies in the source
    EXPECT_EQ(inside->name(), "deep");
    EXPECT_EQ(inside->g().node(0).attribute(0).name(), "inner");
    inside->CopyFrom(attribute);
    EXPECT_EQ(inside->g().node(0).attribute(0).g().node(0).attribute(0).name(), "inner");
    attribute = std::move(*inside);
    EXPECT_EQ(attribute.g().node(0).attribute(0).g().node(0).attribute(0).name(), "inner");
    attribute.MergeFrom(attribute.g().node(0).attribute(0));
    EXPECT_EQ(attribute.g().node_size(), 2);
    attribute.ParseFromString(attribute.g().node(0).attribute(0).SerializeAsString());
    attribute.set_s(attribute.SerializeAsString());
    attribute.ParseFromString(attribute.s());
    EXPECT_FALSE(attribute.has_s());
  }
}

TEST(Copy, VectorsOfMessagesGrowShrinkAndSort) {
  std::vector<NodeProto> nodes;
  for (int i = 0; i < 200; ++i) {
    nodes.emplace_back();
    nodes.back().set_name(std::to_string(i * 7 % 200));
    nodes.back().ref_input().push_back("x");
    nodes.push_back(nodes[static_cast<size_t>(i)]);
    nodes.pop_back();
  }
  static_assert(std::is_nothrow_move_constructible_v<NodeProto>);
  std::sort(nodes.begin(), nodes.end(), [](const NodeProto& a, const NodeProto& b) { return std::stoi(a.name()) < std::stoi(b.name()); });
  nodes.erase(nodes.begin() + 10, nodes.begin() + 190);
  nodes.insert(nodes.begin(), nodes[5]);
  nodes.insert(nodes.begin() + 3, NodeProto());
  EXPECT_EQ(nodes.size(), 22u);
  EXPECT_EQ(nodes[0].name(), "5");
  EXPECT_EQ(nodes[1].name(), "0");
  EXPECT_EQ(nodes[21].name(), "199");
  for (size_t i = 4; i < nodes.size(); ++i) {
    nodes[i].ref_input().push_back("y");
    EXPECT_EQ(nodes[i].input_size(), 2);
  }
}

TEST(Copy, AnEmptyMessageTakesNothing) {
  const NodeProto empty;
  NodeProto copy = empty;
  NodeProto moved = std::move(copy);
  moved.MergeFrom(empty);
  moved.Clear();
  EXPECT_EQ(moved, empty);
  NodeProto full = Pair::Filled("a", 1);
  full = empty;
  EXPECT_EQ(full, empty);
  full.Swap(&moved);
  GraphProto graph;
  graph.add_node()->Swap(&full);
  graph.mutable_node(0)->MergeFrom(empty);
  *graph.mutable_node(0) = NodeProto();
  EXPECT_EQ(graph.node(0), empty);
}

TEST(Copy, CopyingIntoOneMessageAgainAndAgainDoesNotGrowIt) {
  const ModelProto source = RichModel();
  ModelProto value;
  ModelProto holder;
  TrainingInfoProto* parent = holder.add_training_info();
  size_t used[2] = {};
  for (int i = 0; i < 40; ++i) {
    value.CopyFrom(source);
    parent->mutable_algorithm()->CopyFrom(source.graph());
    parent->mutable_algorithm()->mutable_node(0)->CopyFrom(source.graph().node(i % 3));
    parent->mutable_initialization()->ParseFromString(source.graph().SerializeAsString());
    if (i == 10) used[0] = value.arena()->bytes_used();
    if (i == 10) used[1] = holder.arena()->bytes_used();
  }
  EXPECT_EQ(value.arena()->bytes_used(), used[0]);
  EXPECT_EQ(holder.arena()->bytes_used(), used[1]);
}

TEST(Copy, CopyingAndEditingAChildAgainAndAgainDoesNotGrowItsArena) {
  const GraphProto source = RichModel().graph();
  const std::string bytes = source.SerializeAsString();
  for (const bool parse : {false, true}) {
    ModelProto model;
    size_t used = 0;
    for (int i = 0; i < 40; ++i) {
      if (parse) {
        model.mutable_graph()->ParseFromString(bytes);
      } else {
        model.mutable_graph()->CopyFrom(source);
      }
      model.mutable_graph()->add_node()->set_name("one more");  // the nodes no longer lie side by side
      model.mutable_graph()->ref_input().RemoveLast();
      model.mutable_graph()->add_initializer();
      if (i == 10) used = model.arena()->bytes_used();
    }
    EXPECT_EQ(model.arena()->bytes_used(), used) << parse;
  }
}

TEST(Copy, AFailedParseOfAChildGivesBackWhatItTook) {
  const std::string bytes = RichModel().graph().SerializeAsString();
  ModelProto model;
  model.mutable_graph()->set_name("kept");
  size_t used = 0;
  for (int round = 0; round < 3; ++round) {
    for (size_t n = 0; n < bytes.size(); ++n) {
      try {
        model.mutable_graph()->ParseFromString(bytes.substr(0, n));
        model.mutable_graph()->Clear();
        model.mutable_graph()->set_name("kept");
      } catch (const ParseError&) {
        EXPECT_EQ(model.graph().name(), "kept");
        EXPECT_EQ(model.graph().node_size(), 0);
      }
    }
    if (round == 1) used = model.arena()->bytes_used();
  }
  EXPECT_EQ(model.arena()->bytes_used(), used);
}

// ---- depth

AttributeProto NestedBy(int levels) {
  AttributeProto attribute;
  GraphProto* graph = attribute.mutable_g();
  for (int i = 0; i < levels; ++i) graph = graph->add_node()->add_attribute()->mutable_g();
  return attribute;
}

TEST(Copy, EveryVerbStopsAtTheSameDepthWithAnErrorOfItsKind) {
  // The attribute, its graph, and three messages a level: 400 below the outermost are allowed.
  const AttributeProto fits = NestedBy(133);
  EXPECT_EQ(AttributeProto(fits), fits);
  AttributeProto read;
  read.ParseFromString(fits.SerializeAsString());
  EXPECT_EQ(read, fits);
  EXPECT_EQ(fits.ByteSizeLong(), fits.SerializeAsString().size());
  EXPECT_EQ(fits.DebugString(), read.DebugString());
  read.MergeFrom(fits);
  EXPECT_EQ(read.g().node_size(), 2);
  read.DiscardUnknownFields();

  AttributeProto deep = NestedBy(134);
  AttributeProto also_deep = NestedBy(134);
  EXPECT_THROW(deep.SerializeAsString(), SerializeError);
  EXPECT_THROW(deep.ByteSizeLong(), NestingError);
  EXPECT_THROW(deep.DebugString(), NestingError);
  EXPECT_THROW(AttributeProto{deep}, NestingError);
  EXPECT_THROW(read.CopyFrom(deep), NestingError);
  EXPECT_THROW((void)(deep == also_deep), NestingError);
  EXPECT_THROW(deep.DiscardUnknownFields(), NestingError);
  EXPECT_THROW(AttributeProto().MergeFrom(deep), NestingError);
  EXPECT_EQ(read.g().node_size(), 2);  // the failed copy changed nothing
  NodeProto holder;
  EXPECT_THROW(holder.add_attribute()->CopyFrom(deep), NestingError);
  EXPECT_THROW(holder.ref_attribute().push_back(deep), NestingError);
  EXPECT_EQ(holder.attribute_size(), 1);
  EXPECT_THROW(*holder.mutable_attribute(0) = std::move(deep), NestingError);
  EXPECT_TRUE(deep.has_g());  // NOLINT(bugprone-use-after-move): what could not be moved is still there
  SerializeOptions deeper;
  deeper.max_recursion_depth = INT32_MAX;
  EXPECT_FALSE(deep.SerializeAsString(deeper).empty());
  deep.Swap(&also_deep);  // needs no copy
  AttributeProto moved = std::move(also_deep);
  EXPECT_TRUE(moved.has_g());
}

TEST(Copy, AChildThatCannotBeSetLeavesTheFieldAndItsOneofAsTheyWere) {
  const AttributeProto deep = NestedBy(140);
  AttributeProto attribute;
  EXPECT_THROW(attribute.set_g(deep.g()), NestingError);
  EXPECT_FALSE(attribute.has_g());
  attribute.mutable_g()->set_name("old");
  EXPECT_THROW(attribute.set_g(deep.g()), NestingError);
  EXPECT_EQ(attribute.g().name(), "old");
  TypeProto type, sequences;
  TypeProto* innermost = &sequences;
  for (int i = 0; i < 210; ++i) innermost = innermost->mutable_sequence_type()->mutable_elem_type();
  type.mutable_tensor_type()->set_elem_type(TensorProto::FLOAT);
  EXPECT_THROW(type.set_sequence_type(sequences.sequence_type()), NestingError);
  EXPECT_EQ(type.value_case(), TypeProto::kTensorType);
  EXPECT_EQ(type.tensor_type().elem_type(), TensorProto::FLOAT);
}

TEST(Copy, AChildTooDeepToBeCopiedCanStillBeMovedIntoAValue) {
  NodeProto holder;
  GraphProto* graph = holder.add_attribute()->mutable_g();
  for (int i = 0; i < 200; ++i) graph = graph->add_node()->add_attribute()->mutable_g();
  AttributeProto moved(std::move(*holder.mutable_attribute(0)));
  EXPECT_EQ(moved.g().node_size(), 1);
  holder.Clear();
  EXPECT_EQ(moved.g().node(0).attribute_size(), 1);
  moved.mutable_g()->mutable_node(0)->set_name("usable");
  EXPECT_EQ(moved.g().node(0).name(), "usable");
}

TEST(Copy, AHundredThousandLevelsAreClearedReplacedAndDestroyedWithoutADeepStack) {
  AttributeProto attribute = NestedBy(33000);
  attribute.clear_g();
  EXPECT_FALSE(attribute.has_g());
  attribute = NestedBy(33000);
  attribute.CopyFrom(AttributeProto());
  NodeProto node;
  GraphProto* graph = node.add_attribute()->mutable_g();
  for (int i = 0; i < 33000; ++i) graph = graph->add_node()->add_attribute()->mutable_g();
  node.mutable_attribute(0)->ParseFromString("");
  EXPECT_FALSE(node.attribute(0).has_g());
  const utils::Owned<GraphProto> dropped = NestedBy(33000).release_g();
  AttributeProto destroyed = NestedBy(33000);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
