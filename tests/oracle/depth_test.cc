// Nesting: one budget for messages and groups, counted as libprotobuf counts; beyond it an error, however deep the bytes go.
#include <gtest/gtest.h>

#include <algorithm>

#include "compare.h"
#include "peer.h"
#include "subject.h"
#include "wire_field.h"

namespace oracle {
namespace {

// `levels` messages, one in the other, below an AttributeProto: its graph, a node, an attribute, a graph, … with `inner` in the last.
std::string Messages(size_t levels, const std::string& inner) {
  static constexpr char kTags[] = {'\x32', '\x0a', '\x2a'};
  std::string bytes(inner.rbegin(), inner.rend());  // written back to front
  for (size_t level = levels; level > 0; --level) {
    const std::string head = kTags[(level - 1) % 3] + Varint(bytes.size());
    bytes.append(head.rbegin(), head.rend());
  }
  std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

std::string Groups(size_t levels) {
  std::string bytes;
  for (size_t level = 0; level < levels; ++level) bytes += Varint(1000 << 3 | kGroup);
  for (size_t level = 0; level < levels; ++level) bytes += Varint(1000 << 3 | kGroupEnd);
  return bytes;
}

constexpr char kType[] = "onnx.AttributeProto";

TEST(Depth, WithALimitOf100IsThatOfLibprotobuf) {
  const auto ours = MakeSubject(kType);
  for (size_t levels = 96; levels < 105; ++levels) {
    for (const size_t groups : {0, 1, 2}) {
      const std::string bytes = Messages(levels - groups, Groups(groups));
      EXPECT_EQ(ours->ParseWithin(bytes, 100), ReadPeer(kType, bytes) != nullptr) << levels << " levels, of them groups: " << groups;
    }
    EXPECT_EQ(ours->ParseWithin(Groups(levels), 100), ReadPeer(kType, Groups(levels)) != nullptr) << levels << " groups";
  }
}

TEST(Depth, IsEnoughForAHundredNestedGraphs) {
  const std::string bytes = Messages(300, "\x0a\x01g");
  const auto ours = MakeSubject(kType);
  ASSERT_TRUE(ours->Parse(bytes)) << ours->error();
  EXPECT_EQ(Hex(ours->Serialize()), Hex(bytes));
  const auto copy = MakeSubject(kType);
  copy->CopyFrom(*ours);
  EXPECT_TRUE(copy->Equals(*ours));
  EXPECT_NE(copy->Text().find("name: \"g\""), std::string::npos);
}

TEST(Depth, WithoutEndIsRefusedWithoutACrash) {
  const auto ours = MakeSubject(kType);
  for (const size_t levels : {1000, 100'000, 1'000'000}) {
    EXPECT_FALSE(ours->Parse(Messages(levels, ""))) << levels;
    EXPECT_FALSE(ours->Parse(Groups(levels))) << levels;
    EXPECT_FALSE(ours->ParseBorrowing(Messages(levels, Groups(levels)))) << levels;
    EXPECT_FALSE(ours->Parse(Groups(levels).substr(0, 2 * levels))) << levels << ", not ended";
  }
}

}  // namespace
}  // namespace oracle
