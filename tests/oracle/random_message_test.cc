// Random messages of every type: same bytes in both directions, same size, same text, and the verbs on pairs of them do what libprotobuf's
// do.
#include <gtest/gtest.h>

#include <algorithm>

#include "compare.h"
#include "peer.h"
#include "random_message.h"
#include "subject.h"

namespace oracle {
namespace {

std::string SuiteName(const testing::TestParamInfo<std::string>& type) {
  std::string name = type.param.substr(sizeof "onnx." - 1);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

class RandomMessage : public testing::TestWithParam<std::string> {
 protected:
  // One in ten is large; most are small, so that a failure can be read.
  static std::string Bytes(Engine& engine, const Kinds& kinds = {}) {
    const auto peer = MakePeer(GetParam());
    Randomize(peer.get(), engine, OneIn(engine, 10) ? 60 : static_cast<int>(Below(engine, 8)), kinds);
    return peer->SerializeAsString();
  }

  static std::unique_ptr<Subject> Ours(const std::string& bytes) {
    auto message = MakeSubject(GetParam());
    EXPECT_TRUE(message->Parse(bytes)) << message->error() << " in " << Hex(bytes);
    return message;
  }

  static std::unique_ptr<google::protobuf::Message> Theirs(const std::string& bytes) { return ReadPeer(GetParam(), bytes); }
};

INSTANTIATE_TEST_SUITE_P(Each, RandomMessage, testing::ValuesIn(TypeNames()), SuiteName);

TEST_P(RandomMessage, RoundTripsToLibprotobufsBytesSizeAndText) {
  for (uint64_t seed = 0; seed < Rounds(200); ++seed) {
    Engine engine(seed);
    const std::string bytes = Bytes(engine);
    ASSERT_TRUE(ReadsLikeLibprotobuf(GetParam(), bytes)) << "seed " << seed;
    const auto reread = Theirs(Ours(bytes)->Serialize());
    ASSERT_NE(reread, nullptr) << "seed " << seed << ": libprotobuf refuses what we wrote";
    ASSERT_EQ(Hex(reread->SerializeAsString()), Hex(bytes)) << "seed " << seed;
  }
}

TEST_P(RandomMessage, CopiesMergesAndSwapsAsLibprotobuf) {
  for (uint64_t seed = 0; seed < Rounds(60); ++seed) {
    Engine engine(seed);
    const std::string first = Bytes(engine), second = Bytes(engine);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + Hex(first) + " and " + Hex(second));
    const auto a = Ours(first), b = Ours(second);

    const auto copy = Ours(second);
    copy->CopyFrom(*a);
    ASSERT_EQ(Hex(copy->Serialize()), Hex(first));
    ASSERT_TRUE(copy->Equals(*a) && a->Equals(*copy));

    const auto merged_theirs = Theirs(first);
    merged_theirs->MergeFrom(*Theirs(second));
    copy->MergeFrom(*b);
    ASSERT_EQ(Hex(copy->Serialize()), Hex(merged_theirs->SerializeAsString()));
    ASSERT_EQ(copy->ByteSize(), merged_theirs->ByteSizeLong());
    ASSERT_EQ(Hex(b->Serialize()), Hex(second)) << "the source of a merge changed";
    ASSERT_EQ(Hex(a->Serialize()), Hex(first)) << "the source of a copy changed with the copy";

    a->Swap(*b);
    ASSERT_EQ(Hex(a->Serialize()), Hex(second));
    ASSERT_EQ(Hex(b->Serialize()), Hex(first));
    a->Swap(*a);
    ASSERT_EQ(Hex(a->Serialize()), Hex(second));

    a->Clear();
    ASSERT_EQ(Hex(a->Serialize()), "");
    ASSERT_TRUE(a->Equals(*MakeSubject(GetParam())));
  }
}

TEST_P(RandomMessage, CopiedOrMergedIntoItselfIsTakenAsItWas) {
  for (uint64_t seed = 0; seed < Rounds(20); ++seed) {
    Engine engine(seed);
    const std::string bytes = Bytes(engine);
    const auto message = Ours(bytes);
    message->CopyFrom(*message);
    ASSERT_EQ(Hex(message->Serialize()), Hex(bytes)) << "seed " << seed;
    message->MergeFrom(*message);
    const auto twice = Theirs(bytes);
    twice->MergeFrom(*Theirs(bytes));
    ASSERT_EQ(Hex(message->Serialize()), Hex(twice->SerializeAsString())) << "seed " << seed << ": " << Hex(bytes);
  }
}

// Without unknown fields two messages are equal exactly when they are written alike: presence and every bit of a float count.
TEST_P(RandomMessage, EqualsWhatIsWrittenAlikeAndNothingElse) {
  Kinds known;
  known.unknown_fields = false;
  std::string previous;
  for (uint64_t seed = 0; seed < Rounds(60); ++seed) {
    Engine engine(seed);
    const std::string bytes = Bytes(engine, known);
    const auto message = Ours(bytes);
    ASSERT_TRUE(message->Equals(*Ours(bytes))) << Hex(bytes);
    ASSERT_EQ(message->Equals(*Ours(previous)), bytes == previous) << Hex(bytes) << " and " << Hex(previous);
    // One field more, set to anything, or one element more, is another message.
    const auto changed = Theirs(bytes);
    const auto addition = MakePeer(GetParam());
    Randomize(addition.get(), engine, 1, known);
    changed->MergeFrom(*addition);
    const std::string changed_bytes = changed->SerializeAsString();
    ASSERT_EQ(message->Equals(*Ours(changed_bytes)), bytes == changed_bytes) << Hex(bytes) << " and " << Hex(changed_bytes);
    previous = bytes;
  }
}

}  // namespace
}  // namespace oracle
