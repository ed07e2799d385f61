// Attributes, nodes, graphs, functions, models.
#include "onnx_lib/graph/verify.h"

#include <functional>

#include "onnx_proto/error.h"
#include "onnx_proto/text/quoted.h"

namespace ONNX_LIGHT_NAMESPACE::graph {
namespace {

std::string NodeText(const NodeProto& node) {
  std::string text = "node " + Quoted(node.view_name()) + " (";
  if (!node.view_domain().empty()) text += Shown(node.view_domain()) + ".";
  return text + Shown(node.view_op_type()) + ")";
}

[[noreturn]] void Fail(const std::string& place, const std::string& rule) { throw ValidationError(place + ": " + rule); }

// The values that are defined so far, here and around. Views of names in messages that stay.
struct Scope {
  const Scope* outer;
  ViewSet values;
  bool Has(std::string_view name) const {
    for (const Scope* scope = this; scope; scope = scope->outer) {
      if (scope->values.contains(name)) return true;
    }
    return false;
  }
};

class Verifier {
 public:
  // With `all_known`, what a graph uses has to be defined: false for a piece whose surroundings are not there.
  Verifier(int64_t ir_version, bool all_known) : ir_version_(ir_version), all_known_(all_known) {}

  void Import(std::string_view domain) { domains_.insert(domain == "ai.onnx" ? "" : domain); }
  void CheckDomains() { check_domains_ = true; }

  void Graph(const GraphProto& graph, const Scope* outer, int depth) const {
    CheckGraphDepth(depth);
    const std::string place = "graph " + Quoted(graph.view_name());
    if (graph.view_name().empty()) Fail(place, "it has no name");
    Scope scope{outer, {}};
    for (int i = 0; i < graph.input_size(); ++i) {
      const ValueInfoProto& input = graph.input(i);
      VerifyValueInfo(input, ir_version_);
      Define(scope, input.view_name(), place, "input");
    }
    ViewSet constants;
    for (int i = 0; i < graph.initializer_size(); ++i) {
      const TensorProto& tensor = graph.initializer(i);
      Initializer(tensor, place, constants, scope);
      VerifyTensor(tensor, ir_version_);
    }
    for (int i = 0; i < graph.sparse_initializer_size(); ++i) {
      const SparseTensorProto& sparse = graph.sparse_initializer(i);
      Initializer(sparse.values(), place, constants, scope);
      VerifySparseTensor(sparse, ir_version_);
    }
    for (int i = 0; i < graph.node_size(); ++i) Node(graph.node(i), scope, depth);
    for (int i = 0; i < graph.output_size(); ++i) {
      const ValueInfoProto& output = graph.output(i);
      VerifyValueInfo(output, ir_version_);
      if (all_known_ && !scope.Has(output.view_name())) Fail(place, "nothing defines its output " + Quoted(output.view_name()));
    }
    for (int i = 0; i < graph.value_info_size(); ++i) VerifyValueInfo(graph.value_info(i), ir_version_);
  }

  void Node(const NodeProto& node, Scope& scope, int depth) const {
    if (node.view_op_type().empty()) Fail(NodeText(node), "it has no op_type");
    if (node.input_size() == 0 && node.output_size() == 0) Fail(NodeText(node), "it has neither inputs nor outputs");
    if (check_domains_ && !domains_.contains(node.view_domain() == "ai.onnx" ? "" : node.view_domain())) {
      Fail(NodeText(node), "its domain " + Quoted(node.view_domain()) + " is not imported");
    }
    for (int i = 0; all_known_ && i < node.input_size(); ++i) {
      const std::string_view name = node.view_input(i);
      if (!name.empty() && !scope.Has(name)) {
        Fail(NodeText(node), "nothing before it defines its input " + Quoted(name) + ": nodes have to be topologically sorted");
      }
    }
    ViewSet names;
    for (int i = 0; i < node.attribute_size(); ++i) {
      const AttributeProto& attribute = node.attribute(i);
      if (!names.insert(attribute.view_name()).second) Fail(NodeText(node), "it has attribute " + Quoted(attribute.view_name()) + " twice");
      Attribute(attribute, NodeText(node) + ", attribute ", &scope, depth);
    }
    for (int i = 0; i < node.output_size(); ++i) {
      if (!node.view_output(i).empty()) Define(scope, node.view_output(i), NodeText(node), "output");
    }
  }

  void Attribute(const AttributeProto& attribute, const std::string& before, const Scope* scope, int depth) const {
    const std::string place = before + Quoted(attribute.view_name());
    if (attribute.view_name().empty()) Fail(place, "it has no name");
    const int type = attribute.type();
    const struct {
      int type;
      bool is_set;
    } values[] = {
        {AttributeProto::FLOAT, attribute.has_f()},
        {AttributeProto::INT, attribute.has_i()},
        {AttributeProto::STRING, attribute.has_s()},
        {AttributeProto::TENSOR, attribute.has_t()},
        {AttributeProto::GRAPH, attribute.has_g()},
        {AttributeProto::SPARSE_TENSOR, attribute.has_sparse_tensor()},
        {AttributeProto::TYPE_PROTO, attribute.has_tp()},
        {AttributeProto::FLOATS, attribute.floats_size() > 0},
        {AttributeProto::INTS, attribute.ints_size() > 0},
        {AttributeProto::STRINGS, attribute.strings_size() > 0},
        {AttributeProto::TENSORS, attribute.tensors_size() > 0},
        {AttributeProto::GRAPHS, attribute.graphs_size() > 0},
        {AttributeProto::SPARSE_TENSORS, attribute.sparse_tensors_size() > 0},
        {AttributeProto::TYPE_PROTOS, attribute.type_protos_size() > 0},
    };
    int set = 0;
    for (const auto& value : values) {
      set += value.is_set;
      if (value.is_set && ir_version_ >= 2 && value.type != type) {
        Fail(place,
             "its type is " + AttributeProto::AttributeType_Name(type) + ", its value " + AttributeProto::AttributeType_Name(value.type));
      }
    }
    if (attribute.has_ref_attr_name()) {
      if (set) Fail(place, "it has a value and a reference to an attribute of the function");
      return;
    }
    const bool is_single = type >= AttributeProto::FLOAT && type <= AttributeProto::GRAPH;
    const bool needs_value = is_single || type == AttributeProto::SPARSE_TENSOR || type == AttributeProto::TYPE_PROTO;
    if (set == 0 && needs_value) Fail(place, "its type is " + AttributeProto::AttributeType_Name(type) + ", and it has no such value");
    if (set == 0 && type == AttributeProto::UNDEFINED) Fail(place, "it has neither a type nor a value");
    if (attribute.has_t()) VerifyTensor(attribute.t(), ir_version_);
    if (attribute.has_sparse_tensor()) VerifySparseTensor(attribute.sparse_tensor(), ir_version_);
    if (attribute.has_g()) Graph(attribute.g(), scope, depth + 1);
    for (int i = 0; i < attribute.tensors_size(); ++i) VerifyTensor(attribute.tensors(i), ir_version_);
    for (int i = 0; i < attribute.sparse_tensors_size(); ++i) VerifySparseTensor(attribute.sparse_tensors(i), ir_version_);
    for (int i = 0; i < attribute.graphs_size(); ++i) Graph(attribute.graphs(i), scope, depth + 1);
  }

  void Function(const FunctionProto& function) const {
    const std::string place = "function " + Quoted(function.view_name()) + " of domain " + Quoted(function.view_domain());
    if (function.view_name().empty()) Fail(place, "it has no name");
    Verifier inside(ir_version_, true);
    inside.CheckDomains();
    for (int i = 0; i < function.opset_import_size(); ++i) inside.Import(function.opset_import(i).view_domain());
    Scope scope{nullptr, {}};
    for (int i = 0; i < function.input_size(); ++i) Define(scope, function.view_input(i), place, "input");
    for (int i = 0; i < function.node_size(); ++i) inside.Node(function.node(i), scope, 0);
    for (int i = 0; i < function.output_size(); ++i) {
      if (!scope.Has(function.view_output(i))) Fail(place, "nothing defines its output " + Quoted(function.view_output(i)));
    }
  }

 private:
  static void Define(Scope& scope, std::string_view name, const std::string& place, const char* what) {
    if (scope.Has(name)) {
      Fail(place, std::string(what) + " " + Quoted(name) + " is defined already: each value is defined once (single static assignment)");
    }
    scope.values.insert(name);
  }
  // An initializer is a value of its own, or the default of an input.
  void Initializer(const TensorProto& tensor, const std::string& place, ViewSet& constants, Scope& scope) const {
    const std::string_view name = tensor.view_name();
    if (name.empty()) Fail(place, "an initializer has no name");
    if (!constants.insert(name).second) Fail(place, "it has initializer " + Quoted(name) + " twice");
    if (!scope.values.insert(name).second) return;  // an input's default
    if (ir_version_ < 4) Fail(place, "initializer " + Quoted(name) + " is no input, which it has to be before IR version 4");
  }

  int64_t ir_version_;
  bool all_known_;
  bool check_domains_ = false;
  ViewSet domains_;
};

}  // namespace

void VerifyModel(const ModelProto& model) {
  if (model.ir_version() <= 0) Fail("model", "it has no ir_version");
  if (!model.has_graph()) Fail("model", "it has no graph");
  Verifier verifier(model.ir_version(), true);
  verifier.CheckDomains();
  ViewSet imported;
  for (int i = 0; i < model.opset_import_size(); ++i) {
    const std::string_view domain = model.opset_import(i).view_domain();
    if (!imported.insert(domain).second) Fail("model", "it imports domain " + Quoted(domain) + " twice");
    verifier.Import(domain);
  }
  if (imported.empty() && model.ir_version() >= 3) Fail("model", "it imports no operator set, which it has to from IR version 3 on");
  NameSet functions;
  for (int i = 0; i < model.functions_size(); ++i) {
    const FunctionProto& function = model.functions(i);
    const std::string key =
        std::string(function.view_domain()) + '\0' + std::string(function.view_name()) + '\0' + std::string(function.view_overload());
    if (!functions.insert(key).second)
      Fail("model", "it has function " + Quoted(function.view_name()) + " of domain " + Quoted(function.view_domain()) + " twice");
    verifier.Function(function);
  }
  verifier.Graph(model.graph(), nullptr, 0);
}

void VerifyAttribute(const AttributeProto& attribute, int64_t ir_version) {
  Scope nothing{nullptr, {}};
  Verifier(ir_version, false).Attribute(attribute, "attribute ", &nothing, 0);
}

}  // namespace ONNX_LIGHT_NAMESPACE::graph
