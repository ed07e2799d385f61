// Attributes.
#include "onnx_proto/text/syntax_parser.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

void SyntaxParser::Attribute(AttributeProto& attribute) { AttributeOf(attribute, true); }

void SyntaxParser::AttributeOf(AttributeProto& attribute, bool may_lack_value) {
  const Deeper deeper(*this);
  if (AtValueNote()) return Note(attribute);
  attribute.set_name(Name("the name of an attribute"));
  int32_t declared = AttributeProto::UNDEFINED;
  if (Take(':')) {
    const std::string_view word = PeekIdentifier();
    declared = FindAttributeType(word);
    if (!declared) Expected("the type of an attribute");
    GoTo(word.data() + word.size());
  }
  const char* const note_at = PutNoteOff();
  if (may_lack_value && declared && Peek() != '=') {
    attribute.set_type(static_cast<AttributeProto::AttributeType>(declared));
    return ReadNoteAt(note_at, attribute);
  }
  Need('=');
  AttributeBehindEqual(attribute, declared);
  ReadNoteAt(note_at, attribute);
}

void SyntaxParser::AttributeBehindEqual(AttributeProto& attribute, int32_t declared) {
  if (Peek() == '@' && !AtValueNote()) {
    GoTo(at() + 1);
    attribute.set_ref_attr_name(Name("the name of an attribute"));
    if (declared) attribute.set_type(static_cast<AttributeProto::AttributeType>(declared));
  } else if (Take('[')) {
    AttributeList(attribute, declared);
  } else {
    if (ItemAttributeType(declared) != declared) Expected("'['");
    attribute.set_type(static_cast<AttributeProto::AttributeType>(AttributeValue(attribute, declared, false)));
  }
}

void SyntaxParser::AttributeList(AttributeProto& attribute, int32_t declared) {
  int32_t type = ItemAttributeType(declared);
  if (!Take(']')) {
    do {
      if (Peek() == '.') Fail(at(), "values were left out when this was printed");
      type = AttributeValue(attribute, type, true);
    } while (Take(','));
    Need(']');
  } else if (!declared) {
    Fail(at() - 1, "an empty list needs the type of the attribute");
  }
  attribute.set_type(static_cast<AttributeProto::AttributeType>(ListAttributeType(type)));
}

int32_t SyntaxParser::AttributeValue(AttributeProto& attribute, int32_t declared, bool in_list) {
  const char* const start = (Peek(), at());
  const auto expect = [&](int32_t found) {
    if (declared == AttributeProto::UNDEFINED || declared == found) return found;
    Fail(start, "expected a value of type " + std::string(AttributeTypeWord(declared)) + ", found one of type " +
                    std::string(AttributeTypeWord(found)));
  };
  if (declared == AttributeProto::GRAPH && AtName()) return AttributeGraph(attribute, in_list);
  if (AtString()) {
    const std::string_view value = String("a string");
    if (Peek() == '(') {
      GoTo(start);
      return AttributeGraph(attribute, in_list);
    }
    in_list ? attribute.add_strings(value) : attribute.set_s(value);
    return expect(AttributeProto::STRING);
  }
  if (AtValueNote()) return AttributeNote(attribute, declared, in_list);
  Number number;
  if (TakeNumber(number)) return expect(AttributeNumber(attribute, number, declared, in_list));
  if (AtType()) return expect(AttributeTypeOrTensor(attribute, declared, in_list));
  if (!AtName()) Expected("a value");
  return expect(AttributeGraph(attribute, in_list));
}

int32_t SyntaxParser::AttributeNumber(AttributeProto& attribute, const Number& number, int32_t declared, bool in_list) {
  if (declared == AttributeProto::FLOAT || number.kind != Number::kInteger) {
    const auto value = ToReal<float>(number);
    in_list ? attribute.add_floats(value) : attribute.set_f(value);
    return AttributeProto::FLOAT;
  }
  const int64_t value = ToInt64(number);
  in_list ? attribute.add_ints(value) : attribute.set_i(value);
  return AttributeProto::INT;
}

// A type is the beginning of a tensor if a name or elements follow.
int32_t SyntaxParser::AttributeTypeOrTensor(AttributeProto& attribute, int32_t declared, bool in_list) {
  if (declared == AttributeProto::TYPE_PROTO) {
    Type(in_list ? *attribute.add_type_protos() : *attribute.mutable_tp());
    return declared;
  }
  const char* const start = at();
  TypeAhead();
  const int next = Peek();
  if (declared != AttributeProto::TENSOR && next != '{' && next != '[' && next != '=' && !AtName()) {
    TypeAgain(start, in_list ? *attribute.add_type_protos() : *attribute.mutable_tp());
    return AttributeProto::TYPE_PROTO;
  }
  const Deeper deeper(*this);
  TensorBehindType(in_list ? *attribute.add_tensors() : *attribute.mutable_t(), type_, start);
  return AttributeProto::TENSOR;
}

// A message of the declared type in text format.
int32_t SyntaxParser::AttributeNote(AttributeProto& attribute, int32_t declared, bool in_list) {
  const Deeper deeper(*this);
  switch (declared) {
    case AttributeProto::TENSOR: Note(in_list ? *attribute.add_tensors() : *attribute.mutable_t()); break;
    case AttributeProto::GRAPH: Note(in_list ? *attribute.add_graphs() : *attribute.mutable_g()); break;
    case AttributeProto::SPARSE_TENSOR: Note(in_list ? *attribute.add_sparse_tensors() : *attribute.mutable_sparse_tensor()); break;
    case AttributeProto::TYPE_PROTO: Note(in_list ? *attribute.add_type_protos() : *attribute.mutable_tp()); break;
    default: Fail(at(), "a value in text format needs a type that is a message: tensor, graph, sparse_tensor or type_proto");
  }
  return declared;
}

int32_t SyntaxParser::AttributeGraph(AttributeProto& attribute, bool in_list) {
  Graph(in_list ? *attribute.add_graphs() : *attribute.mutable_g());
  return AttributeProto::GRAPH;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
