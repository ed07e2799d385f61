// Digits come from std::to_chars, which gives the fewest that read back as the same number; only their layout is decided here.
#include "onnx_proto/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

// A number as d.ddd times a power of ten.
struct Digits {
  bool negative = false;
  char text[24];
  int count = 0;
  int exponent = 0;

  // From "-d.ddde+XX", which is how std::to_chars spells chars_format::scientific.
  Digits(const char* at, const char* end) {
    negative = *at == '-';
    if (negative) ++at;
    for (; at < end && *at != 'e'; ++at) {
      if (*at != '.') text[count++] = *at;
    }
    while (count > 1 && text[count - 1] == '0') --count;
    at += at[1] == '+' ? 2 : 1;
    std::from_chars(at, end, exponent);
  }
};

template <class T, class... Precision>
Digits DigitsOf(T value, Precision... precision) {
  char text[kNumberRoom];
  return Digits(text, std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, precision...).ptr);
}

// From 10^-4 to below 10^largest as digits around a point, else with an exponent of at least two digits.
char* Lay(char* at, const Digits& digits, int largest, bool always_point) {
  const auto zeros = [&](int count) { at = static_cast<char*>(std::memset(at, '0', static_cast<size_t>(count))) + count; };
  if (digits.negative) *at++ = '-';
  if (digits.exponent < -4 || digits.exponent >= largest) {
    *at++ = digits.text[0];
    if (digits.count > 1) {
      *at++ = '.';
      at = std::copy(digits.text + 1, digits.text + digits.count, at);
    }
    *at++ = 'e';
    *at++ = digits.exponent < 0 ? '-' : '+';
    const int size = std::abs(digits.exponent);
    if (size < 10) *at++ = '0';
    return PrintNumber(at, size);
  }
  const int before = digits.exponent + 1;  // digits before the point
  if (before <= 0) {
    *at++ = '0';
    *at++ = '.';
    zeros(-before);
    return std::copy(digits.text, digits.text + digits.count, at);
  }
  if (digits.count <= before) {
    at = std::copy(digits.text, digits.text + digits.count, at);
    zeros(before - digits.count);
    if (always_point) {
      *at++ = '.';
      *at++ = '0';
    }
    return at;
  }
  at = std::copy(digits.text, digits.text + before, at);
  *at++ = '.';
  return std::copy(digits.text + before, digits.text + digits.count, at);
}

template <class T>
bool IsDenormal(T value) {
  return value != 0 && std::fabs(value) < std::numeric_limits<T>::min();
}

template <class T>
bool ReadsBack(const Digits& digits, T value) {
  char text[kNumberRoom];
  double again = 0;
  if (!ReadDecimal({text, static_cast<size_t>(Lay(text, digits, 1, false) - text)}, again)) return false;
  return static_cast<T>(again) == value;
}

// As "%.6g" (of doubles "%.15g"), or where that reads back as another number "%.9g" ("%.17g"). The fewest digits that do so are the
// former's whenever they are that few, except of denormal numbers, which have fewer digits than their type promises.
template <class T>
char* PrintShort(char* at, T value) {
  constexpr int kDigits = std::numeric_limits<T>::digits10;
  constexpr int kAllDigits = std::numeric_limits<T>::max_digits10;
  if (IsDenormal(value)) {
    const Digits rounded = DigitsOf(value, kDigits - 1);
    if (ReadsBack(rounded, value)) return Lay(at, rounded, kDigits, false);
    return Lay(at, DigitsOf(value, kAllDigits - 1), kAllDigits, false);
  }
  const Digits fewest = DigitsOf(value);
  if (fewest.count <= kDigits) return Lay(at, fewest, kDigits, false);
  return Lay(at, DigitsOf(value, kAllDigits - 1), kAllDigits, false);
}

// Small whole numbers are most of what there is.
template <class T>
bool IsSmallInteger(T value) {
  return std::fabs(value) < T(1e5) && value == std::trunc(value) && (value != 0 || !std::signbit(value));
}

constexpr int kPythonLargest = 16;

}  // namespace

char* PrintNumber(char* at, float value, NumberStyle style) {
  if (IsSmallInteger(value)) {
    at = PrintNumber(at, static_cast<int>(value));
    return style == NumberStyle::kShort ? at : std::copy_n(".0", 2, at);
  }
  if (style == NumberStyle::kShort) return PrintShort(at, value);
  // Python counts the digits up from six until they read back. They are the fewest, except where neighbours lie at unequal distances
  // (powers of two) or six are more than needed (denormal numbers).
  int exponent = 0;
  if (!IsDenormal(value) && std::fabs(std::frexp(value, &exponent)) != 0.5f) return Lay(at, DigitsOf(value), kPythonLargest, true);
  for (int precision = 6;; ++precision) {
    const Digits digits = DigitsOf(value, precision - 1);
    if (precision == 9 || ReadsBack(digits, value)) return Lay(at, digits, kPythonLargest, true);
  }
}

char* PrintNumber(char* at, double value, NumberStyle style) {
  if (IsSmallInteger(value)) {
    at = PrintNumber(at, static_cast<int>(value));
    return style == NumberStyle::kShort ? at : std::copy_n(".0", 2, at);
  }
  return style == NumberStyle::kShort ? PrintShort(at, value) : Lay(at, DigitsOf(value), kPythonLargest, true);
}

char* PrintRounded(char* at, double value, int precision) {
  char text[kNumberRoom];
  const char* const end = Lay(text, DigitsOf(value, std::clamp(precision, 1, 17) - 1), 1, false);
  double rounded = 0;
  ReadDecimal({text, static_cast<size_t>(end - text)}, rounded);
  return PrintNumber(at, std::isinf(rounded) ? value : rounded, NumberStyle::kPython);
}

bool ReadDecimal(std::string_view text, double& value) {
  const bool negative = text.starts_with('-');
  const size_t start = negative || text.starts_with('+') ? 1 : 0;
  const char* const first = text.data() + start;
  const char* const end = text.data() + text.size();
  if (first == end || !((*first >= '0' && *first <= '9') || *first == '.')) return false;
  const auto [stopped, fault] = std::from_chars(first, end, value);
  if (stopped != end || fault == std::errc::invalid_argument) return false;
  if (fault == std::errc::result_out_of_range) {
    // The exponent of the first digit that counts tells whether it is too large or too small; the given one may be a long number itself.
    const char* const mark = std::find_if(first, end, [](char c) { return c == 'e' || c == 'E'; });
    const char* const point = std::find(first, mark, '.');
    const char* const digit = std::find_if(first, mark, [](char c) { return c >= '1' && c <= '9'; });
    double exponent = 0;
    for (const char* p = mark + 1; p < end; ++p) {
      if (*p >= '0' && *p <= '9') exponent = exponent * 10 + (*p - '0');
    }
    if (mark + 1 < end && mark[1] == '-') exponent = -exponent;
    value = exponent + static_cast<double>(point - digit) > 0 ? std::numeric_limits<double>::infinity() : 0;
  }
  if (negative) value = -value;
  return true;
}

float ToFloat(double value) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  constexpr double kHalfStep = 0x1p103;  // to where the next number would be; a tie rounds away from the odd largest
  if (std::fabs(value) <= kLargest || std::isnan(value)) return static_cast<float>(value);
  const float size = std::fabs(value) < kLargest + kHalfStep ? std::numeric_limits<float>::max() : std::numeric_limits<float>::infinity();
  return value < 0 ? -size : size;
}

namespace {
template <class T, class Bits>
char* PrintNanBits(char* at, T value) {
  Bits bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const T quiet = std::numeric_limits<T>::quiet_NaN();
  for (const T usual : {quiet, -quiet}) {
    Bits usual_bits = 0;
    std::memcpy(&usual_bits, &usual, sizeof usual_bits);
    if (bits != usual_bits) continue;
    const std::string_view word = std::signbit(usual) ? "-nan" : "nan";
    return std::copy(word.begin(), word.end(), at);
  }
  constexpr std::string_view kOpening = "nan(0x";
  at = std::copy(kOpening.begin(), kOpening.end(), at);
  at = std::to_chars(at, at + kNumberRoom, bits, 16).ptr;
  *at++ = ')';
  return at;
}
}  // namespace

char* PrintNan(char* at, float value) { return PrintNanBits<float, uint32_t>(at, value); }
char* PrintNan(char* at, double value) { return PrintNanBits<double, uint64_t>(at, value); }

bool ReadDigits(std::string_view text, int base, uint64_t& magnitude) {
  const char* const end = text.data() + text.size();
  const auto [stopped, fault] = std::from_chars(text.data(), end, magnitude, base);
  return !text.empty() && stopped == end && fault == std::errc();
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
