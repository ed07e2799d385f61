#include "onnx_proto/fields/repeated_field.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {

using Ints = RepeatedField<int64_t>;
using Nodes = RepeatedProtoField<NodeProto>;

std::vector<std::string> Names(const Nodes& nodes) {
  std::vector<std::string> names;
  for (const NodeProto& node : nodes) names.emplace_back(node.view_name());
  return names;
}
using Strings = std::vector<std::string>;

// A graph parsed from bytes, whose nodes lie in one block.
GraphProto ParsedGraph(int count) {
  GraphProto graph;
  for (int i = 0; i < count; ++i) graph.add_node()->set_name(std::string(1, static_cast<char>('a' + i)));
  GraphProto parsed;
  parsed.ParseFromString(graph.SerializeAsString());
  return parsed;
}

TEST(RepeatedField, IsAValueLikeAVector) {
  Ints list{1, 2, 3};
  list.push_back(4);
  list.Add(5);
  EXPECT_EQ(list, (std::vector<int64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(std::accumulate(list.begin(), list.end(), int64_t{0}), 15);
  EXPECT_EQ(list.front(), 1);
  EXPECT_EQ(list.back(), 5);
  list[0] = 10;
  list.Set(1, 20);
  *list.Mutable(2) = 30;
  EXPECT_EQ(list.at(2), 30);
  std::sort(list.begin(), list.end());
  EXPECT_EQ(list, (std::vector<int64_t>{4, 5, 10, 20, 30}));
  Ints copy = list;
  list.clear();
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(copy.size(), 5u);
  Ints moved = std::move(copy);
  EXPECT_EQ(moved.size(), 5u);
  EXPECT_TRUE(copy.empty());  // NOLINT(bugprone-use-after-move): that is the promise
  moved = std::vector<int>{7};
  EXPECT_EQ(moved, (std::vector<int64_t>{7}));
  list.Swap(&moved);
  EXPECT_EQ(list.size(), 1u);
  EXPECT_TRUE(moved.empty());
}

TEST(RepeatedField, InsertEraseResizeKeepTheOrder) {
  Ints list{1, 2, 3};
  EXPECT_EQ(*list.insert(list.cbegin() + 1, 9), 9);
  list.insert(list.cend(), 4);
  list.insert(list.cbegin(), 0);
  EXPECT_EQ(list, (std::vector<int64_t>{0, 1, 9, 2, 3, 4}));
  EXPECT_EQ(*list.erase(list.cbegin() + 2), 2);
  list.erase(list.cbegin(), list.cbegin() + 2);
  EXPECT_EQ(list, (std::vector<int64_t>{2, 3, 4}));
  list.resize(5, -1);
  list.resize(4);
  EXPECT_EQ(list, (std::vector<int64_t>{2, 3, 4, -1}));
  list.DeleteSubrange(1, 2);
  list.SwapElements(0, 1);
  EXPECT_EQ(list, (std::vector<int64_t>{-1, 2}));
  list.RemoveLast();
  list.pop_back();
  EXPECT_TRUE(list.empty());
}

TEST(RepeatedField, WrongPlacesThrowAndChangeNothing) {
  Ints list{1, 2};
  EXPECT_THROW(list.at(2), std::out_of_range);
  EXPECT_THROW(list.Get(-1), std::out_of_range);
  try {
    list.Get(-1);
  } catch (const std::out_of_range& error) {
    EXPECT_STREQ(error.what(), "element -1 of a list of 2");
  }
  EXPECT_THROW(list.Set(2, 0), std::out_of_range);
  EXPECT_THROW(list.insert(list.cend() + 1, 0), std::out_of_range);
  EXPECT_THROW(list.erase(list.cend()), std::out_of_range);
  EXPECT_THROW(list.DeleteSubrange(1, 2), std::out_of_range);
  EXPECT_THROW(list.DeleteSubrange(-1, 1), std::out_of_range);
  EXPECT_THROW(list.DeleteSubrange(0, -1), std::out_of_range);
  EXPECT_THROW(list.SwapElements(0, 2), std::out_of_range);
  EXPECT_THROW(list.SwapElements(-1, 0), std::out_of_range);
  EXPECT_EQ(list, (std::vector<int64_t>{1, 2}));
  Ints empty;
  EXPECT_THROW(empty.RemoveLast(), std::out_of_range);
  EXPECT_THROW(empty.front(), std::out_of_range);
  EXPECT_THROW(empty.back(), std::out_of_range);
  Nodes nodes;
  EXPECT_THROW(nodes.back(), std::out_of_range);
  EXPECT_THROW(nodes.Mutable(0), std::out_of_range);
}

TEST(RepeatedField, MoreElementsThanAListCanHaveAreAnErrorBeforeTheyAreMade) {
  Ints list{1};
  EXPECT_THROW(list.reserve(size_t{1} << 33), Error);
  EXPECT_THROW(list.resize(SIZE_MAX), Error);
  EXPECT_THROW(list.Resize(-1, 0), Error);
  Nodes nodes;
  EXPECT_THROW(nodes.reserve(size_t{1} << 33), Error);
  EXPECT_EQ(list.size(), 1u);
  EXPECT_TRUE(nodes.empty());
}

TEST(RepeatedField, ExtendedByItselfInEveryWayItDoubles) {
  TensorProto tensor;
  tensor.ref_dims() = std::vector<int64_t>{1, 2, 3};
  Ints& dims = tensor.ref_dims();
  dims.extend(dims);
  dims.MergeFrom(dims);
  EXPECT_EQ(dims.size(), 12u);
  dims.MergeFrom(std::as_const(tensor).dims());  // a view of itself
  dims.extend(std::as_const(tensor).dims());
  EXPECT_EQ(dims.size(), 48u);
  for (size_t i = 0; i < dims.size(); ++i) ASSERT_EQ(std::as_const(dims)[i], static_cast<int64_t>(i % 3 + 1)) << i;
  dims = dims;  // NOLINT(clang-diagnostic-self-assign-overloaded): also that
  dims.CopyFrom(std::as_const(tensor).dims());
  EXPECT_EQ(dims.size(), 48u);
  tensor.MergeFrom(tensor);
  EXPECT_EQ(tensor.dims_size(), 96);
}

TEST(RepeatedStringField, ExtendedByItselfInEveryWayItDoubles) {
  NodeProto node;
  RepeatedStringField& inputs = node.ref_input();
  inputs.push_back("a name that is longer than a small string");
  inputs.push_back("b");
  inputs.extend(inputs);
  inputs.MergeFrom(inputs);
  inputs.MergeFrom(std::as_const(node).input());
  inputs.extend(std::as_const(node).input());
  EXPECT_EQ(inputs.size(), 32u);
  for (size_t i = 0; i < inputs.size(); ++i) {
    ASSERT_EQ(inputs.view(i), i % 2 ? "b" : "a name that is longer than a small string") << i;
  }
  inputs.CopyFrom(std::as_const(node).input());
  EXPECT_EQ(inputs.size(), 32u);
  inputs.insert(inputs.cbegin(), inputs[31]);
  EXPECT_EQ(inputs[0], "b");
}

TEST(RepeatedProtoField, ExtendedByItselfInEveryWayItDoubles) {
  for (const bool parsed : {false, true}) {
    GraphProto graph = ParsedGraph(2);
    if (!parsed) graph.add_node()->set_name("c");
    const size_t count = parsed ? 2 : 3;
    Nodes& nodes = graph.ref_node();
    nodes.extend(nodes);
    nodes.MergeFrom(std::as_const(graph).node());
    EXPECT_EQ(nodes.size(), count * 4);
    nodes.Add(nodes.cbegin(), nodes.cend());
    EXPECT_EQ(nodes.size(), count * 8);
    for (size_t i = 0; i < nodes.size(); ++i) EXPECT_EQ(nodes[i].name(), nodes[i % count].name());
    nodes.CopyFrom(std::as_const(graph).node());
    nodes = nodes;  // NOLINT(clang-diagnostic-self-assign-overloaded): also that
    EXPECT_EQ(nodes.size(), count * 8);
  }
}

TEST(RepeatedProtoField, AnElementMayBeAddedToAListInsideItself) {
  GraphProto graph;
  graph.add_node()->set_name("outer");
  AttributeProto* body = graph.mutable_node(0)->add_attribute();
  body->mutable_g()->ref_node().push_back(graph.node(0));
  EXPECT_EQ(graph.node(0).attribute(0).g().node(0).name(), "outer");
  EXPECT_TRUE(graph.node(0).attribute(0).g().node(0).attribute(0).has_g());
  graph.ref_node().insert(graph.ref_node().cbegin(), graph.node(0).attribute(0).g().node(0));
  EXPECT_EQ(graph.node_size(), 2);
}

TEST(RepeatedProtoField, AListInsideItsOwnSourceIsCopiedAsItWasAtTheCall) {
  for (const bool recycled : {false, true}) {
    GraphProto graph;
    graph.add_node()->set_name("first");
    graph.add_node()->add_attribute()->mutable_g();  // the list to be extended lies in the second node
    if (recycled) {
      graph.add_node();
      graph.ref_node().RemoveLast();
    }
    Nodes& inner = graph.mutable_node(1)->mutable_attribute(0)->mutable_g()->ref_node();
    inner.extend(std::as_const(graph).node());
    EXPECT_EQ(inner.size(), 2u);
    EXPECT_EQ(inner[1].attribute(0).g().node_size(), 0);
  }
}

TEST(RepeatedProtoField, AddressesOfElementsNeverChange) {
  for (const bool parsed : {false, true}) {
    GraphProto graph = ParsedGraph(3);
    if (!parsed) {
      graph.Clear();
      for (const char* name : {"a", "b", "c"}) graph.add_node()->set_name(name);
    }
    NodeProto* a = graph.mutable_node(0);
    NodeProto* b = graph.mutable_node(1);
    NodeProto* c = graph.mutable_node(2);
    Nodes& nodes = graph.ref_node();
    for (int i = 0; i < 100; ++i) nodes.Add()->set_name("d");
    nodes.insert(nodes.cbegin(), NodeProto())->set_name("first");
    nodes.reserve(1000);
    EXPECT_EQ(graph.mutable_node(1), a);
    EXPECT_EQ(graph.mutable_node(2), b);
    nodes.SwapElements(1, 3);
    EXPECT_EQ(graph.mutable_node(1), c);
    EXPECT_EQ(graph.mutable_node(3), a);
    nodes.DeleteSubrange(0, 2);
    EXPECT_EQ(graph.mutable_node(0), b);
    EXPECT_EQ(graph.mutable_node(1), a);
    nodes.erase(nodes.cbegin() + 2, nodes.cend());
    EXPECT_EQ(Names(nodes), (Strings{"b", "a"}));
    nodes.RemoveLast();
    EXPECT_EQ(&nodes.back(), b);
  }
}

TEST(RepeatedProtoField, TheListItselfAndItsReferenceSurviveClear) {
  GraphProto graph = ParsedGraph(3);
  Nodes& nodes = graph.ref_node();
  graph.Clear();
  EXPECT_TRUE(nodes.empty());
  EXPECT_EQ(&graph.ref_node(), &nodes);
  nodes.add().set_name("new");
  EXPECT_EQ(graph.node(0).name(), "new");
  graph.clear_node();
  EXPECT_TRUE(nodes.empty());
  nodes.emplace_back().set_name("newer");
  EXPECT_EQ(graph.node_size(), 1);
  GraphProto moved = std::move(graph);
  EXPECT_EQ(&moved.ref_node(), &nodes);
  nodes.Add();
  EXPECT_EQ(moved.node_size(), 2);
}

TEST(RepeatedProtoField, IteratorsAreRandomAccess) {
  GraphProto graph = ParsedGraph(5);
  Nodes& nodes = graph.ref_node();
  auto it = nodes.begin();
  EXPECT_EQ((it + 2)->name(), "c");
  EXPECT_EQ((2 + it)->name(), "c");
  EXPECT_EQ(it[4].name(), "e");
  EXPECT_EQ((it++)->name(), "a");
  EXPECT_EQ((--it)->name(), "a");
  EXPECT_EQ(nodes.end() - it, 5);
  EXPECT_LT(it, nodes.end());
  const auto found = std::find_if(nodes.cbegin(), nodes.cend(), [](const NodeProto& node) { return node.name() == "d"; });
  EXPECT_EQ(found.index(), 3u);
  std::reverse(nodes.begin(), nodes.end());
  EXPECT_EQ(Names(nodes), (Strings{"e", "d", "c", "b", "a"}));
  std::sort(nodes.begin(), nodes.end(), [](const NodeProto& a, const NodeProto& b) { return a.name() < b.name(); });
  EXPECT_EQ(Names(nodes), (Strings{"a", "b", "c", "d", "e"}));
  std::rotate(nodes.begin(), nodes.begin() + 2, nodes.end());
  EXPECT_EQ(Names(nodes), (Strings{"c", "d", "e", "a", "b"}));
  const auto removed = std::remove_if(nodes.begin(), nodes.end(), [](const NodeProto& node) { return node.name() < "c"; });
  nodes.erase(removed, nodes.end());
  EXPECT_EQ(Names(nodes), (Strings{"c", "d", "e"}));
}

// A const message gives its lists by value: loops that ask it for the first iterator and for the last one have nothing else that lives on.
TEST(RepeatedProtoField, IteratorsOutliveTheViewThatTheyWereTakenFrom) {
  GraphProto edited = ParsedGraph(3);
  edited.add_node()->set_name("d");
  (void)edited.ref_node();
  for (const GraphProto& graph : {ParsedGraph(3), edited}) {
    auto it = graph.node().begin();
    const auto end = graph.node().end();
    Strings names;
    for (; it != end; ++it) names.push_back(it->name());
    EXPECT_EQ(names, Names(graph.node()));
  }
  NodeProto changing;
  for (const char* name : {"x", "y", "z"}) changing.add_input(name);
  const NodeProto& node = changing;
  auto found = std::find(node.input().begin(), node.input().end(), "y");
  EXPECT_EQ(*found, "y");
  EXPECT_EQ(*++found, "z");
  EXPECT_EQ(node.input().end() - found, 1);
  EXPECT_TRUE(GraphProto::default_instance().node().begin() == GraphProto::default_instance().node().end());
}

TEST(RepeatedProtoField, AListByItselfIsAValue) {
  Nodes list;
  list.Add()->set_name("a");
  list.push_back(list[0]);
  Nodes copy = list;
  list[1].set_name("b");
  EXPECT_EQ(Names(copy), (Strings{"a", "a"}));
  EXPECT_FALSE(copy == list);
  GraphProto graph;
  graph.ref_node() = list;
  EXPECT_EQ(Names(graph.node()), (Strings{"a", "b"}));
  list = graph.node();
  Nodes moved = std::move(graph.ref_node());  // the list of a message stays there
  EXPECT_EQ(moved, list);
  EXPECT_EQ(graph.node_size(), 2);
  std::vector<Nodes> lists(3, list);
  lists.erase(lists.begin());
  EXPECT_EQ(lists[1], list);
}

TEST(RepeatedField, TheListOfAConstMessageIsAViewUntilItIsChanged) {
  TensorProto tensor;
  for (int64_t i = 0; i < 4; ++i) tensor.add_dims(i);
  const TensorProto& shared = tensor;
  auto view = shared.dims();
  EXPECT_EQ(view.data(), tensor.dims().data());  // nothing was copied
  view.push_back(4);
  EXPECT_EQ(view.size(), 5u);
  EXPECT_EQ(tensor.dims_size(), 4);
  view.Set(0, 9);
  EXPECT_EQ(tensor.dims(0), 0);

  GraphProto graph = ParsedGraph(2);
  auto nodes = std::as_const(graph).node();
  nodes[0].set_name("changed");
  EXPECT_EQ(graph.node(0).name(), "a");
  auto again = std::as_const(graph).ref_node();
  again.DeleteSubrange(0, 1);
  EXPECT_EQ(graph.node_size(), 2);
  EXPECT_EQ(Names(again), (Strings{"b"}));

  NodeProto node;
  node.add_input("x");
  auto inputs = std::as_const(node).input();
  inputs[0].append("yz");
  EXPECT_EQ(inputs[0], "xyz");
  EXPECT_EQ(node.input(0), "x");
  inputs.clear();
  EXPECT_EQ(node.input_size(), 1);
}

TEST(RepeatedStringField, IsAListOfStdStrings) {
  RepeatedStringField list{"a", "b"};
  list.add("c");
  list.emplace_back("d");
  list.Add("e");
  *list.Add() = "f";
  list[0] += "A";
  list.Mutable(1)->append("B");
  list.Set(2, "C");
  const std::string& first = list[0];
  for (int i = 0; i < 100; ++i) list.push_back("more");
  EXPECT_EQ(first, "aA");  // a string that was asked for stays where it is
  list.DeleteSubrange(6, 100);
  EXPECT_EQ(list, (Strings{"aA", "bB", "C", "d", "e", "f"}));
  EXPECT_EQ(list.view(5), "f");
  EXPECT_EQ(std::count_if(list.cbegin(), list.cend(), [](const std::string& s) { return s.size() == 1; }), 4);
  list.erase(list.cbegin() + 1, list.cend() - 1);
  EXPECT_EQ(list, (Strings{"aA", "f"}));
  list.SwapElements(0, 1);
  list.insert(list.cbegin() + 1, list.view(0));
  EXPECT_EQ(list, (Strings{"f", "f", "aA"}));
  std::sort(list.begin(), list.end());
  EXPECT_EQ(list.front(), "aA");
  list = Strings{"x"};
  EXPECT_EQ(list.back(), "x");
  RepeatedStringField other(list.cbegin(), list.cend());
  EXPECT_EQ(other, list);
  list.extend(Strings{"y", "z"});
  EXPECT_EQ(list.size(), 3u);
}

TEST(RepeatedField, AddingAndClearingInALoopDoesNotGrowTheArena) {
  GraphProto graph;
  TensorProto tensor;
  NodeProto node;
  size_t used[3] = {};
  for (int i = 0; i < 60; ++i) {
    for (int k = 0; k < 50 + i % 7 * 10; ++k) {
      graph.add_node()->add_input("x");
      tensor.add_dims(k);
      node.add_input(k % 2 ? "short" : "a name that is longer than a small string");
    }
    if (i % 3 == 0) {
      graph.ref_node().DeleteSubrange(10, 20);
      tensor.ref_dims().DeleteSubrange(10, 20);
      node.ref_input().DeleteSubrange(10, 20);
    }
    graph.clear_node();
    tensor.clear_dims();
    node.clear_input();
    const size_t now[3] = {graph.arena()->bytes_used(), tensor.arena()->bytes_used(), node.arena()->bytes_used()};
    if (i == 20) std::copy(std::begin(now), std::end(now), std::begin(used));
    EXPECT_TRUE(i < 20 || std::equal(std::begin(now), std::end(now), std::begin(used))) << i;
  }
}

TEST(RepeatedField, MergingEditingAndClearingInALoopDoesNotGrowTheArena) {
  const GraphProto source = ParsedGraph(20);
  GraphProto graph;
  size_t used = 0;
  for (int i = 0; i < 50; ++i) {
    graph.MergeFrom(source);
    graph.add_node();
    graph.ref_node().DeleteSubrange(3, 2);
    graph.clear_node();
    if (i == 10) used = graph.arena()->bytes_used();
  }
  EXPECT_EQ(graph.arena()->bytes_used(), used);
}

TEST(RepeatedField, NumbersCompareByTheirBits) {
  RepeatedField<float> a{0.0f, std::numeric_limits<float>::quiet_NaN()};
  RepeatedField<float> b = a;
  EXPECT_TRUE(a == b);
  b[0] = -0.0f;
  EXPECT_FALSE(a == b);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE::utils
