// Models that share a weights file: a save of one never takes the weights of another.
#include "onnx_proto/external_data/neighbours.h"

#include <gtest/gtest.h>

#include <ctime>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/onnx_files.h"
#include "onnx_proto/onnx_text.h"
#include "onnx_proto/stream/interrupt.h"
#include "onnx_proto/testing/folder.h"
#include "onnx_proto/testing/weights.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

namespace fs = std::filesystem;
using testing_support::WeightsModel;

class NeighboursTest : public testing_support::FolderTest {
 protected:
  static SaveOptions To(const std::string& location) {
    SaveOptions options;
    options.save_as_external_data = true;
    options.location = location;
    options.raw_data_threshold = 0;
    return options;
  }
  ModelProto Structure(const std::string& name) const {
    LoadOptions options;
    options.load_external_data = false;
    ModelProto model;
    LoadModel(model, Path(name), options);
    return model;
  }
  // A second model with the references of the first.
  void Share(const std::string& from, const std::string& name) const {
    ModelProto model = Structure(from);
    model.set_producer_name("another");
    SaveModel(model, Path(name));
  }
  std::string Reader(const std::string& location, const std::string& own = "a.onnx") const {
    const ModelFolder folder = ModelFolder::At(folder_.string());
    return Neighbours(folder, own).ReaderOf(location);
  }
  std::string Refusal(const ModelProto& model, const std::string& name, const SaveOptions& options) const {
    try {
      SaveModel(model, Path(name), options);
    } catch (const ExternalDataError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(NeighboursTest, WeightsThatAnotherModelReadsAreNotReplaced) {
  const ModelProto model = WeightsModel(3, 2000), other = WeightsModel(3, 2000, 7);
  SaveModel(model, Path("a.onnx"), To("w.data"));
  Share("a.onnx", "b.onnx");
  const std::string weights = Get("w.data"), a = Get("a.onnx"), b = Get("b.onnx");
  for (const char* name : {"a.onnx", "b.onnx", "c.onnx"}) {
    const std::string refusal = Refusal(other, name, To("w.data"));
    EXPECT_NE(refusal.find("w.data"), std::string::npos) << name;
    EXPECT_NE(refusal.find("choose another location"), std::string::npos) << refusal;
  }
  EXPECT_NE(Refusal(other, "a.onnx", To("w.data")).find("b.onnx"), std::string::npos);
  EXPECT_EQ(Get("w.data"), weights);
  EXPECT_EQ(Get("a.onnx"), a);
  EXPECT_EQ(Get("b.onnx"), b);
  EXPECT_EQ(Files(), 3U);  // nothing was left behind
  EXPECT_EQ(Refusal(other, "a.onnx", To("v.data")), "");
  EXPECT_EQ(Get("w.data"), weights);
  fs::remove(Path("b.onnx"));
  EXPECT_EQ(Refusal(model, "b.onnx", To("w.data")), "");  // nobody reads it any more
}

TEST_F(NeighboursTest, AModelDoesNotTakeThePlaceOfWeightsThatAnotherReads) {
  const ModelProto other = WeightsModel(1, 100);
  for (const proto::Row& row : ModelProto::table().rows) {  // weights that begin with any tag of a model
    std::string weights = testing_support::Pattern(2000, row.number);
    weights[0] = static_cast<char>(row.number << 3 | (proto::IsNumber(row.kind) ? 0 : 2));
    ModelProto model;
    TensorProto* tensor = model.mutable_graph()->add_initializer();
    tensor->set_data_type(TensorProto::UINT8);
    tensor->add_dims(2000);
    tensor->set_raw_data(weights);
    SaveModel(model, Path("a.onnx"), To("w.data"));
    EXPECT_NE(Refusal(other, "w.data", SaveOptions()).find("a.onnx"), std::string::npos) << row.name;
    EXPECT_EQ(Get("w.data"), weights);
    EXPECT_EQ(Files(), 2U);
  }
  Put("empty.onnx", "");
  Put("text.onnx", ToTextFormat(other));
  std::string fields;  // so many that nobody counts them to the end
  for (int i = 0; i < 5000; ++i) fields += std::string("\x08\x00", 2);
  Put("fields.onnx", fields + '\xff');
  for (const char* model : {"a.onnx", "empty.onnx", "text.onnx", "fields.onnx"}) {
    EXPECT_TRUE(MayHoldModel(Path(model))) << model;
    EXPECT_EQ(Refusal(other, model, SaveOptions()), "");
  }
  EXPECT_EQ(Refusal(other, "w.data", SaveOptions()), "");  // nobody reads it any more
}

TEST_F(NeighboursTest, AFileForEachTensorTakesThePlaceOfNoFileThatTheModelDidNotHave) {
  ModelProto model = WeightsModel(2, 2000);
  model.mutable_graph()->mutable_initializer(0)->set_name("notes.txt");
  SaveOptions each;
  each.save_as_external_data = true;
  each.all_tensors_to_one_file = false;
  Put("notes.txt", "mine");
  EXPECT_NE(Refusal(model, "a.onnx", each).find("notes.txt"), std::string::npos);
  EXPECT_EQ(Get("notes.txt"), "mine");
  EXPECT_EQ(Files(), 1U);
  fs::remove(Path("notes.txt"));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(Refusal(model, "a.onnx", each), "");  // then over its own
  EXPECT_EQ(fs::file_size(Path("notes.txt")), 2000U);
}

TEST_F(NeighboursTest, AModelIsNoNeighbourOfItself) {
  const ModelProto model = WeightsModel(3, 2000);
  SaveModel(model, Path("a.onnx"), To("w.data"));
  fs::create_symlink("a.onnx", Path("link.onnx"));
  EXPECT_EQ(Reader("w.data"), "");
  EXPECT_EQ(Refusal(model, "a.onnx", To("w.data")), "");  // the link follows the model that takes the place
  EXPECT_EQ(Reader("w.data", ""), "a.onnx");
  fs::remove(Path("link.onnx"));
  fs::create_hard_link(Path("a.onnx"), Path("same.onnx"));  // which stays the old file
  EXPECT_EQ(Reader("w.data"), "same.onnx");
}

TEST_F(NeighboursTest, OfAShrunkSplitOnlyWhatNobodyReadsGoes) {
  const ModelProto model = WeightsModel(6, 2000);
  SaveOptions split = To("w.data");
  split.max_external_file_size = 5000;
  SaveModel(model, Path("a.onnx"), split);
  ASSERT_TRUE(fs::exists(Path("w.data.2")));
  // A model that reads one of the further files alone.
  ModelProto one;
  one.set_ir_version(10);
  testing_support::Refer(*one.mutable_graph()->add_initializer(), "x", TensorProto::UINT8, 100, {{"location", "w.data.2"}});
  SaveModel(one, Path("b.onnx"));
  EXPECT_EQ(Refusal(model, "a.onnx", To("w.data")), "");
  EXPECT_FALSE(fs::exists(Path("w.data.1")));
  EXPECT_TRUE(fs::exists(Path("w.data.2")));
}

TEST_F(NeighboursTest, ReadersAreFoundInEveryFormatAndInTheFolderOfTheWeights) {
  fs::create_directory(folder_ / "sub");
  SaveModel(WeightsModel(2, 2000), Path("a.onnx"), To("w.data"));
  const ModelProto structure = Structure("a.onnx");
  for (const std::string& text : {ToTextFormat(structure), ToJson(structure), ToOnnxSyntax(structure)}) {
    Put("model", "\n" + text);
    EXPECT_EQ(LocationsOf(ReferencesIn(Path("model"))), std::vector<std::string>{"w.data"}) << text.substr(0, 40);
    EXPECT_EQ(Reader("w.data"), "model");
  }
  fs::remove(Path("model"));
  SaveModel(WeightsModel(2, 2000), Path("a.onnx"), To("sub/w.data"));
  fs::copy_file(Path("a.onnx"), Path("b.onnx"));
  EXPECT_EQ(Reader("sub/w.data"), "b.onnx");
  fs::remove(Path("b.onnx"));
  SaveModel(WeightsModel(2, 2000, 9), Path("sub/inner.onnx"), To("v.data"));
  EXPECT_EQ(Reader("sub/v.data"), "sub/inner.onnx");
  EXPECT_EQ(Reader("sub/w.data"), "");
}

TEST_F(NeighboursTest, WhatIsNoModelReadsNothing) {
  Put("w.data", "bytes");
  for (const std::string& bytes :
       {std::string(), std::string("\x08"), std::string(100, '\0'), std::string("the file w.data is large"),
        std::string("{\"location\": \"w.data\"}"), std::string(":\xff\xff\xff\xff\x7f"), std::string("<w.data")}) {
    Put("x.onnx", bytes);
    EXPECT_EQ(LocationsOf(ReferencesIn(Path("x.onnx"))), std::vector<std::string>());
  }
  EXPECT_EQ(LocationsOf(ReferencesIn(Path("nowhere"))), std::vector<std::string>());
  EXPECT_EQ(Reader("w.data"), "");
}

// Of a file of weights that begins as a model might, whoever saves beside it would else have as much memory as it is large.
TEST_F(NeighboursTest, OfALargeFileThatIsNoModelLittleIsRead) {
  static size_t reads = 0;    // of a MiB and more
  Put("x.data", "\x08\x01");  // and zeros
  fs::resize_file(Path("x.data"), 256 << 20);
  utils::SetInterruptCheck([](bool) { ++reads; });
  EXPECT_TRUE(ReferencesIn(Path("x.data")).empty());
  utils::SetInterruptCheck(nullptr);
  EXPECT_LT(reads, 3u);
}

TEST_F(NeighboursTest, AReferenceIsFoundHoweverItsKeyIsSpelled) {
  for (const std::string& text : {std::string(R"(graph { initializer { data_type: 2 data_location: EXTERNAL
      external_data { key: "l\157cation" value: "w.data" } } })"),
                                  std::string(R"({"graph": {"initializer": [{"dataType": 2, "dataLocation": "EXTERNAL",
      "externalData": [{"key": "\u006cocation", "value": "w.data"}]}]}})"),
                                  "# a comment\n" + std::string(70, ' ') + "graph { initializer { data_type: 2 data_location: EXTERNAL " +
                                      "external_data { key: 'location' value: 'w.data' } } }"}) {
    Put("model", text);
    EXPECT_EQ(LocationsOf(ReferencesIn(Path("model"))), std::vector<std::string>{"w.data"}) << text;
  }
}

TEST_F(NeighboursTest, AReferenceIsFoundInOnnxSyntaxHoweverItBegins) {
  for (const std::string start : {"", "<ir_version: 10>\n", "# a comment\n", "# a comment\n<ir_version: 10>\n"}) {
    for (const std::string name : {"graph", "my_graph", "G1_part", "\"my graph\"", "torch_jit "}) {
      const std::string text = start + name + R"(
          (float[1000] x) => (float[1000] y) <float[1000] w = ["location": "w.data"]> { y = Add(x, w) })";
      Put("model", text);
      EXPECT_EQ(LocationsOf(ReferencesIn(Path("model"))), std::vector<std::string>{"w.data"}) << text;
    }
  }
}

TEST_F(NeighboursTest, AFolderOfThousandsIsLookedThroughInAMoment) {
  ModelProto large = WeightsModel(1, 2000);
  for (int i = 0; i < 5'000; ++i) large.mutable_graph()->add_node()->add_input("x" + std::to_string(i));
  SaveModel(large, Path("a.onnx"), To("w.data"));
  large.mutable_graph()->clear_initializer();
  SaveModel(large, Path("none.onnx"));
  Put("log", "step 1: the model was saved\n" + std::string(1 << 20, '\\'));
  for (int i = 0; i < 1000; ++i) {
    fs::create_symlink("a.onnx", Path("a" + std::to_string(i) + ".onnx"));
    if (i < 50) fs::copy_file(Path("log"), Path("log" + std::to_string(i)));
    fs::copy_file(Path("none.onnx"), Path("none" + std::to_string(i) + ".onnx"));
  }
  const auto ticks = [](const auto& act) {
    const std::clock_t start = std::clock();
    act();
    return std::clock() - start;
  };
  const auto one = ticks([&] { EXPECT_FALSE(ReferencesIn(Path("a.onnx")).empty()); });
  // 2,000 times what it takes to read one, were each name looked at, and models without references read.
  EXPECT_LT(ticks([&] { EXPECT_NE(Reader("w.data", "b.onnx"), ""); }), 400 * one);
}

TEST_F(NeighboursTest, WeightsThatNobodyReadsAreRemovedWhenAsked) {
  const ModelProto model = WeightsModel(3, 2000);
  SaveModel(model, Path("a.onnx"), To("w.data"));
  EXPECT_TRUE(RemoveUnreadWeights(Path("a.onnx"), {"w.data"}).empty());
  Share("a.onnx", "b.onnx");
  SaveModel(model, Path("a.onnx"));
  EXPECT_TRUE(RemoveUnreadWeights(Path("a.onnx"), {"w.data"}).empty());
  fs::remove(Path("b.onnx"));
  fs::create_symlink("w.data", Path("link.data"));
  EXPECT_EQ(RemoveUnreadWeights(Path("a.onnx"), {"link.data", "./w.data", "none"}), std::vector<std::string>{"w.data"});
  EXPECT_FALSE(fs::exists(Path("w.data")));
  EXPECT_THROW(RemoveUnreadWeights(Path("a.onnx"), {"../w.data"}), ExternalDataError);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
