#include "onnx_proto/text/text_lexer.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

enum Class : uint8_t { kSymbol, kBlank, kHash, kLetter, kDigit, kPoint, kQuote };

constexpr std::array<Class, 256> kClasses = [] {
  std::array<Class, 256> made{};
  for (const unsigned char c : std::string_view(" \t\n\v\f\r")) made[c] = kBlank;
  for (int c = 'a'; c <= 'z'; ++c) made[static_cast<uint8_t>(c)] = made[static_cast<uint8_t>(c - 'a' + 'A')] = kLetter;
  for (int c = '0'; c <= '9'; ++c) made[static_cast<size_t>(c)] = kDigit;
  made['_'] = kLetter;
  made['.'] = kPoint;
  made['#'] = kHash;
  made['"'] = made['\''] = kQuote;
  return made;
}();

Class ClassOf(char c) { return kClasses[static_cast<uint8_t>(c)]; }
bool IsWordPart(char c) { return ClassOf(c) == kLetter || ClassOf(c) == kDigit; }

}  // namespace

void TextLexer::SkipBlanks() {
  for (; at_ < end_; ++at_) {
    if (ClassOf(*at_) == kBlank) continue;
    if (*at_ != '#') return;
    const void* line_end = std::memchr(at_, '\n', static_cast<size_t>(end_ - at_));
    at_ = line_end ? static_cast<const char*>(line_end) : end_ - 1;
  }
}

void TextLexer::Next() {
  pace_.Reach(at_);
  SkipBlanks();
  const char* const start = at_;
  token_.escaped = false;
  if (at_ == end_) {
    token_ = {Token::kEnd, false, std::string_view(at_, size_t{0})};  // NOLINT(bugprone-string-constructor): an end has a place
    return;
  }
  const char* at = at_ + 1;
  switch (ClassOf(*start)) {
    case kLetter:
      while (at < end_ && IsWordPart(*at)) ++at;
      token_.kind = Token::kName;
      break;
    case kPoint:
      if (at == end_ || ClassOf(*at) != kDigit) {
        token_.kind = Token::kOther;
        break;
      }
      [[fallthrough]];
    case kDigit: {
      const bool hexadecimal = *start == '0' && at < end_ && (*at == 'x' || *at == 'X');
      for (; at < end_; ++at) {
        const bool sign = (*at == '+' || *at == '-') && (at[-1] == 'e' || at[-1] == 'E') && !hexadecimal;
        if (!IsWordPart(*at) && *at != '.' && !sign) break;
      }
      token_.kind = Token::kNumber;
      break;
    }
    case kQuote: at = EndOfString(start); break;
    default: token_.kind = Token::kOther;
  }
  token_.text = {start, static_cast<size_t>(at - start)};
  at_ = at;
}

const char* TextLexer::EndOfString(const char* start) {
  token_.kind = Token::kUnclosed;
  for (const char* at = start + 1; at < end_;) {
    for (const char* const pause = TextPace::PauseOf(at, end_); at < pause; ++at) {
      if (*at == *start) {
        token_.kind = Token::kString;
        return at + 1;
      }
      if (*at == '\n') return at;
      if (*at == '\\') {
        token_.escaped = true;
        if (++at == end_ || *at == '\n') return at;
      }
    }
    TextPace::Ask();
  }
  return end_;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
