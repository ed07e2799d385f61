#include "onnx_proto/external_data/publish.h"

#include <unistd.h>

#include <algorithm>

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using utils::NewFile;

// A descriptor that only looks at the folder cannot be synced: one that reads it can.
void SyncFolder(int descriptor, const std::string& path) {
  const utils::FileDescriptor folder = utils::OpenFolderAgain(descriptor);
  if (!folder || fsync(folder.get()) != 0) utils::ThrowFileError(path.empty() ? "." : path, "sync the folder");
}

void SyncFile(const Publication& publication, const NewFile& file) {
  if (publication.durable) file.Sync();
}

}  // namespace

void SyncFolders(const Publication& publication) {
  if (!publication.durable) return;
  SyncFolder(publication.folder.descriptor, publication.folder.path);
  for (const NewWeights& one : publication.weights) {
    if (!one.parts.empty()) SyncFolder(one.folder->get(), publication.folder.PathOf(one.parts));
  }
}

// Files are on the disk before anything refers to them, folders after each step.
void Publish(Publication& publication, const std::function<NewFile(const std::vector<std::string>&)>& write_model) {
  std::vector<std::string> locations;
  for (const NewWeights& one : publication.weights) {
    SyncFile(publication, one.file);
    locations.push_back(one.Location(one.name));
  }
  NewFile model = write_model(locations);
  SyncFile(publication, model);

  bool by_links = publication.model_between;
  for (NewWeights& one : publication.weights) by_links = by_links && one.file.Link();  // before anything is changed
  if (by_links) {
    std::vector<std::string> hidden;
    for (NewWeights& one : publication.weights) hidden.push_back(one.Location(one.file.Name()));
    NewFile first = write_model(hidden);
    SyncFile(publication, first);
    model.Name();  // what can fail does so before anything is changed
    SyncFolders(publication);
    first.MoveTo(publication.name);
    for (NewWeights& one : publication.weights) one.file.KeepName();  // the model in place refers to it, whatever happens now
    SyncFolders(publication);
  }
  for (NewWeights& one : publication.weights) one.file.MoveTo(one.name);
  if (!publication.weights.empty()) SyncFolders(publication);
  model.MoveTo(publication.name);
  SyncFolders(publication);
  for (NewWeights& one : publication.weights) one.file.DropName();
}

}  // namespace ONNX_LIGHT_NAMESPACE
