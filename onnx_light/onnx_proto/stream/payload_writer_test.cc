#include "onnx_proto/stream/payload_writer.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>
#include <vector>

#include "onnx_proto/stream/interrupt.h"
#include "onnx_proto/stream/mapped_file.h"
#include "onnx_proto/testing/folder.h"
#include "onnx_proto/testing/sample.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::CodeOf;
using testing_support::ErrorOf;
using testing_support::Pattern;
using utils::FileDescriptor;
using utils::PayloadWriter;

class PayloadWriterTest : public testing_support::FolderTest {
 protected:
  FileDescriptor Create(const std::string& name, int flags = 0) const {
    return FileDescriptor(open(Path(name).c_str(), O_RDWR | O_CREAT | O_TRUNC | flags, 0600));
  }
};

TEST_F(PayloadWriterTest, PartsOfAnySizeArriveInOrder) {
  const std::string large = Pattern(20 << 20), medium = Pattern(100000, 7);
  const FileDescriptor file = Create("f");
  PayloadWriter writer(file.get(), "f");
  std::string expected;
  std::vector<std::string> small;
  for (int i = 0; i < 2000; ++i) small.push_back(Pattern(static_cast<size_t>(i % 97), static_cast<uint32_t>(i)));
  writer.Reserve(uint64_t{30} << 20);
  for (const std::string_view part : {std::string_view(large), std::string_view(medium), std::string_view()}) {
    writer.Add(part);
    expected += part;
  }
  for (const std::string& part : small) {
    writer.Add(part);
    expected += part;
  }
  writer.AlignTo(4096);
  expected.resize((expected.size() + 4095) / 4096 * 4096);
  writer.Add(large);
  expected += large;
  writer.Flush();
  EXPECT_EQ(writer.offset(), expected.size());
  ASSERT_EQ(ftruncate(file.get(), static_cast<off_t>(writer.offset())), 0);
  EXPECT_EQ(Get("f"), expected);
}

TEST_F(PayloadWriterTest, SlicesOfAMappedFileAreCopiedBetweenFiles) {
  const std::string bytes = Pattern(3 << 20);
  Put("from", bytes);
  const utils::MappedFile from(Path("from"));
  utils::ByteSpan with_deleter = from.Slice(70001, 1 << 20);
  int ends = 0;
  with_deleter.attach_deleter([&ends] { ++ends; });
  for (const int flags : {0, O_APPEND}) {  // the kernel does not copy into a file that is opened to append
    const FileDescriptor file = Create("to", flags);
    PayloadWriter writer(file.get(), "to");
    writer.Add("head");
    writer.Add(from.Slice(1, (2 << 20) + 5));
    writer.Add(with_deleter);
    writer.Add("tail");
    writer.Flush();
    EXPECT_EQ(Get("to"), "head" + bytes.substr(1, (2 << 20) + 5) + bytes.substr(70001, 1 << 20) + "tail");
  }
  EXPECT_EQ(ends, 0);
}

TEST_F(PayloadWriterTest, APipeThatTakesLittleAtATimeGetsEverything) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  FileDescriptor in(ends[0]), out(ends[1]);
  const std::string bytes = Pattern(3 << 20);
  Put("from", bytes);
  const utils::MappedFile from(Path("from"));
  std::string got;
  std::thread reader([&] {
    char piece[5000];
    for (ssize_t n = 0; (n = read(in.get(), piece, sizeof piece)) > 0;) got.append(piece, static_cast<size_t>(n));
  });
  PayloadWriter writer(out.get(), "pipe");
  writer.Reserve(6 << 20);
  writer.Add(bytes);
  writer.Add(from.Slice(0, bytes.size()));
  writer.Flush();
  out.Close();
  reader.join();
  EXPECT_EQ(got, bytes + bytes);
}

TEST_F(PayloadWriterTest, WhatTheCheckForInterruptsThrowsEndsALongWrite) {
  struct Stop {};
  const std::string large = Pattern(40 << 20);
  const FileDescriptor file = Create("f");
  utils::SetInterruptCheck([](bool) { throw Stop(); });
  PayloadWriter writer(file.get(), "f");
  writer.Add({large.data(), 1000});  // which is not worth to be asked about
  writer.Flush();
  EXPECT_THROW(writer.Add(large), Stop);
  utils::SetInterruptCheck(nullptr);
  EXPECT_LT(std::filesystem::file_size(Path("f")), large.size());
}

TEST_F(PayloadWriterTest, AFullDiskIsAnErrorThatNamesTheFile) {
  const FileDescriptor full(open("/dev/full", O_WRONLY));
  PayloadWriter writer(full.get(), "weights.bin");
  const std::string bytes(100000, 'x');
  writer.Add(bytes);
  EXPECT_EQ(ErrorOf([&] { writer.Flush(); }), "weights.bin: cannot write: No space left on device");
  EXPECT_EQ(CodeOf([&] { writer.Flush(); }), ENOSPC);
}

TEST_F(PayloadWriterTest, WhatTheFileSystemDoesNotAllowIsAnErrorBeforeAnythingIsWritten) {
  const FileDescriptor file = Create("f");
  PayloadWriter writer(file.get(), "f");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit limit = before;
  limit.rlim_cur = 1000;
  setrlimit(RLIMIT_FSIZE, &limit);
  const int code = CodeOf([&] { writer.Reserve(1 << 20); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(code, EFBIG);
  EXPECT_EQ(std::filesystem::file_size(Path("f")), 0u);
}

TEST_F(PayloadWriterTest, APayloadWhoseFileWasShortenedIsAnErrorThatNamesBoth) {
  Put("from", Pattern(1 << 20));
  const utils::MappedFile from(Path("from"));
  const utils::ByteSpan slice = from.Slice(500000, 60000);  // too short for a call of its own
  std::filesystem::resize_file(Path("from"), 10);
  const FileDescriptor file = Create("to");
  PayloadWriter writer(file.get(), Path("to"));
  writer.Add(slice);
  const std::string error = ErrorOf([&] { writer.Flush(); });
  EXPECT_NE(error.find(Path("to")), std::string::npos) << error;
  EXPECT_NE(error.find(Path("from")), std::string::npos) << error;
  const utils::ByteSpan large = from.Slice(100000, 800000);
  PayloadWriter again(file.get(), Path("to"));
  EXPECT_EQ(CodeOf([&] {
              again.Add(large);
              again.Flush();
            }),
            EFAULT);
}

// The page that the new end lies in is still there, with zeros behind it.
TEST_F(PayloadWriterTest, APayloadThatLostLessThanAPageIsAnErrorToo) {
  Put("whole", Pattern(5000));
  const utils::MappedFile whole(Path("whole"));
  for (const size_t size : {size_t{1000}, size_t{90'000}}) {  // by itself, and with others in one call
    Put("from", Pattern(100'000));
    const utils::MappedFile from(Path("from"));
    const utils::ByteSpan slice = from.Slice(100'000 - size, size);
    std::filesystem::resize_file(Path("from"), 99'990);
    for (const int flags : {0, O_APPEND}) {
      const FileDescriptor file = Create("to", flags);
      PayloadWriter writer(file.get(), Path("to"));
      const std::string error = ErrorOf([&] {
        writer.Add(slice);
        writer.Add(whole.Slice(0, 5000));
        writer.Add("tail");
        writer.Flush();
      });
      EXPECT_NE(error.find(Path("from") + " are gone"), std::string::npos) << error;
    }
  }
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
