// Protobuf text format, read: everything that text_format.Parse accepts of it, and what the language specification allows besides.
//
// A value is put into the message as soon as it is read; the message is one that nobody sees until all is well.
#include <algorithm>
#include <limits>

#include "onnx_proto/text/numbers.h"
#include "onnx_proto/text/place.h"
#include "onnx_proto/text/store.h"
#include "onnx_proto/text/text_escape.h"
#include "onnx_proto/text/text_forms.h"
#include "onnx_proto/text/text_lexer.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

bool EqualNoCase(std::string_view word, std::string_view lower) {
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

class TextParser {
 public:
  TextParser(const Table& root, std::string_view text, const TextFormatParseOptions& options)
      : root_(root), text_(text), options_(options), lexer_(text) {}

  void Read(Message& message) { Fields(root_, message, '\0'); }

 private:
  void Fields(const Table& table, Message& message, char closing) {
    const Row* last = table.rows.data();
    while (!lexer_.Is(Token::kEnd)) {
      if (closing && lexer_.Take(closing)) return;
      Field(table, message, last);
      if (!lexer_.Take(',')) lexer_.Take(';');
    }
    if (closing) Expected(std::string("'") + closing + "'");
  }

  // Fields mostly come in order, and repeat: `last` is the one to look at first.
  static const Row* Find(const Table& table, std::string_view name, const Row* last) {
    const Row* const end = table.rows.data() + table.rows.size();
    for (const Row* row = last; row < end; ++row) {
      if (row->name == name) return row;
    }
    for (const Row* row = table.rows.data(); row < last; ++row) {
      if (row->name == name) return row;
    }
    return nullptr;
  }

  void Field(const Table& table, Message& message, const Row*& last) {
    if (lexer_.Is('[')) Fail(lexer_.token().text.data(), "extensions and Any have no place in ONNX messages");
    if (!lexer_.Is(Token::kName)) Expected("the name of a field");
    const std::string_view name = lexer_.token().text;
    const Row* const row = Find(table, name, last);
    if (!row) {
      if (!options_.allow_unknown_field) Fail(name.data(), std::string(table.name) + " has no field " + Excerpt(name, ""));
      lexer_.Next();
      SkipContents(0);
      return;
    }
    last = row;
    if (message.has_bits() & (row->bit() | row->siblings)) Twice(table, message, *row, name.data());
    Step step{step_, &message, row};
    step_ = &step;
    lexer_.Next();
    const bool has_colon = lexer_.Take(':');
    if (!has_colon && row->kind != Kind::kMessage && row->kind != Kind::kMessages) Expected("':'");
    if (IsList(row->kind) && lexer_.Take('[')) {
      if (!lexer_.Take(']')) {
        for (;;) {
          Value(message, *row, step);
          if (lexer_.Take(']')) break;
          if (!lexer_.Take(',')) Expected("',' or ']'");
        }
      }
    } else {
      Value(message, *row, step);
    }
    step_ = step.above;
  }

  void Value(Message& message, const Row& row, Step& step) {
    switch (row.kind) {
      case Kind::kMessage:
      case Kind::kMessages: return Child(message, row, step);
      case Kind::kFloat:
      case Kind::kFloats: {
        const float value = ToFloat(Real());
        *static_cast<float*>(PlaceForNumber(message, row)) = value;
        return;
      }
      case Kind::kDoubles: {
        const double value = Real();
        *static_cast<double*>(PlaceForNumber(message, row)) = value;
        return;
      }
      case Kind::kEnum: return Enum(message, row);
      case Kind::kInt64:
      case Kind::kInt32:
      case Kind::kInt64s:
      case Kind::kInt32s:
      case Kind::kUint64s: return Integer(message, row);
      default: StoreString(message, row, String());
    }
  }

  void Child(Message& message, const Row& row, Step& step) {
    const char* const start = lexer_.token().text.data();
    const char closing = lexer_.Is('<') ? '>' : '}';
    if (!lexer_.Take('{') && !lexer_.Take('<')) Expected("'{' or '<'");
    if (++depth_ > options_.max_recursion_depth) TooDeep(start);
    Message& child = StoreChild(message, row);
    step.inside = true;
    Fields(row.child(), child, closing);
    step.inside = false;
    --depth_;
  }

  // A sign stands before its number, with or without blanks.
  bool Negative() {
    if (lexer_.Take('-')) return true;
    lexer_.Take('+');
    return false;
  }

  static bool Magnitude(std::string_view digits, uint64_t& magnitude) {
    if (digits.size() < 2 || digits[0] != '0') return ReadDigits(digits, 10, magnitude);
    if (digits[1] == 'x' || digits[1] == 'X') return ReadDigits(digits.substr(2), 16, magnitude);
    return ReadDigits(digits.substr(1), 8, magnitude);
  }

  void Integer(Message& message, const Row& row) {
    const char* const start = lexer_.token().text.data();
    const bool negative = Negative();
    uint64_t magnitude = 0;
    if (!lexer_.Is(Token::kNumber) || !Magnitude(lexer_.token().text, magnitude)) Expected("an integer of at most 64 bits");
    if (!StoreInteger(message, row, negative, magnitude)) {
      const std::string_view type = row.kind == Kind::kUint64s                              ? "uint64"
                                    : row.kind == Kind::kInt64 || row.kind == Kind::kInt64s ? "int64"
                                                                                            : "int32";
      Fail(start, (negative ? "-" : "") + std::to_string(magnitude) + " is no " + std::string(type));
    }
    lexer_.Next();
  }

  double Real() {
    const bool negative = Negative();
    double value = 0;
    std::string_view word = lexer_.token().text;
    if (lexer_.Is(Token::kName)) {
      if (EqualNoCase(word, "inf") || EqualNoCase(word, "infinity") || EqualNoCase(word, "inff") || EqualNoCase(word, "infinityf")) {
        value = std::numeric_limits<double>::infinity();
      } else if (EqualNoCase(word, "nan") || EqualNoCase(word, "nanf")) {
        value = std::numeric_limits<double>::quiet_NaN();
      } else {
        Expected("a number");
      }
    } else {
      const bool octal = word.size() > 1 && word[0] == '0' && word[1] >= '0' && word[1] <= '9';
      if (word.ends_with('f') || word.ends_with('F')) word.remove_suffix(1);
      if (!lexer_.Is(Token::kNumber) || octal || !ReadDecimal(word, value)) Expected("a decimal number");
    }
    lexer_.Next();
    return negative ? -value : value;
  }

  void Enum(Message& message, const Row& row) {
    const EnumTable& table = *row.enumeration;
    uint64_t number = 0;
    if (lexer_.Is(Token::kName)) {
      const auto named = [&](const EnumValue& value) { return value.name == lexer_.token().text; };
      number = static_cast<uint64_t>(std::find_if(table.values.begin(), table.values.end(), named) - table.values.begin());
    } else if (!lexer_.Is(Token::kNumber) || !Magnitude(lexer_.token().text, number)) {
      Expected("a name or number of " + std::string(table.name));
    }
    if (number >= table.values.size()) Expected("a name or number of " + std::string(table.name));
    *static_cast<int32_t*>(PlaceForNumber(message, row)) = static_cast<int32_t>(number);
    lexer_.Next();
  }

  // Strings side by side are one. Valid until the next string is read.
  std::string_view String() {
    if (!lexer_.Is(Token::kString)) NoString();
    const Token first = lexer_.token();
    lexer_.Next();
    if (!first.escaped && !lexer_.Is(Token::kString) && !lexer_.Is(Token::kUnclosed)) return Inside(first.text);
    constexpr size_t kKept = size_t{1} << 20;
    if (strings_.capacity() > kKept) strings_ = std::string();
    strings_.clear();
    Append(first);
    for (; lexer_.Is(Token::kString); lexer_.Next()) Append(lexer_.token());
    if (lexer_.Is(Token::kUnclosed)) NoString();
    return strings_;
  }
  static std::string_view Inside(std::string_view quoted) { return quoted.substr(1, quoted.size() - 2); }
  void Append(const Token& token) {
    const char* rule = nullptr;
    if (const char* wrong = Unescape(Inside(token.text), strings_, &rule)) Fail(wrong, rule);
  }
  [[noreturn]] void NoString() {
    if (lexer_.Is(Token::kUnclosed)) Fail(lexer_.token().text.data(), "the string does not end on its line");
    Expected("a string");
  }

  // Of a field that is not known: nothing tells a message from a value but how it looks.
  void SkipContents(int depth) {
    const bool has_colon = lexer_.Take(':');
    if (lexer_.Is('{') || lexer_.Is('<')) return SkipMessage(depth);
    if (!lexer_.Take('[')) {
      if (!has_colon) Expected("':', '{' or '<'");
      return SkipValue();
    }
    if (lexer_.Take(']')) return;
    for (;;) {
      if (lexer_.Is('{') || lexer_.Is('<')) SkipMessage(depth);
      else SkipValue();
      if (lexer_.Take(']')) return;
      if (!lexer_.Take(',')) Expected("',' or ']'");
    }
  }
  void SkipMessage(int depth) {
    if (depth_ + depth >= options_.max_recursion_depth) TooDeep(lexer_.token().text.data());
    const char closing = lexer_.Is('<') ? '>' : '}';
    for (lexer_.Next(); !lexer_.Take(closing);) {
      if (!lexer_.Is(Token::kName)) Expected("the name of a field");
      lexer_.Next();
      SkipContents(depth + 1);
      if (!lexer_.Take(',')) lexer_.Take(';');
    }
  }
  void SkipValue() {
    if (lexer_.Is(Token::kString)) {
      String();
      return;
    }
    Negative();
    if (!lexer_.Is(Token::kName) && !lexer_.Is(Token::kNumber)) Expected("a value");
    lexer_.Next();
  }

  [[noreturn]] void Twice(const Table& table, const Message& message, const Row& row, const char* at) {
    if (message.Has(row)) Fail(at, std::string(table.name) + "." + std::string(row.name) + " is given twice");
    const auto given = std::find_if(table.rows.begin(), table.rows.end(),
                                    [&](const Row& other) { return row.siblings & message.has_bits() & other.bit(); });
    Fail(at,
         "of " + std::string(row.oneof) + " one member can be set; " + std::string(given->name) + " is, before " + std::string(row.name));
  }
  [[noreturn]] void TooDeep(const char* at) {
    Fail(at, "nested deeper than " + std::to_string(options_.max_recursion_depth) + " messages");
  }
  [[noreturn]] void Expected(const std::string& what) {
    Fail(lexer_.token().text.data(), "expected " + what + ", found " + Excerpt(lexer_.token().text, "the end of the text"));
  }
  [[noreturn]] void Fail(const char* at, const std::string& rule) {
    const LineAndColumn place = PlaceOf(text_, at);
    throw TextParseError("TextParseError: line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ", " +
                             PathOf(root_, step_) + ": " + rule,
                         place.line, place.column);
  }

  const Table& root_;
  const std::string_view text_;
  const TextFormatParseOptions& options_;
  TextLexer lexer_;
  std::string strings_;
  const Step* step_ = nullptr;
  int depth_ = 0;
};

}  // namespace

void TextForms::FillFromText(const Table& table, Message& fresh, std::string_view text, const TextFormatParseOptions& options) {
  TextParser(table, text, options).Read(fresh);
}

void TextForms::ReadText(const Table& table, Message& message, std::string_view text, const TextFormatParseOptions& options) {
  ReplaceMessage(table, message, text.size(), [&](Message& fresh) { FillFromText(table, fresh, text, options); });
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
