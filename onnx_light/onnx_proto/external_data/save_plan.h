// What a save writes where: which tensors leave the model's file, in which files they lie, and at which offsets.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "onnx_proto/external_data/model_folder.h"
#include "onnx_proto/external_data/reference.h"
#include "onnx_proto/onnx_files.h"
#include "onnx_proto/stream/mapped_file.h"

namespace ONNX_LIGHT_NAMESPACE {

/// One payload in a weights file.
struct PlannedPart {
  TensorProto* tensor;
  utils::ByteSpan bytes;  // its elements, or
  std::string source;     // the location in the source folder that has them (then not empty), and where there
  FileRange source_range;
  std::string whose;  // for errors about the source
  FileRange range;    // where it will lie
};
struct PlannedFile {
  std::string location;
  uint64_t size = 0;
  std::vector<PlannedPart> parts;
};

/// Plans the save of a model, which is changed only by `Refer`. Spans of parts may borrow from it.
/// Throws ExternalDataError for references that cannot be kept or followed; reads of no file more than its facts.
class SavePlan {
 public:
  /// @pre `folder` is where the model goes, under `name`; both outlive the plan, as do `source` (which may be `folder`) and the options.
  SavePlan(ModelProto& model, const ModelFolder& folder, const std::string& name, const ModelFolder& source, const SaveOptions& options);

  /// Whether a model needs a plan: else it is written as it is.
  static bool Needed(const ModelProto& model, const SaveOptions& options);

  std::vector<PlannedFile>& files() { return files_; }
  /// Makes each moved tensor a reference to its file, by these locations and checksums (or none), in the order of files().
  void Refer(const std::vector<std::string>& locations, const std::vector<std::string>& checksums);

 private:
  void Collect();
  void CheckReference(const std::string& location, FileRange range, const ModelFolder& in, const std::string& whose) const;
  void Move(TensorProto& tensor, utils::ByteSpan bytes);
  void Place(PlannedFile& file, PlannedPart part) const;
  std::string TargetFor(const TensorProto& tensor, uint64_t size);

  ModelProto& model_;
  const ModelFolder& folder_;
  const std::string name_;
  const ModelFolder& source_;
  const SaveOptions& options_;
  std::vector<PlannedFile> files_;
};

/// A location argument of a save as it is stored: relative to the folder. Throws ExternalDataError for one outside.
ONNX_LIGHT_API std::string StoredLocation(const std::string& location, const ModelFolder& folder);

}  // namespace ONNX_LIGHT_NAMESPACE
