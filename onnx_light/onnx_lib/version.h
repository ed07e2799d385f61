// Which release of ONNX brought which versions: of the file format (IR) and of each operator domain.
//
// The table is the single source of these numbers in the library. Domains are given as models spell them; "ai.onnx" and "" are the same.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE {

// The versions that one ONNX release introduced; 0 where it did not have the domain yet.
struct Release {
  std::string_view name;
  int ir_version;
  int onnx_opset;
  int ml_opset;
  int training_opset;
};

inline constexpr int kIrVersion = 14;

inline constexpr std::string_view kOnnxDomain = "";
inline constexpr std::string_view kOnnxMlDomain = "ai.onnx.ml";
inline constexpr std::string_view kPreviewDomain = "ai.onnx.preview";
inline constexpr std::string_view kPreviewTrainingDomain = "ai.onnx.preview.training";
inline constexpr std::string_view kTrainingDomain = "ai.onnx.training";

// All releases of ONNX that this library knows, oldest first. The memory lives as long as the program.
ONNX_LIGHT_API std::span<const Release> Releases();

// The newest version of an operator domain; nothing for a domain that is not ONNX's own.
ONNX_LIGHT_API std::optional<int> LatestOpset(std::string_view domain);

// The lowest IR version whose releases had this version of this domain; nothing where no release had it.
ONNX_LIGHT_API std::optional<int> LowestIrVersionFor(std::string_view domain, int opset);

}  // namespace ONNX_LIGHT_NAMESPACE
