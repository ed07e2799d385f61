// Prefixing, merging, extracting and verifying.
#include <gtest/gtest.h>

#include <vector>

#include "onnx_lib/graph/merge.h"
#include "onnx_lib/graph/part.h"
#include "onnx_lib/graph/rename.h"
#include "onnx_lib/graph/verify.h"
#include "onnx_proto/error.h"
#include "onnx_proto/testing/sample.h"

namespace ONNX_LIGHT_NAMESPACE::graph {
namespace {

void AddValue(utils::RepeatedProtoField<ValueInfoProto>& list, std::string_view name) {
  ValueInfoProto& value = list.add();
  value.set_name(name);
  value.mutable_type()->mutable_tensor_type()->set_elem_type(TensorProto::FLOAT);
}

NodeProto& AddNode(GraphProto& graph, std::string_view op, std::initializer_list<std::string_view> inputs,
                   std::initializer_list<std::string_view> outputs) {
  NodeProto& node = *graph.add_node();
  node.set_op_type(op);
  node.set_name(std::string(op) + "_node");
  for (const std::string_view input : inputs) node.add_input(input);
  for (const std::string_view output : outputs) node.add_output(output);
  return node;
}

// x -> Neg -> h -> If (whose branch adds h and w) -> y; w is an initializer.
ModelProto Sample() {
  ModelProto model;
  model.set_ir_version(10);
  model.add_opset_import()->set_version(21);
  GraphProto& graph = *model.mutable_graph();
  graph.set_name("main");
  AddValue(graph.ref_input(), "x");
  AddValue(graph.ref_input(), "c");
  AddValue(graph.ref_output(), "y");
  TensorProto& w = *graph.add_initializer();
  w.set_name("w");
  w.set_data_type(TensorProto::FLOAT);
  w.add_float_data(1);
  AddNode(graph, "Neg", {"x"}, {"h"});
  NodeProto& choice = AddNode(graph, "If", {"c"}, {"y"});
  AttributeProto& branch = *choice.add_attribute();
  branch.set_name("then_branch");
  branch.set_type(AttributeProto::GRAPH);
  GraphProto& inner = *branch.mutable_g();
  inner.set_name("inner");
  AddNode(inner, "Add", {"h", "w"}, {"t"});
  AddValue(inner.ref_output(), "t");
  return model;
}
const GraphProto& Branch(const GraphProto& graph) { return graph.node(graph.node_size() - 1).attribute(0).g(); }

// A graph in a graph in a graph …
GraphProto Nested(int depth) {
  GraphProto graph;
  GraphProto* at = &graph;
  for (int i = 0; i < depth; ++i) {
    AttributeProto& body = *AddNode(*at, "Loop", {}, {}).add_attribute();
    body.set_type(AttributeProto::GRAPH);
    at = body.mutable_g();
  }
  return graph;
}

std::vector<std::string> Ops(const GraphProto& graph) {
  std::vector<std::string> ops;
  for (int i = 0; i < graph.node_size(); ++i) ops.emplace_back(graph.node(i).view_op_type());
  return ops;
}

TEST(Graph, PrefixReachesWhatBranchesCaptureAndDefine) {
  ModelProto model = Sample();
  AddPrefix(model, "p_", {}, true);
  const GraphProto& graph = model.graph();
  EXPECT_EQ(graph.input(0).view_name(), "p_x");
  EXPECT_EQ(graph.initializer(0).view_name(), "p_w");
  EXPECT_EQ(graph.node(0).view_name(), "p_Neg_node");
  const NodeProto& add = Branch(graph).node(0);
  EXPECT_EQ(add.view_input(0), "p_h");
  EXPECT_EQ(add.view_input(1), "p_w");
  EXPECT_EQ(add.view_output(0), "p_t");
  VerifyModel(model);
}

TEST(Graph, CapturedNamesFollowWhateverIsRenamedOutside) {
  for (int bits = 0; bits < 64; ++bits) {
    ModelProto model = Sample();
    AddPrefix(model, "p_", {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0, (bits & 16) != 0, (bits & 32) != 0}, false);
    VerifyModel(model);
  }
}

TEST(Graph, ANameThatABranchDefinesItselfIsNotRenamedWithTheOneOutside) {
  ModelProto model = Sample();
  GraphProto& inner = *model.mutable_graph()->mutable_node(1)->mutable_attribute(0)->mutable_g();
  inner.mutable_node(0)->set_output(0, "h2");
  AddNode(inner, "Exp", {"h2"}, {"t"});
  RenameValues(*model.mutable_graph(), {{"h2", "other"}, {"h", "g"}});
  EXPECT_EQ(inner.node(0).view_input(0), "g");
  EXPECT_EQ(inner.node(0).view_output(0), "h2");
  EXPECT_EQ(inner.node(1).view_input(0), "h2");
}

TEST(Graph, PrefixRenamesFunctionsAndCallsButNothingInsideBodies) {
  ModelProto model = Sample();
  FunctionProto& function = *model.add_functions();
  function.set_domain("local");
  function.set_name("f");
  function.add_input("a");
  function.add_output("b");
  NodeProto& body = *function.add_node();
  body.set_op_type("f");  // of another domain
  body.add_input("a");
  body.add_output("b");
  NodeProto& call = *model.mutable_graph()->mutable_node(1)->mutable_attribute(0)->mutable_g()->mutable_node(0);
  call.set_op_type("f");
  call.set_domain("local");
  AddPrefix(model, "p_", {}, true);
  EXPECT_EQ(model.functions(0).view_name(), "p_f");
  EXPECT_EQ(model.functions(0).node(0).view_op_type(), "f");
  EXPECT_EQ(model.functions(0).node(0).view_input(0), "a");
  EXPECT_EQ(call.view_op_type(), "p_f");
}

TEST(Graph, PartFollowsCapturedValues) {
  ModelProto model = Sample();
  AddNode(*model.mutable_graph(), "Exp", {"y"}, {"z"});
  AddValue(model.mutable_graph()->ref_output(), "z");
  const ModelProto part = ExtractPart(model, {"x", "c"}, {"y"});
  EXPECT_EQ(Ops(part.graph()), (std::vector<std::string>{"Neg", "If"}));
  EXPECT_EQ(part.graph().initializer_size(), 1);
  VerifyModel(part);
  const ModelProto later = ExtractPart(model, {"y"}, {"z"});
  EXPECT_EQ(Ops(later.graph()), (std::vector<std::string>{"Exp"}));
  EXPECT_EQ(later.graph().initializer_size(), 0);
  EXPECT_THROW(ExtractPart(model, {"x"}, {"nothing"}), std::invalid_argument);
}

TEST(Graph, APartOfAnOldModelKeepsTheInputsOfItsInitializers) {
  ModelProto model = Sample();
  model.set_ir_version(3);
  AddValue(model.mutable_graph()->ref_input(), "w");
  AddValue(model.mutable_graph()->ref_input(), "unused");
  const ModelProto part = ExtractPart(model, {"h", "c"}, {"y"});
  ASSERT_EQ(part.graph().input_size(), 3);
  EXPECT_EQ(part.graph().input(2).view_name(), "w");
  VerifyModel(part);
}

TEST(Graph, APartThatUsesWhatNothingInItDefinesIsRefusedUnlessItIsWantedSo) {
  const ModelProto model = Sample();
  for (const auto& [inputs, missing] : {std::pair{std::vector<std::string>{"x"}, "\"c\""}, {{"c"}, "\"x\""}}) {
    try {
      ExtractPart(model, inputs, {"y"});
      ADD_FAILURE() << missing;
    } catch (const ValidationError& error) {
      EXPECT_NE(std::string(error.what()).find(missing), std::string::npos) << error.what();
    }
    EXPECT_EQ(Ops(ExtractPart(model, inputs, {"y"}, false).graph()), (std::vector<std::string>{"Neg", "If"}));
  }
  EXPECT_THROW(ExtractPart(model, {"c"}, {"x"}), ValidationError);  // an output that is neither given nor made
}

TEST(Graph, APartThatIsRefusedShowsNamesEscaped) {
  ModelProto model;
  NodeProto& node = *model.mutable_graph()->add_node();
  node.set_name("n\x1b[2J");
  node.add_input("x\x1b[2J");
  node.add_output("y");
  model.mutable_graph()->add_output()->set_name("y");
  for (const std::vector<std::string>& outputs : {std::vector<std::string>{"y"}, {"z\x1b[2J"}}) {
    try {
      ExtractPart(model, {}, outputs);
      ADD_FAILURE();
    } catch (const std::exception& error) {
      const std::string text = error.what();
      EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
      EXPECT_NE(text.find("\\x1b[2J"), std::string::npos) << text;
    }
  }
}

TEST(Graph, MergeConnectsWhatOnlyBranchesUse) {
  const ModelProto first = Sample();
  ModelProto second = Sample();
  AddPrefix(second, "s_", {}, true);
  const ModelProto merged = MergeModels(first, second, {.io_map = {{"y", "s_x"}}});
  VerifyModel(merged);
  EXPECT_EQ(merged.graph().input_size(), 3);
  EXPECT_EQ(merged.graph().output_size(), 1);
  EXPECT_EQ(merged.graph().node(2).view_input(0), "y");
  EXPECT_EQ(merged.opset_import_size(), 1);
}

TEST(Graph, MergeSaysWhichNamesOverlap) {
  const ModelProto model = Sample();
  try {
    MergeModels(model, model, {.io_map = {{"y", "x"}}});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("\"h\""), std::string::npos) << error.what();
  }
}

TEST(Graph, MergeSaysWhichDomainDiffers) {
  const ModelProto first = Sample();
  ModelProto second = Sample();
  second.mutable_opset_import(0)->set_version(20);
  EXPECT_THROW(MergeModels(first, second, {.prefix1 = "a"}), std::invalid_argument);
}

TEST(Graph, GraphsNestedTooDeepAreATypedError) {
  GraphProto graph = Nested(kMaxGraphDepth + 1);
  NameMap names;
  EXPECT_THROW(AddPrefix(graph, "p", {}, names), NestingError);
  EXPECT_THROW(RenameValues(graph, {}), NestingError);
  EXPECT_THROW(ForEachUse(graph.node(0), [](std::string_view) {}), NestingError);
  AttributeProto& attribute = *graph.mutable_node(0)->mutable_attribute(0);
  attribute.set_name("body");
  EXPECT_THROW(VerifyAttribute(attribute, 10), Error);
}

// Each change of the sample breaks one rule.
TEST(Verify, RefusesWhatBreaksARule) {
  const std::pair<const char*, void (*)(ModelProto&)> faults[] = {
      {"ir_version", [](ModelProto& model) { model.clear_ir_version(); }},
      {"no graph", [](ModelProto& model) { model.clear_graph(); }},
      {"imports no operator set", [](ModelProto& model) { model.ref_opset_import().clear(); }},
      {"twice", [](ModelProto& model) { model.add_opset_import()->set_version(3); }},
      {"no name", [](ModelProto& model) { model.mutable_graph()->set_name(""); }},
      {"topologically", [](ModelProto& model) { model.mutable_graph()->mutable_node(0)->set_input(0, "nowhere"); }},
      {"topologically", [](ModelProto& model) { model.mutable_graph()->ref_node().SwapElements(0, 1); }},
      {"defined already", [](ModelProto& model) { model.mutable_graph()->mutable_node(1)->set_output(0, "h"); }},
      {"nothing defines its output", [](ModelProto& model) { model.mutable_graph()->mutable_output(0)->set_name("q"); }},
      {"no op_type", [](ModelProto& model) { model.mutable_graph()->mutable_node(0)->set_op_type(""); }},
      {"not imported", [](ModelProto& model) { model.mutable_graph()->mutable_node(0)->set_domain("foreign"); }},
      {"raw_data has",
       [](ModelProto& model) {
         model.mutable_graph()->mutable_initializer(0)->set_raw_data("12345");
         model.mutable_graph()->mutable_initializer(0)->ref_float_data().clear();
       }},
      {"more than one field", [](ModelProto& model) { model.mutable_graph()->mutable_initializer(0)->set_raw_data("1234"); }},
      {"do not fit", [](ModelProto& model) { model.mutable_graph()->mutable_initializer(0)->add_dims(3); }},
      {"negative", [](ModelProto& model) { model.mutable_graph()->mutable_initializer(0)->add_dims(-1); }},
      {"63 bits",
       [](ModelProto& model) {
         for (int i = 0; i < 2; ++i) model.mutable_graph()->mutable_initializer(0)->add_dims(int64_t{1} << 40);
       }},
      {"no TensorProto.DataType", [](ModelProto& model) { model.mutable_graph()->mutable_initializer(0)->set_data_type(99); }},
      {"its value INT", [](ModelProto& model) { model.mutable_graph()->mutable_node(1)->mutable_attribute(0)->set_i(3); }},
      {"twice",
       [](ModelProto& model) {
         NodeProto& node = *model.mutable_graph()->mutable_node(1);
         *node.add_attribute() = AttributeProto(node.attribute(0));
       }},
      {"says nothing", [](ModelProto& model) { model.mutable_graph()->mutable_input(0)->mutable_type()->clear_value(); }},
  };
  VerifyModel(Sample());
  for (const auto& [rule, spoil] : faults) {
    ModelProto model = Sample();
    spoil(model);
    try {
      VerifyModel(model);
      ADD_FAILURE() << rule;
    } catch (const ValidationError& error) {
      EXPECT_NE(std::string(error.what()).find(rule), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE::graph
