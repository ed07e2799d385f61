// A file that is being made: beside where it is to be, and seen by nobody until it is whole.
//
// While it is written it has no name where the system can do so (O_TMPFILE): a process that is killed leaves nothing. Elsewhere, and for
// the moment between two steps of a save, its name is hidden ("." in front) and the file is locked, so that RemoveLeftovers tells what a
// killed process left from what another one is writing.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "onnx_proto/stream/file_descriptor.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

/// An open folder and how the caller spells it.
struct FolderPlace {
  int descriptor;
  std::string path;  // "" for the current one
  std::string PathOf(std::string_view name) const;
};

class ONNX_LIGHT_API NewFile {
 public:
  enum class How { kNamelessIfPossible, kNamed };
  /// Makes an empty file in the folder. `family` is the name of what is being saved: its leftovers are found by it.
  /// `mode`: what it gets; empty: what the process's mask leaves of 0666. Throws FileError.
  NewFile(const FolderPlace& folder, const std::string& family, std::optional<mode_t> mode, How how = How::kNamelessIfPossible);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  /// Removes its names, but for those that it has been published under.
  ~NewFile();

  int descriptor() const { return file_.get(); }
  bool nameless() const { return name_.empty(); }
  /// Its hidden name, given now if it has none. Throws FileError.
  const std::string& Name();
  /// One more hidden name for the same file; false if the file system has no hard links. Throws FileError for all else.
  bool Link();
  /// Takes the place of `target` in the folder under the name that Link gave, or its own. Throws FileError; the target is then as it was.
  void MoveTo(const std::string& target);
  /// Whoever refers to the file by its hidden name keeps it, when this ends.
  void KeepName() { keeps_name_ = true; }
  /// Ends what KeepName said, and the hidden name.
  void DropName();
  /// Some file systems say only when a file is closed what became of its bytes: asks them. Throws FileError.
  void CheckWritten() const;
  /// Waits until the disk has it. Throws FileError.
  void Sync() const;
  /// Gives it a name and closes it: where many files wait for each other, descriptors run out. Throws FileError.
  void Park();

 private:
  [[noreturn]] void Fail(const char* what) const;
  const FolderPlace folder_;
  const std::string family_;
  FileDescriptor file_;
  std::string name_;   // hidden
  std::string other_;  // of Link
  bool keeps_name_ = false;
};

/// kNamelessIfPossible, if a nameless file can be made in this folder and get a name afterwards.
ONNX_LIGHT_API NewFile::How BestWay(const FolderPlace& folder, const std::string& family);

/// Whether `name` is a hidden name of this family.
ONNX_LIGHT_API bool IsHiddenNameOf(const std::string& family, std::string_view name);
/// Removes the hidden files of a family that nobody has locked and `keep` does not ask to keep. Never fails.
ONNX_LIGHT_API void RemoveLeftovers(const FolderPlace& folder, const std::string& family,
                                    const std::function<bool(const std::string&)>& keep);

/// Holds the lock that savers of one folder share, until it ends; file systems without locks have none. A callback of a save does not wait
/// for a folder that somebody has, who may be the one that called it, or wait for that one: FileError (EDEADLK).
class ONNX_LIGHT_API FolderLock {
 public:
  enum class How { kWaits, kTries };
  explicit FolderLock(const FolderPlace& folder, How how = How::kWaits);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();
  /// False if it was tried, and somebody else has it.
  bool held() const { return held_; }

 private:
  FileDescriptor folder_;
  bool held_ = true;
};

/// The same folder, open for reading; not open, with errno, where that is not allowed.
ONNX_LIGHT_API FileDescriptor OpenFolderAgain(int descriptor);

/// The last name of a path to write to. FileError if that is no name of a file.
ONNX_LIGHT_API std::string NameOfTarget(const std::string& path);
/// Whether there is a pipe, a device or the name of an open descriptor (/dev/stdout), which is written to and not replaced. Throws
/// FileError, for `path`, if there is a folder.
ONNX_LIGHT_API bool IsWrittenDirectly(const FolderPlace& folder, const std::string& name, const std::string& path);
ONNX_LIGHT_API FileDescriptor OpenToWriteDirectly(const FolderPlace& folder, const std::string& name, const std::string& path);

/// The mode of the regular file at the end of `name`, or nothing.
ONNX_LIGHT_API std::optional<mode_t> ModeOf(const FolderPlace& folder, const std::string& name);

}  // namespace ONNX_LIGHT_NAMESPACE::utils
