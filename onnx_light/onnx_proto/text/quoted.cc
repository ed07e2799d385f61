#include "onnx_proto/text/quoted.h"

#include <algorithm>
#include <cstdint>

#include "onnx_proto/text/utf8.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

struct Range {
  uint32_t first, last;
};
// Beyond ASCII: C1, soft hyphen, marks of direction and joiners, separators, the mark of byte order, notes between lines, tags.
constexpr Range kEscaped[] = {{0x80, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},   {0x180e, 0x180e}, {0x200b, 0x200f},
                              {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};

uint32_t CodePoint(std::string_view sequence) {
  uint32_t code_point = static_cast<uint8_t>(sequence[0]) & (0xffu >> (sequence.size() + 1));
  for (const char c : sequence.substr(1)) code_point = code_point << 6 | (static_cast<uint8_t>(c) & 0x3f);
  return code_point;
}

bool Passes(std::string_view sequence) {
  if (sequence.size() == 1) return sequence[0] >= 0x20 && sequence[0] != 0x7f;
  const uint32_t code_point = CodePoint(sequence);
  return std::none_of(std::begin(kEscaped), std::end(kEscaped),
                      [&](const Range& range) { return code_point >= range.first && code_point <= range.last; });
}

}  // namespace

std::string Shown(std::string_view text, size_t most) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string shown;
  for (size_t taken = 0; !text.empty();) {
    const size_t known = proto::Utf8SequenceSize(text), size = std::max<size_t>(known, 1);
    if (taken + size > most) return shown + "…";
    const std::string_view sequence = text.substr(0, size);
    if (known && Passes(sequence)) {
      if (sequence == "\"" || sequence == "\\") shown += '\\';
      shown += sequence;
    } else {
      for (const char c : sequence) {
        shown += "\\x";
        shown += kDigits[static_cast<uint8_t>(c) >> 4];
        shown += kDigits[c & 15];
      }
    }
    text.remove_prefix(size);
    taken += size;
  }
  return shown;
}

std::string Quoted(std::string_view text, size_t most) { return '"' + Shown(text, most) + '"'; }

}  // namespace ONNX_LIGHT_NAMESPACE
