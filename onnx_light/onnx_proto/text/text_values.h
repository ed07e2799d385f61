// The values of text format, read one by one, with the errors that name their place; and values that nobody wants, skipped.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "onnx_proto/text/place.h"
#include "onnx_proto/text/text_lexer.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class TextValues : public TextLexer {
 public:
  // All stay alive. What is read is `part` of `text`, whose lines are counted.
  TextValues(const Table& root, std::string_view text, std::string_view part, int max_depth, TextPace& pace)
      : TextLexer(part, pace), root_(root), text_(text), max_depth_(max_depth) {}

  struct Integer {
    bool negative;
    uint64_t magnitude;
    const char* at;  // where it stands
  };
  Integer ReadInteger();
  // A number without sign that is the current token, which stays it; false if it is none.
  bool PeekMagnitude(uint64_t& magnitude) const;
  double ReadReal();
  // The same; a NaN may say its bits, as in nan(0x7fc00001), which protobuf's own form cannot.
  double ReadReal(std::optional<uint64_t>& nan_bits);
  // Strings side by side are one. Valid until the next string is read.
  std::string_view ReadString();
  // What follows the name of a field that is not known: nothing tells a message from a value but how it looks.
  void SkipContents() { SkipContents(depth); }

  void Enter(const char* at) {
    if (++depth > max_depth_) TooDeep(at);
  }
  int depth = 0;               // of messages below the root
  const Step* step = nullptr;  // the path of errors: where the reader is
  [[noreturn]] void Expected(const std::string& what) const;
  [[noreturn]] void Fail(const char* at, const std::string& rule) const;

 private:
  bool TakeSign();
  void AppendString();
  [[noreturn]] void NoString() const;
  [[noreturn]] void TooDeep(const char* at) const;
  void SkipContents(int levels);
  void SkipMessage(int levels);
  void SkipValue();

  const Table& root_;
  const std::string_view text_;
  const int max_depth_;
  std::string unescaped_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
