#include "onnx_proto/stream/mapped_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "onnx_proto/onnx.h"
#include "onnx_proto/stream.h"
#include "onnx_proto/testing/folder.h"
#include "onnx_proto/testing/sample.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::CodeOf;
using testing_support::ErrorOf;
using testing_support::Pattern;
using MappedFileTest = testing_support::FolderTest;

TEST_F(MappedFileTest, SlicesHoldTheMappingAndItsDescriptor) {
  const std::string bytes = Pattern(100000);
  Put("w", bytes);
  std::optional<utils::MappedFile> file(Path("w"));
  const utils::ByteSpan slice = file->Slice(5000, 70000);
  const int descriptor = file->descriptor();
  const auto [data, owner] = file->SharedSlice(1, 2);
  file.reset();
  std::filesystem::remove(Path("w"));
  EXPECT_EQ(slice.view(), std::string_view(bytes).substr(5000, 70000));
  EXPECT_EQ(data[0], static_cast<uint8_t>(bytes[1]));
  EXPECT_TRUE(slice.is_borrowed());
  EXPECT_NE(slice.owner(), nullptr);
  struct stat facts {};
  EXPECT_EQ(fstat(descriptor, &facts), 0);
  ASSERT_NE(slice.owner_or_null()->mapping(), nullptr);
  EXPECT_EQ(slice.owner_or_null()->mapping()->path(), Path("w"));
}

TEST_F(MappedFileTest, TheMappingGoesWithItsLastSlice) {
  Put("w", "1234");
  std::optional<utils::MappedFile> file(Path("w"));
  utils::ByteSpan slice = file->Slice(0, 4);
  utils::ByteSpan copy = slice;
  const int descriptor = file->descriptor();
  file.reset();
  slice.clear();
  struct stat facts {};
  EXPECT_EQ(fstat(descriptor, &facts), 0);
  copy.assign("own");
  EXPECT_EQ(fstat(descriptor, &facts), -1);
}

TEST_F(MappedFileTest, WhatTheFileDoesNotHaveIsAnErrorWithThePlace) {
  Put("w", "1234");
  const utils::MappedFile file(Path("w"));
  EXPECT_EQ(ErrorOf([&] { file.Slice(2, 3); }), Path("w") + ": 3 bytes at offset 2 are asked for, the file has 4");
  EXPECT_EQ(CodeOf([&] { file.Slice(5, 0); }), EINVAL);
  EXPECT_EQ(CodeOf([&] { file.Slice(1, UINT64_MAX); }), EINVAL);
  EXPECT_EQ(CodeOf([&] { file.Slice(UINT64_MAX, 2); }), EINVAL);
  char byte = 0;
  EXPECT_EQ(CodeOf([&] { file.Read(4, &byte, 1); }), EINVAL);
  EXPECT_EQ(file.Slice(4, 0).size(), 0u);
}

TEST_F(MappedFileTest, AShortenedFileIsAnErrorNotASignal) {
  Put("w", Pattern(1 << 20));
  const utils::MappedFile file(Path("w"));
  file.CheckSize();
  std::filesystem::resize_file(Path("w"), 10);
  char byte = 0;
  EXPECT_EQ(CodeOf([&] { file.Read(500000, &byte, 1); }), EIO);
  EXPECT_EQ(CodeOf([&] { file.CheckSize(); }), EIO);
  EXPECT_NE(ErrorOf([&] { file.CheckSize(); }).find(Path("w") + ": has 10 bytes, 1048576 when it was mapped"), std::string::npos);
}

// Who reads the memory itself finds zeros in what is left of the last page, and behind it a signal.
TEST_F(MappedFileTest, NoStreamIsGivenWhatAShortenedFileHasLost) {
  for (const size_t left : {size_t{99'990}, size_t{10}}) {
    Put("w", Pattern(100'000));
    Put("m", "old");
    TensorProto tensor;
    tensor.set_raw_data(utils::MappedFile(Path("w")).Slice(0, 100'000));
    std::filesystem::resize_file(Path("w"), left);
    utils::StringWriteStream memory;
    EXPECT_THROW(tensor.SerializeToStream(memory), FileError);
    {
      utils::FileWriteStream file(Path("m"));
      EXPECT_THROW(tensor.SerializeToStream(file), FileError);
    }
    EXPECT_EQ(Get("m"), "old");
    EXPECT_THROW(tensor.SerializeAsString(), FileError);
  }
}

TEST_F(MappedFileTest, OnlyRegularFilesAreMapped) {
  EXPECT_EQ(CodeOf([] { utils::MappedFile file("/dev/null"); }), ENODEV);
  EXPECT_EQ(CodeOf([&] { utils::MappedFile file(folder_.string()); }), EISDIR);
  EXPECT_EQ(CodeOf([&] { utils::MappedFile file(Path("none")); }), ENOENT);
  Put("empty", "");
  EXPECT_EQ(utils::MappedFile(Path("empty")).size(), 0u);
}

TEST_F(MappedFileTest, WritingIntoASliceChangesNeitherTheFileNorOtherSlices) {
  Put("w", "1234");
  const utils::MappedFile file(Path("w"));
  utils::ByteSpan slice = file.Slice(0, 4);
  const utils::ByteSpan other = slice;
  slice.mutable_data()[0] = 'x';
  EXPECT_EQ(slice.view(), "x234");
  EXPECT_EQ(other.view(), "1234");
  EXPECT_EQ(Get("w"), "1234");
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
