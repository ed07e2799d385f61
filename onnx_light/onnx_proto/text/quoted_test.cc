#include "onnx_proto/text/quoted.h"

#include <gtest/gtest.h>

#include "onnx_proto/text/utf8.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

TEST(Quoted, LettersOfAllScriptsPassAndQuotesAreEscaped) {
  EXPECT_EQ(Quoted("conv1/weight é 漢字 😀"), "\"conv1/weight é 漢字 😀\"");
  EXPECT_EQ(Quoted("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(Shown(""), "");
}

TEST(Quoted, WhatSteersATerminalIsEscaped) {
  EXPECT_EQ(Quoted(std::string_view("\x1b[2J\0\n\x7f", 7)), R"("\x1b[2J\x00\x0a\x7f")");
  EXPECT_EQ(Quoted("\u009b2J"), R"("\xc2\x9b2J")");
  EXPECT_EQ(Quoted("a\u202egnp.\u2066b"), R"("a\xe2\x80\xaegnp.\xe2\x81\xa6b")");
  EXPECT_EQ(Quoted("\ufeff\u200b\u2028\U000e0041"), R"("\xef\xbb\xbf\xe2\x80\x8b\xe2\x80\xa8\xf3\xa0\x81\x81")");
}

TEST(Quoted, IsUtf8WhateverTheBytesAreAndWhereverTheyAreCut) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_TRUE(proto::IsUtf8(Quoted(bytes, 1000)));
  EXPECT_EQ(Quoted("\xff\xc0\x80 \xed\xa0\x80"), R"("\xff\xc0\x80 \xed\xa0\x80")");
  const std::string text = "aé漢😀";
  for (size_t most = 0; most <= text.size(); ++most) EXPECT_TRUE(proto::IsUtf8(Quoted(text, most))) << most;
  EXPECT_EQ(Quoted(text, 5), "\"aé…\"");
  EXPECT_EQ(Quoted(text, text.size()), "\"" + text + "\"");
  EXPECT_LT(Quoted(std::string(100000, 'x')).size(), 300u);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
