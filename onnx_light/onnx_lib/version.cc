// The table of releases and the look-ups in it.
#include "onnx_lib/version.h"

#include <algorithm>

namespace ONNX_LIGHT_NAMESPACE {
namespace {

constexpr Release kReleases[] = {
    // clang-format off
    // name      IR  onnx ml training
    {"1.0",      3,  1,  1, 0}, {"1.1",      3,  5,  1, 0}, {"1.1.2",    3,  6,  1, 0}, {"1.2",      3,  7,  1, 0},
    {"1.3",      3,  8,  1, 0}, {"1.4.1",    4,  9,  1, 0}, {"1.5.0",    5, 10,  1, 0}, {"1.6.0",    6, 11,  2, 0},
    {"1.7.0",    7, 12,  2, 1}, {"1.8.0",    7, 13,  2, 1}, {"1.8.1",    7, 13,  2, 1}, {"1.9.0",    7, 14,  2, 1},
    {"1.10.0",   8, 15,  2, 1}, {"1.10.1",   8, 15,  2, 1}, {"1.10.2",   8, 15,  2, 1}, {"1.11.0",   8, 16,  3, 1},
    {"1.12.0",   8, 17,  3, 1}, {"1.13.0",   8, 18,  3, 1}, {"1.13.1",   8, 18,  3, 1}, {"1.14.0",   9, 19,  3, 1},
    {"1.14.1",   9, 19,  3, 1}, {"1.15.0",   9, 20,  4, 1}, {"1.16.0",  10, 21,  5, 1}, {"1.16.1",  10, 21,  5, 1},
    {"1.16.2",  10, 21,  5, 1}, {"1.17.0",  10, 22,  5, 1}, {"1.18.0",  11, 23,  5, 1}, {"1.19.0",  12, 24,  5, 1},
    {"1.19.1",  12, 24,  5, 1}, {"1.20.0",  13, 25,  5, 1}, {"1.20.1",  13, 25,  5, 1}, {"1.21.0",  13, 26,  5, 1},
    {"1.22.0",  13, 27,  5, 1}, {"1.23.0",  14, 28,  5, 1},
    // clang-format on
};

static_assert(std::end(kReleases)[-1].ir_version == kIrVersion);

// The domains that releases count, each with its column; the two other domains of ONNX have version 1 and no column.
struct CountedDomain {
  std::string_view name;
  int Release::*column;
};

constexpr CountedDomain kCountedDomains[] = {
    {kOnnxDomain, &Release::onnx_opset},
    {"ai.onnx", &Release::onnx_opset},
    {kOnnxMlDomain, &Release::ml_opset},
    {kPreviewTrainingDomain, &Release::training_opset},
};

const CountedDomain* FindCountedDomain(std::string_view domain) {
  const auto* found = std::ranges::find(kCountedDomains, domain, &CountedDomain::name);
  return found == std::end(kCountedDomains) ? nullptr : found;
}

}  // namespace

std::span<const Release> Releases() { return kReleases; }

std::optional<int> LatestOpset(std::string_view domain) {
  if (const CountedDomain* counted = FindCountedDomain(domain)) return std::end(kReleases)[-1].*counted->column;
  if (domain == kPreviewDomain || domain == kTrainingDomain) return 1;
  return std::nullopt;
}

std::optional<int> LowestIrVersionFor(std::string_view domain, int opset) {
  const CountedDomain* counted = FindCountedDomain(domain);
  if (counted == nullptr || opset < 1) return std::nullopt;
  for (const Release& release : kReleases) {
    if (release.*counted->column >= opset) return release.ir_version;
  }
  return std::nullopt;
}

}  // namespace ONNX_LIGHT_NAMESPACE
