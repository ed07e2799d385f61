// Whoever asks hears of every byte that is written, once, and may end a save or a load.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <map>
#include <vector>

#include "onnx_proto/external_data/neighbours.h"
#include "onnx_proto/onnx_crypt.h"
#include "onnx_proto/onnx_files.h"
#include "onnx_proto/stream.h"
#include "onnx_proto/stream/new_file.h"
#include "onnx_proto/testing/folder.h"
#include "onnx_proto/testing/sample.h"
#include "onnx_proto/testing/weights.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

namespace fs = std::filesystem;
using testing_support::CodeOf;
using testing_support::WeightsModel;

struct Stop {};

class ProgressTest : public testing_support::FolderTest {
 protected:
  static SaveOptions Split(ProgressCallback progress, int32_t num_threads) {
    SaveOptions options;
    options.save_as_external_data = true;
    options.location = "w.data";
    options.max_external_file_size = 10 << 20;
    options.num_threads = num_threads;
    options.progress = std::move(progress);
    return options;
  }
  std::map<std::string, std::string> Contents() const {
    std::map<std::string, std::string> contents;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      contents[name] = Get(name);
    }
    return contents;
  }
  uint64_t Size() const {
    uint64_t size = 0;
    for (const auto& entry : fs::directory_iterator(folder_)) size += entry.file_size();
    return size;
  }
  // Ends a save at its first call and then at its last one: both times what was there is there.
  template <class Save>
  void EndsAtAnyCall(const Save& save) const {
    const auto before = Contents();
    uint64_t whole = 0;
    EXPECT_THROW(save([](uint64_t) { throw Stop(); }), Stop);
    EXPECT_EQ(Contents(), before);
    {
      const fs::path other = testing_support::NewFolder();
      for (const auto& [name, bytes] : before) fs::copy_file(Path(name), other / name);
      save([&](uint64_t bytes) { whole += bytes; });
      for (const auto& entry : fs::directory_iterator(folder_)) fs::remove(entry);
      for (const auto& [name, bytes] : before) fs::copy_file(other / name, Path(name));
      fs::remove_all(other);
    }
    uint64_t told = 0;
    EXPECT_THROW(save([&](uint64_t bytes) {
                   told += bytes;
                   if (told == whole) throw Stop();
                 }),
                 Stop);
    EXPECT_EQ(Contents(), before);
  }
};

TEST_F(ProgressTest, TheSumIsTheSizeOfAllFiles) {
  const ModelProto model = WeightsModel(5, 9 << 20);
  for (const int32_t num_threads : {1, 4}) {
    for (const bool beside : {false, true}) {
      uint64_t sum = 0;
      size_t calls = 0;
      SaveOptions options = Split(
          [&](uint64_t bytes) {
            sum += bytes;
            ++calls;
          },
          num_threads);
      options.save_as_external_data = beside;
      for (const auto& entry : fs::directory_iterator(folder_)) fs::remove(entry);
      SaveModel(model, Path("m.onnx"), options);
      EXPECT_EQ(Files() > 5, beside);
      EXPECT_EQ(sum, Size());
      EXPECT_GT(calls, 1U);
      sum = 0;
      SaveModel(WeightsModel(5, 9 << 20, 7), Path("m.onnx"), options);  // over one that notices: a second model file has hidden names
      EXPECT_EQ(sum, Size());
    }
  }
}

TEST_F(ProgressTest, WhatACallbackThrowsLeavesTheOldFilesWhole) {
  SaveModel(WeightsModel(5, 9 << 20, 1), Path("m.onnx"), Split({}, 1));
  const ModelProto model = WeightsModel(5, 9 << 20, 2);
  for (const int32_t num_threads : {1, 4}) {
    EndsAtAnyCall([&](ProgressCallback progress) { SaveModel(model, Path("m.onnx"), Split(std::move(progress), num_threads)); });
  }
  EndsAtAnyCall([&](ProgressCallback progress) {
    SaveOptions options;
    options.progress = std::move(progress);
    SaveModel(model, Path("m.onnx"), options);
  });
  EndsAtAnyCall([&](ProgressCallback progress) {
    utils::FileWriteStream stream(Path("m.onnx"));
    stream.OnProgress(std::move(progress));
    model.SerializeToStream(stream);
    stream.Close();
  });
}

TEST_F(ProgressTest, CallsNeverOverlapAndNoneComesAfterOneThatThrew) {
  std::atomic<int> inside{0};
  std::atomic<bool> threw{false};
  const ModelProto model = WeightsModel(8, 9 << 20);
  const auto callback = [&](uint64_t) {
    EXPECT_EQ(++inside, 1);
    EXPECT_FALSE(threw);
    threw = true;
    --inside;
    throw Stop();
  };
  EXPECT_THROW(SaveModel(model, Path("m.onnx"), Split(callback, 8)), Stop);
  EXPECT_EQ(Files(), 0U);
}

TEST_F(ProgressTest, ACallbackMaySaveElsewhereButNotWhereItWouldWaitForItself) {
  const ModelProto model = WeightsModel(1, 3000);
  int same = 0, other = -1;
  SaveOptions options;
  fs::create_directory(folder_ / "other");
  options.progress = [&](uint64_t) {
    same = CodeOf([&] { SaveModel(model, Path("n.onnx")); });
    other = CodeOf([&] { SaveModel(model, Path("other/n.onnx")); });
  };
  SaveModel(model, Path("m.onnx"), options);
  EXPECT_EQ(same, EDEADLK);
  EXPECT_EQ(other, 0);
  SaveModel(model, Path("n.onnx"));
}

TEST_F(ProgressTest, ACallbackWaitsForNoFolder) {
  fs::create_directory(folder_ / "other");
  const utils::FileDescriptor other(open((folder_ / "other").c_str(), O_RDONLY | O_DIRECTORY));
  const utils::FolderLock somebody_has({other.get(), ""});
  const ModelProto model = WeightsModel(1, 3000);
  int removes = 0, saves_there = 0;
  SaveOptions options;
  options.progress = [&](uint64_t) {
    removes = CodeOf([&] { RemoveUnreadWeights(Path("n.onnx"), {"w.data"}); });
    saves_there = CodeOf([&] { SaveModel(model, Path("other/n.onnx")); });
  };
  SaveModel(model, Path("m.onnx"), options);
  EXPECT_EQ(removes, EDEADLK);
  EXPECT_EQ(saves_there, EDEADLK);
}

TEST_F(ProgressTest, EncryptingAndDecryptingTellTheirBytesAndCanBeEnded) {
  if (!EncryptionAvailable()) GTEST_SKIP() << "built without OpenSSL";
  const ModelProto model = WeightsModel(2, 20 << 20);
  SaveEncryptedModel(WeightsModel(1, 3000), Path("m.onnxc"), "key");
  EndsAtAnyCall([&](ProgressCallback progress) { SaveEncryptedModel(model, Path("m.onnxc"), "key", {.progress = std::move(progress)}); });
  uint64_t sum = 0;
  SaveEncryptedModel(model, Path("m.onnxc"), "key", {.progress = [&](uint64_t bytes) { sum += bytes; }});
  EXPECT_EQ(sum, Size());
  ParseOptions options;
  for (const int32_t num_threads : {1, 4}) {
    options.num_threads = num_threads;
    ModelProto found;
    sum = 0;
    LoadEncryptedModel(found, Path("m.onnxc"), "key", options, [&](uint64_t bytes) { sum += bytes; });
    EXPECT_GE(sum, model.ByteSizeLong());
    EXPECT_LT(sum, model.ByteSizeLong() + 2000);  // a block more for each part
    ModelProto none;
    EXPECT_THROW(LoadEncryptedModel(none, Path("m.onnxc"), "key", options, [](uint64_t) { throw Stop(); }), Stop);
    EXPECT_FALSE(none.has_graph());
  }
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
