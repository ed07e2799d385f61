// The text forms of any message, given its table. The public doors are in onnx_text.h.
#pragma once

#include "onnx_proto/text/text_options.h"
#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class TextOut;
class TextPace;

struct ONNX_LIGHT_API TextForms {
  static void WriteText(const Table& table, const Message& message, const TextSink& sink, const TextFormatOptions& options);
  static void ReadText(const Table& table, Message& message, std::string_view text, const TextFormatParseOptions& options);
  // The same into an empty message that is nobody's yet; a part of the text may be in it when this throws.
  static void FillFromText(const Table& table, Message& fresh, std::string_view text, const TextFormatParseOptions& options);
  // For text format inside of another form. Reads fields and, behind a '-', names of fields that are to be absent, up to '}', and returns
  // what follows it. A field that is named replaces what the message has. `part` is a part of `text`, whose lines are counted.
  static const char* AmendFromText(const Table& table, Message& message, std::string_view text, std::string_view part, int max_depth,
                                   TextPace& pace);
  // Prints the fields whose bits are given as one line. NaNs say their bits where it takes them. `depth`: of the message.
  static void WriteTextLine(const Table& table, const Message& message, uint32_t fields, int depth, TextOut& out);
  static void WriteJson(const Table& table, const Message& message, const TextSink& sink, const JsonOptions& options);
  static void ReadJson(const Table& table, Message& message, std::string_view text, const JsonParseOptions& options);
  static void FillFromJson(const Table& table, Message& fresh, std::string_view text, const JsonParseOptions& options);
  // The ONNX syntax. Which messages have one says HasSyntax; another table is an error of the caller's: std::invalid_argument.
  static bool HasSyntax(const Table& table);
  static void WriteSyntax(const Table& table, const Message& message, const TextSink& sink, const SyntaxOptions& options);
  static void ReadSyntax(const Table& table, Message& message, std::string_view text, const SyntaxParseOptions& options);
  static void FillFromSyntax(const Table& table, Message& fresh, std::string_view text, const SyntaxParseOptions& options);
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
