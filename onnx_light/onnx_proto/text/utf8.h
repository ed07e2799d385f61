// Where well-formed UTF-8 begins and ends (The Unicode Standard, table 3-7).
#pragma once

#include <cstdint>
#include <string_view>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

// The length (1 to 4) of the well-formed sequence that `bytes` begins with, or 0 if it begins with none.
inline size_t Utf8SequenceSize(std::string_view bytes) {
  const auto at = [&](size_t i) { return i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : uint8_t{0}; };
  const auto in = [&](size_t i, uint8_t low, uint8_t high) { return at(i) >= low && at(i) <= high; };
  const auto tail = [&](size_t i) { return in(i, 0x80, 0xbf); };
  const uint8_t first = at(0);
  if (bytes.empty()) return 0;
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return tail(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const uint8_t low = first == 0xe0 ? 0xa0 : 0x80;   // shorter forms exist below
    const uint8_t high = first == 0xed ? 0x9f : 0xbf;  // surrogates lie above
    return in(1, low, high) && tail(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const uint8_t low = first == 0xf0 ? 0x90 : 0x80;
    const uint8_t high = first == 0xf4 ? 0x8f : 0xbf;  // up to U+10FFFF
    return in(1, low, high) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

inline bool IsUtf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t size = Utf8SequenceSize(bytes);
    if (size == 0) return false;
    bytes.remove_prefix(size);
  }
  return true;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
