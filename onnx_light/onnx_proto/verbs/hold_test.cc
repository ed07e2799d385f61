// Faces, with an int in the place of a Python object: identity, pending children, detached objects, and that looking costs nothing.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "onnx_proto/onnx.h"
#include "onnx_proto/testing/sample.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using proto::Link;
using proto::ListObject;
using proto::Message;
using proto::Verbs;

template <class T>
const proto::Row& RowOf(std::string_view name) {
  return *T::table().Find(name);
}

// Faces may lend the memory that their links and list objects lie in, or leave it to the arena: the tests run both ways.
bool faces_lend = false;
std::map<const Message*, std::unique_ptr<Link>> links;
std::map<const ListObject*, std::unique_ptr<ListObject>> lists;

void SetFace(Message& message, void* face) {
  if (!faces_lend) return Verbs::SetFace(message, face);
  auto link = std::make_unique<Link>();
  Verbs::SetFace(message, face, *link);
  links[&message] = std::move(link);
}
void DropFace(const proto::Table& table, Message& message) {
  auto found = links.extract(&message);  // first: the message may go
  if (found) Verbs::DropFace(table, message, *found.mapped());
  else Verbs::DropFace(table, message);
}
void DropFace(ListObject& list) {
  auto found = lists.extract(&list);
  Verbs::DropFace(list, found ? found.mapped().get() : nullptr);
}

// A root as a binding makes it: alive by its face alone.
template <class T>
T& NewHeldRoot(void* face) {
  proto::NewRoot made(T::table());
  SetFace(made.message(), face);
  return static_cast<T&>(made.message());
}
template <class T>
T& Hold(Message& message, void* face) {
  if (!message.face()) SetFace(message, face);
  return static_cast<T&>(message);
}
template <class T, class P>
T& Reach(P& parent, std::string_view field, void* face) {
  return Hold<T>(*Verbs::Reach(parent, RowOf<P>(field)), face);
}
ListObject& HoldList(Message& parent, const proto::Row& row, void* face) {
  auto lent = faces_lend ? std::make_unique<ListObject>() : nullptr;
  ListObject* const list = Verbs::Hold(parent, row, lent.get());
  if (lent && list == lent.get()) lists[list] = std::move(lent);
  if (!list->face) Verbs::SetFace(*list, face);
  return *list;
}
template <class P>
ListObject& HoldList(P& parent, std::string_view field, void* face) {
  return HoldList(parent, RowOf<P>(field), face);
}
template <class T>
void Drop(T& message) {
  DropFace(T::table(), message);
}

class HoldTest : public testing::TestWithParam<bool> {
 protected:
  HoldTest() {
    faces_lend = GetParam();
    root_ = &NewHeldRoot<ModelProto>(&face_);
  }
  ~HoldTest() override {
    if (root_) Drop(*root_);
    EXPECT_TRUE(links.empty());
    EXPECT_TRUE(lists.empty());
  }
  size_t used() { return root_->arena()->bytes_used(); }
  int face_ = 0;
  ModelProto* root_ = nullptr;
};
INSTANTIATE_TEST_SUITE_P(, HoldTest, testing::Bool(), [](const auto& lends) { return lends.param ? "Lent" : "InTheArena"; });

TEST_P(HoldTest, AMessageKnowsItsFaceWhileItHasOne) {
  GraphProto* graph = root_->mutable_graph();
  EXPECT_EQ(graph->face(), nullptr);
  int face = 0;
  Hold<GraphProto>(*graph, &face);
  EXPECT_EQ(root_->graph().face(), &face);
  EXPECT_EQ(Verbs::Reach(*root_, RowOf<ModelProto>("graph")), graph);
  Drop(*graph);
  EXPECT_EQ(graph->face(), nullptr);
  EXPECT_TRUE(root_->has_graph());
}

TEST_P(HoldTest, AnAbsentChildIsPendingUntilSomethingBelowItChanges) {
  auto& graph = Reach<GraphProto>(*root_, "graph", &face_);
  EXPECT_TRUE(graph.pending());
  EXPECT_FALSE(root_->has_graph());
  EXPECT_EQ(root_->SerializeAsString(), "");
  EXPECT_EQ(&root_->graph(), &GraphProto::default_instance());
  graph.set_name("now");
  EXPECT_FALSE(graph.pending());
  EXPECT_TRUE(root_->has_graph());
  EXPECT_EQ(&root_->graph(), &graph);
  Drop(graph);
  EXPECT_EQ(root_->graph().name(), "now");
}

TEST_P(HoldTest, PendingEndsUpwardsThroughEveryLevel) {
  auto& training = *root_->add_training_info();
  auto& graph = Reach<GraphProto>(training, "algorithm", &face_);
  auto& node = *Verbs::New(NodeProto::table(), root_->arena());
  static_cast<NodeProto&>(node).set_name("not yet part of anything");
  ListObject& list = HoldList(graph, "node", &face_);
  EXPECT_FALSE(training.has_algorithm());
  Verbs::Touch(list);  // what `extend([])` does
  EXPECT_TRUE(training.has_algorithm());
  Drop(graph);
  DropFace(list);
  EXPECT_EQ(training.algorithm().node_size(), 0);
  Verbs::RecycleOne(NodeProto::table(), node);
}

TEST_P(HoldTest, APendingChainIsKeptByItsLowestHolderAndBecomesPresentFromThere) {
  auto& value = *root_->mutable_graph()->add_input();
  auto& type = Reach<TypeProto>(value, "type", &face_);
  auto& tensor = Reach<TypeProto_Tensor>(type, "tensor_type", &face_);
  auto& shape = Reach<TensorShapeProto>(tensor, "shape", &face_);
  ListObject& dims = HoldList(shape, "dim", &face_);
  Drop(type);
  Drop(tensor);
  Drop(shape);  // only the list is left
  EXPECT_FALSE(value.has_type());
  utils::RepeatedProtoField<TensorShapeProto_Dimension>::Of(&dims).Add()->set_dim_value(3);
  EXPECT_EQ(value.type().tensor_type().shape().dim(0).dim_value(), 3);
  DropFace(dims);
  EXPECT_EQ(value.type().tensor_type().shape().dim_size(), 1);
}

TEST_P(HoldTest, APendingChainThatNobodyHoldsIsGoneWithoutATrace) {
  auto& value = *root_->mutable_graph()->add_input();
  size_t before = 0;
  for (int i = 0; i < 50; ++i) {
    auto& type = Reach<TypeProto>(value, "type", &face_);
    auto& tensor = Reach<TypeProto_Tensor>(type, "tensor_type", &face_);
    auto& sequence = Reach<TypeProto_Sequence>(type, "sequence_type", &face_);
    ListObject& dims = HoldList(Reach<TensorShapeProto>(tensor, "shape", &face_), "dim", &face_);
    auto& shape = *static_cast<TensorShapeProto*>(dims.parent);
    if (i % 2) {
      Drop(type), Drop(sequence), Drop(tensor), Drop(shape), DropFace(dims);
    } else {
      DropFace(dims), Drop(shape), Drop(tensor), Drop(sequence), Drop(type);
    }
    EXPECT_FALSE(value.has_type());
    if (i == 1) before = used();
  }
  EXPECT_EQ(used(), before);
}

TEST_P(HoldTest, TwoPendingMembersOfAOneofTheOneThatChangesWins) {
  auto& type = *root_->mutable_graph()->add_input()->mutable_type();
  auto& tensor = Reach<TypeProto_Tensor>(type, "tensor_type", &face_);
  auto& map = Reach<TypeProto_Map>(type, "map_type", &face_);
  map.set_key_type(1);
  EXPECT_EQ(type.value_case(), TypeProto::kMapType);
  EXPECT_TRUE(tensor.pending());
  tensor.set_elem_type(2);
  EXPECT_EQ(type.value_case(), TypeProto::kTensorType);
  EXPECT_EQ(map.key_type(), 1);  // detached, and still alive
  EXPECT_FALSE(map.attached());
  map.set_key_type(3);
  EXPECT_EQ(type.value_case(), TypeProto::kTensorType);
  Drop(map);
  Drop(tensor);
}

TEST_P(HoldTest, AClearedChildWithAFaceLivesOnAndWritesToNobody) {
  root_->mutable_graph()->add_node()->set_name("kept");
  auto& node = Hold<NodeProto>(*root_->mutable_graph()->mutable_node(0), &face_);
  using Way = std::function<void(ModelProto&)>;
  const Way ways[] = {
      [](ModelProto& m) { m.mutable_graph()->clear_node(); },
      [](ModelProto& m) { m.clear_graph(); },
      [](ModelProto& m) { m.Clear(); },
      [](ModelProto& m) { m.mutable_graph()->ref_node().DeleteSubrange(0, m.graph().node_size()); },
      [](ModelProto& m) { m.mutable_graph()->ParseFromString(""); },
      [](ModelProto& m) { m.mutable_graph()->CopyFrom(GraphProto()); },
      [](ModelProto& m) { *m.mutable_graph() = GraphProto(); },
      [](ModelProto& m) { m.release_graph(); },
  };
  NodeProto* held = &node;
  for (const Way& way : ways) {
    way(*root_);
    EXPECT_EQ(root_->graph().node_size(), 0);
    EXPECT_EQ(held->name(), "kept");
    held->add_input("x");
    held->add_attribute()->set_i(1);
    EXPECT_EQ(root_->graph().node_size(), 0);
    Drop(*held);
    held = root_->mutable_graph()->add_node();
    held->set_name("kept");
    root_->mutable_graph()->add_node()->set_name("not held");
    Hold<NodeProto>(*held, &face_);
  }
  Drop(*held);
}

TEST_P(HoldTest, OneOfADenseBlockOfNodesMayLiveOnAlone) {
  GraphProto three;
  for (int i = 0; i < 3; ++i) three.add_node()->set_name(std::to_string(i));
  root_->mutable_graph()->ParseFromString(three.SerializeAsString());
  auto& middle = Hold<NodeProto>(*root_->mutable_graph()->mutable_node(1), &face_);
  root_->Clear();
  for (int i = 0; i < 20; ++i) root_->mutable_graph()->add_node()->set_name("over what was recycled");
  EXPECT_EQ(middle.name(), "1");
  middle.set_name("still mine");
  Drop(middle);
}

TEST_P(HoldTest, OneOfADenseBlockOfAnyTypeMayLiveOnAlone) {
  for (const proto::Table* table : proto::AllTables()) {
    for (const proto::Row& row : table->rows) {
      if (row.kind != proto::Kind::kMessages) continue;
      SCOPED_TRACE(std::string(table->name) + "." + std::string(row.name));
      const int tag = row.number << 3 | 2;
      const std::string one = tag < 0x80 ? std::string{static_cast<char>(tag), 0} : std::string{static_cast<char>(tag | 0x80), 1, 0};
      Message* parent = Verbs::New(*table, root_->arena());
      Verbs::Parse(*table, *parent, one + one + one, {});
      const proto::ListHandle& items = Verbs::ItemsOf(*parent, row);
      ASSERT_EQ(items.count, 3u);
      auto* middle = static_cast<Message*>(Verbs::Element(items, row, 1));
      SetFace(*middle, &face_);
      Verbs::ClearField(*parent, row);
      std::vector<Message*> made;  // over what was recycled
      for (int i = 0; i < 8; ++i) {
        made.push_back(Verbs::New(row.child(), root_->arena()));
        std::memset(reinterpret_cast<char*>(made.back()) + sizeof(Message), 0xff, row.child().size - sizeof(Message));
      }
      EXPECT_TRUE(Verbs::Equal(row.child(), *middle, *Verbs::New(row.child(), root_->arena())));
      DropFace(row.child(), *middle);
      for (Message* each : made) root_->arena()->Recycle(each, row.child().size);
      Verbs::RecycleOne(*table, *parent);
    }
  }
}

TEST_P(HoldTest, WhatHangsOnADetachedObjectLivesWithIt) {
  auto& graph = Hold<GraphProto>(*root_->mutable_graph(), &face_);
  graph.add_node()->add_attribute()->mutable_t()->set_raw_data("payload");
  auto& attribute = Hold<AttributeProto>(*graph.mutable_node(0)->mutable_attribute(0), &face_);
  root_->clear_graph();
  Drop(graph);  // it goes, with the node; the attribute stays
  EXPECT_EQ(attribute.t().raw_data(), "payload");
  auto& tensor = Hold<TensorProto>(*attribute.mutable_t(), &face_);
  Drop(attribute);
  EXPECT_EQ(tensor.raw_data(), "payload");
  Drop(tensor);
}

TEST_P(HoldTest, ADescendantKeepsTheArenaWhenTheRootIsGone) {
  int runs = 0;
  root_->mutable_graph()->add_node()->set_name("kept");
  root_->mutable_graph()->add_initializer()->set_raw_data_with_deleter("x", 1, [&] { ++runs; });
  auto& node = Hold<NodeProto>(*root_->mutable_graph()->mutable_node(0), &face_);
  ListObject& inputs = HoldList(node, "input", &face_);
  Drop(*root_);
  root_ = nullptr;
  EXPECT_EQ(runs, 1);  // what nobody can reach any more is let go of at once
  EXPECT_EQ(node.name(), "kept");
  utils::RepeatedStringField::Of(&inputs).push_back("x");
  EXPECT_EQ(node.input(0), "x");
  Drop(node);
  EXPECT_EQ(utils::RepeatedStringField::Of(&inputs)[0], "x");
  DropFace(inputs);  // and with it the arena
}

TEST_P(HoldTest, AHeldListIsTheListAndLivesOnWhenItIsCleared) {
  auto& node = *root_->mutable_graph()->add_node();
  node.add_input("a");
  ListObject& held = HoldList(node, "input", &face_);
  auto& list = utils::RepeatedStringField::Of(&held);
  node.add_input("b");
  list.push_back("c");
  EXPECT_EQ(node.input_size(), 3);
  node.clear_input();
  EXPECT_EQ(list.size(), 3u);
  list.push_back("d");
  EXPECT_EQ(node.input_size(), 0);
  node.add_input("new");
  ListObject& other = HoldList(node, "input", &face_);
  EXPECT_NE(&other, &held);
  root_->Clear();
  EXPECT_EQ(list[3], "d");
  EXPECT_EQ(utils::RepeatedStringField::Of(&other)[0], "new");
  DropFace(other);
  DropFace(held);
}

TEST_P(HoldTest, AHeldListGoesBackIntoItsMessageWithItsFace) {
  auto& node = *root_->mutable_graph()->add_node();
  size_t before = 0;
  for (int i = 0; i < 10; ++i) {
    for (const char* field : {"input", "metadata_props"}) {  // a list of the object and a rare one
      ListObject& list = HoldList(node, field, &face_);
      DropFace(list);
    }
    if (i == 1) before = used();
  }
  EXPECT_EQ(used(), before);
  ListObject& list = HoldList(node, "metadata_props", &face_);
  static_cast<StringStringEntryProto*>(Verbs::Append(list.arena, list.items, *list.row))->set_key("k");
  DropFace(list);
  EXPECT_EQ(node.metadata_props(0).key(), "k");
}

TEST_P(HoldTest, LookingLeavesNothingBehind) {
  const ModelProto sample = testing_support::RichModel();
  root_->CopyFrom(sample);
  const std::string bytes = root_->SerializeAsString();
  // Reaches everything there is and is not, as a walk in another language does; deepest first or last to go.
  const std::function<void(const proto::Table&, Message&, int)> walk = [&](const proto::Table& table, Message& message, int depth) {
    const bool mine = !message.face();
    if (mine) SetFace(message, &face_);
    for (const proto::Row& row : table.rows) {
      if (proto::IsList(row.kind)) {
        ListObject* list = &HoldList(message, row, &face_);
        if (row.kind == proto::Kind::kMessages) {
          for (uint32_t i = 0; i < list->items.count; ++i) {
            walk(row.child(), *static_cast<Message*>(Verbs::Element(list->items, row, i)), depth + 1);
          }
        }
        DropFace(*list);
      } else if (row.kind == proto::Kind::kMessage && depth < 9) {
        walk(row.child(), *Verbs::Reach(message, row), depth + 1);
      }
    }
    if (mine) DropFace(table, message);
  };
  for (int i = 0; i < 5; ++i) walk(ModelProto::table(), *root_, 0);
  const size_t before = used();
  for (int i = 0; i < 20; ++i) walk(ModelProto::table(), *root_, 0);
  EXPECT_EQ(used(), before);
  EXPECT_EQ(root_->SerializeAsString(), bytes);
  EXPECT_EQ(*root_, sample);
}

TEST_P(HoldTest, CopiesCopyNeitherFacesNorPendingChildren) {
  auto& graph = Reach<GraphProto>(*root_, "graph", &face_);
  HoldList(graph, "node", &face_);
  const ModelProto copy = *root_;
  EXPECT_EQ(copy, ModelProto());
  EXPECT_EQ(copy.face(), nullptr);
  ModelProto model;
  model.MergeFrom(*root_);
  EXPECT_FALSE(model.has_graph());
  root_->mutable_graph();
  EXPECT_TRUE(ModelProto(*root_).has_graph());
  EXPECT_EQ(ModelProto(*root_).graph().face(), nullptr);
  DropFace(*Verbs::Hold(graph, RowOf<GraphProto>("node")));
  Drop(graph);
}

TEST_P(HoldTest, MergingIntoAPendingChildMakesItPresentAndKeepsIt) {
  auto& graph = Reach<GraphProto>(*root_, "graph", &face_);
  ModelProto other;
  other.mutable_graph()->set_name("merged");
  root_->MergeFrom(other);
  EXPECT_EQ(graph.name(), "merged");
  EXPECT_EQ(&root_->graph(), &graph);
  root_->MergeFromString(other.SerializeAsString());
  EXPECT_EQ(&root_->graph(), &graph);
  Drop(graph);
}

TEST_P(HoldTest, SwappingMessagesWithHeldListsOfPendingOnesKeepsTheBooks) {
  auto& training = *root_->add_training_info();
  auto& one = Reach<GraphProto>(training, "algorithm", &face_);
  ListObject& list = HoldList(one, "node", &face_);  // counted in `one`, which is pending
  auto& other = *training.mutable_initialization();
  other.set_name("other");
  one.Swap(&other);
  EXPECT_EQ(list.parent, &other);
  Drop(one);
  EXPECT_EQ(training.algorithm().name(), "other");
  training.add_update_binding();
  training.clear_update_binding();  // the arena has its free lists from here on
  const size_t before = used();
  training.clear_initialization();  // with the list's parent, whose owner word is the arena itself: nothing is counted in it
  EXPECT_EQ(used(), before);
  EXPECT_EQ(list.parent, nullptr);
  DropFace(list);
  EXPECT_EQ(training.algorithm().name(), "other");
}

TEST_P(HoldTest, AReleasedChildWithAFaceStaysWhenItsOwnerGoes) {
  auto& graph = Hold<GraphProto>(*root_->mutable_graph(), &face_);
  graph.set_name("kept");
  { const utils::Owned<GraphProto> owned = root_->release_graph(); }
  EXPECT_EQ(graph.name(), "kept");
  graph.add_node();
  Drop(graph);
}

TEST_P(HoldTest, AClearedPendingChildIsCutOff) {
  auto& graph = Reach<GraphProto>(*root_, "graph", &face_);
  root_->clear_graph();
  graph.set_name("to nobody");
  EXPECT_FALSE(root_->has_graph());
  auto& again = Reach<GraphProto>(*root_, "graph", &face_);
  EXPECT_NE(&again, &graph);
  Drop(graph);
  Drop(again);
}

TEST_P(HoldTest, AFaceMovesToTheRootThatAParseHasMade) {
  proto::NewRoot made(ModelProto::table());
  static_cast<ModelProto&>(made.message()).set_domain("new");
  auto& child = Hold<GraphProto>(*root_->mutable_graph(), &face_);
  child.set_name("of the old one");
  if (faces_lend) {
    auto moved = links.extract(root_);
    Verbs::MoveFace(ModelProto::table(), *root_, made.message(), *moved.mapped());
    links[&made.message()] = std::move(moved.mapped());
  } else {
    Verbs::MoveFace(ModelProto::table(), *root_, made.message());
  }
  root_ = static_cast<ModelProto*>(&made.message());
  EXPECT_EQ(root_->face(), &face_);
  EXPECT_EQ(root_->domain(), "new");
  EXPECT_EQ(child.name(), "of the old one");
  Drop(child);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
