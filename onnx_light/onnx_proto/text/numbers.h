// Numbers as text, never with a locale.
#pragma once

#include <charconv>
#include <concepts>
#include <string_view>

#include "onnx_proto/text/text_options.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

inline constexpr size_t kNumberRoom = 48;  // bytes that no printed number exceeds

// Both write to `at` and return the end.
template <std::integral T>
char* PrintNumber(char* at, T value) {
  return std::to_chars(at, at + kNumberRoom, value).ptr;
}
// Not for infinities and NaN, which each form spells in its own way.
char* PrintNumber(char* at, float value, NumberStyle style);
char* PrintNumber(char* at, double value, NumberStyle style);
// Rounded to so many digits, unless that is beyond the range; in Python's style.
char* PrintRounded(char* at, double value, int precision);

// A decimal number with optional sign, fraction and exponent that fills `text`; numbers beyond the range become infinite or zero.
// False for anything else.
bool ReadDecimal(std::string_view text, double& value);
// Rounds as the hardware does, without the undefined behaviour of a cast beyond the range.
float ToFloat(double value);

// A NaN with its bits where it takes them: nan, -nan, nan(0x7f800001). Into a room of kNumberRoom bytes.
char* PrintNan(char* at, float value);
char* PrintNan(char* at, double value);

// The magnitude of an integer: all digits of `text`, in base 8, 10 or 16; false for anything else and beyond 64 bits.
bool ReadDigits(std::string_view text, int base, uint64_t& magnitude);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
