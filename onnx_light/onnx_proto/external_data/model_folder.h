// The folder of a model, and weights files opened in it without a way out.
//
// A location may pass symbolic links only if the file it ends at lies in the model's folder, or in the folder of the file that the model's
// own path ends at (download caches are made of such links). What is opened is what was checked: every step down is taken from an open
// folder and follows no link (openat2 where there is one, part by part elsewhere). A file with several hard links counts only if all of
// them are entries of its own folder. Pipes, devices and folders are refused before they are opened.
#pragma once

#include <sys/types.h>

#include <string>

#include "onnx_proto/stream/file_descriptor.h"

namespace ONNX_LIGHT_NAMESPACE {

/// Which file it is, whatever its names.
struct FileIdentity {
  dev_t device = 0;
  ino_t number = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// Of an open file; equal to no other's if the system does not tell.
ONNX_LIGHT_API FileIdentity IdentityOf(int descriptor);

/// A weights file that may be read.
struct WeightsFile {
  utils::FileDescriptor file;
  std::string path;  // for people
  uint64_t size = 0;
  FileIdentity identity;
};

class ONNX_LIGHT_API ModelFolder {
 public:
  /// The folder that `path` lies in, and the one that the file at its end lies in. Throws FileError. `path` itself need not exist.
  static ModelFolder OfModel(const std::string& path);
  /// A folder alone; empty: the current one. Throws FileError.
  static ModelFolder At(const std::string& folder);

  /// Opens the file that a location (see NormalLocation) names. Throws ExternalDataError, beginning with `whose`.
  WeightsFile Open(const std::string& location, const std::string& whose) const;

  int descriptor() const { return folder_.get(); }
  /// As the caller spelt it; "" for the current folder.
  const std::string& path() const { return path_; }
  std::string PathOf(const std::string& name) const { return path_.empty() || path_ == "/" ? path_ + name : path_ + "/" + name; }

  /// A folder below this one, reached without links; `parts` is empty or like "a/b". Not open (with errno) where that cannot be done.
  utils::FileDescriptor OpenFolder(const std::string& parts) const;

 private:
  WeightsFile OpenOnce(const std::string& location, const std::string& whose) const;
  utils::FileDescriptor folder_;
  utils::FileDescriptor real_folder_;  // of the model's file, where a link led there
  std::string path_;
};

/// Opens a file that the caller named himself: any path, links followed, but a regular file. Throws ExternalDataError.
ONNX_LIGHT_API WeightsFile OpenGivenFile(const std::string& path, const std::string& whose);

}  // namespace ONNX_LIGHT_NAMESPACE
