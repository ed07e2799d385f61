// Graphs and nodes.
#include "onnx_proto/text/syntax_parser_lists.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

void SyntaxParser::Graph(GraphProto& graph) {
  const Deeper deeper(*this);
  graph.set_name(Name("the name of a graph"));
  Need('(');
  if (!Take(')')) {
    do {
      GraphInput(graph);
    } while (Take(','));
    Need(')');
  }
  NeedArrow();
  Need('(');
  if (!Take(')')) {
    do {
      Value(*graph.add_output());
    } while (Take(','));
    Need(')');
  }
  if (Take('<') && !Take('>')) {
    do {
      GraphConstant(graph);
    } while (Take(','));
    Need('>');
  }
  const char* const note_at = PutNoteOff();
  Nodes(graph);
  ReadNoteAt(note_at, graph);
}

// A value, or a value and the constant it is if nothing else is given.
void SyntaxParser::GraphInput(GraphProto& graph) {
  ValueInfoProto& value = *graph.add_input();
  const char* const start = (Peek(), at());
  Value(value);
  if (!Take('=')) return;
  const Deeper deeper(*this);
  TensorProto& tensor = *graph.add_initializer();
  if (!AtValueNote()) SetDataTypeAndDims(tensor, value.type(), start);
  tensor.set_name(value.view_name());
  TensorData(tensor);
}

// A value that is known about, or a constant.
void SyntaxParser::GraphConstant(GraphProto& graph) {
  const Deeper deeper(*this);
  const char* const start = (Peek(), at());
  const bool has_type = AtType();
  if (has_type) TypeAhead();
  const std::string_view name = Name("a type or the name of a value");
  if (Peek() != '=') {
    ValueInfoProto& value = *graph.add_value_info();
    value.set_name(name);
    if (has_type) TypeAgain(start, *value.mutable_type());
    return Note(value);
  }
  TensorProto& tensor = *graph.add_initializer();
  tensor.set_name(name);
  Need('=');
  if (has_type) SetDataTypeAndDims(tensor, type_, start);
  else if (!AtValueNote()) Fail(start, "a constant needs a type");
  TensorData(tensor);
}

void SyntaxParser::Value(ValueInfoProto& value) {
  const Deeper deeper(*this);
  if (AtType()) Type(*value.mutable_type());
  value.set_name(Name("a type or the name of a value"));
  Note(value);
}

// Names with commas between; where there is none, it is empty, but not behind the last comma.
template <class Add>
void SyntaxParser::Names(const Add& add) {
  do {
    if (AtName()) {
      add(Name("a name"));
    } else if (Peek() == ',') {
      add(std::string_view());
    } else {
      return;
    }
  } while (Take(','));
}

void SyntaxParser::Node(NodeProto& node) {
  const Deeper deeper(*this);
  if (Take('[')) {
    node.set_name(AtName() ? Name("a name") : std::string_view());
    Need(']');
  }
  Names([&](std::string_view name) { node.add_output(name); });
  Need('=');
  Operator(node);
  const bool attributes_first = Peek() == '<';
  if (attributes_first) NodeAttributes(node);
  Need('(');
  Names([&](std::string_view name) { node.add_input(name); });
  Need(')');
  if (!attributes_first && Peek() == '<') NodeAttributes(node);
  Note(node);
}

void SyntaxParser::Operator(NodeProto& node) {
  const DottedName name = Dotted("the name of an operator");
  if (name.has_before || !no_domain_) node.set_domain(name.before);
  node.set_op_type(name.last);
  if (Take(':')) node.set_overload(Name("the name of an overload"));
}

void SyntaxParser::NodeAttributes(NodeProto& node) {
  Need('<');
  do {
    AttributeOf(*node.add_attribute(), false);
  } while (Take(','));
  Need('>');
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
