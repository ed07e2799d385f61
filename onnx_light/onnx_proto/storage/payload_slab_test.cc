// Small payloads share a slab of their arena: what leaves the arena keeps the slab, what is dropped gives it back.
#include "onnx_proto/storage/payload_slab.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using proto::Arena;
using proto::ArenaOwner;
using proto::PayloadSlab;

// A graph of tensors whose payloads are small enough for a slab.
std::string GraphBytes(int tensors) {
  GraphProto graph;
  for (int i = 0; i < tensors; ++i) graph.add_initializer()->set_raw_data(std::string(40, static_cast<char>('a' + i)));
  return graph.SerializeAsString();
}

TEST(PayloadSlab, TheArenaLetsGoWithTheLastSpan) {
  const ArenaOwner arena(Arena::Create());
  uint8_t* bytes = nullptr;
  PayloadSlab* const slab = PayloadSlab::New(arena.get(), 100, &bytes);
  slab->Hold();
  slab->AddSpan();
  slab->AddSpan();
  slab->EndSpan();  // the maker's
  slab->EndSpan();
  EXPECT_FALSE(slab->alone());
  slab->EndSpan();
  EXPECT_TRUE(slab->alone());
  slab->LetGo();
}

TEST(PayloadSlab, AnArenaThatGoesLetsGo) {
  auto arena = std::make_unique<ArenaOwner>(Arena::Create());
  uint8_t* bytes = nullptr;
  PayloadSlab* const slab = PayloadSlab::New(arena->get(), 100, &bytes);
  slab->Hold();
  slab->AddSpan();
  arena.reset();
  EXPECT_TRUE(slab->alone());
  slab->LetGo();
}

TEST(PayloadSlab, BytesThatWereCopiedOrMovedOutOutliveTheModel) {
  auto graph = std::make_unique<GraphProto>();
  graph->ParseFromString(GraphBytes(3));
  const utils::ByteSpan copied = graph->initializer(0).raw_data();
  const utils::ByteSpan moved = std::move(*graph->mutable_initializer(1)->mutable_raw_data());
  const TensorProto tensor = graph->initializer(2);
  const std::shared_ptr<void> token = graph->initializer(2).raw_data().owner();
  const uint8_t* const watched = graph->initializer(2).raw_data().data();
  EXPECT_TRUE(graph->initializer(1).raw_data().empty());
  graph.reset();
  EXPECT_EQ(copied, std::string(40, 'a'));
  EXPECT_EQ(moved, std::string(40, 'b'));
  EXPECT_EQ(tensor.raw_data(), std::string(40, 'c'));
  EXPECT_EQ(watched[39], 'c');
}

TEST(PayloadSlab, WritingOnePayloadChangesNoOtherAndNoCopy) {
  GraphProto graph;
  graph.ParseFromString(GraphBytes(3));
  const utils::ByteSpan before = graph.initializer(1).raw_data();
  graph.mutable_initializer(1)->mutable_raw_data()->mutable_data()[0] = 'X';
  graph.mutable_initializer(1)->mutable_raw_data()->resize(60);
  EXPECT_EQ(before, std::string(40, 'b'));
  EXPECT_EQ(graph.initializer(0).raw_data(), std::string(40, 'a'));
  EXPECT_EQ(graph.initializer(1).raw_data(), "X" + std::string(39, 'b') + std::string(20, '\0'));
  EXPECT_EQ(graph.initializer(2).raw_data(), std::string(40, 'c'));
}

TEST(PayloadSlab, ADeleterOnBytesInASlabRunsOnceWhenTheTensorGoes) {
  int runs = 0;
  {
    GraphProto graph;
    graph.ParseFromString(GraphBytes(2));
    graph.mutable_initializer(0)->mutable_raw_data()->attach_deleter([&] { ++runs; });
    EXPECT_EQ(graph.initializer(0).raw_data(), std::string(40, 'a'));
    graph.mutable_initializer()->RemoveLast();
    EXPECT_EQ(runs, 0);
  }
  EXPECT_EQ(runs, 1);
}

TEST(PayloadSlab, ParsingReplacingAndClearingInAnArenaThatLivesOnGivesEverythingBack) {
  ModelProto model;
  const std::string bytes = GraphBytes(20);
  for (int i = 0; i < 50; ++i) {
    model.mutable_graph()->ParseFromString(bytes);
    model.mutable_graph()->MergeFromString(bytes);
    model.mutable_graph()->mutable_initializer(3)->set_raw_data("other");
    model.mutable_graph()->mutable_initializer(4)->clear_raw_data();
    ASSERT_EQ(model.graph().initializer_size(), 40);
    ASSERT_EQ(model.graph().initializer(39).raw_data(), std::string(40, 'a' + 19));
    model.mutable_graph()->clear_initializer();
  }
}

TEST(PayloadSlab, AModelMayGoWhoseEveryPayloadSomebodyHasReachedFor) {
  for (int tensors = 1; tensors < 4; ++tensors) {
    GraphProto graph;
    graph.ParseFromString(GraphBytes(tensors));
    for (int i = 0; i < tensors; ++i) graph.mutable_initializer(i)->mutable_raw_data()->mutable_data()[0] = 'X';
  }
}

TEST(PayloadSlab, TheLastOfSeveralValuesOfOneFieldWins) {
  TensorProto a, b;
  a.set_raw_data("first");
  b.set_raw_data("second");
  TensorProto both;
  both.ParseFromString(a.SerializeAsString() + b.SerializeAsString());
  EXPECT_EQ(both.raw_data(), "second");
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
