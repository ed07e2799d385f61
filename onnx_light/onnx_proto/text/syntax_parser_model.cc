// Models and functions.
#include "onnx_proto/text/syntax_parser_lists.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

SyntaxParser::SyntaxParser(std::string_view text, const SyntaxParseOptions& options)
    : SyntaxLexer(text, options.progress), max_depth_(Deepest(options)) {
  TakeDomainNote();
}

void SyntaxParser::Enter() {
  if (depth_ >= max_depth_) Fail(at(), "nested deeper than " + std::to_string(max_depth_) + " messages");
  ++depth_;
}

// The entries between '<' and '>', and a note.
template <class M>
void SyntaxParser::Header(M& message, void (SyntaxParser::*entry)(M&, std::string_view)) {
  Need('<');
  if (!AtNote()) {
    do {
      const std::string_view key = Identifier("the name of a field");
      Need(':');
      (this->*entry)(message, key);
    } while (Take(','));
  }
}

template <class M>
void SyntaxParser::OpsetImport(M& message) {
  Need('[');
  if (Take(']')) return;
  const Deeper deeper(*this);
  do {
    OperatorSetIdProto& opset = *message.add_opset_import();
    opset.set_domain(String("a domain in quotes"));
    Need(':');
    opset.set_version(ToInt64(NeedNumber("a version")));
  } while (Take(','));
  Need(']');
}

void SyntaxParser::ModelHeader(ModelProto& model, std::string_view key) {
  constexpr const char* kText = "a text in quotes";
  if (key == "ir_version") return model.set_ir_version(ToInt64(NeedNumber("a version")));
  if (key == "model_version") return model.set_model_version(ToInt64(NeedNumber("a version")));
  if (key == "opset_import") return OpsetImport(model);
  if (key == "producer_name") return model.set_producer_name(String(kText));
  if (key == "producer_version") return model.set_producer_version(String(kText));
  if (key == "domain") return model.set_domain(String(kText));
  if (key == "doc_string") return model.set_doc_string(String(kText));
  if (key != "metadata_props") Fail(key.data(), "a model has no field of this name here");
  Need('[');
  if (Take(']')) return;
  StringPairs([&]() -> StringStringEntryProto& { return *model.add_metadata_props(); });
}

void SyntaxParser::FunctionHeader(FunctionProto& function, std::string_view key) {
  constexpr const char* kText = "a text in quotes";
  if (key == "opset_import") return OpsetImport(function);
  if (key == "domain") return function.set_domain(String(kText));
  if (key == "overload") return function.set_overload(String(kText));
  if (key != "doc_string") Fail(key.data(), "a function has no field of this name here");
  function.set_doc_string(String(kText));
}

void SyntaxParser::Model(ModelProto& model) {
  const Deeper deeper(*this);
  const char* note_at = nullptr;
  if (Peek() == '<') {
    Header(model, &SyntaxParser::ModelHeader);
    note_at = PutNoteOff();
    Need('>');
  }
  Graph(*model.mutable_graph());
  while (Peek() != kEnd) Function(*model.add_functions());
  ReadNoteAt(note_at, model);
}

void SyntaxParser::Function(FunctionProto& function) {
  const Deeper deeper(*this);
  const char* note_at = nullptr;
  if (Peek() == '<') {
    Header(function, &SyntaxParser::FunctionHeader);
    note_at = PutNoteOff();
    Need('>');
  }
  function.set_name(Name("the name of a function"));
  if (Take('<')) FunctionAttributes(function);
  FunctionValues(function, true);
  NeedArrow();
  FunctionValues(function, false);
  if (Take('<') && !Take('>')) {
    do {
      Value(*function.add_value_info());
    } while (Take(','));
    Need('>');
  }
  Nodes(function);
  ReadNoteAt(note_at, function);
}

// Names of attributes without a default value, and attributes with a type, a value or both.
void SyntaxParser::FunctionAttributes(FunctionProto& function) {
  do {
    const char* const start = (Peek(), at());
    if (!AtNote()) {
      const std::string_view name = Name("the name of an attribute");
      const int next = Peek();
      if (next == ',' || next == '>') {
        function.add_attribute(name);
        continue;
      }
      GoTo(start);
    }
    AttributeOf(*function.add_attribute_proto(), true);
  } while (Take(','));
  Need('>');
}

void SyntaxParser::FunctionValues(FunctionProto& function, bool are_inputs) {
  const auto add = [&](std::string_view name) { are_inputs ? function.add_input(name) : function.add_output(name); };
  Need('(');
  if (Take(')')) return;
  do {
    if (!AtType()) {
      add(Name("a type or the name of a value"));
      continue;
    }
    const Deeper deeper(*this);
    ValueInfoProto& value = *function.add_value_info();
    Type(*value.mutable_type());
    value.set_name(Name("the name of a value"));
    add(value.view_name());
  } while (Take(','));
  Need(')');
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
