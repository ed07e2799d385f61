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

TEST_F(FileWriteStreamTest, BytesThatAreNotWholeStaySoWhateverIsWrittenAfterwards) {
  Put("m", old_);
  Put("w", std::string(100'000, 'w'));
  const utils::ByteSpan gone = utils::MappedFile(Path("w")).Slice(0, 100'000);
  fs::resize_file(Path("w"), 10);
  const proto::OutPart part{gone.view(), gone.owner_or_null()};
  const auto fails = [&](utils::FileWriteStream& stream) { EXPECT_THROW(stream.WriteParts({&part, 1}), FileError); };
  for (int how = 0; how < 3; ++how) {
    utils::FileWriteStream stream(Path("m"));
    stream.Write("head");
    if (how == 0) stream.Abandon();
    if (how == 1) fails(stream);
    if (how == 2) {  // the write of a callback ends well, that which calls it does not
      stream.OnProgress([&, told = false](uint64_t) mutable {
        if (std::exchange(told, true)) throw std::runtime_error("enough");
        stream.Write("more");
      });
      EXPECT_THROW(stream.Write(std::string(size_t{40} << 20, 'x')), std::runtime_error);
      stream.OnProgress({});
    }
    stream.Write("tail");
    EXPECT_THROW(stream.Close(), FileError);
  }
  EXPECT_EQ(Get("m"), old_);
}

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
