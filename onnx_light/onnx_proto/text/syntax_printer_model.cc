// Models and functions.
#include "onnx_proto/text/syntax_printer_parts.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

// Of the first operator that names no domain, whether it has one, empty.
const NodeProto* FirstWithoutDomain(const utils::RepeatedProtoField<NodeProto>& nodes) {
  for (const NodeProto& node : nodes) {
    if (node.view_domain().empty()) return &node;
  }
  return nullptr;
}

}  // namespace

// onnx's readers give an operator without a domain an empty one; its makers leave it out. One line at the beginning says so for all.
void SyntaxPrinter::ChooseDomainNote(const ModelProto* model, const GraphProto* graph, const FunctionProto* function) {
  const NodeProto* first = graph ? FirstWithoutDomain(graph->node()) : FirstWithoutDomain(function->node());
  if (model) {
    for (const FunctionProto& one : model->functions()) {
      if (first) break;
      first = FirstWithoutDomain(one.node());
    }
  }
  no_domain_ = first && !first->has_domain();
  if (no_domain_) out_.Put("#@{domain: absent}\n");
}

void SyntaxPrinter::Print(const ModelProto& model) {
  ChooseDomainNote(&model, &model.graph(), nullptr);
  Model(model);
}

void SyntaxPrinter::Print(const FunctionProto& function) {
  ChooseDomainNote(nullptr, nullptr, &function);
  Function(function);
}

void SyntaxPrinter::Print(const GraphProto& graph) {
  ChooseDomainNote(nullptr, &graph, nullptr);
  Graph(graph);
}

void SyntaxPrinter::Print(const NodeProto& node) {
  indent_ = 1;
  Node(node);
  out_.Put('\n');
}

// A header begins with the first entry.
void SyntaxPrinter::Key(std::string_view key, std::string_view indent) {
  out_.Put(has_header_ ? ",\n" : "<\n");
  has_header_ = true;
  out_.Put(indent);
  out_.Put(key);
  out_.Put(": ");
}

void SyntaxPrinter::HeaderText(std::string_view key, std::string_view indent, bool is_given, std::string_view text) {
  if (!is_given) return;
  Key(key, indent);
  String(text);
}

template <class M>
void SyntaxPrinter::OpsetImport(const M& message, std::string_view indent, uint32_t& noted) {
  if (!message.opset_import_size()) return;
  Key("opset_import", indent);
  out_.Put('[');
  bool first = true;
  for (const OperatorSetIdProto& opset : message.opset_import()) {
    if (!first) out_.Put(", ");
    first = false;
    String(opset.view_domain());
    out_.Put(" : ");
    Integer(opset.version());
    if (!opset.has_domain() || !opset.has_version()) noted |= M::table().Find("opset_import")->bit();
  }
  out_.Put(']');
}

// The note stands where another entry would, on a line of its own.
template <class M>
void SyntaxPrinter::EndHeader(const M& message, uint32_t noted, uint32_t absent) {
  if (!has_header_ && !(noted | absent)) return;
  if (!has_header_) out_.Put('<');
  has_header_ = false;
  if (noted | absent) {
    out_.Put("\n  ");
    Note(message, noted, absent, true);
  }
  out_.Put("\n>\n");
}

void SyntaxPrinter::Model(const ModelProto& model) {
  constexpr std::string_view kIndent = "   ";
  constexpr uint32_t kNoted = FieldBit(20) | FieldBit(26);  // training_info, configuration
  const Deeper deeper(*this);
  const uint32_t given = Given(model);
  uint32_t noted = given & kNoted;
  if (model.has_ir_version()) {
    Key("ir_version", kIndent);
    Integer(model.ir_version());
  }
  OpsetImport(model, kIndent, noted);
  HeaderText("producer_name", kIndent, model.has_producer_name(), model.view_producer_name());
  HeaderText("producer_version", kIndent, model.has_producer_version(), model.view_producer_version());
  HeaderText("domain", kIndent, model.has_domain(), model.view_domain());
  if (model.has_model_version()) {
    Key("model_version", kIndent);
    Integer(model.model_version());
  }
  HeaderText("doc_string", kIndent, model.has_doc_string(), model.view_doc_string());
  if (model.metadata_props_size()) {
    Key("metadata_props", kIndent);
    if (!StringPairs(model.metadata_props())) noted |= ModelProto::table().Find("metadata_props")->bit();
  }
  EndHeader(model, noted, model.has_graph() ? 0 : ModelProto::table().Find("graph")->bit());
  Graph(model.graph());
  for (const FunctionProto& function : model.functions()) {
    out_.Put('\n');
    Function(function);
  }
}

void SyntaxPrinter::Function(const FunctionProto& function) {
  constexpr std::string_view kIndent = "  ";
  const Deeper deeper(*this);
  uint32_t noted = Given(function) & FieldBit(14);  // metadata_props
  HeaderText("domain", kIndent, function.has_domain(), function.view_domain());
  HeaderText("overload", kIndent, function.has_overload(), function.view_overload());
  OpsetImport(function, kIndent, noted);
  HeaderText("doc_string", kIndent, function.has_doc_string(), function.view_doc_string());
  EndHeader(function, noted, function.has_name() ? 0 : FunctionProto::table().Find("name")->bit());
  Name(function.view_name());
  out_.Put(' ');
  if (function.attribute_size() || function.attribute_proto_size()) {
    out_.Put('<');
    bool first = true;
    for (int i = 0; i < function.attribute_size(); ++i) {
      if (!first) out_.Put(',');
      first = false;
      Name(function.view_attribute(i));
    }
    for (const AttributeProto& attribute : function.attribute_proto()) {
      if (!first) out_.Put(", ");
      first = false;
      Attribute(attribute, true);
    }
    out_.Put('>');
  }
  out_.Put('(');
  FunctionNames(function.input());
  out_.Put(") => (");
  FunctionNames(function.output());
  out_.Put(')');
  if (function.value_info_size()) {
    out_.Put(" <");
    Values(function.value_info());
    out_.Put('>');
  }
  out_.Put("\n{\n");
  Nodes(function.node());
  out_.Put('}');
}

// A type may stand before these names, so one that is the word of a type is quoted.
void SyntaxPrinter::FunctionNames(const utils::RepeatedStringField& names) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (i) out_.Put(", ");
    NameNoType(names.view(i));
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
