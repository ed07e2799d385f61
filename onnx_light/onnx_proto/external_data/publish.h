// How a model and its weights files take the places of older ones, so that whoever looks at any moment finds a model and the bytes that it
// means, and a process that is killed leaves the old pair or the new one.
//
// All files have been written completely, under hidden names (stream/new_file.h): the weights, the model that names the weights by where
// they will lie, and, where the model that is there now refers to one of the files to be replaced and reads other bytes there, or where no
// weights may lie under names that no model refers to, a model that names them by their hidden names.
//
//   without that model:  each weights file takes its place; the model takes its place.
//   with it:             (1) the model with the hidden names takes the model's place: that is the moment of change
//                        (2) each weights file takes its place under a second link; its hidden name stays
//                        (3) the model takes its place
//                        (4) the hidden names go
//
// Where the file system has no hard links, (2) is not possible, and the first way is taken: between its renames the old model would read
// new weights.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "onnx_proto/external_data/model_folder.h"
#include "onnx_proto/stream/new_file.h"

namespace ONNX_LIGHT_NAMESPACE {

/// A weights file that is written and waits.
struct NewWeights {
  utils::NewFile file;
  std::shared_ptr<utils::FileDescriptor> folder;  // where it is to lie, and was made
  std::string parts;                              // that folder below the model's: "" or "a/b"
  std::string name;                               // in that folder
  std::string Location(const std::string& of) const { return parts.empty() ? of : parts + "/" + of; }
};

struct Publication {
  utils::FolderPlace folder;  // the model's
  std::string name;           // the model's file
  std::vector<NewWeights> weights = {};
  /// Whether a model with hidden names comes between: the model that lies there refers to one of the files that are to be replaced, and
  /// would find other bytes in the new one; or no file may have its name before a model refers to it.
  bool model_between = false;
  /// Every step is on the disk before the next one.
  bool durable = false;
};

/// If it is durable: waits until the disk has the names in its folder and in those of its weights. Throws FileError.
ONNX_LIGHT_API void SyncFolders(const Publication& publication);

/// Publishes. `write_model` writes a model file that names the weights files by these locations, in their order. Throws FileError: then the
/// old pair is in place, or (after step 1) the new one under hidden names.
ONNX_LIGHT_API void Publish(Publication& publication, const std::function<utils::NewFile(const std::vector<std::string>&)>& write_model);

}  // namespace ONNX_LIGHT_NAMESPACE
