// The models that lie beside a model, and the weights files that they read: what one of them reads is neither replaced nor removed for the
// sake of another. Models whose structure alone was changed share their weights so.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "onnx_proto/external_data/model_folder.h"
#include "onnx_proto/external_data/reference.h"
#include "onnx_proto/stream/new_file.h"

namespace ONNX_LIGHT_NAMESPACE {

/// What a tensor of a model in a file refers to.
struct FoundReference {
  std::string location;  // normalised
  FileRange range;
  bool is_simple = false;  // the bytes of the range are all that counts: there is no checksum, and no mistake
};
/// The references of the model in a file, in its order. The model may be in any format, which its first bytes tell. Empty for a file that
/// holds no model or cannot be read. Reads no payloads. @pre It is no pipe.
ONNX_LIGHT_API std::vector<FoundReference> ReferencesIn(const std::string& path);
/// Their locations, sorted, each once.
ONNX_LIGHT_API std::vector<std::string> LocationsOf(const std::vector<FoundReference>& references);

/// Whether a file may hold a model, or nothing: its fields follow one another up to its end, or it begins like a text. What cannot be read
/// may.
ONNX_LIGHT_API bool MayHoldModel(const std::string& path);

class ONNX_LIGHT_API Neighbours {
 public:
  /// Of the model called `own` in the folder, which outlives this; of an empty name: all models count.
  Neighbours(const ModelFolder& folder, std::string own) : folder_(folder), own_(std::move(own)) {}
  /// The name of another model that reads the file at a location, or "". Models are looked for in the folder of the model and in that of
  /// the file, once. Folders that cannot be listed have none.
  std::string ReaderOf(const std::string& location);

 private:
  using Identity = std::pair<dev_t, ino_t>;
  using Readers = std::map<Identity, std::string>;
  const Readers& ReadersIn(const std::string& parts);
  void Look(const utils::FolderPlace& place, const std::string& parts, Readers& readers) const;

  const ModelFolder& folder_;
  const std::string own_;
  std::map<std::string, Readers> readers_;  // by the folder below the model's
};

/// Removes those of these files beside a model that no model reads any more, itself included. Gives the locations that are gone.
/// Waits for savers of the folder, as a saver does. Throws FileError, ExternalDataError.
ONNX_LIGHT_API std::vector<std::string> RemoveUnreadWeights(const std::string& model_path, const std::vector<std::string>& locations);

}  // namespace ONNX_LIGHT_NAMESPACE
