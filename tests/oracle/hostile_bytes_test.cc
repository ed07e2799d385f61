// Bytes no serialiser writes: edits of valid messages, cut ones, and ones with a changed byte. Each is refused or read as libprotobuf reads
// it.
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include "compare.h"
#include "data_file.h"
#include "peer.h"
#include "random_message.h"
#include "subject.h"
#include "wire_mutation.h"

namespace oracle {
namespace {

TEST(HostileBytes, EditedMessagesAreRefusedOrReadAsLibprotobufReadsThem) {
  uint64_t tried = 0, accepted = 0;
  const size_t left_before = LeftToUpb();
  for (const std::string& type : TypeNames()) {
    for (uint64_t seed = 0; seed < Rounds(400); ++seed) {
      Engine engine(seed);
      const auto message = MakePeer(type);
      Randomize(message.get(), engine, static_cast<int>(Below(engine, 8)));
      std::string bytes = message->SerializeAsString();
      for (uint64_t edits = 1 + Below(engine, 4); edits > 0; --edits) bytes = Mutated(bytes, message->GetDescriptor(), engine);
      ASSERT_TRUE(ReadsLikeLibprotobuf(type, bytes)) << "seed " << seed;
      ++tried;
      accepted += ReadPeer(type, bytes) != nullptr;
    }
  }
  // Both outcomes are common, and few cases are out of libprotobuf's reach: else this proves nothing.
  EXPECT_GT(accepted * 10, tried * 4);
  EXPECT_LT(accepted * 10, tried * 9);
  EXPECT_LT((LeftToUpb() - left_before) * 10, tried * 2);
}

TEST(HostileBytes, EveryTruncationIsRefusedOrReadAsLibprotobufReadsIt) {
  for (const auto& row : ReadTable("small_messages.txt")) {
    const std::string bytes = Unhex(row.at(1));
    for (size_t length = 0; length <= bytes.size(); ++length) {
      ASSERT_TRUE(ReadsLikeLibprotobuf("onnx." + row.at(0), std::string_view(bytes).substr(0, length))) << row.at(2);
    }
  }
}

// Under a sanitizer every byte is changed to fewer values: there it is the reads that count, not the results.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kStep = 23;
#else
constexpr int kStep = 1;
#endif

TEST(HostileBytes, EveryChangedByteIsRefusedOrReadAsLibprotobufReadsIt) {
  const auto rows = ReadTable("small_messages.txt");
  EXPECT_GE(rows.size(), 20u);
  size_t tried = 0;
  const size_t left_before = LeftToUpb();
  for (const auto& row : rows) {
    std::string bytes = Unhex(row.at(1));
    for (char& byte : bytes) {
      const char kept = byte;
      for (int step = 1; step < 256; step += kStep, ++tried) {
        byte = static_cast<char>(kept + step);
        ASSERT_TRUE(ReadsLikeLibprotobuf("onnx." + row.at(0), bytes)) << row.at(2);
      }
      byte = kept;
    }
  }
  EXPECT_LT((LeftToUpb() - left_before) * 50, tried);
}

}  // namespace
}  // namespace oracle
