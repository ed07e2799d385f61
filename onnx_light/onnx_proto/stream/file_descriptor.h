// Files as the system has them: descriptors, and calls on them that are finished or fail with the file's name.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

/// An open file, closed at the end. -1: none.
class ONNX_LIGHT_API FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept : descriptor_(other.Take()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileDescriptor() { Close(); }
  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }
  int Take() { return std::exchange(descriptor_, -1); }
  /// Whether the system had no error to tell (errno says which).
  bool Close();

 private:
  int descriptor_ = -1;
};

/// What is known about an open file.
struct FileFacts {
  bool regular = false;  // else a pipe or a device, of which nothing is known before it is read
  uint64_t size = 0;
};

/// Throws FileError "<path>: cannot <what>: <reason>" with errno, or with `code`.
[[noreturn]] ONNX_LIGHT_API void ThrowFileError(const std::string& path, const char* what);
[[noreturn]] ONNX_LIGHT_API void ThrowFileError(const std::string& path, const char* what, int code);
/// The path; FileError if it has a NUL, where the system would stop reading it.
ONNX_LIGHT_API const std::string& CheckedPath(const std::string& path);
/// A path cut before its last name: "a/b/m" -> {"a/b", "m"}, "m" -> {"", "m"}, "/m" -> {"/", "m"}.
ONNX_LIGHT_API std::pair<std::string, std::string> SplitPath(const std::string& path);
/// A folder ("": the current one), where it may not be read one to pass; not open, with errno, where there is none.
ONNX_LIGHT_API FileDescriptor OpenFolder(const std::string& path);
/// As openat does it, but that a signal is no error: a pipe is waited for until there is somebody at its other end, or a reason to stop.
ONNX_LIGHT_API FileDescriptor OpenAt(int folder, const char* path, int flags);
/// Opens for reading. FileError, also for folders.
ONNX_LIGHT_API FileDescriptor OpenForReading(const std::string& path);
ONNX_LIGHT_API FileFacts FactsOf(int descriptor, const std::string& path);

/// Says that a file has fewer bytes than when they were promised: "<path>: <found>: it was shortened meanwhile".
[[noreturn]] ONNX_LIGHT_API void ThrowShortened(const std::string& path, const std::string& found, int code = EIO);

/// Reads on from where the descriptor is; less than `size` only at the end of the file.
ONNX_LIGHT_API size_t ReadSome(int descriptor, const std::string& path, void* to, size_t size);
/// Reads exactly `size` bytes at `offset`; FileError if the file ends before (it was shortened). Any thread may do so at any time.
ONNX_LIGHT_API void ReadAt(int descriptor, const std::string& path, uint64_t offset, void* to, size_t size);

}  // namespace ONNX_LIGHT_NAMESPACE::utils
