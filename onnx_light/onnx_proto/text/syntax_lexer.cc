#include "onnx_proto/text/syntax_lexer.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "onnx_proto/text/numbers.h"
#include "onnx_proto/text/place.h"
#include "onnx_proto/text/text_escape.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

constexpr std::array<bool, 256> kBlanks = [] {
  std::array<bool, 256> made{};
  for (const unsigned char c : std::string_view(" \t\n\v\f\r")) made[c] = true;
  return made;
}();

bool IsBlank(char c) { return kBlanks[static_cast<uint8_t>(c)]; }

const char* EndOfWord(const char* at, const char* end) {
  while (at < end && IsWordPart(*at)) ++at;
  return at;
}

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

}  // namespace

void SyntaxLexer::SkipBlanks() {
  pace_.Reach(at_);
  for (; at_ < end_; ++at_) {
    if (IsBlank(*at_)) continue;
    if (*at_ != '#' || (end_ - at_ >= 3 && at_[1] == '@' && at_[2] == '{')) return;
    const void* line_end = std::memchr(at_, '\n', static_cast<size_t>(end_ - at_));
    at_ = line_end ? static_cast<const char*>(line_end) : end_ - 1;
  }
}

void SyntaxLexer::NeedArrow() {
  if (Peek() != '=' || end_ - at_ < 2 || at_[1] != '>') Expected("'=>'");
  at_ += 2;
}

std::string_view SyntaxLexer::PeekIdentifier() {
  SkipBlanks();
  if (at_ == end_ || !IsWordStart(*at_)) return {};
  return {at_, static_cast<size_t>(EndOfWord(at_, end_) - at_)};
}

std::string_view SyntaxLexer::Identifier(const char* what) {
  const std::string_view word = PeekIdentifier();
  if (word.empty()) Expected(what);
  at_ += word.size();
  return word;
}

bool SyntaxLexer::AtString() {
  const int next = Peek();
  return next == '"' || (next == 'b' && end_ - at_ >= 2 && at_[1] == '"');
}

bool SyntaxLexer::AtName() { return !PeekIdentifier().empty() || AtString(); }

std::string_view SyntaxLexer::Name(const char* what) { return AtString() ? String(what) : Identifier(what); }

std::string_view SyntaxLexer::String(const char* what) {
  if (!AtString()) Expected(what);
  if (*at_ == 'b') return ByteString();
  const char* const start = at_ + 1;
  for (const char* p = start; p < end_;) {
    for (const char* const pause = TextPace::PauseOf(p, end_); p < pause; ++p) {
      if (*p == '"') {
        at_ = p + 1;
        return {start, static_cast<size_t>(p - start)};
      }
      if (*p == '\\') return Unescaped(start);
    }
    pace_.Reach(p);
  }
  Fail(at_, "the string does not end");
}

std::string_view SyntaxLexer::Unescaped(const char* start) {
  constexpr size_t kKept = size_t{1} << 20;
  if (string_.capacity() > kKept) string_ = std::string();
  string_.clear();
  for (const char* p = start; p < end_;) {
    for (const char* const pause = TextPace::PauseOf(p, end_); p < pause; ++p) {
      if (*p == '"') {
        at_ = p + 1;
        return string_;
      }
      if (*p == '\\' && ++p == end_) break;
      string_.push_back(*p);
    }
    pace_.Reach(p);
  }
  Fail(start - 1, "the string does not end");
}

std::string_view SyntaxLexer::ByteString() {
  const char* const start = at_ + 2;
  const char* p = start;
  while (p < end_ && *p != '"') p += *p == '\\' ? 2 : 1;
  if (p >= end_) Fail(at_, "the string does not end");
  string_.clear();
  const char* rule = nullptr;
  if (const char* wrong = Unescape({start, static_cast<size_t>(p - start)}, string_, &rule, pace_)) Fail(wrong, rule);
  at_ = p + 1;
  return string_;
}

bool SyntaxLexer::TakeNumber(Number& number) {
  SkipBlanks();
  const bool has_plus = at_ < end_ && *at_ == '+';
  const char* const start = at_ + has_plus;
  const char* p = start;
  number = Number();
  if (p < end_ && *p == '-' && !has_plus) {
    number.negative = true;
    ++p;
  }
  const char* const first = p;
  if (p < end_ && IsDigit(*p)) {
    while (p < end_ && IsDigit(*p)) ++p;
    if (p < end_ && *p == '.') {
      number.kind = Number::kReal;
      for (++p; p < end_ && IsDigit(*p);) ++p;
    }
    if (p < end_ && (*p == 'e' || *p == 'E')) {
      number.kind = Number::kReal;
      ++p;
      if (p < end_ && (*p == '+' || *p == '-')) ++p;
      while (p < end_ && IsDigit(*p)) ++p;
    }
  } else {
    p = EndOfWord(p, end_);
    const RealWord word = FindRealWord({first, static_cast<size_t>(p - first)});
    if (word == RealWord::kNone) {
      if (number.negative || has_plus) Expected("a number");
      return false;
    }
    number.kind = word == RealWord::kNan ? Number::kNan : Number::kInfinity;
    constexpr std::string_view kOpening = "(0x";
    if (word == RealWord::kNan && std::string_view(p, static_cast<size_t>(end_ - p)).starts_with(kOpening)) {
      const auto [stop, fault] = std::from_chars(p + kOpening.size(), end_, number.bits, 16);
      if (fault != std::errc() || stop == end_ || *stop != ')') Fail(p, "expected the bits of a NaN, as in nan(0x7fc00000)");
      if (number.negative) Fail(start, "the bits of a NaN say its sign");
      number.has_bits = true;
      p = stop + 1;
    }
  }
  at_ = p;
  number.text = {start, static_cast<size_t>(p - start)};
  return true;
}

SyntaxLexer::Number SyntaxLexer::NeedNumber(const char* what) {
  Number number;
  if (!TakeNumber(number)) Expected(what);
  return number;
}

int64_t SyntaxLexer::ToInt64(const Number& number) const {
  int64_t value = 0;
  const char* const end = number.text.data() + number.text.size();
  const auto [stop, fault] = std::from_chars(number.text.data(), end, value);
  if (number.kind != Number::kInteger || stop != end || fault != std::errc()) {
    Fail(number.text.data(), "expected an integer of 64 bits, found " + Excerpt(number.text, ""));
  }
  return value;
}

int32_t SyntaxLexer::ToInt32(const Number& number) const {
  const int64_t value = ToInt64(number);
  if (value != static_cast<int32_t>(value)) Fail(number.text.data(), "expected an integer of 32 bits, found " + Excerpt(number.text, ""));
  return static_cast<int32_t>(value);
}

uint64_t SyntaxLexer::ToUint64(const Number& number) const {
  uint64_t magnitude = 0;
  if (number.kind != Number::kInteger || !ReadDigits(number.text.substr(number.negative ? 1 : 0), 10, magnitude)) {
    Fail(number.text.data(), "expected an integer of 64 bits, found " + Excerpt(number.text, ""));
  }
  return number.negative ? ~magnitude + 1 : magnitude;
}

template <class T>
T SyntaxLexer::ToReal(const Number& number) const {
  T value = 0;
  if (number.kind == Number::kInfinity) {
    value = std::numeric_limits<T>::infinity();
    return number.negative ? -value : value;
  }
  if (number.kind == Number::kNan) {
    const auto bits = static_cast<BitsOf<T>>(number.bits);
    if (number.has_bits) {
      std::memcpy(&value, &bits, sizeof value);
      if (bits != number.bits || !std::isnan(value)) Fail(number.text.data(), Excerpt(number.text, "") + " are not the bits of a NaN");
      return value;
    }
    return std::copysign(std::numeric_limits<T>::quiet_NaN(), number.negative ? T{-1} : T{1});
  }
  const char* const end = number.text.data() + number.text.size();
  const auto [stop, fault] = std::from_chars(number.text.data(), end, value);
  if (fault == std::errc() && stop == end) return value;
  double wide = 0;  // too large or too small: which, says the wider type
  if (fault == std::errc::result_out_of_range && stop == end && ReadDecimal(number.text, wide) && std::fabs(wide) < 1) {
    return number.negative ? T{-0.0} : T{0};
  }
  Fail(number.text.data(), "expected a number of " + std::to_string(8 * sizeof(T)) + " bits, found " + Excerpt(number.text, ""));
}
template float SyntaxLexer::ToReal<float>(const Number&) const;
template double SyntaxLexer::ToReal<double>(const Number&) const;

void SyntaxLexer::NoCharacter(char c) { Expected(std::string("'") + c + "'"); }

void SyntaxLexer::Expected(const std::string& what) {
  Peek();
  const char* stop = EndOfWord(at_, end_);
  if (stop == at_ && stop < end_) ++stop;
  Fail(at_, "expected " + what + ", found " + Excerpt({at_, static_cast<size_t>(stop - at_)}, "the end of the text"));
}

void SyntaxLexer::Fail(const char* at, const std::string& rule) const {
  const bool in_text = at >= text_.data() && at <= end_;
  const LineAndColumn place = PlaceOf(text_, in_text ? at : at_);
  throw OnnxSyntaxError("OnnxSyntaxError: line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ": " + rule,
                        place.line, place.column);
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
