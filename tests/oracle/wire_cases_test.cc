// The rules of the wire, of equality and of the text, case by case: what protobuf's Python makes of some bytes, as tests/data records it
// and tests/test_wire_upb.py checks it. Here the exact bytes and text count, also where libprotobuf would give others.
#include <gtest/gtest.h>

#include "compare.h"
#include "data_file.h"
#include "subject.h"

namespace oracle {
namespace {

// "-" stands for no bytes.
std::string Bytes(const std::string& hex) { return hex == "-" ? "" : Unhex(hex); }

// The text as the table has it: \n for a new line, \\ for a backslash.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '\n' ? "\\n" : c == '\\' ? "\\\\" : std::string(1, c);
  return escaped.empty() ? "-" : escaped;
}

TEST(WireCases, GiveTheRecordedBytesOrAnError) {
  for (const auto& row : ReadTable("wire_cases.txt")) {
    const std::string &type = row.at(0), &expected = row.at(2), label = row.at(3) + ": " + type + " from " + row.at(1);
    const std::string bytes = Bytes(row.at(1));
    const auto ours = MakeSubject("onnx." + type), borrower = MakeSubject("onnx." + type);
    EXPECT_EQ(ours->Parse(bytes) ? Hex(ours->Serialize()) : "error", expected == "-" ? "" : expected) << label << "  " << ours->error();
    EXPECT_EQ(borrower->ParseBorrowing(bytes) ? Hex(borrower->Serialize()) : "error", expected == "-" ? "" : expected)
        << label << " (borrowing)";
  }
}

TEST(EqualCases, CompareAsRecordedInBothDirections) {
  for (const auto& row : ReadTable("equal_cases.txt")) {
    const auto one = MakeSubject("onnx." + row.at(0)), other = MakeSubject("onnx." + row.at(0));
    ASSERT_TRUE(one->Parse(Bytes(row.at(1))) && other->Parse(Bytes(row.at(2)))) << row.at(4);
    EXPECT_EQ(one->Equals(*other), row.at(3) == "equal") << row.at(4) << ": " << row.at(0) << " " << row.at(1) << " and " << row.at(2);
    EXPECT_EQ(other->Equals(*one), row.at(3) == "equal") << row.at(4) << ", the other way round";
  }
}

TEST(TextCases, GiveTheRecordedText) {
  for (const auto& row : ReadTable("text_cases.txt")) {
    const auto ours = MakeSubject("onnx." + row.at(0));
    ASSERT_TRUE(ours->Parse(Bytes(row.at(1)))) << row.at(1) << ": " << ours->error();
    EXPECT_EQ(Escaped(ours->Text()), row.at(2)) << row.at(0) << " from " << row.at(1);
  }
}

}  // namespace
}  // namespace oracle
