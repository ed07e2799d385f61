// How much memory the worst bytes take, in all that an arena hands out, what it took back included: SECURITY.md says it.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "onnx_proto/onnx_text.h"
#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

std::string Varint(uint64_t value) {
  std::string bytes;
  for (; value > 0x7f; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

std::string Tag(const Row& row, Wire wire) { return Varint(static_cast<uint64_t>(row.number) << 3 | static_cast<uint64_t>(wire)); }

std::string Child(const Row& row, const std::string& contents) { return Tag(row, Wire::kLength) + Varint(contents.size()) + contents; }

// The field with the fewest bytes that set it, or add to it.
std::string Shortest(const Row& row) {
  switch (WireOf(row.kind)) {
    case Wire::kVarint: return Tag(row, Wire::kVarint) + '\0';
    case Wire::kFixed32: return IsList(row.kind) ? Child(row, std::string(4, '\0')) : Tag(row, Wire::kFixed32) + std::string(4, '\0');
    case Wire::kFixed64: return Child(row, std::string(8, '\0'));
    default: return Child(row, "");
  }
}

std::string Repeated(const std::string& piece, size_t times) {
  std::string bytes;
  bytes.reserve(piece.size() * times);
  for (size_t i = 0; i < times; ++i) bytes += piece;
  return bytes;
}

constexpr double kMost = 86;     // of memory for a byte
constexpr size_t kPieces = 513;  // one more than fit into a list that has doubled: the most room in vain

struct Most {
  double ratio = 0;
  std::string of;
  void Look(double other, const std::string& name) {
    if (other > ratio) *this = {other, name};
  }
};

// Bytes of memory for each of the source's.
double Ratio(const Table& table, const std::string& bytes) {
  NewRoot root(table);
  Verbs::Parse(table, root.message(), bytes, ParseOptions());
  return static_cast<double>(root.arena()->bytes_used()) / static_cast<double>(bytes.size());
}

TEST(Memory, NoBytesTakeMoreThan86TimesTheirLength) {
  Most most;
  for (const Table* table : AllTables()) {
    std::vector<std::pair<std::string, std::string>> pieces;  // name, bytes
    for (const Row& row : table->rows) {
      pieces.emplace_back(row.name, Shortest(row));
      if (row.kind == Kind::kPayload) pieces.emplace_back(std::string(row.name) + "[1]", Child(row, "x"));
      if (row.kind != Kind::kMessages && row.kind != Kind::kMessage) continue;
      std::string all;
      for (const Row& inner : row.child().rows) {
        pieces.emplace_back(std::string(row.name) + "." + std::string(inner.name), Child(row, Shortest(inner)));
        if (inner.kind == Kind::kPayload) pieces.emplace_back(std::string(row.name) + ".payload", Child(row, Child(inner, "x")));
        all += Shortest(inner);
      }
      pieces.emplace_back(std::string(row.name) + ".*", Child(row, all));
    }
    for (const Row& row : table->rows) {
      if (row.kind != Kind::kMessages) continue;
      // A block that is a little more than a power of two is rounded up by a quarter.
      const size_t size = row.child().size, count = std::bit_ceil(size * kPieces) / size + 1;
      most.Look(Ratio(*table, Repeated(Shortest(row), count)), std::string(table->name) + ": " + std::string(row.name));
    }
    for (const auto& [name, bytes] : pieces) {
      most.Look(Ratio(*table, Repeated(bytes, kPieces)), std::string(table->name) + ": " + name);
      // No two of one field side by side: the list grows with each.
      for (const auto& [other_name, other] : pieces) {
        if (name < other_name) {
          most.Look(Ratio(*table, Repeated(bytes + other, kPieces)), std::string(table->name) + ": " + name + ", " + other_name);
        }
      }
    }
  }
  EXPECT_LE(most.ratio, kMost) << most.of;
  EXPECT_GT(most.ratio, kMost - 1) << most.of << ": SECURITY.md may promise more";
}

template <class M, class Read>
double TextRatio(const std::string& before, const std::string& piece, const std::string& after, const Read& read) {
  const std::string text = before + Repeated(piece, kPieces) + after;
  M message;
  read(text, message);
  return static_cast<double>(message.arena()->bytes_used()) / static_cast<double>(text.size());
}

TEST(Memory, NoTextTakesMoreThan86TimesItsLength) {
  const auto text = [](const std::string& from, auto& message) { FromTextFormat(from, message); };
  const auto json = [](const std::string& from, auto& message) { FromJson(from, message); };
  const auto syntax = [](const std::string& from, auto& message) { FromOnnxSyntax(from, message); };
  Most most;
  most.Look(TextRatio<AttributeProto>("graphs:[{}", ",{}", "]", text), "text format: graphs");
  most.Look(TextRatio<NodeProto>("input:['x'", ",''", "]", text), "text format: names");
  most.Look(TextRatio<AttributeProto>("ints:[0", ",0", "]", text), "text format: integers");
  most.Look(TextRatio<TensorShapeProto>("", "dim{}", "", text), "text format: axes");
  most.Look(TextRatio<AttributeProto>("{\"graphs\":[{}", ",{}", "]}", json), "JSON: graphs");
  most.Look(TextRatio<NodeProto>("{\"input\":[\"\"", ",\"\"", "]}", json), "JSON: names");
  most.Look(TextRatio<AttributeProto>("{\"ints\":[0", ",0", "]}", json), "JSON: integers");
  most.Look(TextRatio<NodeProto>("=A(", ",", ")", syntax), "ONNX syntax: names that are empty");
  most.Look(TextRatio<NodeProto>("=A(a", ",a", ")", syntax), "ONNX syntax: names");
  most.Look(TextRatio<GraphProto>("g(a", ",a", ")=>(){}", syntax), "ONNX syntax: values");
  most.Look(TextRatio<GraphProto>("g()=>()<int8 a", ",int8 a", ">{}", syntax), "ONNX syntax: types");
  most.Look(TextRatio<GraphProto>("g()=>(){", "=A()", "}", syntax), "ONNX syntax: nodes");
  most.Look(TextRatio<GraphProto>("#@{domain: absent}\ng()=>(){", "=A()", "}", syntax), "ONNX syntax: nodes without a domain");
  most.Look(TextRatio<NodeProto>("=A<a=1", ",a=1", ">()", syntax), "ONNX syntax: attributes");
  most.Look(TextRatio<AttributeProto>("a=[g()=>(){}", ",g()=>(){}", "]", syntax), "ONNX syntax: graphs");
  most.Look(TextRatio<TypeProto>("int8[?", ",?", "]", syntax), "ONNX syntax: axes");
  most.Look(TextRatio<TensorProto>("uint64{0", ",0", "}", syntax), "ONNX syntax: elements");
  most.Look(TextRatio<ModelProto>("<opset_import:[\"\":0", ",\"\":0", "]>g()=>(){}", syntax), "ONNX syntax: operator sets");
  most.Look(TextRatio<ModelProto>("g()=>(){}", "f()=>(){}", "", syntax), "ONNX syntax: functions");
  most.Look(TextRatio<FunctionProto>("f<a", ",a", ">()=>(){}", syntax), "ONNX syntax: names of attributes");
  EXPECT_LE(most.ratio, kMost) << most.of;
  EXPECT_GT(most.ratio, kMost / 2) << most.of;
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE::proto
