#include "onnx_proto/text/json_lexer.h"

#include <cstring>

#include "onnx_proto/text/json_string.h"
#include "onnx_proto/text/utf8.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

// Bytes of `word` below `limit`, which is at most 0x80, as their top bits; above the first such byte there may be false ones.
uint64_t BytesBelow(uint64_t word, uint8_t limit) { return (word - 0x0101010101010101u * limit) & ~word & 0x8080808080808080u; }
uint64_t BytesEqual(uint64_t word, char byte) { return BytesBelow(word ^ 0x0101010101010101u * static_cast<uint8_t>(byte), 1); }

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Where the characters end that a number may have; whether they are one IsJsonNumber says.
const char* EndOfNumber(const char* at, const char* end) {
  while (at < end && (IsDigit(*at) || *at == '-' || *at == '+' || *at == '.' || *at == 'e' || *at == 'E')) ++at;
  return at;
}

}  // namespace

bool IsJsonNumber(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto digits = [&] {
    const char* const start = at;
    while (at < end && IsDigit(*at)) ++at;
    return at > start;
  };
  if (at < end && *at == '-') ++at;
  const char* const first = at;
  if (!digits() || (*first == '0' && at - first > 1)) return false;
  if (at < end && *at == '.' && (++at, !digits())) return false;
  if (at < end && (*at == 'e' || *at == 'E')) {
    ++at;
    if (at < end && (*at == '+' || *at == '-')) ++at;
    if (!digits()) return false;
  }
  return at == end;
}

bool JsonLexer::TakeWord(std::string_view word) {
  Peek();
  if (!std::string_view(at_, static_cast<size_t>(end_ - at_)).starts_with(word)) return false;
  at_ += word.size();
  return true;
}

std::string_view JsonLexer::String() {
  if (Peek() != '"') Expected("a string");
  const char* const start = at_ + 1;
  const char* p = start;
  bool escaped = false;
  uint8_t all = 0;
  for (;; ++p) {
    for (uint64_t word = 0; end_ - p >= 8; p += 8) {
      std::memcpy(&word, p, 8);
      if (BytesBelow(word, 0x20) | BytesEqual(word, '"') | BytesEqual(word, '\\') | (word & 0x8080808080808080u)) break;
    }
    if (p == end_) Fail(at_, "the string does not end");
    all |= static_cast<uint8_t>(*p);
    if (*p == '"') break;
    if (static_cast<uint8_t>(*p) < 0x20) Fail(p, "a string needs an escape for this control character");
    if (*p == '\\') {
      escaped = true;
      if (++p == end_) Fail(at_, "the string does not end");
    }
  }
  const std::string_view quoted(start, static_cast<size_t>(p - start));
  if (all >= 0x80 && !IsUtf8(quoted)) Fail(at_, "the string is not UTF-8");
  at_ = p + 1;
  if (!escaped) return quoted;
  constexpr size_t kKept = size_t{1} << 20;
  if (unescaped_.capacity() > kKept) unescaped_ = std::string();
  unescaped_.clear();
  const char* rule = nullptr;
  if (const char* wrong = UnescapeJson(quoted, unescaped_, &rule, pace_)) Fail(wrong, rule);
  return unescaped_;
}

std::string_view JsonLexer::Number() {
  Peek();
  const char* const stop = EndOfNumber(at_, end_);
  const std::string_view number(at_, static_cast<size_t>(stop - at_));
  if (!IsJsonNumber(number)) Expected("a number");
  at_ = stop;
  return number;
}

void JsonLexer::Skip(int levels) {
  const char c = Peek();
  if (c == '"') {
    String();
  } else if (c == '{' || c == '[') {
    if (levels == 0) Fail(at_, "nested too deep");
    const char closing = c == '{' ? '}' : ']';
    ++at_;
    if (Take(closing)) return;
    do {
      if (c == '{') {
        String();
        Need(':');
      }
      Skip(levels - 1);
    } while (Take(','));
    Need(closing);
  } else if (!TakeWord("true") && !TakeWord("false") && !TakeWord("null")) {
    Number();
  }
}

void JsonLexer::NeedEnd() {
  Peek();
  if (at_ != end_) Expected("the end of the text");
}

void JsonLexer::Expected(const std::string& what) {
  Peek();
  const char* stop = at_;
  while (stop < end_ && (stop == at_ || std::string_view(" \t\r\n,:]}").find(*stop) == std::string_view::npos)) ++stop;
  Fail(at_, "expected " + what + ", found " + Excerpt({at_, static_cast<size_t>(stop - at_)}, "the end of the text"));
}

void JsonLexer::Fail(const char* at, const std::string& rule) const {
  const bool in_text = at >= text_.data() && at <= text_.data() + text_.size();  // else in the unescaped string, which has been read
  const LineAndColumn place = PlaceOf(text_, in_text ? at : at_);
  throw JsonParseError("JsonParseError: line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ", " +
                           PathOf(root_, step) + ": " + rule,
                       place.line, place.column);
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
