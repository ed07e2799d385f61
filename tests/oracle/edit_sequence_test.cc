// The verbs one after the other on messages that live in different places: whatever came before, each step leaves what libprotobuf's
// messages have.
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include "compare.h"

#include <vector>

#include "peer.h"
#include "random_message.h"
#include "subject.h"
#include "wire_mutation.h"

namespace oracle {
namespace {

class Sequence {
 public:
  Sequence(const std::string& type, uint64_t seed) : type_(type), engine_(seed), ours_(MakeSubjectsApart(type)) {
    for (size_t i = 0; i < ours_.size(); ++i) peers_.push_back(MakePeer(type));
  }

  void Step() {
    const size_t x = Below(engine_, ours_.size()), y = Below(engine_, ours_.size());
    Subject& ours = *ours_[x];
    google::protobuf::Message& peer = *peers_[x];
    switch (Below(engine_, 7)) {
      case 0: return Parse(x, AnyMessage());
      case 1: return Parse(x, Mutated(AnyMessage(), peer.GetDescriptor(), engine_));
      case 2: ours.CopyFrom(*ours_[y]); return peer.CopyFrom(*peers_[y]);
      case 3: {
        ours.MergeFrom(*ours_[y]);
        const std::unique_ptr<google::protobuf::Message> source(peers_[y]->New());
        source->CopyFrom(*peers_[y]);  // libprotobuf does not merge a message into itself
        return peer.MergeFrom(*source);
      }
      case 4: ours.Swap(*ours_[y]); return peer.GetReflection()->Swap(&peer, peers_[y].get());
      case 5: ours.Clear(); return peer.Clear();
      default: EXPECT_EQ(ours.Equals(*ours_[y]), ours.Serialize() == ours_[y]->Serialize()) << Hex(ours.Serialize());
    }
  }

  testing::AssertionResult Agrees() {
    for (size_t i = 0; i < ours_.size(); ++i) {
      const std::string expected = peers_[i]->SerializeAsString();
      if (ours_[i]->Serialize() != expected) {
        return testing::AssertionFailure() << "message " << i << " is " << Hex(ours_[i]->Serialize()) << ", expected " << Hex(expected);
      }
      if (expected.size() > 5000) {  // merging doubles
        ours_[i]->Clear();
        peers_[i]->Clear();
      }
    }
    return testing::AssertionSuccess();
  }

 private:
  std::string AnyMessage() {
    const auto message = MakePeer(type_);
    Kinds kinds;
    kinds.unknown_fields = OneIn(engine_, 3);
    Randomize(message.get(), engine_, static_cast<int>(Below(engine_, 12)), kinds);
    return message->SerializeAsString();
  }

  // Bytes that upb alone decides about, or that are kept as they came where libprotobuf writes them anew, would part the two: they are left
  // out.
  void Parse(size_t x, const std::string& bytes) {
    const auto read = ReadPeer(type_, bytes);
    const auto fresh = MakeSubject(type_);
    const bool fits = fresh->Parse(bytes);
    if (fits != (read != nullptr) || (fits && fresh->Serialize() != read->SerializeAsString())) return;
    EXPECT_EQ(ours_[x]->Parse(bytes), fits) << Hex(bytes);
    if (fits) peers_[x]->CopyFrom(*read);
  }

  const std::string type_;
  Engine engine_;
  std::vector<std::unique_ptr<Subject>> ours_;
  std::vector<std::unique_ptr<google::protobuf::Message>> peers_;
};

TEST(EditSequence, LeavesWhatLibprotobufLeavesAfterEveryStep) {
  for (const std::string& type : TypeNames()) {
    for (uint64_t seed = 0; seed < Rounds(6); ++seed) {
      Sequence sequence(type, seed);
      for (int step = 0; step < 60; ++step) {
        sequence.Step();
        ASSERT_TRUE(sequence.Agrees()) << type << ", seed " << seed << ", step " << step;
      }
    }
  }
}

}  // namespace
}  // namespace oracle
