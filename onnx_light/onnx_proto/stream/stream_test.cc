#include "onnx_proto/stream.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "onnx_proto/onnx_helper.h"
#include "onnx_proto/testing/folder.h"
#include "onnx_proto/testing/sample.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

namespace fs = std::filesystem;
using testing_support::CodeOf;
using testing_support::ErrorOf;
using testing_support::RichModel;

using StreamTest = testing_support::FolderTest;

ModelProto LargeModel() {
  ModelProto model = RichModel();
  TensorProto* tensor = model.mutable_graph()->add_initializer();
  tensor->set_name("a large one, whose name is longer than a small string");
  tensor->set_raw_data(std::string(300000, 'r'));
  return model;
}

TEST_F(StreamTest, AModelSurvivesAFile) {
  const ModelProto model = LargeModel();
  {
    utils::FileWriteStream out(Path("m.onnx"));
    SerializeModelProtoToStream(model, out);
    EXPECT_FALSE(fs::exists(Path("m.onnx")));  // not before it is whole
    out.Close();
  }
  EXPECT_EQ(Get("m.onnx"), model.SerializeAsString());
  EXPECT_EQ(Files(), 1u);
  utils::FileStream in(Path("m.onnx"));
  EXPECT_EQ(in.size(), model.ByteSizeLong());
  EXPECT_EQ(in.path(), Path("m.onnx"));
  ModelProto read;
  ParseModelProtoFromStream(read, in);
  EXPECT_EQ(read, model);
  ModelProto again;
  ParseProtoFromStream(again, in);  // the bytes are still there
  EXPECT_EQ(again, model);
}

TEST_F(StreamTest, WhatWasReadOutlivesTheStreamInEveryMode) {
  Put("m.onnx", LargeModel().SerializeAsString());
  for (const bool no_copy : {false, true}) {
    ParseOptions options;
    options.no_copy = no_copy;
    ModelProto model;
    GraphProto graph;
    {
      utils::FileStream in(Path("m.onnx"));
      model.ParseFromStream(in, options);
      graph.add_node()->add_attribute()->mutable_g()->ParseFromString(model.graph().SerializeAsString());
    }
    EXPECT_EQ(model, LargeModel());
    EXPECT_FALSE(model.graph().initializer(1).raw_data().is_borrowed());
    model.mutable_graph()->mutable_initializer(0)->clear_raw_data();
    model.mutable_graph()->mutable_initializer(1)->clear_raw_data();
    EXPECT_EQ(model.graph().initializer(1).name(), LargeModel().graph().initializer(1).name());
    EXPECT_EQ(model.graph().node(0).view_name(), "node0");
  }
}

TEST_F(StreamTest, WritingIntoAPayloadThatSharesTheFileChangesNobodyElse) {
  Put("m.onnx", LargeModel().SerializeAsString());
  utils::FileStream in(Path("m.onnx"));
  ModelProto model;
  model.ParseFromStream(in);
  model.mutable_graph()->mutable_initializer(1)->ref_raw_data().mutable_data()[0] = 'R';
  ModelProto again;
  again.ParseFromStream(in);
  EXPECT_EQ(again, LargeModel());
}

TEST_F(StreamTest, MissingFilesAndFoldersAreErrorsThatNameThem) {
  EXPECT_EQ(ErrorOf([&] { utils::FileStream in(Path("none")); }), Path("none") + ": cannot open: No such file or directory");
  EXPECT_EQ(CodeOf([&] { utils::FileStream in(Path("none")); }), ENOENT);
  EXPECT_EQ(CodeOf([&] { utils::FileStream in(folder_.string()); }), EISDIR);
  EXPECT_EQ(CodeOf([&] { utils::FileStream in(""); }), ENOENT);
  EXPECT_EQ(CodeOf([&] { utils::FileWriteStream out(folder_.string()); }), EISDIR);
  EXPECT_EQ(CodeOf([&] { utils::FileWriteStream out(Path("none/m.onnx")); }), ENOENT);
  EXPECT_EQ(CodeOf([&] { utils::FileWriteStream out(""); }), ENOENT);
  Put("file", "x");
  EXPECT_EQ(CodeOf([&] { utils::FileWriteStream out(Path("file/m.onnx")); }), ENOTDIR);
  EXPECT_EQ(Files(), 1u);
}

TEST_F(StreamTest, APathWithANulIsNotAnotherPath) {
  Put("m", "\x08\x01");
  EXPECT_EQ(CodeOf([&] { utils::FileStream in(Path(std::string("m\0.onnx", 7))); }), EINVAL);
  EXPECT_EQ(CodeOf([&] { utils::FileWriteStream out(Path(std::string("m\0.onnx", 7))); }), EINVAL);
  EXPECT_EQ(Get("m"), "\x08\x01");
}

TEST_F(StreamTest, AFileThatIsNoModelLeavesTheTargetAsItWas) {
  Put("m.onnx", "this is no model");
  utils::FileStream in(Path("m.onnx"));
  ModelProto model = RichModel();
  EXPECT_THROW(model.ParseFromStream(in), ParseError);
  EXPECT_EQ(model, RichModel());
}

TEST_F(StreamTest, AFullDiskIsAnErrorAndTheOldFileStays) {
  Put("old", "old");
  utils::FileWriteStream full("/dev/full");
  EXPECT_EQ(CodeOf([&] { LargeModel().SerializeToStream(full); }), ENOSPC);
  EXPECT_NE(CodeOf([&] { full.Close(); }), 0);  // closing does not make it good
  struct stat facts {};
  EXPECT_EQ(stat("/dev/full", &facts), 0);
  EXPECT_TRUE(S_ISCHR(facts.st_mode));  // written to, not replaced
}

TEST_F(StreamTest, AReplacedFileKeepsItsModeAndANewOneObeysTheMask) {
  const mode_t mask = umask(027);
  Put("old", "old");
  fs::permissions(Path("old"), fs::perms(0604));
  for (const char* name : {"old", "new"}) {
    utils::FileWriteStream out(Path(name));
    out.Write("text");
    out.Close();
    EXPECT_EQ(Get(name), "text");
  }
  umask(mask);
  EXPECT_EQ(fs::status(Path("old")).permissions(), fs::perms(0604));
  EXPECT_EQ(fs::status(Path("new")).permissions(), fs::perms(0640));
  EXPECT_EQ(Files(), 2u);
}

TEST_F(StreamTest, ALinkIsReplacedNotWrittenThrough) {
  Put("target", "target");
  fs::create_symlink("target", Path("link"));
  utils::FileWriteStream out(Path("link"));
  out.Write("new");
  out.Close();
  EXPECT_EQ(Get("target"), "target");
  EXPECT_EQ(Get("link"), "new");
  EXPECT_FALSE(fs::is_symlink(Path("link")));
}

TEST_F(StreamTest, AReaderOfTheOldFileKeepsReadingIt) {
  Put("m", LargeModel().SerializeAsString());
  utils::FileStream in(Path("m"));
  {
    utils::FileWriteStream out(Path("m"));
    out.Write("new");
  }
  EXPECT_EQ(Get("m"), "new");
  ModelProto model;
  model.ParseFromStream(in);
  EXPECT_EQ(model, LargeModel());
}

TEST_F(StreamTest, AWriteThatAnExceptionEndsLeavesTheOldFile) {
  Put("m", "old");
  try {
    utils::FileWriteStream out(Path("m"));
    out.Write("half");
    throw std::runtime_error("on its way");
  } catch (const std::runtime_error&) {  // NOLINT(bugprone-empty-catch): that is the test
  }
  EXPECT_EQ(Get("m"), "old");
  EXPECT_EQ(Files(), 1u);
}

TEST_F(StreamTest, AModelThatCannotBeWrittenLeavesTheOldFileAlsoWhenTheErrorIsCaught) {
  Put("m", "old");
  SerializeOptions options;
  options.max_serialized_size_bytes = 1;
  {
    utils::FileWriteStream out(Path("m"));
    EXPECT_THROW(RichModel().SerializeToStream(out, options), SerializeError);
  }
  EXPECT_EQ(Get("m"), "old");
  {
    utils::FileWriteStream out(Path("m"));
    EXPECT_THROW(RichModel().SerializeToStream(out, options), SerializeError);
    EXPECT_THROW(out.Close(), FileError);
  }
  EXPECT_EQ(Get("m"), "old");
  EXPECT_EQ(Files(), 1u);
}

TEST_F(StreamTest, AStreamCanBeClosedOnceAndMayBeWrittenFromWithinAnUnwinding) {
  utils::FileWriteStream out(Path("m"));
  out.Write("text");
  out.Close();
  out.Close();
  EXPECT_EQ(CodeOf([&] { out.Write("more"); }), EBADF);
  struct Saver {
    std::string path;
    ~Saver() {
      utils::FileWriteStream last(path);
      last.Write("saved");
    }
  };
  try {
    const Saver saver{Path("last")};
    throw std::runtime_error("on its way");
  } catch (const std::runtime_error&) {  // NOLINT(bugprone-empty-catch): that is the test
  }
  EXPECT_EQ(Get("last"), "saved");
  EXPECT_EQ(Get("m"), "text");
}

TEST_F(StreamTest, LongNamesAndManyWritersOfOnePathDoNotMeet) {
  const std::string name(255, 'n');
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&, i] {
      for (int round = 0; round < 5; ++round) {
        utils::FileWriteStream out(Path(name));
        for (int k = 0; k < 10; ++k) out.Write(std::string(100, static_cast<char>('a' + i)));
        out.Close();
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  const std::string bytes = Get(name);
  EXPECT_EQ(bytes, std::string(1000, bytes[0]));
  EXPECT_EQ(Files(), 1u);
}

TEST_F(StreamTest, PipesAndFilesThatSayNoSizeAreReadToTheirEnd) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  const std::string bytes = LargeModel().SerializeAsString();
  std::thread writer([&] {
    utils::FileWriteStream out(Path("pipe"));
    LargeModel().SerializeToStream(out);
  });
  utils::FileStream in(Path("pipe"));
  ModelProto model;
  model.ParseFromStream(in);
  writer.join();
  EXPECT_EQ(model, LargeModel());
  EXPECT_TRUE(fs::is_fifo(Path("pipe")));
  utils::FileStream status("/proc/self/status");
  EXPECT_THROW(model.ParseFromStream(status), ParseError);
  utils::FileStream nothing("/dev/null");
  model.ParseFromStream(nothing);
  EXPECT_EQ(model, ModelProto());
}

TEST(Istream, AModelIsReadToTheEndOfTheStream) {
  const std::string bytes = LargeModel().SerializeAsString();
  std::istringstream in(bytes);
  ModelProto model;
  EXPECT_TRUE(model.ParseFromIstream(&in));
  EXPECT_EQ(model, LargeModel());
  ParseOptions options;
  options.no_copy = true;  // cannot be: the bytes are the stream's
  std::istringstream again(bytes);
  model.ParseFromIstream(&again, options);
  EXPECT_FALSE(model.graph().initializer(1).raw_data().is_borrowed());
  EXPECT_EQ(model, LargeModel());
}

TEST(Istream, AStreamThatCouldNotBeOpenedIsAnErrorNotAnEmptyModel) {
  ModelProto model = RichModel();
  std::ifstream missing("/no/such/file");
  EXPECT_THROW(model.ParseFromIstream(&missing), FileError);
  std::ifstream folder("/");
  EXPECT_THROW(model.ParseFromIstream(&folder), FileError);
  EXPECT_EQ(model, RichModel());
  std::istringstream empty("");
  EXPECT_TRUE(model.ParseFromIstream(&empty));
  EXPECT_EQ(model, ModelProto());
}

TEST(Ostream, AStreamThatFailsSaysSo) {
  std::ofstream out("/dev/full", std::ios::binary);
  LargeModel().SerializeToOstream(&out);
  out.flush();
  EXPECT_FALSE(LargeModel().SerializeToOstream(&out));
  std::ofstream closed;
  closed.setstate(std::ios::badbit);
  EXPECT_FALSE(RichModel().SerializeToOstream(&closed));
}

TEST(StringStream, BorrowsOnlyWhenItIsAskedTo) {
  const std::string bytes = LargeModel().SerializeAsString();
  for (const bool no_copy : {false, true}) {
    utils::StringStream in(bytes.data(), bytes.size());
    ParseOptions options;
    options.no_copy = no_copy;
    ModelProto model;
    model.ParseFromStream(in, options);
    EXPECT_EQ(model, LargeModel());
    const utils::ByteSpan& raw = model.graph().initializer(1).raw_data();
    EXPECT_EQ(raw.is_borrowed(), no_copy);
    EXPECT_EQ(raw.owner() == nullptr, no_copy);
  }
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
