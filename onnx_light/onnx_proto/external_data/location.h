// Names of weights files, relative to their model's folder: what a model may say, and what we give.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE {

/// The location without "." and ".." and double slashes. Throws ExternalDataError, beginning with `whose`, for one that is empty, absolute,
/// leaves the folder at any point, names a folder, or has a backslash or a NUL.
ONNX_LIGHT_API std::string NormalLocation(std::string_view location, const std::string& whose);

/// The k-th file of a split: "w", "w.1", "w.2", …
ONNX_LIGHT_API std::string SplitLocation(const std::string& primary, size_t k);
/// Which file of the split of `primary` a location is (0 for the primary itself), or -1.
ONNX_LIGHT_API int64_t SplitIndex(std::string_view primary, std::string_view location);
/// The one of these locations of which all others are further files; empty if there is none. @pre they are distinct.
ONNX_LIGHT_API std::string PrimaryOf(const std::vector<std::string>& locations);

/// Gives each tensor a file name of its own: its own name where that is a valid one, else one made from it; short, and different from all
/// others and from the model's even where case does not count.
class ONNX_LIGHT_API FileNames {
 public:
  explicit FileNames(std::string_view model_name) { Take(model_name); }
  std::string NameFor(std::string_view tensor_name);

 private:
  bool Take(std::string_view name);
  std::unordered_set<std::string> taken_;              // in lower case
  std::unordered_map<std::string, uint64_t> numbers_;  // the last one behind a name that was asked for again
};

}  // namespace ONNX_LIGHT_NAMESPACE
