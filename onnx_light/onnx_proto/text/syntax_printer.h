// Prints the ONNX syntax, so that reading it gives the same message. Where onnx's own words suffice, the text is the one that onnx prints.
//
// What those words cannot say goes two ways. What other readers may miss without reading something else (documentation, metadata, how the
// elements are stored) is a note in a comment, "#@{…}". What they must not miss is a note that they refuse, "@{…}", or a string where they
// know identifiers only.
#pragma once

#include "onnx_proto/text/syntax_words.h"
#include "onnx_proto/text/text_out.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class SyntaxPrinter {
 public:
  // Both stay alive.
  SyntaxPrinter(TextOut& out, const SyntaxOptions& options) : out_(out), options_(options) {}

  void Print(const ModelProto& model);
  void Print(const FunctionProto& function);
  void Print(const GraphProto& graph);
  void Print(const NodeProto& node);
  void Print(const AttributeProto& attribute) { Attribute(attribute, true); }
  void Print(const TypeProto& type) { Type(type); }
  void Print(const TensorProto& tensor) { AttributeTensor(tensor); }
  void Print(const ValueInfoProto& value) { Value(value); }

 private:
  // One more message around what is printed, until the end of the scope.
  class Deeper {
   public:
    explicit Deeper(SyntaxPrinter& printer) : printer_(printer) { printer.Enter(); }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ~Deeper() { --printer_.depth_; }

   private:
    SyntaxPrinter& printer_;
  };
  void Enter();

  // ---- models and functions (syntax_printer_model.cc)
  void ChooseDomainNote(const ModelProto* model, const GraphProto* graph, const FunctionProto* function);
  void Model(const ModelProto& model);
  void Function(const FunctionProto& function);
  // Entries of a header: each on a line of its own.
  void Key(std::string_view key, std::string_view indent);
  template <class M>
  void OpsetImport(const M& message, std::string_view indent, uint32_t& noted);
  template <class M>
  void EndHeader(const M& message, uint32_t noted, uint32_t absent);
  void FunctionNames(const utils::RepeatedStringField& names);
  void HeaderText(std::string_view key, std::string_view indent, bool is_given, std::string_view text);

  // ---- graphs and nodes (syntax_printer_graph.cc)
  void Graph(const GraphProto& graph);
  void Values(const utils::RepeatedProtoField<ValueInfoProto>& values);
  void Value(const ValueInfoProto& value);
  void Constants(const GraphProto& graph);
  void Nodes(const utils::RepeatedProtoField<NodeProto>& nodes);
  void Node(const NodeProto& node);
  void Operator(const NodeProto& node);
  void NodeAttributes(const NodeProto& node);
  void Names(const utils::RepeatedStringField& names);

  // ---- attributes (syntax_printer_attribute.cc)
  void Attribute(const AttributeProto& attribute, bool may_lack_value);
  void AttributeValue(const AttributeProto& attribute);
  template <class List, class PrintOne>
  void AttributeList(const List& values, const PrintOne& print);

  // ---- types (syntax_printer_type.cc)
  void Type(const TypeProto& type);
  template <class T>
  void DataTypeAndShape(const T& tensor);
  void Domain(std::string_view domain);

  // ---- tensors (syntax_printer_tensor.cc)
  enum class TensorForm : uint8_t { kText, kExternal, kElements, kRaw };
  static TensorForm FormOf(const TensorProto& tensor, uint32_t given);
  void Constant(const TensorProto& tensor);
  void AttributeTensor(const TensorProto& tensor);
  void DataTypeAndDims(const TensorProto& tensor);
  void External(const TensorProto& tensor);
  void Elements(const TensorProto& tensor);
  void RawElements(const TensorProto& tensor);
  void TensorNote(const TensorProto& tensor, TensorForm form, uint32_t given);
  template <class Stored, class Shown = Stored>
  void NumberElements(const void* data, size_t count);

  // ---- words, strings, numbers, notes (syntax_printer_notes.cc)
  // Which fields are set, lists that are not empty among them: the bits of their numbers.
  static uint32_t Given(const Table& table, const Message& message);
  template <class M>
  static uint32_t Given(const M& message) {
    return Given(M::table(), message);
  }
  void Name(std::string_view name);
  // One that stands where a type could.
  void NameNoType(std::string_view name);
  void String(std::string_view text);
  template <class Entries>
  bool StringPairs(const Entries& entries);  // false if some lack a key or value, which are shown as empty
  void Integer(int64_t value);
  void Integer(uint64_t value);
  void Integer(int32_t value) { Integer(static_cast<int64_t>(value)); }
  template <class T>
  void Real(T value);
  // How many of a list are shown; if not all, "..." follows.
  size_t Shown(size_t count) const { return options_.elide_after && *options_.elide_after < count ? *options_.elide_after : count; }
  enum class NoteKind : uint8_t { kComment, kValue };
  // `absent` are fields that the syntax sets though the message has them not. Nothing is printed if there is nothing to say; otherwise the
  // line must end behind a comment, which is done here unless the caller does.
  template <class M>
  void Note(const M& message, uint32_t fields, uint32_t absent = 0, bool line_ends = false) {
    if (fields | absent) PutNote(NoteKind::kComment, M::table(), message, fields, absent, {}, line_ends);
  }
  template <class M>
  void ValueNote(const M& message, uint32_t fields, uint32_t absent = 0) {
    PutNote(NoteKind::kValue, M::table(), message, fields, absent, {}, true);
  }
  void PutNote(NoteKind kind, const Table& table, const Message& message, uint32_t fields, uint32_t absent, std::string_view word,
               bool line_ends);
  void Indent() { out_.Spaces(3 * static_cast<size_t>(indent_)); }

  TextOut& out_;
  const SyntaxOptions& options_;
  int depth_ = -1;  // of the message that is printed; the outermost has 0
  int indent_ = 0;
  bool has_header_ = false;  // of the model or function that is printed
  bool no_domain_ = false;   // an operator without a domain is printed as onnx prints one whose domain is empty
};

constexpr uint32_t FieldBit(int number) { return uint32_t{1} << number; }

}  // namespace ONNX_LIGHT_NAMESPACE::proto
