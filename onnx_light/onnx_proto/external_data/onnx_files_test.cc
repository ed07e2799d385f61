// Models in files: what is saved is loaded, in every layout; what must not be read or written is not.
#include "onnx_proto/onnx_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <functional>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/external_data/payload_source.h"
#include "onnx_proto/external_data/raw_bytes.h"
#include "onnx_proto/external_data/sha1.h"
#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/stream/interrupt.h"
#include "onnx_proto/testing/folder.h"
#include "onnx_proto/testing/sample.h"
#include "onnx_proto/testing/weights.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

namespace fs = std::filesystem;
using testing_support::AddTensor;
using testing_support::CodeOf;
using testing_support::ErrorOf;
using testing_support::Pattern;
using testing_support::WeightsModel;

class OnnxFilesTest : public testing_support::FolderTest {
 protected:
  ModelProto Load(const std::string& name, const LoadOptions& options = {}) const {
    ModelProto model;
    LoadModel(model, Path(name), options);
    return model;
  }
  static SaveOptions External(const std::string& location = "w.data", int64_t threshold = 0) {
    SaveOptions options;
    options.save_as_external_data = true;
    options.location = location;
    options.raw_data_threshold = threshold;
    return options;
  }
  std::set<std::string> Names(const std::string& below = "") const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_ / below)) names.insert(entry.path().filename().string());
    return names;
  }
  ModelProto Structure(const std::string& name) const {
    LoadOptions options;
    options.load_external_data = false;
    return Load(name, options);
  }
  using Ranges = std::vector<std::tuple<std::string, uint64_t, uint64_t>>;
  Ranges RangesOf(const std::string& name) const {
    Ranges ranges;
    const ModelProto model = Structure(name);
    for (const ExternalRange& range : ListExternalData(model)) ranges.emplace_back(range.location, range.offset, range.size);
    return ranges;
  }
  int Refused(const std::function<void()>& act) const {
    try {
      act();
    } catch (const ExternalDataError& error) {
      return error.code();
    }
    return -1;
  }
};
// As load leaves them: where external weights have been read, the mark says so.
ModelProto WithDefaultLocations(ModelProto model, const ModelProto& structure) {
  MutableTensorWalk walk(model);
  for (TensorWalk other(structure); other.Next();) {
    EXPECT_TRUE(walk.Next());
    if (other.tensor().has_data_location()) walk.tensor().set_data_location(TensorProto::DEFAULT);
  }
  return model;
}

TEST_F(OnnxFilesTest, WhatIsSavedIsLoadedInEveryLayout) {
  const ModelProto model = WeightsModel(20, 3000);
  const ModelProto before = model;
  SaveOptions layouts[6] = {SaveOptions(), External(), External(), External(), External(), External("sub/w.data", 5000)};
  layouts[2].alignment = 4096;
  layouts[3].max_external_file_size = 10000;
  layouts[3].num_threads = 2;
  layouts[4].all_tensors_to_one_file = false;
  fs::create_directory(folder_ / "sub");
  for (SaveOptions& options : layouts) {
    for (const bool durable : {false, true}) {
      options.durable = durable;
      options.checksum = durable;
      SaveModel(model, Path("m.onnx"), options);
      for (const bool no_copy : {false, true}) {
        LoadOptions how;
        how.no_copy = no_copy;
        how.verify_checksums = durable;
        EXPECT_EQ(Load("m.onnx", how), WithDefaultLocations(model, Structure("m.onnx")));
      }
    }
    for (const std::string& name : Names()) EXPECT_FALSE(name.starts_with('.')) << name;  // nothing is left over
  }
  EXPECT_EQ(model, before);
}

TEST_F(OnnxFilesTest, SavingAgainGivesTheSameFiles) {
  const ModelProto model = WeightsModel(5, 3000);
  std::map<std::string, std::string> first;
  for (int i = 0; i < 3; ++i) {
    SaveModel(model, Path("m.onnx"), External());
    for (const std::string& name : Names()) {
      if (i == 0) first[name] = Get(name);
      EXPECT_EQ(Get(name), first[name]);
    }
    EXPECT_EQ(Names(), (std::set<std::string>{"m.onnx", "w.data"}));
  }
  uint64_t bytes = 0;
  for (TensorWalk walk(model); walk.Next();)
    bytes += RawBytesOf(walk.tensor()) && walk.is_initializer() ? RawBytesOf(walk.tensor())->size() : 0;
  EXPECT_EQ(fs::file_size(Path("w.data")), bytes);
}

TEST_F(OnnxFilesTest, TheThresholdCountsPayloadBytesAndAttributesMoveWhenAsked) {
  ModelProto model;
  AddTensor(model, "small", std::string(1023, 's'));
  AddTensor(model, "large", std::string(1024, 'l'));
  TensorProto* constant = model.mutable_graph()->add_node()->add_attribute()->mutable_t();
  testing_support::Fill(*constant, "constant", std::string(5000, 'c'));
  SaveOptions options = External();
  options.raw_data_threshold = SaveOptions().raw_data_threshold;
  SaveModel(model, Path("m.onnx"), options);
  EXPECT_EQ(RangesOf("m.onnx"), (Ranges{{"w.data", 0, 1024}}));
  options.convert_attribute = true;
  SaveModel(model, Path("m.onnx"), options);
  EXPECT_EQ(RangesOf("m.onnx"), (Ranges{{"w.data", 0, 5000}, {"w.data", 5000, 1024}}));
  SerializeOptions serialise;
  EXPECT_EQ(serialise.raw_data_threshold, 64);
  serialise.alignment = 512;
  SerializeToFile(model, Path("m.onnx"), serialise, "v.data");
  EXPECT_EQ(RangesOf("m.onnx"), (Ranges{{"v.data", 0, 1023}, {"v.data", 1024, 1024}}));
}

TEST_F(OnnxFilesTest, TypedValuesLeaveTheModelsFileToo) {
  ModelProto model;
  TensorProto* tensor = model.mutable_graph()->add_initializer();
  tensor->set_name("typed");
  tensor->set_data_type(TensorProto::FLOAT);
  tensor->add_dims(1000);
  for (int i = 0; i < 1000; ++i) tensor->add_float_data(static_cast<float>(i));
  const ModelProto before = model;
  SaveModel(model, Path("m.onnx"), External());
  EXPECT_EQ(model, before);
  EXPECT_LT(fs::file_size(Path("m.onnx")), 200u);
  const ModelProto loaded = Load("m.onnx");
  EXPECT_EQ(loaded.graph().initializer(0).raw_data().view(), RawBytesOf(before.graph().initializer(0))->view());
  EXPECT_FALSE(loaded.graph().initializer(0).has_float_data());
}

TEST_F(OnnxFilesTest, WhatCannotLeaveWithoutLossStays) {
  ModelProto model;
  AddTensor(model, "wrong size", "12345")->set_dims(0, 4);
  TensorProto* text = model.mutable_graph()->add_initializer();
  text->set_data_type(TensorProto::STRING);
  text->add_dims(1);
  text->add_string_data(std::string(5000, 't'));
  AddTensor(model, "empty", "");
  SaveModel(model, Path("m.onnx"), External());
  EXPECT_EQ(Load("m.onnx"), model);
  EXPECT_EQ(Names(), (std::set<std::string>{"m.onnx"}));
}

TEST_F(OnnxFilesTest, ASplitKeepsTensorsWholeAndLoadsFromItsFirstLocation) {
  ModelProto model;
  for (const auto& [name, size] : {std::pair("a", 600), {"b", 600}, {"c", 100}, {"d", 5000}, {"e", 1}})
    AddTensor(model, name, Pattern(static_cast<size_t>(size), 7));
  SaveOptions options = External();
  options.max_external_file_size = 1000;
  SaveModel(model, Path("m.onnx"), options);
  EXPECT_EQ(RangesOf("m.onnx"),
            (Ranges{{"w.data", 0, 600}, {"w.data.1", 0, 600}, {"w.data.1", 600, 100}, {"w.data.2", 0, 5000}, {"w.data.3", 0, 1}}));
  const ModelProto expected = WithDefaultLocations(model, Structure("m.onnx"));
  fs::create_directory(folder_ / "moved");
  for (const std::string name : {"w.data", "w.data.1", "w.data.2", "w.data.3"})
    fs::rename(folder_ / name, folder_ / "moved" / ("v" + name.substr(1)));
  for (const std::string& location : {Path("moved/v.data"), std::string("moved/v.data")}) {
    LoadOptions how;
    how.location = location;
    how.no_copy = location[0] == '/';
    EXPECT_EQ(Load("m.onnx", how), expected);
  }
  ModelProto one = Structure("m.onnx");  // a part of the split alone is still a part
  LoadOptions how;
  how.location = Path("moved/v.data");
  LoadExternalData(one, folder_.string(), how, {"d"});
  EXPECT_EQ(one.graph().initializer(3).raw_data(), model.graph().initializer(3).raw_data());
  EXPECT_EQ(Refused([&] { Load("m.onnx"); }), ENOENT);
  how.location = "nowhere";
  EXPECT_EQ(Refused([&] { Load("m.onnx", how); }), ENOENT);
  options.max_external_file_size = 0;  // a smaller split: what is no longer used goes
  fs::rename(folder_ / "moved/v.data", folder_ / "w.data");
  for (const char* k : {"1", "2", "3"})
    fs::rename(folder_ / "moved" / (std::string("v.data.") + k), folder_ / (std::string("w.data.") + k));
  Put("w.data.4", "somebody else's");
  SaveModel(model, Path("m.onnx"), options);
  EXPECT_EQ(Names(), (std::set<std::string>{"m.onnx", "moved", "w.data", "w.data.4"}));
}

TEST_F(OnnxFilesTest, PayloadsAreAlignedAndPaddingIsZero) {
  const ModelProto model = WeightsModel(7, 1001);
  SaveOptions options = External();
  options.alignment = 4096;
  SaveModel(model, Path("m.onnx"), options);
  std::string bytes = Get("w.data");
  for (const auto& [location, offset, size] : RangesOf("m.onnx")) {
    EXPECT_EQ(offset % 4096, 0u);
    std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(offset), size, '\0');
  }
  EXPECT_EQ(bytes.find_first_not_of('\0'), std::string::npos);
}

TEST_F(OnnxFilesTest, MappedWeightsAreSharedAndOutliveTheFileAndTheLoader) {
  const ModelProto model = WeightsModel(5, 3000);
  SaveModel(model, Path("m.onnx"), External());
  LoadOptions how;
  how.no_copy = true;
  ModelProto loaded = Load("m.onnx", how);
  const ModelProto expected = WithDefaultLocations(model, Structure("m.onnx"));
  const auto* const mapping = loaded.graph().initializer(0).raw_data().owner_or_null()->mapping();
  ASSERT_NE(mapping, nullptr);
  EXPECT_EQ(loaded.graph().initializer(1).raw_data().owner_or_null()->mapping(), mapping);
  EXPECT_TRUE(loaded.graph().initializer(0).raw_data().is_borrowed());
  fs::remove(Path("w.data"));
  const ModelProto copy = loaded;
  loaded.Clear();
  EXPECT_EQ(copy, expected);
  EXPECT_FALSE(Load("m.onnx",
                    [&] {
                      SaveModel(model, Path("m.onnx"), External());
                      return LoadOptions();
                    }())
                   .graph()
                   .initializer(0)
                   .raw_data()
                   .is_borrowed());
}

TEST_F(OnnxFilesTest, AModelIsSavedOverTheFilesItIsMappedFrom) {
  const ModelProto model = WeightsModel(5, 100000);
  SaveModel(model, Path("m.onnx"), External());
  LoadOptions how;
  how.no_copy = true;
  ModelProto loaded = Load("m.onnx", how);
  loaded.mutable_graph()->mutable_initializer(0)->mutable_raw_data()->mutable_data()[0] ^= 1;
  const ModelProto changed = loaded;
  for (const int64_t alignment : {0, 64, 0}) {
    SaveOptions options = External();
    options.alignment = alignment;
    SaveModel(loaded, Path("m.onnx"), options);
    EXPECT_EQ(loaded, changed);
    EXPECT_EQ(Load("m.onnx", how), changed);
  }
  SaveModel(loaded, Path("m.onnx"));  // and into one file
  EXPECT_EQ(Load("m.onnx"), changed);
}

TEST_F(OnnxFilesTest, ReferencesAreHydratedLaterAllOrByName) {
  const ModelProto model = WeightsModel(4, 3000);
  SaveModel(model, Path("m.onnx"), External());
  fs::create_directory(folder_ / "elsewhere");
  fs::rename(folder_ / "w.data", folder_ / "elsewhere/w.data");
  ModelProto structure = Structure("m.onnx");
  EXPECT_TRUE(structure.graph().initializer(2).raw_data().empty());
  LoadExternalData(structure, Path("elsewhere"), {}, {"w2", "w2"});
  EXPECT_EQ(structure.graph().initializer(2).raw_data(), model.graph().initializer(2).raw_data());
  EXPECT_EQ(ListExternalData(structure).size(), ListExternalData(Structure("m.onnx")).size() - 1);
  const ModelProto before = structure;
  EXPECT_EQ(ErrorOf([&] { LoadExternalData(structure, Path("elsewhere"), {}, {"w1", "no such"}); }), "no tensor is called \"no such\"");
  EXPECT_EQ(Refused([&] { LoadExternalData(structure, folder_.string()); }), ENOENT);
  EXPECT_EQ(structure, before);
  LoadExternalData(structure, Path("elsewhere"));
  EXPECT_EQ(structure, WithDefaultLocations(model, Structure("m.onnx")));
  TensorProto tensor = Structure("m.onnx").graph().initializer(1);
  LoadExternalData(tensor, Path("elsewhere"));
  EXPECT_EQ(tensor.raw_data(), model.graph().initializer(1).raw_data());
}

TEST_F(OnnxFilesTest, ListingReadsNoFileAndNamesEveryRange) {
  ModelProto model = WeightsModel(2, 100);
  TensorProto* deep = model.mutable_graph()->add_node()->add_attribute()->mutable_g()->add_node()->add_attribute()->mutable_t();
  testing_support::Refer(*deep, "deep", TensorProto::UINT8, 8, {{"location", "sub/./c.bin"}, {"offset", "4096"}, {"checksum", "ab"}});
  const std::vector<ExternalRange> ranges = ListExternalData(model);
  ASSERT_EQ(ranges.size(), 1u);
  EXPECT_EQ(ranges[0].tensor, deep);
  EXPECT_EQ(ranges[0].place, "graph.node[" + std::to_string(model.graph().node_size() - 1) + "].attribute[0].g.node[0].attribute[0].t");
  EXPECT_EQ(ranges[0].location, "sub/c.bin");
  EXPECT_EQ(ranges[0].offset, 4096u);
  EXPECT_EQ(ranges[0].size, 8u);
  EXPECT_EQ(ranges[0].checksum, "ab");
}

TEST_F(OnnxFilesTest, AModelWithoutItsWeightsIsSavedWhereItsReferencesHoldAndNowhereElse) {
  const ModelProto model = WeightsModel(3, 3000);
  SaveModel(model, Path("m.onnx"), External());
  const std::string weights = Get("w.data");
  ModelProto structure = Structure("m.onnx");
  structure.mutable_graph()->mutable_initializer(0)->mutable_external_data()->Add()->set_key("note");
  SaveModel(structure, Path("again.onnx"));
  EXPECT_EQ(Structure("again.onnx"), structure);
  EXPECT_EQ(Load("again.onnx"), Load("m.onnx"));
  fs::create_directory(folder_ / "b");
  EXPECT_EQ(Refused([&] { SaveModel(structure, Path("b/m.onnx")); }), ENOENT);
  EXPECT_TRUE(Names("b").empty());
  SaveOptions copying;
  copying.base_dir = folder_.string();
  SaveModel(structure, Path("b/m.onnx"), copying);
  EXPECT_EQ(Load("b/m.onnx"), Load("m.onnx"));
  bool kept = false;
  const ModelProto copied = Structure("b/m.onnx");
  for (const StringStringEntryProto& entry : copied.graph().initializer(0).external_data()) kept |= entry.key() == "note";
  EXPECT_TRUE(kept);
  SaveOptions moving = External("new/other.data");  // another layout, from there, without loading
  moving.base_dir = folder_.string();
  moving.alignment = 256;
  moving.max_external_file_size = 4096;
  fs::create_directory(folder_ / "b/new");
  SaveModel(structure, Path("b/n.onnx"), moving);
  EXPECT_EQ(Load("b/n.onnx"), Load("m.onnx"));
  EXPECT_GT(Names("b/new").size(), 1u);
  EXPECT_EQ(Get("w.data"), weights);
  fs::resize_file(Path("w.data"), 1000);  // a reference beyond the end does not hold
  EXPECT_EQ(Refused([&] { SaveModel(structure, Path("again.onnx")); }), 0);
  EXPECT_EQ(Structure("again.onnx"), structure);
}

TEST_F(OnnxFilesTest, WeightsAreRealignedInPlaceFromReferencesAlone) {
  const ModelProto model = WeightsModel(6, 3000);
  SaveModel(model, Path("m.onnx"), External());
  const ModelProto loaded = Load("m.onnx");
  SaveOptions options = External();
  options.alignment = 4096;
  SaveModel(Structure("m.onnx"), Path("m.onnx"), options);
  for (const auto& [location, offset, size] : RangesOf("m.onnx")) EXPECT_EQ(offset % 4096, 0u);
  EXPECT_EQ(Load("m.onnx"), loaded);
}

TEST_F(OnnxFilesTest, TensorsMarkedExternalBringTheirBytesToTheirOwnLocation) {
  ModelProto model = WeightsModel(3, 3000);
  SaveModel(model, Path("m.onnx"), External());
  ModelProto mixed = Structure("m.onnx");
  TensorProto* fresh = AddTensor(mixed, "fresh", std::string(100, 'f'));
  testing_support::Refer(*fresh, "fresh", TensorProto::UINT8, 100, {{"location", "./w.data"}});
  SaveModel(mixed, Path("m.onnx"));  // the file is made anew: old ranges and new ones
  const ModelProto loaded = Load("m.onnx");
  EXPECT_EQ(loaded.graph().initializer(1).raw_data(), model.graph().initializer(1).raw_data());
  EXPECT_EQ(loaded.graph().initializer(loaded.graph().initializer_size() - 1).raw_data().view(), std::string(100, 'f'));
  EXPECT_TRUE(fresh->has_raw_data());
}

TEST_F(OnnxFilesTest, LocationsOutsideAreRefusedBeforeAnythingIsWritten) {
  Put("victim", "12345");
  fs::create_directories(folder_ / "model/sub");
  const ModelProto model = WeightsModel(2, 3000);
  for (const std::string& location : {std::string("../victim"), std::string("sub/../../victim"), Path("victim"), std::string("/"),
                                      std::string("a\\b"), std::string("m.onnx"), std::string("./m.onnx"), std::string("sub/")}) {
    EXPECT_EQ(Refused([&] { SaveModel(model, Path("model/m.onnx"), External(location)); }), 0) << location;
    ModelProto marked = model;
    testing_support::Refer(*marked.mutable_graph()->mutable_initializer(0), "w0", TensorProto::UINT8, 3000, {{"location", location}});
    EXPECT_EQ(Refused([&] { SaveModel(marked, Path("model/m.onnx")); }), 0) << location;
  }
  EXPECT_EQ(Names("model"), (std::set<std::string>{"sub"}));
  EXPECT_EQ(Get("victim"), "12345");
  SaveModel(model, Path("model/m.onnx"), External(Path("model/inside")));
  SaveModel(model, Path("model/n.onnx"), External(Path("model/./sub/../sub/deep")));
  EXPECT_EQ(std::get<0>(RangesOf("model/m.onnx")[0]), "inside");
  EXPECT_EQ(std::get<0>(RangesOf("model/n.onnx")[0]), "sub/deep");
  fs::create_symlink("model", folder_ / "link");
  SaveModel(model, Path("link/m.onnx"), External(Path("model/inside")));
  SaveModel(model, Path("model/m.onnx"), External(Path("link/inside")));
  EXPECT_EQ(std::get<0>(RangesOf("link/m.onnx")[0]), "inside");
}

TEST_F(OnnxFilesTest, PrePlacedLinksAndPipesAreNeverWrittenThrough) {
  fs::create_directories(folder_ / "model");
  fs::create_directories(folder_ / "other");
  Put("other/victim", "12345");
  const ModelProto model = WeightsModel(2, 3000);
  fs::create_symlink("../other/victim", folder_ / "model/w.data");
  fs::create_symlink("../other/new", folder_ / "model/m.onnx");
  SaveModel(model, Path("model/m.onnx"), External());
  EXPECT_FALSE(fs::is_symlink(folder_ / "model/w.data"));
  EXPECT_FALSE(fs::is_symlink(folder_ / "model/m.onnx"));
  EXPECT_EQ(Names("other"), (std::set<std::string>{"victim"}));
  fs::remove(folder_ / "model/w.data");
  fs::create_hard_link(folder_ / "other/victim", folder_ / "model/w.data");
  SaveModel(model, Path("model/m.onnx"), External());
  EXPECT_EQ(Get("other/victim"), "12345");
  EXPECT_EQ(Load("model/m.onnx"), WithDefaultLocations(model, Structure("model/m.onnx")));
  fs::create_symlink("../other", folder_ / "model/sub");
  EXPECT_THROW(SaveModel(model, Path("model/m.onnx"), External("sub/w.data")), FileError);
  fs::remove(folder_ / "model/w.data");
  const std::string old = Get("model/m.onnx");
  ASSERT_EQ(mkfifo(Path("model/w.data").c_str(), 0600), 0);
  EXPECT_EQ(Refused([&] { SaveModel(model, Path("model/m.onnx"), External()); }), 0);
  EXPECT_EQ(Refused([&] { Load("model/m.onnx"); }), 0);
  EXPECT_EQ(Get("model/m.onnx"), old);
  EXPECT_EQ(Names("other"), (std::set<std::string>{"victim"}));
}

TEST_F(OnnxFilesTest, ModesAreKeptAndTheMaskIsObeyed) {
  const auto mode = [&](const char* name) { return fs::status(folder_ / name).permissions(); };
  const mode_t mask = umask(027);
  const ModelProto model = WeightsModel(2, 3000);
  SaveModel(model, Path("m.onnx"), External());
  umask(mask);
  EXPECT_EQ(mode("m.onnx"), fs::perms(0640));
  EXPECT_EQ(mode("w.data"), fs::perms(0640));
  fs::permissions(folder_ / "m.onnx", fs::perms(0604));
  fs::permissions(folder_ / "w.data", fs::perms(0600));
  SaveModel(model, Path("m.onnx"), External());
  EXPECT_EQ(mode("m.onnx"), fs::perms(0604));
  EXPECT_EQ(mode("w.data"), fs::perms(0600));
}

TEST_F(OnnxFilesTest, PipesAndDevicesAreWrittenDirectly) {
  const ModelProto model = WeightsModel(2, 3000);
  SaveModel(model, "/dev/null");
  EXPECT_EQ(CodeOf([&] { SaveModel(model, "/dev/full"); }), ENOSPC);
  EXPECT_EQ(Refused([&] { SaveModel(model, "/dev/null", External()); }), 0);
  struct stat facts {};
  ASSERT_EQ(stat("/dev/null", &facts), 0);
  EXPECT_TRUE(S_ISCHR(facts.st_mode));
}

TEST_F(OnnxFilesTest, ImpossiblePathsAreErrorsThatNameThem) {
  const ModelProto model = WeightsModel(2, 3000);
  EXPECT_EQ(CodeOf([&] { SaveModel(model, ""); }), ENOENT);
  EXPECT_EQ(CodeOf([&] { SaveModel(model, folder_.string()); }), EISDIR);
  EXPECT_EQ(CodeOf([&] { SaveModel(model, folder_.string() + "/"); }), EISDIR);
  EXPECT_EQ(CodeOf([&] { SaveModel(model, Path("none/m.onnx")); }), ENOENT);
  EXPECT_EQ(CodeOf([&] { SaveModel(model, Path("m.onnx"), External("none/w.data")); }), ENOENT);
  EXPECT_EQ(CodeOf([&] { SaveModel(model, Path(std::string("m\0n", 3))); }), EINVAL);
  EXPECT_TRUE(Names().empty());
  fs::create_directory(folder_ / "w.data");
  EXPECT_EQ(Refused([&] { SaveModel(model, Path("m.onnx"), External()); }), EISDIR);
  EXPECT_EQ(Names(), (std::set<std::string>{"w.data"}));
}

TEST_F(OnnxFilesTest, RangesAreCheckedAgainstTheFileBeforeAnythingIsAllocated) {
  Put("w.data", std::string(16, 'w'));
  const auto with = [&](int64_t dim, std::vector<std::pair<std::string, std::string>> keys) {
    ModelProto model;
    keys.emplace_back("location", "w.data");
    testing_support::Refer(*model.mutable_graph()->add_initializer(), "the_weight", TensorProto::UINT8, dim, keys);
    Put("m.onnx", model.SerializeAsString());
  };
  const std::vector<std::pair<int64_t, std::vector<std::pair<std::string, std::string>>>> bad = {
      {10000000000000, {}},    {16, {{"offset", "1"}}},  {1, {{"offset", "17"}}},
      {0, {{"offset", "17"}}}, {16, {{"length", "15"}}}, {16, {{"offset", "-1"}}}};
  for (const auto& [dim, keys] : bad) {
    with(dim, keys);
    const std::string error = ErrorOf([&] { Load("m.onnx"); });
    EXPECT_NE(error.find("the_weight"), std::string::npos) << error;
    EXPECT_EQ(Refused([&] { Load("m.onnx"); }), 0) << error;
  }
  with(16, {{"length", "0"}});
  EXPECT_EQ(Load("m.onnx").graph().initializer(0).raw_data().view(), Get("w.data"));
}

TEST_F(OnnxFilesTest, RangesThatOverlapTakeNoMoreMemoryThanTheFile) {
  const std::string bytes = Pattern(1 << 20);
  Put("w.data", bytes);
  ModelProto model;
  for (int i = 0; i < 5000; ++i) {
    testing_support::Refer(*model.mutable_graph()->add_initializer(), "w" + std::to_string(i), TensorProto::UINT8, (1 << 20) - 5000,
                           {{"location", "w.data"}, {"offset", std::to_string(i)}});
  }
  Put("m.onnx", model.SerializeAsString());
  const ModelProto loaded = Load("m.onnx");
  std::set<const uint8_t*> starts;
  for (int i = 0; i < 5000; i += 999) {
    EXPECT_EQ(loaded.graph().initializer(i).raw_data().view(), std::string_view(bytes).substr(static_cast<size_t>(i), (1 << 20) - 5000));
    EXPECT_EQ(loaded.graph().initializer(i).raw_data().data(), loaded.graph().initializer(0).raw_data().data() + i);
  }
}

TEST_F(OnnxFilesTest, LimitsCountExternalBytes) {
  const ModelProto model = WeightsModel(3, 3000);
  SaveModel(model, Path("m.onnx"), External());
  LoadOptions options;
  options.max_tensor_size_bytes = 2999;
  EXPECT_THROW(Load("m.onnx", options), ParseError);
  options.max_tensor_size_bytes = 1000000;
  EXPECT_NO_THROW(Load("m.onnx", options));
  options.max_total_size_bytes = static_cast<int64_t>(fs::file_size(Path("m.onnx")) + fs::file_size(Path("w.data")));
  EXPECT_NO_THROW(Load("m.onnx", options));
  --options.max_total_size_bytes;
  EXPECT_THROW(Load("m.onnx", options), ParseError);
  options = {};
  options.skip_raw_data = true;
  options.raw_data_threshold = 1;
  EXPECT_FALSE(Load("m.onnx", options).graph().initializer(0).has_raw_data());
}

TEST_F(OnnxFilesTest, AFileShortenedBetweenOpenAndReadIsAnErrorAndTheModelStaysAsItWas) {
  SaveModel(WeightsModel(3, 300000), Path("m.onnx"), External());
  SetHookBeforeReading([](const char* path) { truncate(path, 100); });
  ModelProto model = WeightsModel(1, 10);
  for (const bool no_copy : {false, true}) {
    SaveModel(WeightsModel(3, 300000), Path("m.onnx"), External());
    LoadOptions options;
    options.no_copy = no_copy;
    const std::string error = ErrorOf([&] { LoadModel(model, Path("m.onnx"), options); });
    EXPECT_NE(error.find(Path("w.data")), std::string::npos) << error;
    EXPECT_EQ(model, WeightsModel(1, 10));
  }
  SetHookBeforeReading(nullptr);
}

TEST_F(OnnxFilesTest, AMappedFileShortenedBeforeASaveIsAnErrorAndNothingIsWritten) {
  for (const size_t size : {size_t{500}, size_t{300000}}) {  // also one whose missing bytes would read as zeros
    SaveModel(WeightsModel(3, size), Path("m.onnx"), External());
    LoadOptions options;
    options.no_copy = true;
    const ModelProto model = Load("m.onnx", options);
    fs::resize_file(Path("w.data"), fs::file_size(Path("w.data")) - 1);
    fs::create_directories(folder_ / "out");
    for (const SaveOptions& how : {External(), SaveOptions()}) {
      const std::string error = ErrorOf([&] { SaveModel(model, Path("out/n.onnx"), how); });
      EXPECT_NE(error.find(Path("w.data")), std::string::npos) << error;
      EXPECT_TRUE(Names("out").empty());
    }
  }
}

TEST_F(OnnxFilesTest, ChecksumsAreOfTheWholeFileAndVerifiedWhenAsked) {
  const ModelProto model = WeightsModel(3, 3000);
  SaveOptions options = External();
  options.checksum = true;
  options.max_external_file_size = 5000;
  SaveModel(model, Path("m.onnx"), options);
  const ModelProto structure = Structure("m.onnx");
  for (const ExternalRange& range : ListExternalData(structure)) {
    const std::string bytes = Get(range.location);
    Sha1 sha;
    sha.Add(bytes.data(), bytes.size());
    EXPECT_EQ(range.checksum, sha.Digest());
  }
  LoadOptions how;
  how.verify_checksums = true;
  EXPECT_NO_THROW(Load("m.onnx", how));
  std::string bytes = Get("w.data");
  bytes[7] ^= 1;
  Put("w.data", bytes);
  EXPECT_NE(ErrorOf([&] { Load("m.onnx", how); }).find("the SHA-1 of " + Path("w.data") + " is "), std::string::npos);
  EXPECT_NO_THROW(Load("m.onnx"));
}

TEST_F(OnnxFilesTest, TheCallbackSeesEveryPayloadOnceItIsThere) {
  SaveModel(WeightsModel(3, 3000), Path("m.onnx"), External("w.data", 1024));
  size_t seen = 0, ended = 0;
  LoadOptions options;
  options.raw_data_callback = [&](TensorProto& tensor, GraphProto* graph) -> std::function<void()> {
    EXPECT_FALSE(tensor.raw_data().empty());
    EXPECT_NE(graph, nullptr);
    ++seen;
    return [&ended] { ++ended; };
  };
  ModelProto model = Load("m.onnx", options);
  size_t payloads = 0;
  for (TensorWalk walk(model); walk.Next();) payloads += walk.tensor().has_raw_data();
  EXPECT_EQ(seen, payloads);
  EXPECT_EQ(ended, 0u);
  model.Clear();
  EXPECT_EQ(ended, payloads);
}

TEST_F(OnnxFilesTest, AnInterruptedSaveLeavesTheOldPairAndNothingElse) {
  SaveModel(WeightsModel(2, 3000), Path("m.onnx"), External());
  const std::string model = Get("m.onnx"), weights = Get("w.data");
  struct Stop {};
  utils::SetInterruptCheck([](bool) { throw Stop(); });
  const ModelProto large = WeightsModel(1, 20 << 20);
  SaveOptions each = External();
  each.all_tensors_to_one_file = false;
  for (const SaveOptions& options : {External(), each, SaveOptions()}) {
    EXPECT_THROW(SaveModel(large, Path("m.onnx"), options), Stop);
    EXPECT_EQ(Get("m.onnx"), model);
    EXPECT_EQ(Get("w.data"), weights);
    EXPECT_EQ(Files(), 2U);
  }
  utils::SetInterruptCheck(nullptr);
}

TEST_F(OnnxFilesTest, TwoSaversOfOneFolderWaitForEachOtherAndReadersSeePairs) {
  const ModelProto models[2] = {WeightsModel(3, 20000, 1), WeightsModel(3, 20000, 2)};
  SaveModel(models[0], Path("m.onnx"), External());
  const ModelProto expected[2] = {WithDefaultLocations(models[0], Structure("m.onnx")),
                                  WithDefaultLocations(models[1], Structure("m.onnx"))};
  std::atomic<bool> ends{false};
  std::vector<std::thread> savers;
  for (int i = 0; i < 2; ++i) {
    savers.emplace_back([&, i] {
      for (int k = 0; k < 30; ++k) SaveModel(models[i], Path("m.onnx"), External());
      if (i == 0) ends = true;
    });
  }
  size_t loads = 0;
  while (!ends || loads < 5) {
    LoadOptions options;
    options.no_copy = loads++ % 2;
    ModelProto loaded;
    EXPECT_EQ(ErrorOf([&] { loaded = Load("m.onnx", options); }), "");
    EXPECT_TRUE(loaded == expected[0] || loaded == expected[1]);
  }
  for (std::thread& saver : savers) saver.join();
  EXPECT_EQ(Names(), (std::set<std::string>{"m.onnx", "w.data"}));
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
