// Writers of one file that are killed before each of their system calls, or in which each of them fails; what they leave, and who removes
// it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "onnx_proto/stream.h"
#include "onnx_proto/stream/new_file.h"
#include "onnx_proto/testing/folder.h"
#include "onnx_proto/testing/traced_child.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

class FileWriteStreamTest : public testing_support::FolderTest {
 protected:
  Names Found() const {
    Names names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.insert(entry.path().filename().string());
    return names;
  }
  // 0, or 1 after an error.
  int Write(const std::string& bytes) const {
    try {
      utils::FileWriteStream out(Path("m"));
      for (size_t at = 0; at < bytes.size(); at += 1000) out.Write(std::string_view(bytes).substr(at, 1000));
      out.Close();
      return 0;
    } catch (const FileError&) {
      return 1;
    } catch (const std::bad_alloc&) {
      return 1;
    }
  }
  const std::string old_ = std::string(3000, 'o'), new_ = std::string(5000, 'n');
};

TEST_F(FileWriteStreamTest, ACallbackOfProgressMayWriteToTheStreamThatCallsIt) {
  uint64_t told = 0;
  bool wrote = false;
  utils::FileWriteStream stream(Path("m"));
  stream.OnProgress([&](uint64_t bytes) {
    told += bytes;
    if (!std::exchange(wrote, true)) stream.Write("more");
  });
  stream.Write(std::string(size_t{20} << 20, 'x'));
  stream.Write("end");
  stream.Close();
  EXPECT_TRUE(wrote);
  EXPECT_EQ(told, (uint64_t{20} << 20) + 7);
}

TEST_F(FileWriteStreamTest, WhatIsNotWholeHasNoNameOrAHiddenOne) {
  Put("m", old_);
  utils::FileWriteStream out(Path("m"));
  out.Write(new_);
  for (const std::string& name : Found()) EXPECT_TRUE(name == "m" || utils::IsHiddenNameOf("m", name)) << name;
  EXPECT_EQ(Get("m"), old_);
  out.Close();
  EXPECT_EQ(Found(), (Names{"m"}));
}

TEST_F(FileWriteStreamTest, LeftoversOfAKilledWriterGoUnlessAModelRefersToThem) {
  const std::string hidden = ".m.0123456789abcdef.part", wanted = ".m.0123456789abcdee.part";
  Put(hidden, "half");
  Put(wanted, "weights");
  Put("other", "a model that refers to " + wanted + " as its weights");
  EXPECT_EQ(Write(new_), 0);
  EXPECT_EQ(Found(), (Names{"m", "other", wanted}));
  fs::remove(Path("other"));
  EXPECT_EQ(Write(new_), 0);
  EXPECT_EQ(Found(), (Names{"m"}));
}

TEST_F(FileWriteStreamTest, ASaverOfTheFolderIsNotWaitedForAndItsFilesStay) {
  const utils::FileDescriptor folder(open(folder_.c_str(), O_RDONLY | O_DIRECTORY));
  const std::string parked = ".m.0123456789abcdef.part";  // written, closed, and about to be published
  Put(parked, "weights");
  {
    const utils::FolderLock lock({folder.get(), folder_.string()});
    EXPECT_EQ(Write(new_), 0);
    EXPECT_EQ(Found(), (Names{"m", parked}));
  }
  EXPECT_EQ(Write(new_), 0);
  EXPECT_EQ(Found(), (Names{"m"}));
}

#if defined(ONNX_LIGHT_CAN_TRACE)

using testing_support::Fate;
using testing_support::TracedCall;

// As on a file system that knows no nameless files.
Fate WithoutNameless(const TracedCall& call) {
  const bool asks = call.number == SYS_openat && (call.arguments[2] & O_TMPFILE) == O_TMPFILE;
  return asks ? Fate{Fate::kFails, EOPNOTSUPP} : Fate();
}

class InterruptedStreamTest : public FileWriteStreamTest, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    if (!testing_support::CanTrace()) GTEST_SKIP() << "this process may not trace its children";
  }
  static Fate Always(const TracedCall& call) { return GetParam() ? WithoutNameless(call) : Fate(); }

  // Stops a writer at each of its calls in turn; gives how often the old and the new bytes were there.
  std::map<std::string, size_t> StopAtEachCall(std::optional<int> error) {
    std::map<std::string, size_t> outcomes;
    for (size_t n = 1;; ++n) {
      for (const std::string& name : Found()) fs::remove(Path(name));
      Put("m", old_);
      long number = -1;
      const auto end = testing_support::RunTraced([&] { return Write(new_); },
                                                  [&](const TracedCall& call) {
                                                    if (call.count != n) return Always(call);
                                                    number = call.number;
                                                    return error ? Fate{Fate::kFails, *error} : Fate{Fate::kIsKilled};
                                                  });
      if (number < 0) return outcomes;
      const std::string where = "call " + std::to_string(n) + " (number " + std::to_string(number) + ")";
      const std::string bytes = Get("m");
      EXPECT_TRUE(bytes == new_ || bytes == old_) << where;
      EXPECT_TRUE(!error || end.exit_code == 1 || (end.exit_code == 0 && bytes == new_)) << where << " ended with " << end.exit_code;
      ++outcomes[bytes == new_ ? "new" : "old"];
      EXPECT_EQ(Write(new_), 0) << where;
      EXPECT_EQ(Found(), (Names{"m"})) << where;
      if (HasFailure()) return outcomes;
    }
  }
};

TEST_P(InterruptedStreamTest, KilledAtAnyCallLeavesTheOldFileOrTheNewOneAndNothingAfterTheNextWrite) {
  const auto outcomes = StopAtEachCall(std::nullopt);
  EXPECT_GT(outcomes.at("old"), 5u);
  EXPECT_GT(outcomes.at("new"), 0u);
}
TEST_P(InterruptedStreamTest, AFullDiskAtAnyCallIsAnErrorOrTheNewFile) { StopAtEachCall(ENOSPC); }
TEST_P(InterruptedStreamTest, ABrokenDiskAtAnyCallIsAnErrorOrTheNewFile) { StopAtEachCall(EIO); }

INSTANTIATE_TEST_SUITE_P(Ways, InterruptedStreamTest, testing::Bool(),
                         [](const auto& named) { return named.param ? "Named" : "Nameless"; });

#endif

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
