#include "onnx_proto/storage/arena.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "onnx_proto/storage/string_handle.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

class ArenaTest : public testing::Test {
 protected:
  ArenaOwner owner_{Arena::Create()};
  Arena& arena_ = *owner_.get();
};

TEST_F(ArenaTest, PiecesAreAlignedAndDoNotOverlap) {
  std::vector<std::pair<unsigned char*, size_t>> pieces;
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const size_t size = i % 50 == 0 ? random() % 20000 : random() % 200;
    auto* piece = static_cast<unsigned char*>(arena_.Allocate(size));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(piece) % 8, 0u);
    std::memset(piece, i & 0xff, size);
    pieces.emplace_back(piece, size);
    char* bytes = arena_.AllocateBytes(random() % 40);
    *bytes = 'x';
  }
  for (size_t i = 0; i < pieces.size(); ++i) {
    for (size_t k = 0; k < pieces[i].second; ++k) ASSERT_EQ(pieces[i].first[k], i & 0xff);
  }
}

TEST_F(ArenaTest, ARecycledPieceOfAnySizeIsTheNextOneOfItsSize) {
  for (size_t size : {1u, 8u, 24u, 104u, 128u, 129u, 500u, 1040u, 5000u, 70000u, 3000000u, 40000000u}) {
    void* first = arena_.Allocate(size);
    arena_.Recycle(first, size);
    EXPECT_EQ(arena_.Allocate(size), first) << size;
  }
}

TEST_F(ArenaTest, PiecesOfManySizesTakenAndGivenBackDoNotGrowIt) {
  std::mt19937 random(2);
  size_t used = 0;
  for (int round = 0; round < 20000; ++round) {
    const size_t size = 1024 + random() % 1024;
    void* piece = arena_.Allocate(size);
    arena_.Recycle(piece, size);
    if (round == 1000) used = arena_.bytes_used();
  }
  EXPECT_LE(arena_.bytes_used(), used + 20000);
}

TEST_F(ArenaTest, PiecesLargerThanABlockHaveOneOfTheirOwn) {
  auto* large = static_cast<char*>(arena_.Allocate(size_t{40} << 20));
  large[0] = 'a';
  large[(size_t{40} << 20) - 1] = 'z';
  char* bytes = arena_.AllocateBytes(5000);  // too many for packing
  std::memset(bytes, 'b', 5000);
  EXPECT_EQ(large[0], 'a');
  EXPECT_EQ(large[(size_t{40} << 20) - 1], 'z');
}

TEST_F(ArenaTest, SizesBeyondAnAddressSpaceAreBadAlloc) {
  EXPECT_THROW(arena_.Allocate(size_t{1} << 47), std::bad_alloc);
  EXPECT_THROW(arena_.Allocate(SIZE_MAX - 8), std::bad_alloc);
  EXPECT_NE(arena_.Allocate(8), nullptr);
}

TEST_F(ArenaTest, ZeroBytesAreAPieceToo) {
  void* piece = arena_.Allocate(0);
  EXPECT_NE(piece, nullptr);
  arena_.Recycle(piece, 0);
  EXPECT_EQ(arena_.Allocate(0), piece);
}

class Counted final : public Finalizer {
 public:
  explicit Counted(int* ended) : ended_(ended) {}
  void Finish() override {
    ++*ended_;
    delete this;
  }

 private:
  ~Counted() = default;
  int* ended_;
};

TEST(Arena, FinalizersRunOnceWithTheLastOwnerOrWhenTheyAreDeleted) {
  int ended = 0;
  Arena* arena = Arena::Create();
  auto* first = new Counted(&ended);
  auto* middle = new Counted(&ended);
  auto* last = new Counted(&ended);
  for (Finalizer* item : {first, middle, last}) arena->AdoptFinalizer(item);
  arena->DeleteFinalizer(middle);
  EXPECT_EQ(ended, 1);
  arena->AddOwner();
  arena->DropOwner();
  EXPECT_EQ(ended, 1);
  arena->DropOwner();
  EXPECT_EQ(ended, 3);
}

TEST(Arena, GoesWithItsLastFaceOrOwnerWhicheverIsLater) {
  for (const bool face_first : {false, true}) {
    int ended = 0;
    Arena* arena = Arena::Create();
    arena->AdoptFinalizer(new Counted(&ended));
    arena->AddFace();
    arena->AddFace();
    EXPECT_FALSE(arena->HangsOnOneFace());
    arena->DropFace();
    EXPECT_FALSE(arena->HangsOnOneFace());  // there is the owner
    if (face_first) {
      arena->DropFace();
      EXPECT_EQ(ended, 0);
      arena->DropOwner();
    } else {
      arena->DropOwner();
      EXPECT_TRUE(arena->HangsOnOneFace());
      arena->DropFace();
    }
    EXPECT_EQ(ended, 1);
  }
}

TEST(Arena, LargeBlocksAreKeptForTheNextArenaUpToALimit) {
  const auto fill = [] {
    const ArenaOwner owner(Arena::Create());
    for (int i = 0; i < 100; ++i) std::memset(owner.get()->Allocate(100000), i, 100000);
  };
  fill();
  fill();
  Arena::KeepFreedBlocks(0);
  fill();
  Arena::KeepFreedBlocks(size_t{32} << 20);
}

TEST(Arena, StringsAreMaterialisedOnceForAllConcurrentReaders) {
  const ArenaOwner owner(Arena::Create());
  StringHandle handles[64] = {};
  for (StringHandle& handle : handles) handle.Assign(owner.get(), "longer than what fits into a std::string itself");
  const utils::String* seen[4][64];
  std::vector<std::thread> readers;
  for (auto& mine : seen) {
    readers.emplace_back([&] {
      for (size_t i = 0; i < 64; ++i) {
        EXPECT_EQ(handles[i].view(), "longer than what fits into a std::string itself");
        mine[i] = &handles[i].str(owner.get());
      }
    });
  }
  for (std::thread& reader : readers) reader.join();
  for (size_t i = 0; i < 64; ++i) {
    for (const auto& mine : seen) EXPECT_EQ(mine[i], seen[0][i]);
    EXPECT_EQ(*seen[0][i], handles[i].view());
  }
}

TEST_F(ArenaTest, AStringIsAPieceAnAliasOrAnObjectAndReadsTheSame) {
  StringHandle handle{};
  EXPECT_FALSE(handle.stored());
  EXPECT_EQ(handle.view(), "");
  EXPECT_TRUE(handle.str(&arena_).empty());
  EXPECT_EQ(handle.owned(), nullptr);  // of an empty one nothing was made

  const std::string source = "somewhere else";
  handle.Alias(source);
  EXPECT_EQ(handle.view().data(), source.data());
  handle.Assign(&arena_, "a piece");
  EXPECT_EQ(handle.view(), "a piece");
  handle.Assign(&arena_, handle.view().substr(2));
  EXPECT_EQ(handle.view(), "piece");

  const utils::String& text = handle.str(&arena_);
  EXPECT_EQ(text, "piece");
  handle.Assign(&arena_, "seen by the reference");
  EXPECT_EQ(text, "seen by the reference");
  handle.Append(&arena_, handle.view().substr(0, 5));
  EXPECT_EQ(text, "seen by the referenceseen ");
  handle.Release(&arena_);
  EXPECT_EQ(handle.view(), "");
}

TEST_F(ArenaTest, AssigningAndReleasingAStringGivesBackAllItTook) {
  StringHandle handle{};
  size_t used = 0;
  for (int i = 0; i < 100; ++i) {
    handle.Assign(&arena_, std::string(static_cast<size_t>(i % 7) * 300, 'x'));
    if (i % 3 == 0) handle.str(&arena_);
    if (i % 5 == 0) handle.Release(&arena_);
    if (i == 50) used = arena_.bytes_used();
  }
  EXPECT_EQ(arena_.bytes_used(), used);
}

TEST_F(ArenaTest, AppendingToAStringTakesMemoryInProportionToItsLength) {
  StringHandle handle{};
  for (int i = 0; i < 100000; ++i) handle.Append(&arena_, "xy");
  EXPECT_EQ(handle.view().size(), 200000u);
  EXPECT_LT(arena_.bytes_used(), 1000000u);
  handle.Release(&arena_);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE::proto
