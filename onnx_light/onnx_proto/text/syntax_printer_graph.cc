// Graphs and nodes.
#include "onnx_proto/text/syntax_printer_parts.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

void SyntaxPrinter::Graph(const GraphProto& graph) {
  constexpr uint32_t kComment = FieldBit(10) | FieldBit(14) | FieldBit(16);  // doc_string, quantization_annotation, metadata_props
  constexpr uint32_t kValue = FieldBit(15);                                  // sparse_initializer
  const Deeper deeper(*this);
  const uint32_t given = Given(graph);
  NameNoType(graph.view_name());
  out_.Put(" (");
  Values(graph.input());
  out_.Put(") => (");
  Values(graph.output());
  out_.Put(") ");
  if (graph.initializer_size() || graph.value_info_size()) {
    out_.Put('\n');
    ++indent_;
    Indent();
    Constants(graph);
    --indent_;
    out_.Put('\n');
  }
  const uint32_t absent = graph.has_name() ? 0 : GraphProto::table().Find("name")->bit();
  if (given & kValue) {
    ValueNote(graph, given & (kComment | kValue), absent);
    out_.Put(' ');
  } else {
    Note(graph, given & kComment, absent);
  }
  out_.Put("{\n");
  Nodes(graph.node());
  Indent();
  out_.Put('}');
}

void SyntaxPrinter::Values(const utils::RepeatedProtoField<ValueInfoProto>& values) {
  bool first = true;
  for (const ValueInfoProto& value : values) {
    if (!first) out_.Put(", ");
    first = false;
    Value(value);
  }
}

void SyntaxPrinter::Value(const ValueInfoProto& value) {
  const Deeper deeper(*this);
  if (value.has_type()) {
    Type(value.type());
    out_.Put(' ');
    Name(value.view_name());
  } else {
    out_.Put(' ');
    NameNoType(value.view_name());
  }
  constexpr uint32_t kNoted = FieldBit(3) | FieldBit(4);  // doc_string, metadata_props
  Note(value, Given(value) & kNoted, value.has_name() ? 0 : FieldBit(1));
}

void SyntaxPrinter::Constants(const GraphProto& graph) {
  out_.Put('<');
  bool first = true;
  for (const TensorProto& tensor : graph.initializer()) {
    if (!first) out_.Put(", ");
    first = false;
    Constant(tensor);
  }
  if (!first && graph.value_info_size()) out_.Put(", ");
  Values(graph.value_info());
  out_.Put('>');
}

void SyntaxPrinter::Nodes(const utils::RepeatedProtoField<NodeProto>& nodes) {
  ++indent_;
  for (const NodeProto& node : nodes) {
    Node(node);
    out_.Put('\n');
  }
  --indent_;
}

void SyntaxPrinter::Names(const utils::RepeatedStringField& names) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (i) out_.Put(", ");
    Name(names.view(i));
  }
}

void SyntaxPrinter::Node(const NodeProto& node) {
  constexpr uint32_t kNoted = FieldBit(6) | FieldBit(9) | FieldBit(10);  // doc_string, metadata_props, device_configurations
  constexpr uint32_t kRare = kNoted | FieldBit(8);
  const Deeper deeper(*this);
  Indent();
  if (node.has_name()) {
    out_.Put('[');
    Name(node.view_name());
    out_.Put("] ");
  }
  Names(node.output());
  out_.Put(" = ");
  Operator(node);
  out_.Put(' ');
  bool has_graphs = false;
  for (const AttributeProto& attribute : node.attribute()) has_graphs |= attribute.has_g() || attribute.graphs_size() > 0;
  if (node.attribute_size() && !has_graphs) {
    NodeAttributes(node);
    out_.Put(' ');
  }
  out_.Put('(');
  Names(node.input());
  out_.Put(')');
  if (has_graphs) {
    out_.Put(' ');
    NodeAttributes(node);
  }
  uint32_t absent = node.has_op_type() ? 0 : FieldBit(4);
  if (!node.has_domain() && !no_domain_) absent |= FieldBit(7);
  uint32_t noted = node.has_bits() & kRare;
  if (node.metadata_props_size()) noted |= FieldBit(9);
  if (node.device_configurations_size()) noted |= FieldBit(10);
  if (!node.view_overload().empty()) noted &= ~FieldBit(8);  // it has been said
  Note(node, noted, absent, true);
}

void SyntaxPrinter::Operator(const NodeProto& node) {
  if (!node.view_domain().empty()) {
    Domain(node.view_domain());
    out_.Put('.');
  } else if (no_domain_ && node.has_domain()) {
    out_.Put('.');
  }
  Name(node.view_op_type());
  if (node.view_overload().empty()) return;
  out_.Put(':');
  Name(node.view_overload());
}

void SyntaxPrinter::NodeAttributes(const NodeProto& node) {
  out_.Put('<');
  bool first = true;
  for (const AttributeProto& attribute : node.attribute()) {
    if (!first) out_.Put(", ");
    first = false;
    Attribute(attribute, false);
  }
  out_.Put('>');
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
