#include "onnx_proto/text/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

template <class T>
std::string Printed(T value, NumberStyle style) {
  char text[kNumberRoom];
  return std::string(text, PrintNumber(text, value, style));
}

TEST(Numbers, ShortStyleHasTheDigitsThatAreNeededAndPythonStyleAPoint) {
  const auto both = [](auto value) { return Printed(value, NumberStyle::kShort) + " " + Printed(value, NumberStyle::kPython); };
  EXPECT_EQ(both(1.0f), "1 1.0");
  EXPECT_EQ(both(-0.0f), "-0 -0.0");
  EXPECT_EQ(both(0.1f), "0.1 0.1");
  EXPECT_EQ(both(1.0f / 3), "0.333333343 0.33333334");
  EXPECT_EQ(both(1e6f), "1e+06 1000000.0");
  EXPECT_EQ(both(1e-5f), "1e-05 1e-05");
  EXPECT_EQ(both(std::numeric_limits<float>::max()), "3.40282347e+38 3.4028235e+38");
  EXPECT_EQ(both(std::numeric_limits<float>::denorm_min()), "1.4013e-45 1.4013e-45");
  EXPECT_EQ(both(1e15), "1e+15 1000000000000000.0");
  EXPECT_EQ(both(1e16), "1e+16 1e+16");
  EXPECT_EQ(both(std::numeric_limits<double>::denorm_min()), "4.94065645841247e-324 5e-324");
  EXPECT_EQ(both(-std::numeric_limits<double>::max()), "-1.7976931348623157e+308 -1.7976931348623157e+308");
}

TEST(Numbers, RoundingStopsBelowInfinity) {
  char text[kNumberRoom];
  EXPECT_EQ(std::string(text, PrintRounded(text, 3.14159, 3)), "3.14");
  EXPECT_EQ(std::string(text, PrintRounded(text, std::numeric_limits<double>::max(), 3)), "1.7976931348623157e+308");
}

TEST(Numbers, DecimalsBeyondTheRangeAreInfiniteOrZero) {
  const auto read = [](std::string_view text) {
    double value = 7;
    EXPECT_TRUE(ReadDecimal(text, value)) << text;
    return value;
  };
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(read("1e400"), infinity);
  EXPECT_EQ(read("-1E+400"), -infinity);
  EXPECT_EQ(read("1e99999999999999999999"), infinity);
  EXPECT_EQ(read("1e-99999999999999999999"), 0);
  EXPECT_EQ(read(std::string(400, '1')), infinity);
  EXPECT_EQ(read("0." + std::string(400, '0') + "1"), 0);
  EXPECT_EQ(read("0." + std::string(400, '0') + "1e401"), 1);
  EXPECT_EQ(read("0e99999999999999999999"), 0);
  EXPECT_TRUE(std::signbit(read("-1e-400")));
}

TEST(Numbers, WhatIsNoDecimalIsRefused) {
  double value = 0;
  for (const char* text : {"", "-", "+", ".", "--1", "-+1", "1e", "1e+", "1x", "0x1", "inf", "nan", "-inf", "1 ", " 1", "1,5"}) {
    EXPECT_FALSE(ReadDecimal(text, value)) << text;
  }
}

TEST(Numbers, DoublesBecomeFloatsAsTheHardwareRounds) {
  const float largest = std::numeric_limits<float>::max();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(ToFloat(0.1), 0.1f);
  EXPECT_EQ(ToFloat(3.4028235677973362e38), largest);
  EXPECT_EQ(ToFloat(3.4028235677973366e38), infinity);
  EXPECT_EQ(ToFloat(-1e300), -infinity);
  EXPECT_EQ(ToFloat(1e-300), 0.0f);
  EXPECT_TRUE(std::isnan(ToFloat(std::numeric_limits<double>::quiet_NaN())));
}

TEST(Numbers, DigitsEndAtSixtyFourBits) {
  uint64_t magnitude = 0;
  EXPECT_TRUE(ReadDigits("18446744073709551615", 10, magnitude));
  EXPECT_EQ(magnitude, UINT64_MAX);
  EXPECT_TRUE(ReadDigits("fF", 16, magnitude));
  EXPECT_EQ(magnitude, 255u);
  for (const char* text : {"18446744073709551616", "", "-1", "+1", "8 ", "a"}) EXPECT_FALSE(ReadDigits(text, 10, magnitude)) << text;
  EXPECT_FALSE(ReadDigits("8", 8, magnitude));
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE::proto
