#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <vector>

#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/testing/sample.h"
#include "onnx_proto/testing/tensor_everywhere.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::PlacesOfTensorEverywhere;
using testing_support::TensorEverywhere;

TEST(RawDataCallback, IsToldOfEachTensorWithAPayloadInTheOrderOfTheBytesAndOfItsGraph) {
  ModelProto source = TensorEverywhere();
  source.mutable_graph()->add_initializer()->set_name("without a payload");
  std::vector<std::string> names;
  ParseOptions options;
  options.raw_data_callback = [&](TensorProto& tensor, GraphProto* graph) -> std::function<void()> {
    names.push_back(tensor.name());
    EXPECT_EQ(tensor.raw_data().size(), 8u);
    if (graph) EXPECT_EQ(graph->name(), tensor.name().substr(0, graph->name().size()));
    else EXPECT_EQ(tensor.name().substr(0, 8), "function");
    return {};
  };
  ModelProto model;
  model.ParseFromString(source.SerializeAsString(), options);
  EXPECT_EQ(names, PlacesOfTensorEverywhere());
  EXPECT_EQ(model, source);
}

TEST(RawDataCallback, WhatItReturnsRunsOnceWhenThePayloadIsLetGoOf) {
  const std::string bytes = TensorEverywhere().SerializeAsString();
  for (const bool no_copy : {false, true}) {
    int runs = 0;
    ParseOptions options;
    options.no_copy = no_copy;
    options.raw_data_callback = [&](TensorProto&, GraphProto*) { return [&runs] { ++runs; }; };
    const int all = static_cast<int>(PlacesOfTensorEverywhere().size());
    {
      ModelProto model;
      model.ParseFromString(bytes, options);
      EXPECT_EQ(model.graph().initializer(0).raw_data().is_borrowed(), no_copy);
      EXPECT_EQ(runs, 0);
      {
        const ModelProto copy = model;
        ModelProto moved = std::move(model);
        model = std::move(moved);
      }
      EXPECT_EQ(runs, 0);
      model.mutable_graph()->mutable_initializer(0)->set_raw_data("overwritten");
      EXPECT_EQ(runs, 1);
      model.mutable_graph()->clear_node();
      EXPECT_EQ(runs, 9);
    }
    EXPECT_EQ(runs, all);
  }
}

TEST(RawDataCallback, MayMoveThePayloadElsewhere) {
  const TensorProto source = TensorEverywhere().graph().initializer(0);
  std::string device;
  ParseOptions options;
  options.raw_data_callback = [&](TensorProto& tensor, GraphProto* graph) -> std::function<void()> {
    EXPECT_EQ(graph, nullptr);
    device = tensor.raw_data().view();
    tensor.mutable_raw_data()->assign_borrowed(device.data(), device.size());
    return [&device] { device.clear(); };
  };
  {
    TensorProto tensor;
    tensor.ParseFromString(source.SerializeAsString(), options);
    EXPECT_EQ(tensor, source);
    EXPECT_EQ(tensor.raw_data().view().data(), device.data());
  }
  EXPECT_TRUE(device.empty());
}

TEST(RawDataCallback, WhatItThrowsEndsTheParseAndTheTargetIsAsItWas) {
  const std::string bytes = TensorEverywhere().SerializeAsString();
  int runs = 0, calls = 0;
  ParseOptions options;
  options.raw_data_callback = [&](TensorProto&, GraphProto*) -> std::function<void()> {
    if (++calls == 3) throw std::out_of_range("the third");
    return [&runs] { ++runs; };
  };
  ModelProto model = testing_support::RichModel();
  EXPECT_THROW(model.ParseFromString(bytes, options), std::out_of_range);
  EXPECT_EQ(model, testing_support::RichModel());
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(runs, 2);  // what was parsed is gone
  calls = 0;
  GraphProto* const graph = model.mutable_graph();
  EXPECT_THROW(graph->ParseFromString(model.graph().SerializeAsString().append(TensorEverywhere().graph().SerializeAsString()), options),
               std::out_of_range);
  EXPECT_EQ(model, testing_support::RichModel());
}

TEST(RawDataCallback, IsNotCalledForPayloadsThatAreLeftOut) {
  ParseOptions options;
  options.skip_raw_data = true;
  options.raw_data_threshold = 8;
  options.raw_data_callback = [](TensorProto&, GraphProto*) -> std::function<void()> { throw std::logic_error("called"); };
  ModelProto model;
  model.ParseFromString(TensorEverywhere().SerializeAsString(), options);
  EXPECT_FALSE(model.graph().initializer(0).has_raw_data());
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
