#include "onnx_proto/external_data/publish.h"

#include <unistd.h>

#include <algorithm>

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using utils::NewFile;

class Steps {
 public:
  explicit Steps(Publication& publication) : publication_(publication) {}

  // To the disk: the files before anything refers to them, the folders after each step.
  void SyncFile(const NewFile& file) const {
    if (publication_.durable) file.Sync();
  }
  void SyncFolders() const {
    if (!publication_.durable) return;
    SyncFolder(publication_.folder.descriptor, publication_.folder.path);
    for (const NewWeights& one : publication_.weights) {
      if (!one.parts.empty()) SyncFolder(one.folder->get(), publication_.folder.PathOf(one.parts));
    }
  }

 private:
  // A descriptor that only looks at the folder cannot be synced: one that reads it can.
  static void SyncFolder(int descriptor, const std::string& path) {
    const utils::FileDescriptor folder = utils::OpenFolderAgain(descriptor);
    if (!folder || fsync(folder.get()) != 0) utils::ThrowFileError(path.empty() ? "." : path, "sync the folder");
  }
  Publication& publication_;
};

}  // namespace

void Publish(Publication& publication, const std::function<NewFile(const std::vector<std::string>&)>& write_model) {
  const Steps steps(publication);
  std::vector<std::string> locations;
  for (const NewWeights& one : publication.weights) {
    steps.SyncFile(one.file);
    locations.push_back(one.Location(one.name));
  }
  NewFile model = write_model(locations);
  steps.SyncFile(model);

  bool by_links = publication.model_between;
  for (NewWeights& one : publication.weights) by_links = by_links && one.file.Link();  // before anything is changed
  if (by_links) {
    std::vector<std::string> hidden;
    for (NewWeights& one : publication.weights) hidden.push_back(one.Location(one.file.Name()));
    NewFile first = write_model(hidden);
    steps.SyncFile(first);
    model.Name();  // what can fail does so before anything is changed
    steps.SyncFolders();
    first.MoveTo(publication.name);
    for (NewWeights& one : publication.weights) one.file.KeepName();  // the model in place refers to it, whatever happens now
    steps.SyncFolders();
  }
  for (NewWeights& one : publication.weights) one.file.MoveTo(one.name);
  if (!publication.weights.empty()) steps.SyncFolders();
  model.MoveTo(publication.name);
  steps.SyncFolders();
  for (NewWeights& one : publication.weights) one.file.DropName();
}

}  // namespace ONNX_LIGHT_NAMESPACE
