#include "onnx_proto/text/json_string.h"

#include <algorithm>
#include <array>

#include "onnx_proto/text/text_escape.h"
#include "onnx_proto/text/utf8.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

// What an ASCII character becomes: itself, a letter behind a backslash, or a code point's number.
struct Escape {
  char text[6];
  uint8_t size;
};
constexpr std::array<Escape, 128> kEscapes = [] {
  std::array<Escape, 128> made{};
  for (size_t i = 0; i < 128; ++i) {
    const char self = static_cast<char>(i);
    const char letter = self == '\n'                  ? 'n'
                        : self == '\r'                ? 'r'
                        : self == '\t'                ? 't'
                        : self == '\b'                ? 'b'
                        : self == '\f'                ? 'f'
                        : self == '"' || self == '\\' ? self
                                                      : '\0';
    if (letter) made[i] = {{'\\', letter}, 2};
    else if (i >= 0x20) made[i] = {{self}, 1};
    else made[i] = {{'\\', 'u', '0', '0', kHexDigits[i >> 4], kHexDigits[i & 15]}, 6};
  }
  return made;
}();

void PutUtf16(TextOut& out, uint32_t unit) {
  const char escape[] = {'\\', 'u', kHexDigits[unit >> 12], kHexDigits[unit >> 8 & 15], kHexDigits[unit >> 4 & 15], kHexDigits[unit & 15]};
  out.Put({escape, sizeof escape});
}

uint32_t CodePoint(std::string_view sequence) {
  uint32_t code_point = static_cast<uint8_t>(sequence[0]) & (0xffu >> (sequence.size() + 1));
  for (const char c : sequence.substr(1)) code_point = code_point << 6 | (static_cast<uint8_t>(c) & 0x3f);
  return code_point;
}

void PutEscaped(TextOut& out, uint32_t code_point) {
  if (code_point < 0x10000) return PutUtf16(out, code_point);
  PutUtf16(out, 0xd7c0 + (code_point >> 10));
  PutUtf16(out, 0xdc00 + (code_point & 0x3ff));
}

}  // namespace

bool PutJsonString(TextOut& out, std::string_view text, bool ascii) {
  out.Put('"');
  while (!text.empty()) {
    constexpr size_t kBatch = TextOut::kRoom / 6;
    char* at = out.Room(TextOut::kRoom);
    size_t done = 0;
    for (const size_t batch = std::min(text.size(), kBatch); done < batch; ++done) {
      const auto byte = static_cast<uint8_t>(text[done]);
      if (byte >= 0x80 || (byte == 0x7f && ascii)) break;
      std::memcpy(at, kEscapes[byte].text, sizeof kEscapes[byte].text);
      at += kEscapes[byte].size;
    }
    out.Advance(at);
    text.remove_prefix(done);
    while (!text.empty() && static_cast<uint8_t>(text[0]) >= 0x7f) {
      const size_t size = Utf8SequenceSize(text);
      if (size == 0) return false;
      if (ascii) PutEscaped(out, size == 1 ? 0x7f : CodePoint(text.substr(0, size)));
      else out.Put(text.substr(0, size));
      text.remove_prefix(size);
    }
  }
  out.Put('"');
  return true;
}

const char* UnescapeJson(std::string_view quoted, std::string& out, const char** rule, TextPace& pace) {
  const char* at = quoted.data();
  const char* const end = at + quoted.size();
  const size_t before = out.size();
  out.resize(before + quoted.size());  // no escape is longer than itself
  char* to = out.data() + before;
  while (at < end) {
    const char* const pause = TextPace::PauseOf(at, end);
    while (at < pause) {
      if (*at != '\\') {
        *to++ = *at++;
        continue;
      }
      const char* const start = at++;  // a character follows: a backslash never ends what stands between quotes
      switch (const char kind = *at++) {
        case 'b': *to++ = '\b'; break;
        case 'f': *to++ = '\f'; break;
        case 'n': *to++ = '\n'; break;
        case 'r': *to++ = '\r'; break;
        case 't': *to++ = '\t'; break;
        case '"':
        case '\\':
        case '/': *to++ = kind; break;
        case 'u': {
          *rule = "\\u needs four hexadecimal digits, and half of a surrogate pair the other half";
          uint32_t unit = 0;
          at = ReadHex(at, end, 4, unit);
          if (!at || IsLowSurrogate(unit)) return start;
          if (IsHighSurrogate(unit)) {
            uint32_t low = 0;
            if (end - at < 2 || at[0] != '\\' || at[1] != 'u') return start;
            at = ReadHex(at + 2, end, 4, low);
            if (!at || !IsLowSurrogate(low)) return start;
            unit = JoinSurrogates(unit, low);
          }
          to = PutUtf8(unit, to);
          break;
        }
        default: *rule = "there is no such escape"; return start;
      }
    }
    pace.Reach(at);
  }
  out.resize(static_cast<size_t>(to - out.data()));
  return nullptr;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
