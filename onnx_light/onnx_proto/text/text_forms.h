// The text forms of any message, given its table. The public doors are in onnx_text.h.
#pragma once

#include "onnx_proto/text/text_options.h"
#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

struct ONNX_LIGHT_API TextForms {
  static void WriteText(const Table& table, const Message& message, const TextSink& sink, const TextFormatOptions& options);
  static void ReadText(const Table& table, Message& message, std::string_view text, const TextFormatParseOptions& options);
  static void WriteJson(const Table& table, const Message& message, const TextSink& sink, const JsonOptions& options);
  static void ReadJson(const Table& table, Message& message, std::string_view text, const JsonParseOptions& options);
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
