#include "onnx_proto/text/text_escape.h"

#include <array>
#include <charconv>

#include "onnx_proto/text/utf8.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

// What a byte becomes: itself, a letter behind a backslash, or three octal digits.
struct Escape {
  char text[4];
  uint8_t size;
};
constexpr std::array<Escape, 256> kEscapes = [] {
  std::array<Escape, 256> made{};
  for (int i = 0; i < 256; ++i) {
    const char self = static_cast<char>(i);
    const char letter = self == '\n'                                  ? 'n'
                        : self == '\r'                                ? 'r'
                        : self == '\t'                                ? 't'
                        : self == '"' || self == '\'' || self == '\\' ? self
                                                                      : '\0';
    if (letter) {
      made[static_cast<size_t>(i)] = {{'\\', letter}, 2};
    } else if (i >= 0x20 && i < 0x7f) {
      made[static_cast<size_t>(i)] = {{self}, 1};
    } else {
      made[static_cast<size_t>(i)] = {
          {'\\', static_cast<char>('0' + (i >> 6)), static_cast<char>('0' + (i >> 3 & 7)), static_cast<char>('0' + (i & 7))}, 4};
    }
  }
  return made;
}();

// Up to kBatch bytes at once, so that the room is asked for once.
constexpr size_t kBatch = TextOut::kRoom / 4;

void PutEscaped(TextOut& out, std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view batch = bytes.substr(0, kBatch);
    char* at = out.Room(TextOut::kRoom);
    for (const char byte : batch) {
      const Escape& escape = kEscapes[static_cast<uint8_t>(byte)];
      std::memcpy(at, escape.text, 4);
      at += escape.size;
    }
    out.Advance(at);
    bytes.remove_prefix(batch.size());
  }
}

size_t AsciiPrefix(std::string_view bytes) {
  size_t size = 0;
  for (; size + 8 <= bytes.size(); size += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + size, 8);
    if (word & 0x8080808080808080u) break;
  }
  while (size < bytes.size() && static_cast<uint8_t>(bytes[size]) < 0x80) ++size;
  return size;
}

int OctalDigit(char c) { return c >= '0' && c <= '7' ? c - '0' : -1; }

// "\\ooo" up to 255, which is how most bytes come.
bool IsFullOctal(const char* at, const char* end) {
  return end - at >= 4 && at[0] == '\\' && at[1] >= '0' && at[1] <= '3' && OctalDigit(at[2]) >= 0 && OctalDigit(at[3]) >= 0;
}

char LetterEscape(char letter) {
  switch (letter) {
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    case '"':
    case '\'':
    case '\\':
    case '?': return letter;
    default: return '\0';
  }
}

// An escaped code point of `count` digits, and its second half if it is the first half of a surrogate pair.
const char* ReadCodePoint(const char* at, const char* end, int count, uint32_t& code_point) {
  at = ReadHex(at, end, count, code_point);
  if (!at || code_point > 0x10ffff || IsLowSurrogate(code_point)) return nullptr;
  if (!IsHighSurrogate(code_point)) return at;
  uint32_t low = 0;
  if (end - at < 2 || at[0] != '\\' || at[1] != 'u') return nullptr;
  at = ReadHex(at + 2, end, 4, low);
  if (!at || !IsLowSurrogate(low)) return nullptr;
  code_point = JoinSurrogates(code_point, low);
  return at;
}

}  // namespace

void PutQuoted(TextOut& out, std::string_view bytes, bool utf8) {
  out.Put('"');
  while (utf8 && !bytes.empty()) {
    const size_t ascii = AsciiPrefix(bytes);
    PutEscaped(out, bytes.substr(0, ascii));
    bytes.remove_prefix(ascii);
    while (!bytes.empty() && static_cast<uint8_t>(bytes[0]) >= 0x80) {
      const size_t size = Utf8SequenceSize(bytes);
      if (size == 0) {
        PutEscaped(out, bytes.substr(0, 1));
      } else {
        out.Put(bytes.substr(0, size));
      }
      bytes.remove_prefix(size ? size : 1);
    }
  }
  PutEscaped(out, bytes);
  out.Put('"');
}

const char* Unescape(std::string_view quoted, std::string& out, const char** rule, TextPace& pace) {
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
      if (IsFullOctal(at, end)) {
        *to++ = static_cast<char>((at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0'));
        at += 4;
        continue;
      }
      const char* const start = at++;  // a character follows: a backslash never ends what stands between quotes
      const char kind = *at++;
      uint32_t value = 0;
      if (const char letter = LetterEscape(kind)) {
        *to++ = letter;
      } else if (OctalDigit(kind) >= 0) {
        int octal = OctalDigit(kind);
        for (int i = 0; i < 2 && at < end && OctalDigit(*at) >= 0; ++i) octal = octal * 8 + OctalDigit(*at++);
        *rule = "octal escapes end at \\377";
        if (octal > 0xff) return start;
        *to++ = static_cast<char>(octal);
      } else if (kind == 'x' || kind == 'X') {
        *rule = "\\x needs one or two hexadecimal digits";
        const char* next = ReadHex(at, end, 2, value);
        if (!next) next = ReadHex(at, end, 1, value);
        if (!next) return start;
        at = next;
        *to++ = static_cast<char>(value);
      } else if (kind == 'u' || kind == 'U') {
        *rule = "\\u needs four hexadecimal digits and \\U eight, of a code point that is no lone surrogate";
        at = ReadCodePoint(at, end, kind == 'u' ? 4 : 8, value);
        if (!at) return start;
        to = PutUtf8(value, to);
      } else {
        *rule = "there is no such escape";
        return start;
      }
    }
    pace.Reach(at);
  }
  out.resize(static_cast<size_t>(to - out.data()));
  return nullptr;
}

char* PutUtf8(uint32_t code_point, char* to) {
  const auto tail = [&](int shift) { *to++ = static_cast<char>(0x80 | (code_point >> shift & 0x3f)); };
  if (code_point < 0x80) {
    *to++ = static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    *to++ = static_cast<char>(0xc0 | code_point >> 6);
    tail(0);
  } else if (code_point < 0x10000) {
    *to++ = static_cast<char>(0xe0 | code_point >> 12);
    tail(6);
    tail(0);
  } else {
    *to++ = static_cast<char>(0xf0 | code_point >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
  return to;
}

const char* ReadHex(const char* at, const char* end, int count, uint32_t& value) {
  if (end - at < count) return nullptr;
  const auto [stopped, fault] = std::from_chars(at, at + count, value, 16);
  return stopped == at + count && fault == std::errc() ? stopped : nullptr;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
