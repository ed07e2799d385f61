#include "onnx_proto/external_data/model_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/testing/folder.h"
#include "onnx_proto/testing/sample.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

namespace fs = std::filesystem;
using testing_support::ErrorOf;

class ModelFolderTest : public testing_support::FolderTest {
 protected:
  std::string Read(const ModelFolder& folder, const std::string& location) const {
    const WeightsFile opened = folder.Open(location, "it");
    std::string bytes(opened.size, '\0');
    utils::ReadAt(opened.file.get(), opened.path, 0, bytes.data(), bytes.size());
    return bytes;
  }
  // The code of the refusal; -1 if there is none.
  int Refusal(const ModelFolder& folder, const std::string& location) const {
    try {
      folder.Open(location, "it");
    } catch (const ExternalDataError& error) {
      return error.code();
    }
    return -1;
  }
};

TEST_F(ModelFolderTest, FilesBelowItAreOpened) {
  fs::create_directories(folder_ / "model/sub/deeper");
  Put("model/w", "here");
  Put("model/sub/deeper/w", "deep");
  const ModelFolder folder = ModelFolder::OfModel(Path("model/m.onnx"));
  EXPECT_EQ(Read(folder, "w"), "here");
  EXPECT_EQ(Read(folder, "sub/deeper/w"), "deep");
  EXPECT_EQ(folder.Open("sub/deeper/w", "").path, Path("model/sub/deeper/w"));
  EXPECT_EQ(Refusal(folder, "none"), ENOENT);
  EXPECT_EQ(Refusal(folder, "none/w"), ENOENT);
  EXPECT_EQ(Refusal(folder, "w/w"), ENOTDIR);
  EXPECT_EQ(ErrorOf([&] { folder.Open("gone", "tensor \"t\""); }), "tensor \"t\": " + Path("model/gone") + " does not exist");
}

TEST_F(ModelFolderTest, LinksWithinTheFolderAreFollowedAndLinksThatLeaveItAreNot) {
  fs::create_directories(folder_ / "model/sub");
  fs::create_directories(folder_ / "outside");
  Put("outside/w", "secret");
  Put("model/sub/w", "inside");
  fs::create_symlink("sub/w", folder_ / "model/inside");
  fs::create_symlink("sub", folder_ / "model/inside_folder");
  fs::create_symlink("../outside/w", folder_ / "model/leaves");
  fs::create_symlink(folder_ / "outside", folder_ / "model/leaves_folder");
  fs::create_symlink("../model/sub/w", folder_ / "model/leaves_and_returns");
  fs::create_symlink("nowhere", folder_ / "model/dangling");
  fs::create_symlink("loop", folder_ / "model/loop");
  fs::create_symlink("model", folder_ / "by_link");
  for (const char* model : {"model/m", "by_link/m"}) {
    const ModelFolder folder = ModelFolder::OfModel(Path(model));
    EXPECT_EQ(Read(folder, "inside"), "inside");
    EXPECT_EQ(Read(folder, "inside_folder/w"), "inside");
    EXPECT_EQ(Read(folder, "leaves_and_returns"), "inside");
    EXPECT_EQ(Refusal(folder, "leaves"), 0);
    EXPECT_EQ(Refusal(folder, "leaves_folder/w"), 0);
    EXPECT_EQ(Refusal(folder, "dangling"), ENOENT);
    EXPECT_EQ(Refusal(folder, "loop"), ELOOP);
    EXPECT_EQ(ErrorOf([&] { folder.Open("leaves", "it"); }),
              "it: " + folder.PathOf("leaves") + " is a link that leads out of the model's folder");
  }
  EXPECT_EQ(Refusal(ModelFolder::At(Path("model")), "leaves"), 0);
}

TEST_F(ModelFolderTest, AModelThatIsALinkHasTheFolderOfItsFileAsWell) {
  for (const char* name : {"blobs", "snapshot", "other"}) fs::create_directory(folder_ / name);
  Put("blobs/m", "");
  Put("blobs/w", "weights");
  Put("other/w", "secret");
  fs::create_symlink("../blobs/m", folder_ / "snapshot/m.onnx");
  fs::create_symlink("../blobs/w", folder_ / "snapshot/w.data");
  fs::create_symlink("../other/w", folder_ / "snapshot/leaves");
  const ModelFolder folder = ModelFolder::OfModel(Path("snapshot/m.onnx"));
  EXPECT_EQ(Read(folder, "w.data"), "weights");
  EXPECT_EQ(Refusal(folder, "leaves"), 0);
  EXPECT_EQ(Refusal(folder, "w"), ENOENT);  // a name is looked up where the model's path lies
  EXPECT_EQ(Refusal(ModelFolder::At(Path("snapshot")), "w.data"), 0);
}

TEST_F(ModelFolderTest, WhatIsNoRegularFileIsRefusedWithoutBeingWaitedFor) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  fs::create_directory(folder_ / "folder");
  fs::create_symlink("pipe", folder_ / "link");
  const ModelFolder folder = ModelFolder::At(folder_.string());
  for (const char* name : {"pipe", "folder", "link"}) {
    EXPECT_NE(ErrorOf([&] { folder.Open(name, "it"); }).find("is not a regular file"), std::string::npos) << name;
  }
  EXPECT_THROW(OpenGivenFile(Path("pipe"), "it"), ExternalDataError);
  EXPECT_THROW(OpenGivenFile("/dev/zero", "it"), ExternalDataError);
}

TEST_F(ModelFolderTest, HardLinksCountOnlyIfAllLieInTheFilesOwnFolder) {
  fs::create_directories(folder_ / "model/sub");
  Put("secret", "secret");
  Put("model/w", "own");
  fs::create_hard_link(folder_ / "secret", folder_ / "model/stolen");
  fs::create_hard_link(folder_ / "model/w", folder_ / "model/w2");
  const ModelFolder folder = ModelFolder::At(Path("model"));
  EXPECT_EQ(Read(folder, "w"), "own");
  EXPECT_EQ(Read(folder, "w2"), "own");
  EXPECT_EQ(Refusal(folder, "stolen"), 0);
  EXPECT_EQ(ErrorOf([&] { folder.Open("stolen", "it"); }),
            "it: " + Path("model/stolen") + " has 2 hard links, of which 1 lie in its folder: another folder can reach it");
  fs::create_hard_link(folder_ / "model/w", folder_ / "model/sub/w");
  EXPECT_EQ(Refusal(folder, "w"), 0);
}

TEST_F(ModelFolderTest, AFileTheCallerNamesMayLieAnywhere) {
  fs::create_directory(folder_ / "model");
  Put("w", "anywhere");
  fs::create_symlink("w", folder_ / "link");
  EXPECT_EQ(OpenGivenFile(Path("link"), "it").size, 8u);
  EXPECT_EQ(ErrorOf([&] { OpenGivenFile(Path("none"), "it"); }), "it: " + Path("none") + " does not exist");
}

TEST_F(ModelFolderTest, AFolderThatIsNoneIsAFileError) {
  Put("file", "");
  EXPECT_THROW(ModelFolder::At(Path("none")), FileError);
  EXPECT_THROW(ModelFolder::OfModel(Path("file/m")), FileError);
  EXPECT_THROW(ModelFolder::OfModel(std::string("a\0/b", 4)), FileError);
  EXPECT_EQ(ModelFolder::OfModel("/m").path(), "/");
  EXPECT_EQ(ModelFolder::OfModel("m").PathOf("w"), "w");
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
