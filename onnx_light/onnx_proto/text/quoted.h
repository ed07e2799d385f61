// Text from files as errors show it.
#pragma once

#include <string>
#include <string_view>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE {

/// As many bytes as a path may have.
inline constexpr size_t kWholePath = 4096;

/// At most `most` bytes of a text, and "…" where there is more. What steers a terminal or turns its line around (control characters, marks
/// of direction, separators of lines, characters that nobody sees), and what is no UTF-8, is escaped byte by byte (\x1b), as are quotes and
/// backslashes. So an error is UTF-8 in one line, whatever a file has for a name.
ONNX_LIGHT_API std::string Shown(std::string_view text, size_t most = 200);
/// The same between double quotes.
ONNX_LIGHT_API std::string Quoted(std::string_view text, size_t most = 200);

}  // namespace ONNX_LIGHT_NAMESPACE
