#include "onnx_proto/simple_span.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {

const char kText[] = "payload";

ByteSpan Borrowed() {
  ByteSpan span;
  span.assign_borrowed(kText, 7);
  return span;
}
ByteSpan Owned() {
  ByteSpan span;
  span.assign(kText, 7);
  return span;
}
bool Lies(const ByteSpan& span, const void* at) { return span.data() == at; }

TEST(ByteSpan, AnEmptyOneHasNoBytesAndNoOwner) {
  const ByteSpan span;
  EXPECT_TRUE(span.empty());
  EXPECT_EQ(span.size(), 0u);
  EXPECT_EQ(span.data(), nullptr);
  EXPECT_FALSE(span.is_borrowed());
  EXPECT_EQ(span.owner(), nullptr);
  EXPECT_EQ(span, "");
  EXPECT_EQ(span, ByteSpan());
}

TEST(ByteSpan, AssignCopiesAlignedAndBorrowingDoesNot) {
  EXPECT_FALSE(Lies(Owned(), kText));
  EXPECT_FALSE(Owned().is_borrowed());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(Owned().data()) % 64, 0u);
  EXPECT_TRUE(Lies(Borrowed(), kText));
  EXPECT_TRUE(Borrowed().is_borrowed());
  EXPECT_EQ(Borrowed().owner(), nullptr);
  EXPECT_EQ(Owned(), Borrowed());
  EXPECT_EQ(Owned().view(), "payload");
  EXPECT_EQ(Owned()[1], 'a');
  const ByteSpan span = Owned();
  EXPECT_EQ(std::string(span.begin(), span.end()), "payload");
}

TEST(ByteSpan, CopiesShareAndWritingDetaches) {
  ByteSpan span = Owned();
  ByteSpan copy = span;
  EXPECT_EQ(copy.data(), span.data());
  copy.mutable_data()[0] = 'P';
  EXPECT_EQ(copy, "Payload");
  EXPECT_EQ(span, "payload");
  const uint8_t* alone = copy.data();
  copy.mutable_data()[1] = 'A';
  EXPECT_EQ(copy.data(), alone);  // nobody else sees these
  EXPECT_EQ(copy, "PAyload");
}

TEST(ByteSpan, BorrowedMemoryIsNeverWritten) {
  std::string bytes = "payload";
  ByteSpan span;
  span.assign_borrowed(bytes.data(), bytes.size());
  span.mutable_data()[0] = 'P';
  EXPECT_EQ(bytes, "payload");
  EXPECT_FALSE(span.is_borrowed());
  span.assign_borrowed(bytes.data(), bytes.size(), std::make_shared<int>(1));
  span.resize(3);
  EXPECT_EQ(span, "pay");
  EXPECT_EQ(bytes, "payload");
}

TEST(ByteSpan, ATokenThatIsHeldIsAnotherReader) {
  ByteSpan span = Owned();
  const std::shared_ptr<void> token = span.owner();
  const auto* seen = static_cast<const char*>(token.get());
  span.mutable_data()[0] = 'P';
  EXPECT_EQ(std::string_view(seen, 7), "payload");
}

TEST(ByteSpan, ATokenKeepsTheBytesBeyondTheSpan) {
  std::shared_ptr<void> token;
  const uint8_t* data = nullptr;
  {
    const ByteSpan span = Owned();
    token = span.owner();
    data = span.data();
  }
  EXPECT_EQ(data[6], 'd');
}

TEST(ByteSpan, ResizeKeepsTheBeginningAndClearsTheRest) {
  ByteSpan span = Owned();
  const ByteSpan copy = span;
  span.resize(10);
  EXPECT_EQ(span.view(), std::string_view("payload\0\0\0", 10));
  span.resize(2);
  EXPECT_EQ(span, "pa");
  span.resize(0);
  EXPECT_TRUE(span.empty());
  span.resize(2);
  EXPECT_EQ(span.view(), std::string_view("\0\0", 2));
  EXPECT_EQ(copy, "payload");
  EXPECT_THROW(span.resize(SIZE_MAX), std::bad_alloc);
  EXPECT_EQ(span.size(), 2u);
}

TEST(ByteSpan, MovingLeavesNothingAndSelfAssignmentChangesNothing) {
  ByteSpan span = Owned();
  const uint8_t* data = span.data();
  ByteSpan moved = std::move(span);
  EXPECT_EQ(moved.data(), data);
  EXPECT_TRUE(span.empty());  // NOLINT(bugprone-use-after-move): that is the promise
  ByteSpan& itself = moved;
  moved = itself;
  moved = std::move(itself);
  EXPECT_EQ(moved, "payload");
  moved.assign(moved.data() + 3, 4);  // from its own bytes
  EXPECT_EQ(moved, "load");
}

TEST(ByteSpan, ADeleterRunsOnceWithTheLastSpanThatSharesTheBytes) {
  int runs = 0;
  {
    ByteSpan span;
    span.assign_with_deleter(kText, 7, [&] { ++runs; });
    EXPECT_TRUE(span.is_borrowed());
    ByteSpan copy = span;
    ByteSpan moved = std::move(span);
    copy.clear();
    EXPECT_EQ(runs, 0);
    ByteSpan kept = moved;
    moved.assign("overwritten", 11);
    EXPECT_EQ(runs, 0);
    EXPECT_EQ(kept, "payload");
  }
  EXPECT_EQ(runs, 1);
}

TEST(ByteSpan, DeletersChainNewestFirstAndEachRunsOnce) {
  std::string order;
  for (const bool owned : {false, true}) {
    order.clear();
    ByteSpan span = owned ? Owned() : Borrowed();
    const uint8_t* data = span.data();
    span.attach_deleter([&] { order += "1"; });
    span.attach_deleter({});
    ByteSpan between = span;
    span.attach_deleter([&] { order += "2"; });
    EXPECT_EQ(span.data(), data);
    EXPECT_EQ(span.is_borrowed(), !owned);  // what lies beneath does not change
    span = ByteSpan();
    EXPECT_EQ(order, "2");
    between.clear();
    EXPECT_EQ(order, "21");
  }
  {
    ByteSpan span;
    span.assign_with_deleter(kText, 7, [&] { order += "3"; });
    span.attach_deleter([&] { order += "4"; });
    order.clear();
  }
  EXPECT_EQ(order, "43");
}

TEST(ByteSpan, WatchedBytesAreCopiedBeforeTheyAreWritten) {
  ByteSpan span = Owned();
  const uint8_t* data = span.data();
  std::string seen;
  span.attach_deleter([&] { seen.assign(reinterpret_cast<const char*>(data), 7); });
  span.mutable_data()[0] = 'P';
  EXPECT_EQ(seen, "payload");  // the deleter's bytes were let go of as they were
  EXPECT_EQ(span, "Payload");
}

TEST(ByteSpan, AMillionChainedDeletersAreNoDeepStack) {
  int runs = 0;
  {
    ByteSpan span = Owned();
    for (int i = 0; i < 300000; ++i) span.attach_deleter([&] { ++runs; });
  }
  EXPECT_EQ(runs, 300000);
}

TEST(ByteSpan, ADeleterThatThrowsIsTheEndOfItsExceptionAndTheOthersStillRun) {
  int runs = 0;
  {
    ByteSpan span = Owned();
    span.attach_deleter([&] { ++runs; });
    span.attach_deleter([] { throw std::runtime_error("nobody hears this"); });
  }
  EXPECT_EQ(runs, 1);
}

TEST(ByteSpan, ADeleterSeesTheSpanThatHasAlreadyChanged) {
  ByteSpan span;
  std::string seen;
  span.assign_with_deleter(kText, 7, [&] { seen = std::string(span.view()); });
  span.assign("new", 3);
  EXPECT_EQ(seen, "new");
}

TEST(ByteSpan, AnOwnerTokenLivesAsLongAsAnySpan) {
  const auto token = std::make_shared<std::string>("payload");
  ByteSpan span;
  span.assign_borrowed(token->data(), token->size(), token);
  EXPECT_EQ(token.use_count(), 2);
  ByteSpan copy = span;
  EXPECT_EQ(token.use_count(), 2);  // counted once, however many spans
  span.clear();
  EXPECT_EQ(token.use_count(), 2);
  EXPECT_EQ(copy.owner().get(), token->data());
  copy = ByteSpan();
  EXPECT_EQ(token.use_count(), 1);
  span.assign_borrowed(token->data(), 7, nullptr);
  EXPECT_TRUE(span.is_borrowed());
  EXPECT_EQ(span.owner(), nullptr);
}

TEST(ByteSpan, LargePayloadsHavePagesOfTheirOwn) {
  ByteSpan span;
  span.resize(size_t{9} << 20);
  EXPECT_EQ(span[span.size() - 1], 0);
  span.mutable_data()[span.size() - 1] = 7;
  ByteSpan copy = span;
  span = ByteSpan();
  EXPECT_EQ(copy[copy.size() - 1], 7);
}

TEST(ByteSpan, SpansOfOneBlockMayGoOnAnyThread) {
  int runs = 0;
  ByteSpan span = Owned();
  span.attach_deleter([&] { ++runs; });
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([mine = span]() mutable {
      for (int k = 0; k < 1000; ++k) {
        const ByteSpan copy = mine;
        EXPECT_EQ(copy, "payload");
      }
      mine.mutable_data()[0] = 'x';
      EXPECT_EQ(mine, "xayload");
    });
  }
  span.clear();
  for (std::thread& thread : threads) thread.join();
  threads.clear();
  EXPECT_EQ(runs, 1);
}

TEST(ByteSpan, OfAFieldAssigningMakesItPresentAndLookingDoesNot) {
  TensorProto tensor;
  ByteSpan& field = tensor.ref_raw_data();
  EXPECT_FALSE(tensor.has_raw_data());
  EXPECT_TRUE(field.empty());
  field.assign("abc", 3);
  EXPECT_TRUE(tensor.has_raw_data());
  EXPECT_EQ(tensor.raw_data(), "abc");
  tensor.clear_raw_data();
  EXPECT_FALSE(tensor.has_raw_data());
  EXPECT_TRUE(field.empty());  // the reference stays
  field.resize(2);
  EXPECT_TRUE(tensor.has_raw_data());
  EXPECT_EQ(tensor.raw_data().size(), 2u);
  tensor.clear_raw_data();
  EXPECT_EQ(tensor.mutable_raw_data()->size(), 0u);
  EXPECT_TRUE(tensor.has_raw_data());
}

TEST(ByteSpan, OfAFieldDeletersRunExactlyOnceHoweverTheFieldEnds) {
  for (int way = 0; way < 9; ++way) {
    int runs = 0;
    {
      TensorProto tensor;
      tensor.set_raw_data_with_deleter(kText, 7, [&] { ++runs; });
      tensor.attach_raw_data_deleter([&] { ++runs; });
      TensorProto copy = tensor;
      switch (way) {
        case 0: tensor.clear_raw_data(); break;
        case 1: tensor.Clear(); break;
        case 2: tensor.set_raw_data("other"); break;
        case 3: tensor = TensorProto(); break;
        case 4: tensor.CopyFrom(TensorProto()); break;
        case 5: tensor.ParseFromString(""); break;
        case 6: tensor.release_raw_data(); break;
        case 7: tensor.ref_raw_data().mutable_data(); break;
        default: TensorProto(std::move(tensor)).Clear();
      }
      EXPECT_EQ(runs, 0) << way;
      EXPECT_EQ(copy.raw_data(), "payload");
    }
    EXPECT_EQ(runs, 2) << way;
  }
}

TEST(ByteSpan, OfAFieldADeleterFindsTheTreeWholeAndMayChangeIt) {
  ModelProto model;
  TensorProto* tensor = model.mutable_graph()->add_initializer();
  std::string seen;
  tensor->set_raw_data_with_deleter(kText, 7, [&] {
    seen = std::string(tensor->raw_data().view());
    tensor->clear_raw_data();
    for (int i = 0; i < 100; ++i) model.mutable_graph()->add_initializer();
  });
  tensor->set_raw_data("new");
  EXPECT_EQ(seen, "new");
  EXPECT_EQ(model.graph().initializer_size(), 101);

  // A merge that replaces a payload goes on to fields that the deleter would have taken away.
  TensorProto target, source;
  target.set_raw_data_with_deleter(kText, 7, [&] { target.Clear(); });
  source.set_raw_data("merged");
  source.set_doc_string("after the payload");
  source.add_external_data()->set_key("k");
  bool whole = false;
  target.attach_raw_data_deleter([&] { whole = target.doc_string() == "after the payload" && target.external_data_size() == 1; });
  target.MergeFrom(source);
  EXPECT_TRUE(whole);
  EXPECT_EQ(target, TensorProto());
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE::utils
