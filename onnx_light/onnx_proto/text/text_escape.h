// Strings as text format spells them: between quotes, with C's escapes.
#pragma once

#include <string>
#include <string_view>

#include "onnx_proto/text/text_out.h"
#include "onnx_proto/text/text_pace.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

// `bytes` between double quotes. Well-formed UTF-8 passes if `utf8`, all else beyond printable ASCII becomes an escape.
void PutQuoted(TextOut& out, std::string_view bytes, bool utf8);

// Appends what stands between two quotes to `out`. Null, or where an escape is wrong: then `rule` says why, and `out` is not to be used.
const char* Unescape(std::string_view quoted, std::string& out, const char** rule, TextPace& pace);

// Writes `code_point`, which is at most 0x10ffff and no surrogate, as up to four bytes of UTF-8, and returns their end.
char* PutUtf8(uint32_t code_point, char* to);
// Reads exactly `count` hexadecimal digits; null if they are not there.
const char* ReadHex(const char* at, const char* end, int count, uint32_t& value);

constexpr bool IsHighSurrogate(uint32_t code_point) { return code_point >= 0xd800 && code_point < 0xdc00; }
constexpr bool IsLowSurrogate(uint32_t code_point) { return code_point >= 0xdc00 && code_point < 0xe000; }
constexpr uint32_t JoinSurrogates(uint32_t high, uint32_t low) { return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00); }

}  // namespace ONNX_LIGHT_NAMESPACE::proto
