// What a declaration must say, and what must not compile: shown by running the compiler on small wrong declarations.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "onnx_proto/onnx.h"
#include "onnx_proto/testing/folder.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

namespace fs = std::filesystem;

TEST(Declaration, EveryTableIsWhole) {
  EXPECT_EQ(proto::AllTables().size(), 33u);
  for (const proto::Table* table : proto::AllTables()) {
    SCOPED_TRACE(table->name);
    EXPECT_EQ(proto::FindTable(table->name), table);
    EXPECT_EQ(table->full_name, "onnx." + std::string(table->name));
    EXPECT_FALSE(table->doc.empty());
    EXPECT_FALSE(table->rows.empty());
    int before = 0;
    for (const proto::Row& row : table->rows) {
      EXPECT_GT(row.number, before);
      before = row.number;
      EXPECT_EQ(table->Find(row.name), &row);
      EXPECT_EQ(table->Find(uint32_t{row.number}), &row);
      EXPECT_EQ(&table->RowOf(row.number), &row);
      EXPECT_FALSE(row.doc.empty());
      EXPECT_EQ(row.enumeration != nullptr, row.kind == proto::Kind::kEnum);
      EXPECT_EQ(row.child != nullptr, row.kind == proto::Kind::kMessage || row.kind == proto::Kind::kMessages);
      EXPECT_EQ(row.siblings == 0, row.oneof.empty());
      EXPECT_EQ(row.siblings & row.bit(), 0u);
    }
    for (const uint32_t number : {0u, 31u, 32u, 1000u, UINT32_MAX}) EXPECT_EQ(table->Find(number), nullptr);
    EXPECT_EQ(table->Find("no such field"), nullptr);
  }
  EXPECT_EQ(proto::FindTable("NoProto"), nullptr);
}

TEST(Declaration, MessagesAreSmall) {
  EXPECT_LE(sizeof(NodeProto), 104u);
  EXPECT_LE(sizeof(AttributeProto), 64u);
  EXPECT_EQ(sizeof(proto::Message), 24u);
}

// Compiles the lines as members of a message and gives what the compiler says; its own file is called "wrong.cc". The lines begin at
// line 4.
std::string CompilerSays(const std::string& lines) {
  const char* compiler = std::getenv("CXX");
  const fs::path include = fs::path(__FILE__).parent_path().parent_path().parent_path();  // .../onnx_light
  const fs::path folder = testing_support::NewFolder();
  std::ofstream(folder / "wrong.cc") << "#include \"onnx_proto/messages/basic.h\"\nnamespace onnx_light {\nBEGIN_PROTO(Wrong, \"\")\n"
                                     << lines << "\nSERIALIZATION_METHOD()\nEND_PROTO()\n}\n";
  const std::string command = "cd " + folder.string() + " && LC_ALL=C " + (compiler ? compiler : "c++") + " -std=c++20 -fsyntax-only -I" +
                              include.string() + " wrong.cc 2>&1; echo status $?";
  std::string said;
  if (FILE* pipe = popen(command.c_str(), "r")) {
    std::array<char, 4096> piece;
    while (const size_t got = fread(piece.data(), 1, piece.size(), pipe)) said.append(piece.data(), got);
    pclose(pipe);
  }
  fs::remove_all(folder);
  return said;
}

class WrongDeclaration : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(__FILE__)) GTEST_SKIP() << "the sources are not where they were compiled";
    if (std::system("${CXX:-c++} --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no compiler";
  }
};

TEST_F(WrongDeclaration, WhatIsRightCompiles) {
  EXPECT_EQ(CompilerSays("FIELD(int64_t, a, 1, \"\")\nFIELD_REPEATED(Wrong, b, 2, \"\", RARE)"), "status 0\n");
}

TEST_F(WrongDeclaration, AFieldNumberUsedTwiceIsAnErrorOnTheSecondFieldsLine) {
  const std::string said = CompilerSays("FIELD(int64_t, a, 1, \"\")\nFIELD(int64_t, b, 2, \"\")\nFIELD_STR(c, 1, \"\")");
  EXPECT_NE(said.find("wrong.cc:6:"), std::string::npos) << said;
  EXPECT_NE(said.find("error"), std::string::npos);
  EXPECT_NE(said.find("status 1"), std::string::npos);
}

TEST_F(WrongDeclaration, TypesNumbersAndCasesThatCannotBeMeetASentence) {
  const std::string said = CompilerSays(
      "FIELD(char*, a, 1, \"\")\nFIELD_REPEATED(bool, b, 2, \"\")\nFIELD(int64_t, c, 32, \"\")\n"
      "ONEOF_CASE(value, ValueCase, NOT_SET, kD = 5)\nVALUE_SLOT()\nFIELD(int64_t, d, 6, \"\", ONEOF(value, kD))\n"
      "FIELD_REPEATED_STR(std::string, e, 7, \"\")");
  for (const char* sentence : {"FIELD knows int64_t, int32_t, float, enums and messages", "FIELD_REPEATED knows int64_t, int32_t, uint64_t",
                               "field numbers run from 1 to 31", "the constant of the oneof's case is not the field's number",
                               "FIELD_REPEATED_STR takes utils::String"}) {
    EXPECT_NE(said.find(sentence), std::string::npos) << sentence << "\n" << said;
  }
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
