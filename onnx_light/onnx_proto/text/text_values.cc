#include "onnx_proto/text/text_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "onnx_proto/text/numbers.h"
#include "onnx_proto/text/text_escape.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

bool EqualNoCase(std::string_view word, std::string_view lower) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b; };
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(), same);
}

std::string_view Inside(std::string_view quoted) { return quoted.substr(1, quoted.size() - 2); }

}  // namespace

// A sign stands before its number, with or without blanks.
bool TextValues::TakeSign() {
  if (Take('-')) return true;
  Take('+');
  return false;
}

bool TextValues::PeekMagnitude(uint64_t& magnitude) const {
  const std::string_view digits = token().text;
  if (!Is(Token::kNumber)) return false;
  if (digits.size() < 2 || digits[0] != '0') return ReadDigits(digits, 10, magnitude);
  if (digits[1] == 'x' || digits[1] == 'X') return ReadDigits(digits.substr(2), 16, magnitude);
  return ReadDigits(digits.substr(1), 8, magnitude);
}

TextValues::Integer TextValues::ReadInteger() {
  Integer integer{false, 0, token().text.data()};
  integer.negative = TakeSign();
  if (!PeekMagnitude(integer.magnitude)) Expected("an integer of at most 64 bits");
  Next();
  return integer;
}

double TextValues::ReadReal(std::optional<uint64_t>& nan_bits) {
  const double value = ReadReal();
  if (!std::isnan(value) || !Take('(')) return value;
  uint64_t bits = 0;
  if (!PeekMagnitude(bits)) Expected("the bits of a NaN");
  Next();
  if (!Take(')')) Expected("')'");
  nan_bits = bits;
  return value;
}

double TextValues::ReadReal() {
  const bool negative = TakeSign();
  double value = 0;
  std::string_view word = token().text;
  if (Is(Token::kName)) {
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
    if (!Is(Token::kNumber) || octal || !ReadDecimal(word, value)) Expected("a decimal number");
  }
  Next();
  return negative ? -value : value;
}

std::string_view TextValues::ReadString() {
  if (!Is(Token::kString)) NoString();
  const Token first = token();
  if (!first.escaped) {
    Next();
    if (!Is(Token::kString) && !Is(Token::kUnclosed)) return Inside(first.text);
  }
  constexpr size_t kKept = size_t{1} << 20;
  if (unescaped_.capacity() > kKept) unescaped_ = std::string();
  unescaped_.assign(first.escaped ? std::string_view() : Inside(first.text));
  while (Is(Token::kString)) AppendString();
  if (Is(Token::kUnclosed)) NoString();
  return unescaped_;
}

void TextValues::AppendString() {
  const char* rule = nullptr;
  if (const char* wrong = Unescape(Inside(token().text), unescaped_, &rule, pace())) Fail(wrong, rule);
  Next();
}

void TextValues::NoString() const {
  if (Is(Token::kUnclosed)) Fail(token().text.data(), "the string does not end on its line");
  Expected("a string");
}

void TextValues::SkipContents(int levels) {
  const bool has_colon = Take(':');
  if (Is('{') || Is('<')) return SkipMessage(levels);
  if (!Take('[')) {
    if (!has_colon) Expected("':', '{' or '<'");
    return SkipValue();
  }
  if (Take(']')) return;
  for (;;) {
    if (Is('{') || Is('<')) {
      SkipMessage(levels);
    } else {
      SkipValue();
    }
    if (Take(']')) return;
    if (!Take(',')) Expected("',' or ']'");
  }
}

void TextValues::SkipMessage(int levels) {
  if (levels >= max_depth_) TooDeep(token().text.data());
  const char closing = Is('<') ? '>' : '}';
  for (Next(); !Take(closing);) {
    if (!Is(Token::kName)) Expected("the name of a field");
    Next();
    SkipContents(levels + 1);
    if (!Take(',')) Take(';');
  }
}

void TextValues::SkipValue() {
  if (Is(Token::kString)) {
    ReadString();
    return;
  }
  TakeSign();
  if (!Is(Token::kName) && !Is(Token::kNumber)) Expected("a value");
  Next();
}

void TextValues::TooDeep(const char* at) const { Fail(at, "nested deeper than " + std::to_string(max_depth_) + " messages"); }

void TextValues::Expected(const std::string& what) const {
  Fail(token().text.data(), "expected " + what + ", found " + Excerpt(token().text, "the end of the text"));
}

void TextValues::Fail(const char* at, const std::string& rule) const {
  const LineAndColumn place = PlaceOf(text_, at);
  throw TextParseError("TextParseError: line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ", " +
                           PathOf(root_, step) + ": " + rule,
                       place.line, place.column);
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
