// Types.
#include <algorithm>
#include <utility>

#include "onnx_proto/text/syntax_parser.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

bool SyntaxParser::AtType() { return AtValueNote() || FindTypeWord(PeekIdentifier()) != TypeWord::kNone; }

int32_t SyntaxParser::DataType() {
  const std::string_view word = PeekIdentifier();
  const int32_t data_type = FindDataType(word);
  if (!data_type) Expected("an element type");
  GoTo(word.data() + word.size());
  return data_type;
}

void SyntaxParser::Type(TypeProto& type) {
  const Deeper deeper(*this);
  if (AtValueNote()) return Note(type);
  const std::string_view word = PeekIdentifier();
  const TypeWord kind = FindTypeWord(word);
  if (kind == TypeWord::kNone) Expected("a type");
  {
    const Deeper inside(*this);
    if (kind == TypeWord::kData) {
      DataTypeAndShape(*type.mutable_tensor_type());
    } else {
      GoTo(word.data() + word.size());
      Need('(');
      BuiltType(type, kind);
      Need(')');
    }
  }
  Note(type);
}

// The type in front of elements is no message, and counts for nothing; whether it stands there shows behind it.
void SyntaxParser::TypeAhead() {
  type_.Clear();
  constexpr int kLevels = 4;  // of a tensor's type: itself, its kind, its shape, an axis
  const int depth = std::exchange(depth_, std::min(depth_, max_depth_ - kLevels));
  Type(type_);
  depth_ = depth;
}

// What TypeAhead read, at `start`, has turned out to be a message.
void SyntaxParser::TypeAgain(const char* start, TypeProto& type) {
  const char* const behind = at();
  GoTo(start);
  Type(type);
  GoTo(behind);
}

// What stands between the brackets of a type that is built from others.
void SyntaxParser::BuiltType(TypeProto& type, TypeWord kind) {
  if (kind == TypeWord::kSparseTensor) return DataTypeAndShape(*type.mutable_sparse_tensor_type());
  if (kind == TypeWord::kOpaque) return Opaque(*type.mutable_opaque_type());
  if (kind == TypeWord::kSequence) return Type(*type.mutable_sequence_type()->mutable_elem_type());
  if (kind == TypeWord::kOptional) return Type(*type.mutable_optional_type()->mutable_elem_type());
  TypeProto_Map& map = *type.mutable_map_type();
  map.set_key_type(DataType());
  Need(',');
  Type(*map.mutable_value_type());
}

// Without brackets the shape has no axes; with empty ones there is no shape.
template <class T>
void SyntaxParser::DataTypeAndShape(T& tensor) {
  tensor.set_elem_type(DataType());
  const bool has_brackets = Take('[');
  if (has_brackets && Take(']')) return;
  const Deeper deeper(*this);
  TensorShapeProto& shape = *tensor.mutable_shape();
  if (has_brackets) Shape(shape);
}

// Up to ']'.
void SyntaxParser::Shape(TensorShapeProto& shape) {
  const Deeper deeper(*this);
  do {
    TensorShapeProto_Dimension& dim = *shape.add_dim();
    if (!Take('?')) {
      if (AtName()) dim.set_dim_param(Name("a length"));
      else dim.set_dim_value(ToInt64(NeedNumber("a length, its name, or '?'")));
    }
    Note(dim);
  } while (Take(','));
  Need(']');
}

// Nothing, a name, or a domain and behind a comma perhaps a name.
void SyntaxParser::Opaque(TypeProto_Opaque& opaque) {
  if (Peek() == ')') return;
  const DottedName dotted = Dotted("the domain or name of a type");
  const std::string first = dotted.has_before ? std::string(dotted.before) + "." + std::string(dotted.last) : std::string(dotted.last);
  if (!Take(',')) return opaque.set_name(first);
  opaque.set_domain(first);
  if (Peek() != ')') opaque.set_name(Name("the name of a type"));
}

SyntaxParser::DottedName SyntaxParser::Dotted(const char* what) {
  DottedName name;
  name.has_before = Take('.');
  if (!AtString()) {  // usually identifiers without blanks between: then nothing is copied
    const char* const start = (Peek(), at());
    std::string_view last = Identifier(what);
    const char* before_end = start;
    while (end() - at() >= 3 && *at() == '.' && IsWordStart(at()[1]) && at()[2] != '"') {
      before_end = at();
      GoTo(at() + 1);
      last = Identifier(what);
    }
    name.last = last;
    if (before_end > start) {
      name.before = {start, static_cast<size_t>(before_end - start)};
      name.has_before = true;
    }
    if (Peek() != '.') return name;
  }
  // Strings, or blanks around points.
  dotted_.assign(name.before);
  bool any = !name.last.empty();
  if (any) {
    if (!dotted_.empty()) dotted_ += '.';
    dotted_ += name.last;
  }
  size_t last_at = any ? dotted_.size() - name.last.size() : 0;
  while (!any || Take('.')) {
    if (any) dotted_ += '.';
    name.has_before |= any;
    any = true;
    last_at = dotted_.size();
    dotted_ += Name(what);
  }
  name.last = std::string_view(dotted_).substr(last_at);
  name.before = std::string_view(dotted_).substr(0, last_at ? last_at - 1 : 0);
  return name;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
