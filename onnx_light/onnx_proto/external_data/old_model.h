// The model that a save replaces: what it refers to, and whether it would notice that its weights files are replaced.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "onnx_proto/external_data/neighbours.h"

namespace ONNX_LIGHT_NAMESPACE {

class OldModel {
 public:
  /// None: nothing is referred to.
  OldModel() = default;
  /// The file `name` in the folder, which the caller calls `path`. What is not there, or no model, refers to nothing.
  OldModel(const ModelFolder& folder, const std::string& name, const std::string& path);

  /// Normalised, sorted, each once.
  const std::vector<std::string>& locations() const { return locations_; }
  bool RefersTo(const std::string& location) const;
  /// Whether it refers to the file at a location; by a link, another name may be the same file.
  bool Reads(const ModelFolder& folder, const std::string& location) const;
  /// @pre Reads. Whether it would find the same bytes in the new file of this descriptor (-1: not to be told). Ranges that `known` knows
  /// to be the same are not read, and what would take long to compare counts as different.
  bool ReadsSameBytes(const ModelFolder& folder, const std::string& location, int descriptor,
                      const std::function<bool(const WeightsFile& old, FileRange range)>& known) const;

 private:
  std::vector<FoundReference> references_;
  std::vector<std::string> locations_;
};

}  // namespace ONNX_LIGHT_NAMESPACE
