#include "onnx_proto/stream/new_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <optional>
#include <set>
#include <thread>

#include "onnx_proto/testing/folder.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

namespace fs = std::filesystem;
using utils::FolderPlace;
using utils::NewFile;

class NewFileTest : public testing_support::FolderTest, public testing::WithParamInterface<NewFile::How> {
 protected:
  NewFileTest() : descriptor_(open(folder_.c_str(), O_RDONLY | O_DIRECTORY)), place_{descriptor_.get(), folder_.string()} {}
  std::set<std::string> Names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.insert(entry.path().filename().string());
    return names;
  }
  NewFile Written(const std::string& family, const std::string& bytes) const {
    NewFile file(place_, family, std::nullopt, GetParam());
    EXPECT_EQ(write(file.descriptor(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    return file;
  }
  void Clean(const std::string& family) const {
    RemoveLeftovers(place_, family, [](const std::string&) { return false; });
  }
  const utils::FileDescriptor descriptor_;
  const FolderPlace place_;
};

TEST_P(NewFileTest, IsSeenUnderItsNameOnlyWhenItIsWhole) {
  Put("m", "old");
  {
    NewFile file = Written("m", "new");
    EXPECT_EQ(Get("m"), "old");
    for (const std::string& name : Names()) EXPECT_TRUE(name == "m" || utils::IsHiddenNameOf("m", name)) << name;
    file.MoveTo("m");
    EXPECT_EQ(Get("m"), "new");
  }
  EXPECT_EQ(Names(), (std::set<std::string>{"m"}));
  { Written("m", "given up").Name(); }
  EXPECT_EQ(Get("m"), "new");
  EXPECT_EQ(Names(), (std::set<std::string>{"m"}));
}

TEST_P(NewFileTest, StaysUnderItsHiddenNameWhileASecondLinkTakesThePlace) {
  NewFile file = Written("m", "new");
  ASSERT_TRUE(file.Link());
  const std::string hidden = file.Name();
  file.MoveTo("w");
  EXPECT_EQ(Get("w"), "new");
  EXPECT_EQ(Get(hidden), "new");
  file.DropName();
  EXPECT_EQ(Names(), (std::set<std::string>{"w"}));
}

TEST_P(NewFileTest, KeepsANameThatSomebodyRefersTo) {
  std::string hidden;
  {
    NewFile file = Written("m", "new");
    hidden = file.Name();
    file.KeepName();
  }
  EXPECT_EQ(Get(hidden), "new");
}

TEST_P(NewFileTest, GetsTheModeItIsGivenOrWhatTheMaskLeaves) {
  const mode_t mask = umask(027);
  NewFile masked(place_, "m", std::nullopt, GetParam());
  NewFile given(place_, "m", 0604, GetParam());
  umask(mask);
  masked.MoveTo("masked");
  given.MoveTo("given");
  EXPECT_EQ(fs::status(folder_ / "masked").permissions(), fs::perms(0640));
  EXPECT_EQ(fs::status(folder_ / "given").permissions(), fs::perms(0604));
  EXPECT_EQ(utils::ModeOf(place_, "given"), mode_t{0604});
  EXPECT_EQ(utils::ModeOf(place_, "none"), std::nullopt);
}

TEST_P(NewFileTest, LeftoversOfItsFamilyGoUnlessSomebodyHoldsThem) {
  NewFile live = Written("m", "live");
  const std::string name = live.Name();
  std::string dead = name;
  dead[dead.size() - 6] = dead[dead.size() - 6] == 'a' ? 'b' : 'a';
  Put(dead, "dead");
  Put(".m.0123456789abcdef.parts", "somebody's");
  Put(".m.0123456789ABCDEF.part", "somebody's");
  Put(".mm.0123456789abcdef.part", "another family's");
  Put("victim", "victim");
  fs::create_symlink("victim", folder_ / ".m.0000000000000000.part");
  fs::create_directory(folder_ / ".m.0000000000000001.part");
  const size_t before = Names().size();
  RemoveLeftovers(place_, "m", [&](const std::string& one) { return one == dead; });
  EXPECT_EQ(Names().size(), before);
  Clean("m");
  EXPECT_EQ(Names().size(), before - 1);
  EXPECT_FALSE(Names().contains(dead));
  EXPECT_EQ(Get(name), "live");
  EXPECT_EQ(Get("victim"), "victim");
  Clean("mm");
  EXPECT_FALSE(Names().contains(".mm.0123456789abcdef.part"));
}

TEST_P(NewFileTest, LongNamesStayWithinWhatFileSystemsAllowAndApart) {
  const std::string one = std::string(200, 'x') + "1", other = std::string(200, 'x') + "2";
  NewFile first = Written(one, "1"), second = Written(other, "2");
  EXPECT_LE(first.Name().size(), 255u);
  EXPECT_TRUE(utils::IsHiddenNameOf(one, first.Name()));
  EXPECT_FALSE(utils::IsHiddenNameOf(other, first.Name()));
  EXPECT_TRUE(utils::IsHiddenNameOf(other, second.Name()));
}

TEST_P(NewFileTest, AParkedFileIsStillPublished) {
  NewFile file = Written("m", "parked");
  file.Park();
  EXPECT_EQ(file.descriptor(), -1);
  file.MoveTo("w");
  EXPECT_EQ(Get("w"), "parked");
}

TEST_P(NewFileTest, WhatCannotBeDoneIsAnErrorThatNamesTheTarget) {
  const FolderPlace nowhere{-1, "nowhere"};
  EXPECT_EQ(testing_support::CodeOf([&] { NewFile(nowhere, "m", std::nullopt, GetParam()); }), EBADF);
  fs::create_directory(folder_ / "folder");
  NewFile file = Written("m", "x");
  EXPECT_EQ(testing_support::CodeOf([&] { file.MoveTo("folder"); }), EISDIR);
}

INSTANTIATE_TEST_SUITE_P(How, NewFileTest, testing::Values(NewFile::How::kNamelessIfPossible, NewFile::How::kNamed),
                         [](const auto& how) { return how.param == NewFile::How::kNamed ? "Named" : "Nameless"; });

using FolderLockTest = testing_support::FolderTest;
TEST_F(FolderLockTest, LetsOneSaverInAtATime) {
  const utils::FileDescriptor folder(open(folder_.c_str(), O_RDONLY | O_DIRECTORY));
  const FolderPlace place{folder.get(), folder_.string()};
  std::optional<utils::FolderLock> lock(place);
  bool ends = false;
  std::thread other([&] {
    const utils::FolderLock waits(place);
    EXPECT_TRUE(ends);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ends = true;
  lock.reset();
  other.join();
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
