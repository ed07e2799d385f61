// JSON as it is met: strings, numbers, words and single characters (RFC 8259), with the errors that name their place.
#pragma once

#include <string>
#include <string_view>

#include "onnx_proto/text/place.h"
#include "onnx_proto/text/text_pace.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class JsonLexer {
 public:
  // Both stay alive.
  JsonLexer(const Table& root, std::string_view text, ProgressCallback progress)
      : root_(root), text_(text), at_(text.data()), end_(text.data() + text.size()), pace_(text, std::move(progress)) {}

  const char* at() const { return at_; }
  // What comes next, behind the blanks; NUL at the end.
  char Peek() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
    return at_ < end_ ? *at_ : '\0';
  }
  bool Take(char c) {
    if (Peek() != c || at_ == end_) return false;
    pace_.Reach(++at_);
    return true;
  }
  void Need(char c) {
    if (!Take(c)) Expected(std::string("'") + c + "'");
  }
  bool TakeWord(std::string_view word);
  // A string without quotes and escapes, well-formed UTF-8. Valid until the next one.
  std::string_view String();
  std::string_view Number();
  // Any value; `levels` brackets may be open in it.
  void Skip(int levels);
  void NeedEnd();
  TextPace& pace() { return pace_; }

  // The path of errors: where the reader is.
  const Step* step = nullptr;
  [[noreturn]] void Expected(const std::string& what);
  [[noreturn]] void Fail(const char* at, const std::string& rule) const;

 private:
  const Table& root_;
  const std::string_view text_;
  const char* at_;
  const char* const end_;
  TextPace pace_;
  std::string unescaped_;
};

bool IsJsonNumber(std::string_view text);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
