#include "onnx_proto/external_data/location.h"

#include <vector>

#include <gtest/gtest.h>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/testing/sample.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::ErrorOf;

TEST(Location, IsNormalisedAsLongAsItStaysInside) {
  for (const auto& [given, normal] : std::vector<std::pair<std::string, std::string>>{{"w", "w"},
                                                                                      {"./w", "w"},
                                                                                      {"a//b", "a/b"},
                                                                                      {"a/../w", "w"},
                                                                                      {"a/./b/../w", "a/w"},
                                                                                      {"a..b", "a..b"},
                                                                                      {"...", "..."},
                                                                                      {"w:0", "w:0"}}) {
    EXPECT_EQ(NormalLocation(given, "x"), normal) << given;
  }
}

TEST(Location, ThatLeavesTheFolderAtAnyPointIsRefused) {
  for (const std::string given : {"", "/w", "//w", "../w", "a/../../a/w", "sub/../sub/../../w", "a/..//../w", "..\\w", "a\\b", ".", "..",
                                  "a/", "a/.", "a/..", "a/b/..", "./"}) {
    EXPECT_THROW(NormalLocation(given, "x"), ExternalDataError) << given;
  }
  EXPECT_THROW(NormalLocation(std::string("a\0b", 3), "x"), ExternalDataError);
  EXPECT_EQ(ErrorOf([] { NormalLocation("../\x01w", "tensor \"t\""); }), "tensor \"t\": location \"../\\x01w\" leaves the model's folder");
}

TEST(Location, FilesOfASplitAreToldByTheirNumber) {
  EXPECT_EQ(SplitLocation("w.data", 0), "w.data");
  EXPECT_EQ(SplitLocation("w.data", 12), "w.data.12");
  EXPECT_EQ(SplitIndex("w", "w"), 0);
  EXPECT_EQ(SplitIndex("w", "w.12"), 12);
  for (const char* other : {"w.", "w.0", "w.01", "w.x", "w.1x", "w1", "v", "w.-1", "w.99999999999999999999"}) {
    EXPECT_EQ(SplitIndex("w", other), -1) << other;
  }
  EXPECT_EQ(PrimaryOf({"w.2", "w", "w.1"}), "w");
  EXPECT_EQ(PrimaryOf({"w.1"}), "w.1");
  EXPECT_EQ(PrimaryOf({"v", "w"}), "");
  EXPECT_EQ(PrimaryOf({}), "");
}

TEST(Location, FileNamesMadeFromTensorsAreValidShortAndDistinct) {
  FileNames names("m.onnx");
  EXPECT_EQ(names.NameFor("w"), "w");
  EXPECT_EQ(names.NameFor("layer.0.weight"), "layer.0.weight");
  EXPECT_EQ(names.NameFor("W"), "W_2");
  EXPECT_EQ(names.NameFor("w"), "w_3");
  EXPECT_EQ(names.NameFor("M.ONNX"), "M.ONNX_2");
  EXPECT_EQ(names.NameFor("a/b:c\td"), "a_b_c_d");
  EXPECT_EQ(names.NameFor(""), "tensor_");
  EXPECT_EQ(names.NameFor(".."), "tensor__2");
  EXPECT_EQ(names.NameFor(".hidden"), "tensor_.hidden");
  EXPECT_EQ(names.NameFor("NUL.txt"), "tensor_NUL.txt");
  EXPECT_EQ(names.NameFor("a..b"), "a._b");
  EXPECT_LE(names.NameFor(std::string(1000, 'x')).size(), 220u);
  std::string umlauts;
  for (int i = 0; i < 300; ++i) umlauts += "\xc3\xa4";
  EXPECT_EQ(names.NameFor("x" + umlauts).size() % 2, 1u);  // not cut within a character
  for (int i = 0; i < 50000; ++i) names.NameFor("same");   // in linear time
  EXPECT_EQ(names.NameFor("same"), "same_50001");
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
