// Savers that are killed before each of their system calls, or in which each of them fails: the pair that is there afterwards loads as the
// old model or the new one, value for value, and the next save leaves nothing else behind.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <functional>
#include <map>
#include <set>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/external_data/save.h"
#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/onnx_files.h"
#include "onnx_proto/testing/sample.h"
#include "onnx_proto/testing/traced_child.h"
#include "onnx_proto/testing/weights.h"

#if defined(ONNX_LIGHT_CAN_TRACE)

namespace ONNX_LIGHT_NAMESPACE {
namespace {

namespace fs = std::filesystem;
using testing_support::CanTrace;
using testing_support::Fate;
using testing_support::RunTraced;
using testing_support::TracedCall;
using testing_support::TracedEnd;
using testing_support::WeightsModel;

enum class Old { kPair, kNone, kSingleFile, kOtherLocation };

class InterruptedSaveTest : public testing_support::FolderTest {
 protected:
  void SetUp() override {
    if (!CanTrace()) GTEST_SKIP() << "this process may not trace its children";
  }

  // Puts the old files in place, and nothing else.
  void Restore() const {
    for (const auto& entry : fs::directory_iterator(folder_)) fs::remove_all(entry);
    for (const auto& [name, bytes] : old_files_) Put(name, bytes);
  }
  void Prepare(Old old) {
    SaveOptions options = options_;
    if (old == Old::kSingleFile) options = SaveOptions();
    if (old == Old::kOtherLocation) options.location = "before.data";
    if (old != Old::kNone) SaveModel(old_, Path("m.onnx"), options);
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      old_files_[name] = Get(name);
    }
  }
  int Save() const {
    try {
      SaveModel(new_, Path("m.onnx"), options_);
      return 0;
    } catch (const Error& error) {
      return std::string(error.what()).empty() ? 2 : 1;
    } catch (const std::bad_alloc&) {
      return 1;
    }
  }
  // Which of the two is there: "old", "new", "none" (no model), or what is wrong.
  std::string Found() const {
    if (!fs::exists(folder_ / "m.onnx")) return "none";
    ModelProto found;
    const std::string error = testing_support::ErrorOf([&] { LoadModel(found, Path("m.onnx")); });
    if (!error.empty()) return error;
    return Same(found, new_) ? "new" : Same(found, old_) ? "old" : "another";
  }
  static bool Same(const ModelProto& a, const ModelProto& b) {
    TensorWalk one(a), other(b);
    while (one.Next()) {
      if (!other.Next() || one.tensor().name() != other.tensor().name() || !(one.tensor().raw_data() == other.tensor().raw_data()))
        return false;
    }
    return !other.Next() && a.producer_name() == b.producer_name();
  }
  // How often a save renames a file.
  size_t RenamesOfASave() const {
    size_t renames = 0;
    const TracedEnd end = RunTraced([&] { return Save(); },
                                    [&](const TracedCall& call) {
                                      renames += call.number == SYS_renameat;
                                      return Fate();
                                    });
    EXPECT_EQ(end.exit_code, 0);
    EXPECT_EQ(Found(), "new");
    return renames;
  }
  std::set<std::string> Names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.insert(entry.path().filename().string());
    return names;
  }
  // What the next save leaves; it has to succeed.
  std::set<std::string> NamesAfterAnotherSave() const {
    EXPECT_EQ(Save(), 0);
    EXPECT_EQ(Found(), "new");
    return Names();
  }

  // Stops a save at each of its calls in turn; gives how often each outcome was met.
  std::map<std::string, size_t> StopAtEachCall(Old old, const std::function<Fate(const TracedCall&)>& always, bool kills, int error) {
    Prepare(old);
    Restore();
    EXPECT_EQ(RunTraced([&] { return Save(); }, always).exit_code, 0);
    const std::set<std::string> whole = Names();
    std::map<std::string, size_t> outcomes;
    for (size_t n = 1;; ++n) {
      Restore();
      long number = -1;
      const TracedEnd end = RunTraced([&] { return Save(); },
                                      [&](const TracedCall& call) {
                                        if (call.count != n) return always(call);
                                        number = call.number;
                                        return kills ? Fate{Fate::kIsKilled} : Fate{Fate::kFails, error};
                                      });
      if (number < 0) break;
      const std::string found = Found();
      const std::string where = "call " + std::to_string(n) + " (number " + std::to_string(number) + "): " + found;
      EXPECT_TRUE(found == "new" || found == (old == Old::kNone ? "none" : "old")) << where;
      if (!kills) {
        EXPECT_TRUE(end.exit_code == 0 || end.exit_code == 1) << where;
        EXPECT_TRUE(end.exit_code != 0 || found == "new") << where;
      }
      ++outcomes[found];
      EXPECT_EQ(NamesAfterAnotherSave(), whole) << where;
      if (testing::Test::HasFailure()) break;
    }
    return outcomes;
  }
  static Fate GoOn(const TracedCall&) { return Fate(); }
  // As on a file system that knows no nameless files.
  static Fate WithoutNameless(const TracedCall& call) {
    const bool asks = call.number == SYS_openat && (call.arguments[2] & O_TMPFILE) == O_TMPFILE;
    return asks ? Fate{Fate::kFails, EOPNOTSUPP} : Fate();
  }

  ModelProto old_ = WeightsModel(3, 20000, 1), new_ = WeightsModel(3, 20000, 2);
  SaveOptions options_ = [] {
    SaveOptions options;
    options.save_as_external_data = true;
    options.location = "w.data";
    options.raw_data_threshold = 100;
    return options;
  }();
  std::map<std::string, std::string> old_files_;
};

TEST_F(InterruptedSaveTest, KilledOverAPairOfEqualLayoutLeavesOneOfThem) {
  const auto outcomes = StopAtEachCall(Old::kPair, GoOn, true, 0);
  EXPECT_GT(outcomes.at("old"), 10u);
  EXPECT_GT(outcomes.at("new"), 2u);
}

TEST_F(InterruptedSaveTest, KilledWithoutNamelessFilesLeavesOneOfThem) {
  const auto outcomes = StopAtEachCall(Old::kPair, WithoutNameless, true, 0);
  EXPECT_GT(outcomes.at("old"), 10u);
  EXPECT_GT(outcomes.at("new"), 2u);
}

TEST_F(InterruptedSaveTest, KilledOverASplitMovesAllItsFilesTogether) {
  options_.max_external_file_size = 45000;
  options_.durable = true;
  const auto outcomes = StopAtEachCall(Old::kPair, GoOn, true, 0);
  EXPECT_GT(outcomes.at("new"), 5u);
}

TEST_F(InterruptedSaveTest, KilledOverAPairWithTheSameWeightsLeavesOneOfThem) {
  new_ = old_;
  new_.set_producer_name("another");
  const auto outcomes = StopAtEachCall(Old::kPair, GoOn, true, 0);
  EXPECT_GT(outcomes.at("old"), 10u);
  EXPECT_GT(outcomes.at("new"), 0u);
}

// The way through a model that refers to hidden names is taken only if the old model would notice that its weights were replaced.
TEST_F(InterruptedSaveTest, AModelWithHiddenNamesIsWrittenOnlyIfTheOldOneWouldReadOtherBytes) {
  Prepare(Old::kPair);
  EXPECT_EQ(RenamesOfASave(), 3u);
  new_ = old_;
  new_.set_producer_name("another");
  Restore();
  EXPECT_EQ(RenamesOfASave(), 2u);
  options_.alignment = 4096;  // the bytes lie elsewhere
  EXPECT_EQ(RenamesOfASave(), 3u);
}

TEST_F(InterruptedSaveTest, BytesThatCameFromTheOldFileAreNotComparedHoweverMany) {
  old_ = WeightsModel(2, 3 << 20, 1);
  Prepare(Old::kPair);
  LoadOptions mapped;
  mapped.no_copy = true;
  LoadModel(new_, Path("m.onnx"), mapped);
  new_.set_producer_name("mapped");
  EXPECT_EQ(RenamesOfASave(), 2u);
  LoadModel(new_, Path("m.onnx"), mapped);
  new_.set_producer_name("mapped and changed");
  new_.mutable_graph()->mutable_initializer(1)->ref_raw_data().mutable_data()[0] ^= 1;
  EXPECT_EQ(RenamesOfASave(), 3u);
  LoadOptions structure;
  structure.load_external_data = false;
  options_.save_as_external_data = true;  // streamed from the file
  LoadModel(new_, Path("m.onnx"), structure);
  new_.set_producer_name("streamed");
  size_t renames = 0;
  RunTraced([&] { return Save(); },
            [&](const TracedCall& call) {
              renames += call.number == SYS_renameat;
              return Fate();
            });
  EXPECT_EQ(renames, 2u);
}

TEST_F(InterruptedSaveTest, KilledOverAModelThatReadsOtherFilesOrNoneLeavesOneOfThem) {
  for (const Old old : {Old::kOtherLocation, Old::kSingleFile, Old::kNone}) {
    old_files_.clear();
    for (const auto& entry : fs::directory_iterator(folder_)) fs::remove_all(entry);
    const auto outcomes = StopAtEachCall(old, GoOn, true, 0);
    EXPECT_GT(outcomes.at(old == Old::kNone ? "none" : "old"), 10u);
  }
}

// Files called like tensors are the model's only where a model says so: what a killed save leaves must say so.
TEST_F(InterruptedSaveTest, KilledWithAFileForEachTensorLeavesNothingThatTheNextSaveTakesForAnothers) {
  options_.all_tensors_to_one_file = false;
  for (const Old old : {Old::kSingleFile, Old::kNone, Old::kPair}) {
    old_files_.clear();
    for (const auto& entry : fs::directory_iterator(folder_)) fs::remove_all(entry);
    const auto outcomes = StopAtEachCall(old, GoOn, true, 0);
    EXPECT_GT(outcomes.at("new"), 5u);
  }
}

TEST_F(InterruptedSaveTest, KilledInASingleFileSaveLeavesOneOfThem) {
  options_ = SaveOptions();
  const auto outcomes = StopAtEachCall(Old::kSingleFile, GoOn, true, 0);
  EXPECT_GT(outcomes.at("old"), 5u);
}

TEST_F(InterruptedSaveTest, AFullDiskAtAnyCallIsAnErrorOrTheNewPair) { StopAtEachCall(Old::kPair, GoOn, false, ENOSPC); }
TEST_F(InterruptedSaveTest, ARefusalAtAnyCallIsAnErrorOrTheNewPair) { StopAtEachCall(Old::kPair, GoOn, false, EACCES); }
TEST_F(InterruptedSaveTest, ABrokenDiskAtAnyCallIsAnErrorOrTheNewPair) {
  options_.durable = true;
  options_.checksum = true;
  StopAtEachCall(Old::kPair, WithoutNameless, false, EIO);
}

TEST_F(InterruptedSaveTest, DurableWeightsByThemselvesHaveTheirNamesOnTheDisk) {
  options_.durable = true;
  bool synced = false;  // since the last rename
  const TracedEnd end = RunTraced(
      [&] {
        ModelSaver saver(new_, Path("m.onnx"), options_);
        saver.Lock();
        return saver.PublishWeights() ? 0 : 1;
      },
      [&](const TracedCall& call) {
        if (call.number == SYS_renameat || call.number == SYS_fsync) synced = call.number == SYS_fsync;
        return Fate();
      });
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(Names(), std::set<std::string>{"w.data"});
  EXPECT_TRUE(synced);
}

TEST_F(InterruptedSaveTest, WithoutHardLinksThePairIsReplacedByTwoRenames) {
  Prepare(Old::kPair);
  Restore();
  const TracedEnd end = RunTraced([&] { return Save(); },
                                  [](const TracedCall& call) {
                                    return call.number == SYS_linkat || call.number == SYS_link ? Fate{Fate::kFails, EPERM} : Fate();
                                  });
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(Found(), "new");
  EXPECT_EQ(Names(), (std::set<std::string>{"m.onnx", "w.data"}));
}

// openat2 is asked for, and everything works without it.
TEST_F(InterruptedSaveTest, WithoutOpenat2PathsAreWalkedPartByPart) {
  fs::create_directory(folder_ / "sub");
  options_.location = "sub/w.data";
  SaveModel(new_, Path("m.onnx"), options_);
  fs::create_symlink("w.data", folder_ / "sub/link");
  fs::create_symlink("/etc", folder_ / "out");
  size_t refused = 0;
  const TracedEnd end = RunTraced(
      [&] {
        const ModelFolder folder = ModelFolder::OfModel(Path("m.onnx"));
        folder.Open("sub/w.data", "");
        folder.Open("sub/link", "");
        if (Found() != "new") return 2;
        try {
          folder.Open("out/passwd", "");
        } catch (const ExternalDataError& error) {
          return error.code();
        }
        return 3;
      },
      [&](const TracedCall& call) {
        if (call.number != SYS_openat2) return Fate();
        ++refused;
        return Fate{Fate::kFails, ENOSYS};
      });
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_GT(refused, 0u);
}

TEST_F(InterruptedSaveTest, WhatAnotherModelRefersToIsNotTakenForALeftover) {
  Prepare(Old::kPair);
  Restore();
  // Killed right after the moment of change: the model refers to hidden files.
  size_t renames = 0;
  RunTraced([&] { return Save(); },
            [&](const TracedCall& call) { return Fate{call.number == SYS_renameat && ++renames == 2 ? Fate::kIsKilled : Fate::kGoesOn}; });
  ASSERT_EQ(Found(), "new");
  ASSERT_GT(Names().size(), 2u);
  fs::rename(folder_ / "m.onnx", folder_ / "moved.onnx");
  EXPECT_EQ(Save(), 0);
  ModelProto moved;
  LoadModel(moved, Path("moved.onnx"));
  EXPECT_TRUE(Same(moved, new_));
  fs::remove(folder_ / "moved.onnx");
  EXPECT_EQ(NamesAfterAnotherSave(), (std::set<std::string>{"m.onnx", "w.data"}));
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE

#endif
