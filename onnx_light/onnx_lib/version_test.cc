#include "onnx_lib/version.h"

#include <gtest/gtest.h>

#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

TEST(Version, TheNewestReleaseWritesTheIrVersionOfTheMessages) {
  EXPECT_EQ(Releases().back().ir_version, kIrVersion);
  EXPECT_EQ(kIrVersion, static_cast<int>(IR_VERSION));
}

TEST(Version, ReleasesNeverGoBackInAnyColumn) {
  for (size_t i = 1; i < Releases().size(); ++i) {
    const Release& before = Releases()[i - 1];
    const Release& after = Releases()[i];
    EXPECT_LE(before.ir_version, after.ir_version) << after.name;
    EXPECT_LE(before.onnx_opset, after.onnx_opset) << after.name;
    EXPECT_LE(before.ml_opset, after.ml_opset) << after.name;
    EXPECT_LE(before.training_opset, after.training_opset) << after.name;
  }
}

TEST(Version, EveryDomainOfOnnxHasALatestOpset) {
  EXPECT_EQ(LatestOpset(kOnnxDomain), 28);
  EXPECT_EQ(LatestOpset(kOnnxMlDomain), 5);
  EXPECT_EQ(LatestOpset(kPreviewDomain), 1);
  EXPECT_EQ(LatestOpset(kPreviewTrainingDomain), 1);
  EXPECT_EQ(LatestOpset(kTrainingDomain), 1);
}

TEST(Version, BothSpellingsOfTheDefaultDomainAreTheSame) {
  EXPECT_EQ(LatestOpset("ai.onnx"), LatestOpset(""));
  EXPECT_EQ(LowestIrVersionFor("ai.onnx", 15), LowestIrVersionFor("", 15));
}

TEST(Version, AForeignDomainHasNoVersion) {
  EXPECT_EQ(LatestOpset("com.example"), std::nullopt);
  EXPECT_EQ(LowestIrVersionFor("com.example", 1), std::nullopt);
}

TEST(Version, LowestIrVersionIsThatOfTheFirstReleaseWithTheOpset) {
  EXPECT_EQ(LowestIrVersionFor("", 1), 3);
  EXPECT_EQ(LowestIrVersionFor("", 14), 7);
  EXPECT_EQ(LowestIrVersionFor("", 15), 8);
  EXPECT_EQ(LowestIrVersionFor("", 21), 10);
  EXPECT_EQ(LowestIrVersionFor("", 28), 14);
  EXPECT_EQ(LowestIrVersionFor("ai.onnx.ml", 3), 8);
  EXPECT_EQ(LowestIrVersionFor("ai.onnx.preview.training", 1), 7);
}

TEST(Version, AnOpsetThatNoReleaseHadHasNoIrVersion) {
  EXPECT_EQ(LowestIrVersionFor("", 29), std::nullopt);
  EXPECT_EQ(LowestIrVersionFor("", 0), std::nullopt);
  EXPECT_EQ(LowestIrVersionFor("", -1), std::nullopt);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
