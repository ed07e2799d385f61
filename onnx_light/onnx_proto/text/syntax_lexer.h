// The ONNX syntax as characters, names, strings and numbers; blanks and comments are nothing, but for annotations (see syntax_notes.h).
#pragma once

#include <string>
#include <string_view>

#include "onnx_proto/text/syntax_words.h"
#include "onnx_proto/text/text_pace.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class SyntaxLexer {
 public:
  // `text` stays alive.
  SyntaxLexer(std::string_view text, ProgressCallback progress)
      : text_(text), at_(text.data()), end_(text.data() + text.size()), pace_(text, std::move(progress)) {}

  static constexpr int kEnd = -1;
  static constexpr int kNote = -2;  // "#@{"
  // The next character that is no blank, or one of the above.
  int Peek() {
    SkipBlanks();
    if (at_ == end_) return kEnd;
    return *at_ == '#' ? kNote : static_cast<unsigned char>(*at_);
  }
  bool Take(char c) {
    if (Peek() != static_cast<unsigned char>(c)) return false;
    ++at_;
    return true;
  }
  void Need(char c) {
    if (!Take(c)) NoCharacter(c);
  }
  void NeedArrow();  // "=>"

  // An identifier; without one there is an error that says `what` was expected.
  std::string_view Identifier(const char* what);
  // The identifier that comes next, which stays there; empty if there is none.
  std::string_view PeekIdentifier();
  // An identifier or a string: what may stand where a name does. Valid until the next name or string is read.
  bool AtName();
  std::string_view Name(const char* what);
  // "…", where a backslash makes the next character itself, or b"…" with the escapes of C.
  bool AtString();
  std::string_view String(const char* what);

  struct Number {
    enum Kind : uint8_t { kInteger, kReal, kInfinity, kNan };
    Kind kind = kInteger;
    bool negative = false;
    bool has_bits = false;  // nan(0x7fc00001)
    uint64_t bits = 0;
    std::string_view text;
  };
  // Whether a number comes next; then `number` is it and has been read. A word that begins none stays where it is.
  bool TakeNumber(Number& number);
  Number NeedNumber(const char* what);
  int64_t ToInt64(const Number& number) const;
  int32_t ToInt32(const Number& number) const;
  uint64_t ToUint64(const Number& number) const;  // a negative one counts from 2^64 down
  template <class T>
  T ToReal(const Number& number) const;

  [[noreturn]] void Expected(const std::string& what);
  [[noreturn]] void Fail(const char* at, const std::string& rule) const;

 protected:
  const char* at() const { return at_; }
  void GoTo(const char* at) { at_ = at; }
  std::string_view text() const { return text_; }
  const char* end() const { return end_; }
  TextPace& pace() { return pace_; }

 private:
  void SkipBlanks();
  std::string_view Unescaped(const char* start);
  std::string_view ByteString();
  [[noreturn]] void NoCharacter(char c);

  const std::string_view text_;
  const char* at_;
  const char* const end_;
  TextPace pace_;
  std::string string_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
