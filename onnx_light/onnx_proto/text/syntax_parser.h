// Reads the ONNX syntax, as docs/onnx_syntax.md writes it down.
//
// What is read goes into a message that nobody sees until all is well. Notes ("@{…}" and "#@{…}") hold in text format what the syntax has
// no words for: they amend the message that they stand behind.
#pragma once

#include <optional>
#include <vector>

#include "onnx_proto/text/syntax_lexer.h"
#include "onnx_proto/text/text_options.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class SyntaxParser : private SyntaxLexer {
 public:
  // `text` stays alive.
  SyntaxParser(std::string_view text, const SyntaxParseOptions& options);

  // Each reads all of the text.
  void Read(ModelProto& model) { ReadAll(&SyntaxParser::Model, model); }
  void Read(GraphProto& graph) { ReadAll(&SyntaxParser::Graph, graph); }
  void Read(FunctionProto& function) { ReadAll(&SyntaxParser::Function, function); }
  void Read(NodeProto& node) { ReadAll(&SyntaxParser::Node, node); }
  void Read(AttributeProto& attribute) { ReadAll(&SyntaxParser::Attribute, attribute); }
  void Read(TypeProto& type) { ReadAll(&SyntaxParser::Type, type); }
  void Read(TensorProto& tensor) { ReadAll(&SyntaxParser::Tensor, tensor); }
  void Read(ValueInfoProto& value) { ReadAll(&SyntaxParser::Value, value); }

 private:
  template <class M>
  void ReadAll(void (SyntaxParser::*read)(M&), M& message) {
    (this->*read)(message);
    if (Peek() != kEnd) Expected("the end of the text");
    pace().Finish();
  }
  // What reads a message is one level deeper, until the end of the scope.
  class Deeper {
   public:
    explicit Deeper(SyntaxParser& parser) : parser_(parser) { parser.Enter(); }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ~Deeper() { --parser_.depth_; }

   private:
    SyntaxParser& parser_;
  };
  void Enter();

  // ---- models and functions (syntax_parser_model.cc)
  void Model(ModelProto& model);
  void Function(FunctionProto& function);
  void ModelHeader(ModelProto& model, std::string_view key);
  void FunctionHeader(FunctionProto& function, std::string_view key);
  template <class M>
  void Header(M& message, void (SyntaxParser::*entry)(M&, std::string_view));
  template <class M>
  void OpsetImport(M& message);
  void FunctionAttributes(FunctionProto& function);
  void FunctionValues(FunctionProto& function, bool are_inputs);

  // ---- graphs and nodes (syntax_parser_graph.cc)
  void Graph(GraphProto& graph);
  void GraphInput(GraphProto& graph);
  void GraphConstant(GraphProto& graph);
  void Value(ValueInfoProto& value);
  template <class Owner>
  void Nodes(Owner& owner);
  void Node(NodeProto& node);
  void Operator(NodeProto& node);
  void NodeAttributes(NodeProto& node);
  template <class Add>
  void Names(const Add& add);

  // ---- attributes (syntax_parser_attribute.cc)
  void Attribute(AttributeProto& attribute);
  void AttributeOf(AttributeProto& attribute, bool may_lack_value);
  void AttributeBehindEqual(AttributeProto& attribute, int32_t declared);
  void AttributeList(AttributeProto& attribute, int32_t declared);
  // One value, put into the field of single values or at the end of a list. Returns its type: FLOAT, INT, …
  int32_t AttributeValue(AttributeProto& attribute, int32_t declared, bool in_list);
  int32_t AttributeNumber(AttributeProto& attribute, const Number& number, int32_t declared, bool in_list);
  int32_t AttributeTypeOrTensor(AttributeProto& attribute, int32_t declared, bool in_list);
  int32_t AttributeNote(AttributeProto& attribute, int32_t declared, bool in_list);
  int32_t AttributeGraph(AttributeProto& attribute, bool in_list);

  // ---- types (syntax_parser_type.cc)
  bool AtType();
  void Type(TypeProto& type);
  void TypeAhead();
  void TypeAgain(const char* start, TypeProto& type);
  void BuiltType(TypeProto& type, TypeWord kind);
  template <class T>
  void DataTypeAndShape(T& tensor);
  void Shape(TensorShapeProto& shape);
  int32_t DataType();
  void Opaque(TypeProto_Opaque& opaque);
  // Identifiers or strings with points between; the last one is by itself. Views valid until the next name or string is read.
  struct DottedName {
    std::string_view before;  // the others, with their points
    bool has_before = false;  // a leading point is one with nothing before it
    std::string_view last;
  };
  DottedName Dotted(const char* what);

  // ---- tensors (syntax_parser_tensor.cc)
  void Tensor(TensorProto& tensor);
  void TensorBehindType(TensorProto& tensor, const TypeProto& type, const char* type_at);
  void SetDataTypeAndDims(TensorProto& tensor, const TypeProto& type, const char* type_at);
  void TensorData(TensorProto& tensor);
  void Elements(TensorProto& tensor);
  template <class T, class ReadOne>
  void NumberElements(TensorProto& tensor, int field, const ReadOne& read);
  template <class T>
  void RawElements(TensorProto& tensor, const char* at);
  template <class Entries>
  void StringPairs(const Entries& add);

  // ---- notes (syntax_parser_notes.cc)
  // "#@{", or "@{" as long as no name follows the "@".
  bool AtNote();
  bool AtValueNote() { return Peek() == '@' && end() - at() >= 2 && at()[1] == '{'; }
  // Reads the note, if one is there, into the message.
  template <class M>
  void Note(M& message) {
    if (AtNote()) ReadNote(M::table(), message, OpenNote());
  }
  struct OpenedNote {
    const char* body;  // behind the brace
    bool is_comment;
  };
  OpenedNote OpenNote();
  bool TakeNoteWord(OpenedNote& note, std::string_view word);
  void ReadNote(const Table& table, Message& message, const OpenedNote& note);
  // A note that is read later, when all else of its message is: where it stands, or null.
  const char* PutNoteOff();
  template <class M>
  void ReadNoteAt(const char* note_at, M& message) {
    if (!note_at) return;
    const char* const stop = at();
    GoTo(note_at);
    Note(message);
    GoTo(stop);
  }
  void TakeDomainNote();

  const int max_depth_;
  int depth_ = -1;          // of the message that is read; the outermost has 0
  bool no_domain_ = false;  // an operator without a domain has none; otherwise it has an empty one
  std::string dotted_;
  std::string elements_;  // of the tensor that is read, as the bytes of its field
  TypeProto type_;        // of what may turn out to be a tensor
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
