// How to print and read the text forms: plain values, const inputs. The defaults are those of protobuf's Python.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "onnx_proto/serialize_options.h"

namespace ONNX_LIGHT_NAMESPACE {

/// Takes the next piece of a text that is being printed; valid during the call. What it throws ends the printing and comes out of it.
using TextSink = std::function<void(std::string_view)>;

/// How numbers with a fraction are spelled. Both read back as the same numbers.
enum class NumberStyle : uint8_t {
  kShort,   ///< `1`, `1e+06`, `0.333333343`: as str(message) and DebugString do
  kPython,  ///< `1.0`, `1000000.0`, `0.33333334`: as text_format.MessageToString does, and onnx.save with format="textproto"
};

struct TextFormatOptions {
  NumberStyle numbers = NumberStyle::kShort;
  /// Spaces between fields instead of lines; no space at the end.
  bool as_one_line = false;
  /// Lists of numbers and enums as `dims: [1, 2]`.
  bool use_short_repeated_primitives = false;
  /// Strings show what is well-formed UTF-8; otherwise everything beyond ASCII is escaped. Bytes are always escaped.
  bool as_utf8 = true;
};

struct TextFormatParseOptions {
  /// Fields that the message does not have are skipped; otherwise they are an error. Extensions are an error in any case.
  bool allow_unknown_field = false;
  /// Nested messages below the one that is read, at most 2000. More: TextParseError.
  int32_t max_recursion_depth = 400;
  /// Told of the bytes of the text as they are read.
  ProgressCallback progress{};
};

struct JsonOptions {
  /// `ir_version` instead of `irVersion`.
  bool preserving_proto_field_name = false;
  /// Spaces a level; 0 and less: lines without spaces; nothing: one line.
  std::optional<int> indent = 2;
  /// Fields by their printed names instead of their numbers.
  bool sort_keys = false;
  bool use_integers_for_enums = false;
  /// Digits of numbers with a fraction; nothing: as many as it takes to read the same number again.
  std::optional<int> float_precision = std::nullopt;
  /// Everything beyond ASCII as `\u00e9`.
  bool ensure_ascii = true;
  /// Empty lists are shown, after the fields that are set.
  bool always_print_fields_with_no_presence = false;
};

struct JsonParseOptions {
  /// Names that the message does not have, and names that an enum does not have, are skipped; otherwise they are an error.
  bool ignore_unknown_fields = false;
  /// Nested messages below the one that is read, and nested values inside one that is skipped, at most 2000. More: JsonParseError.
  int32_t max_recursion_depth = 400;
  /// Told of the bytes of the text as they are read.
  ProgressCallback progress{};
};

struct SyntaxOptions {
  /// Of lists with more elements so many are shown, and `...`, which is not read again; nothing: all.
  std::optional<size_t> elide_after = std::nullopt;
};

struct SyntaxParseOptions {
  /// Nested messages below the one that is read, at most 2000. More: OnnxSyntaxError.
  int32_t max_recursion_depth = 400;
  /// Told of the bytes of the text as they are read.
  ProgressCallback progress{};
};

}  // namespace ONNX_LIGHT_NAMESPACE
