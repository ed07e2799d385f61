#include "onnx_proto/external_data/tensor_places.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace ONNX_LIGHT_NAMESPACE {
namespace {

struct Seen {
  std::string name;
  std::string place;
  bool is_initializer;
  const GraphProto* graph;
};

template <class M>
std::vector<Seen> Walk(const M& root) {
  std::vector<Seen> seen;
  for (TensorWalk walk(root); walk.Next();) {
    seen.push_back({walk.tensor().name(), walk.place(), walk.is_initializer(), walk.graph()});
  }
  return seen;
}

TEST(TensorPlaces, TheWalkReachesEveryPlaceInTheOrderOfTheFile) {
  ModelProto model;
  GraphProto* graph = model.mutable_graph();
  NodeProto* node = graph->add_node();
  node->add_attribute()->set_i(3);
  node->add_attribute()->mutable_t()->set_name("attribute");
  AttributeProto* lists = node->add_attribute();
  lists->add_tensors()->set_name("first");
  lists->add_tensors()->set_name("second");
  AttributeProto* sparse = node->add_attribute();
  sparse->mutable_sparse_tensor()->mutable_values()->set_name("sparse values");
  sparse->mutable_sparse_tensor()->mutable_indices()->set_name("sparse indices");
  sparse->add_sparse_tensors()->mutable_indices()->set_name("listed indices");
  GraphProto* branch = node->add_attribute()->mutable_g();
  branch->add_initializer()->set_name("branch");
  GraphProto* deeper = branch->add_node()->add_attribute()->add_graphs();
  deeper->add_sparse_initializer()->mutable_values()->set_name("deep sparse");
  graph->add_initializer()->set_name("initializer");
  graph->add_initializer()->set_name("another");
  graph->add_sparse_initializer()->mutable_values()->set_name("main sparse");
  TrainingInfoProto* training = model.add_training_info();
  training->mutable_initialization()->add_initializer()->set_name("before training");
  training->mutable_algorithm()->add_node()->add_attribute()->mutable_t()->set_name("training");
  FunctionProto* function = model.add_functions();
  function->add_node()->add_attribute()->mutable_g()->add_initializer()->set_name("function branch");
  function->add_attribute_proto()->mutable_t()->set_name("default");

  const std::vector<Seen> seen = Walk(model);
  const std::vector<Seen> expected{
      {"attribute", "graph.node[0].attribute[1].t", false, graph},
      {"first", "graph.node[0].attribute[2].tensors[0]", false, graph},
      {"second", "graph.node[0].attribute[2].tensors[1]", false, graph},
      {"sparse values", "graph.node[0].attribute[3].sparse_tensor.values", false, graph},
      {"sparse indices", "graph.node[0].attribute[3].sparse_tensor.indices", false, graph},
      {"listed indices", "graph.node[0].attribute[3].sparse_tensors[0].indices", false, graph},
      {"deep sparse", "graph.node[0].attribute[4].g.node[0].attribute[0].graphs[0].sparse_initializer[0].values", true, deeper},
      {"branch", "graph.node[0].attribute[4].g.initializer[0]", true, branch},
      {"initializer", "graph.initializer[0]", true, graph},
      {"another", "graph.initializer[1]", true, graph},
      {"main sparse", "graph.sparse_initializer[0].values", true, graph},
      {"before training", "training_info[0].initialization.initializer[0]", true, &training->initialization()},
      {"training", "training_info[0].algorithm.node[0].attribute[0].t", false, &training->algorithm()},
      {"function branch", "functions[0].node[0].attribute[0].g.initializer[0]", true, &function->node(0).attribute(0).g()},
      {"default", "functions[0].attribute_proto[0].t", false, nullptr},
  };
  ASSERT_EQ(seen.size(), expected.size());
  for (size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].name, expected[i].name) << i;
    EXPECT_EQ(seen[i].place, expected[i].place) << i;
    EXPECT_EQ(seen[i].is_initializer, expected[i].is_initializer) << seen[i].place;
    EXPECT_EQ(seen[i].graph, expected[i].graph) << seen[i].place;
  }
}

// Every way from `table` down to a tensor without passing a type twice, as place names without counts.
void FieldPaths(const proto::Table& table, const std::string& prefix, std::set<const proto::Table*> passed, std::set<std::string>& paths) {
  if (!passed.insert(&table).second) return;
  for (const proto::Row& row : table.rows) {
    if (!row.child) continue;
    const std::string path = prefix + (prefix.empty() ? "" : ".") + std::string(row.name);
    if (&row.child() == &TensorProto::table()) paths.insert(path);
    else FieldPaths(row.child(), path, passed, paths);
  }
}

// A message in which each of those ways leads to one tensor.
void Fill(const proto::Table& table, proto::Message& message, std::set<const proto::Table*> passed) {
  if (!passed.insert(&table).second) return;
  for (const proto::Row& row : table.rows) {
    if (!row.child) continue;
    proto::Message* child =
        proto::IsList(row.kind) ? static_cast<proto::Message*>(proto::Verbs::Append(message, row)) : proto::Verbs::Child(message, row);
    if (&row.child() != &TensorProto::table()) Fill(row.child(), *child, passed);
  }
}

TEST(TensorPlaces, NoFieldOfAnyMessageThatLeadsToATensorIsMissed) {
  size_t ways = 0;
  for (const proto::Table* table : proto::AllTables()) {
    if (table == &TensorProto::table()) continue;
    std::set<std::string> expected;
    FieldPaths(*table, "", {}, expected);
    const proto::NewRoot root(*table);
    Fill(*table, root.message(), {});
    std::set<std::string> found;
    for (TensorWalk walk(*table, root.message()); walk.Next();) {
      std::string place = walk.place();
      for (size_t at = 0; (at = place.find("[0]")) != std::string::npos;) place.erase(at, 3);
      EXPECT_TRUE(found.insert(place).second) << place;
    }
    for (const std::string& place : found) EXPECT_TRUE(expected.contains(place)) << place;
    EXPECT_EQ(found.size(), expected.size()) << table->name;
    ways += found.size();
  }
  EXPECT_GT(ways, 50u);
}

TEST(TensorPlaces, ATensorIsAPlaceOfItsOwn) {
  TensorProto tensor;
  tensor.set_name("alone");
  const std::vector<Seen> seen = Walk(tensor);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].name, "alone");
  EXPECT_EQ(seen[0].place, "");
  EXPECT_EQ(seen[0].graph, nullptr);
  EXPECT_FALSE(seen[0].is_initializer);
  EXPECT_TRUE(Walk(NodeProto()).empty());
  EXPECT_TRUE(Walk(TypeProto()).empty());
}

TEST(TensorPlaces, WhatIsAbsentButHeldIsNotWalked) {
  ModelProto model;
  ASSERT_NE(proto::Verbs::Reach(model, ModelProto::table().RowOf(7)), nullptr);  // an absent graph that somebody looks at
  EXPECT_TRUE(Walk(model).empty());
}

TEST(TensorPlaces, TensorsMayBeChangedOnTheWay) {
  ModelProto model;
  for (int i = 0; i < 3; ++i) model.mutable_graph()->add_initializer()->set_name(std::to_string(i));
  for (MutableTensorWalk walk(model); walk.Next();) {
    walk.tensor().set_raw_data("bytes of " + walk.tensor().name());
    walk.tensor().mutable_external_data()->Add()->set_key("location");
    EXPECT_EQ(walk.graph(), model.mutable_graph());
  }
  EXPECT_EQ(model.graph().initializer(2).raw_data().view(), "bytes of 2");
}

TEST(TensorPlaces, DepthCostsNoStack) {
  ModelProto model;
  GraphProto* graph = model.mutable_graph();
  constexpr int kDepth = 100000;
  for (int i = 0; i < kDepth; ++i) graph = graph->add_node()->add_attribute()->mutable_g();
  graph->add_initializer()->set_name("deepest");
  TensorWalk walk(model);
  ASSERT_TRUE(walk.Next());
  EXPECT_EQ(walk.tensor().name(), "deepest");
  EXPECT_EQ(walk.graph(), graph);
  EXPECT_FALSE(walk.Next());
}

TEST(TensorPlaces, TheTypesThatLeadToThemAreFoundInTheRows) {
  std::set<std::string_view> leading;
  for (const proto::Table* const table : proto::AllTables()) {
    if (LeadsToTensors(*table)) leading.insert(table->name);
  }
  EXPECT_EQ(leading, (std::set<std::string_view>{"AttributeProto", "FunctionProto", "GraphProto", "MapProto", "ModelProto", "NodeProto",
                                                 "OperatorSetProto", "OptionalProto", "SequenceProto", "SparseTensorProto", "TensorProto",
                                                 "TrainingInfoProto"}));
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
