// Text format as words: names, numbers, strings and single characters; blanks and comments are nothing.
#pragma once

#include <string_view>

#include "onnx_proto/text/text_pace.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

struct Token {
  enum Kind : unsigned char {
    kEnd,
    kName,
    kNumber,    // begins with a digit, or a point and a digit; whether it is one its reader says
    kString,    // with its quotes
    kUnclosed,  // a string that its line ends
    kOther,     // one character
  };
  Kind kind = kEnd;
  bool escaped = false;  // a string with backslashes
  std::string_view text;
};

class TextLexer {
 public:
  // Both stay alive.
  TextLexer(std::string_view text, TextPace& pace) : at_(text.data()), end_(text.data() + text.size()), pace_(pace) { Next(); }

  const Token& token() const { return token_; }
  bool Is(char c) const { return token_.kind == Token::kOther && token_.text[0] == c; }
  bool Is(Token::Kind kind) const { return token_.kind == kind; }
  // If the token is `c`: goes on to the next.
  bool Take(char c) {
    if (!Is(c)) return false;
    Next();
    return true;
  }
  void Next();

 protected:
  TextPace& pace() const { return pace_; }

 private:
  void SkipBlanks();
  const char* EndOfString(const char* at);

  const char* at_;
  const char* end_;
  TextPace& pace_;
  Token token_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
