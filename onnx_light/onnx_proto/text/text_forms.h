// The text forms of any message, given its table. The public doors are in onnx_text.h.
#pragma once

#include "onnx_proto/text/text_options.h"
#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

struct ONNX_LIGHT_API TextForms {
  static void WriteText(const Table& table, const Message& message, const TextSink& sink, const TextFormatOptions& options);
  static void ReadText(const Table& table, Message& message, std::string_view text, const TextFormatParseOptions& options);
  // The same into an empty message that is nobody's yet; a part of the text may be in it when this throws.
  static void FillFromText(const Table& table, Message& fresh, std::string_view text, const TextFormatParseOptions& options);
  static void WriteJson(const Table& table, const Message& message, const TextSink& sink, const JsonOptions& options);
  static void ReadJson(const Table& table, Message& message, std::string_view text, const JsonParseOptions& options);
  static void FillFromJson(const Table& table, Message& fresh, std::string_view text, const JsonParseOptions& options);
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
