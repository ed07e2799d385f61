// A save in its steps, for callers that do not hold the same locks all the time: plan and write what the model says, write payloads,
// publish.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "onnx_proto/external_data/neighbours.h"
#include "onnx_proto/external_data/old_model.h"
#include "onnx_proto/external_data/publish.h"
#include "onnx_proto/external_data/save_plan.h"
#include "onnx_proto/stream/payload_writer.h"
#include "onnx_proto/stream/progress.h"
#include "onnx_proto/text/text_options.h"

namespace ONNX_LIGHT_NAMESPACE {

class WrittenModel;

class ONNX_LIGHT_API ModelSaver {
 public:
  /// Prints the model into its file, where that is no protobuf. A callback of the save: see ProgressCallback.
  using Print = std::function<void(const ModelProto& model, const TextSink& sink)>;
  /// Looks at the model and takes what it needs of it, without copying payloads: it may change afterwards.
  ModelSaver(const ModelProto& model, const std::string& path, const SaveOptions& options, Print print = {});
  ~ModelSaver();

  /// Lock, Write and Publish. What is locked is let go before this returns: whoever waits for it may have what the caller needs next.
  static void Save(std::unique_ptr<ModelSaver> saver);

  /// Waits for other savers of the folder; in a callback of a save, throws FileError instead (FolderLock).
  void Lock();
  /// @pre Lock
  void Write();
  /// @pre Write
  void Publish();
  /// The same for weights alone, for callers that write the model to what is no file of ours: gives the model that refers to them. Empty:
  /// the model is to be written as it was given.
  /// @pre Lock, and no Write
  std::optional<ModelProto> PublishWeights();

 private:
  bool WritesDirectly() const;
  void WriteWeights();
  void WriteWeightsFile(size_t index, utils::NewFile& file) const;
  void CheckMappings() const;
  void WriteMessageTo(utils::PayloadWriter& to) const;
  utils::NewFile WriteModel(utils::Progress* progress) const;
  bool NamesAreChosen() const;
  bool OldModelIsOfAKilledSave();
  void RequireOwnTargets();
  void RequireOwnPlace();
  const OldModel& Old();
  bool OldModelNotices(size_t index);
  void RemoveLeftoversOfEarlierSaves();
  void RemoveStaleSplit(const std::vector<std::string>& locations);

  const SaveOptions options_;
  const Print print_;
  const std::string path_;
  const std::string name_;
  const ModelFolder folder_;
  const std::optional<ModelFolder> source_;
  const utils::FolderPlace place_;
  Neighbours neighbours_;
  utils::NewFile::How how_ = utils::NewFile::How::kNamed;
  std::optional<utils::FolderLock> lock_;
  mutable utils::Progress progress_;
  ModelProto changed_;  // where weights leave the file: a copy, which says so
  std::optional<SavePlan> plan_;
  std::unique_ptr<WrittenModel> written_;                      // else
  std::map<const proto::Mapping*, utils::ByteSpan> mappings_;  // that payloads are slices of, and one that holds it
  Publication publication_;
  std::vector<std::string> checksums_;
  std::optional<utils::NewFile> whole_;  // the model, where it is written as it is
  std::optional<OldModel> old_;          // the one that is replaced, once read
};

}  // namespace ONNX_LIGHT_NAMESPACE
