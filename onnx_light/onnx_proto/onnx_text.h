// Messages as text: protobuf's text format, its JSON mapping and the ONNX syntax, all in both directions.
//
// Reading is all or nothing: a message is replaced by what the text says, or stays as it was. Any text may be given, of any source; it
// is read in one pass, in time proportional to its length, and no deeper than the options allow. Nothing depends on the locale.
// Unknown fields of a message are not printed. Printing is streamed: no more than some KiB are held besides what the sink keeps.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "onnx_proto/onnx.h"
#include "onnx_proto/text/text_forms.h"

namespace ONNX_LIGHT_NAMESPACE {

/// Prints protobuf text format. Throws NestingError for more than 400 nested messages, when a part may have been printed.
template <class M>
void WriteTextFormat(const M& message, const TextSink& sink, const TextFormatOptions& options = {}) {
  proto::TextForms::WriteText(M::table(), message, sink, options);
}
template <class M>
std::string ToTextFormat(const M& message, const TextFormatOptions& options = {}) {
  std::string text;
  WriteTextFormat(
      message, [&text](std::string_view piece) { text.append(piece); }, options);
  return text;
}

/// Reads protobuf text format, as text_format.Parse does into an empty message. Throws TextParseError, with `message` as it was.
template <class M>
void FromTextFormat(std::string_view text, M& message, const TextFormatParseOptions& options = {}) {
  proto::TextForms::ReadText(M::table(), message, text, options);
}

/// Prints protobuf's JSON mapping. Throws NestingError, and SerializeError for a string field that is not UTF-8, which JSON cannot hold.
template <class M>
void WriteJson(const M& message, const TextSink& sink, const JsonOptions& options = {}) {
  proto::TextForms::WriteJson(M::table(), message, sink, options);
}
template <class M>
std::string ToJson(const M& message, const JsonOptions& options = {}) {
  std::string text;
  WriteJson(
      message, [&text](std::string_view piece) { text.append(piece); }, options);
  return text;
}

/// Reads protobuf's JSON mapping, with names of either style. Throws JsonParseError, with `message` as it was.
template <class M>
void FromJson(std::string_view text, M& message, const JsonParseOptions& options = {}) {
  proto::TextForms::ReadJson(M::table(), message, text, options);
}

/// The messages that have an ONNX syntax.
template <class M>
concept HasOnnxSyntax = std::is_same_v<M, ModelProto> || std::is_same_v<M, GraphProto> || std::is_same_v<M, FunctionProto> ||
    std::is_same_v<M, NodeProto> || std::is_same_v<M, AttributeProto> || std::is_same_v<M, TypeProto> || std::is_same_v<M, TensorProto> ||
    std::is_same_v<M, ValueInfoProto>;

/// Prints the ONNX syntax, with notes where it has no words (docs/onnx_syntax.md). Reading it gives an equal message. Throws NestingError.
template <HasOnnxSyntax M>
void WriteOnnxSyntax(const M& message, const TextSink& sink, const SyntaxOptions& options = {}) {
  proto::TextForms::WriteSyntax(M::table(), message, sink, options);
}
template <HasOnnxSyntax M>
std::string ToOnnxSyntax(const M& message, const SyntaxOptions& options = {}) {
  std::string text;
  WriteOnnxSyntax(
      message, [&text](std::string_view piece) { text.append(piece); }, options);
  return text;
}

/// Reads the ONNX syntax. Throws OnnxSyntaxError, with `message` as it was.
template <HasOnnxSyntax M>
void FromOnnxSyntax(std::string_view text, M& message, const SyntaxParseOptions& options = {}) {
  proto::TextForms::ReadSyntax(M::table(), message, text, options);
}

}  // namespace ONNX_LIGHT_NAMESPACE
