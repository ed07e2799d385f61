#include "onnx_proto/stream/file_descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "onnx_proto/error.h"
#include "onnx_proto/stream/interrupt.h"

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {
constexpr size_t kMostAtOnce = size_t{256} << 20;  // systems allow 2 GiB less a page; between calls there may be a reason to stop
constexpr size_t kWorthAsking = size_t{1} << 20;
}  // namespace

bool FileDescriptor::Close() {
  const int descriptor = Take();
  return descriptor < 0 || close(descriptor) == 0;
}

void ThrowFileError(const std::string& path, const char* what, int code) {
  throw FileError(path, std::string("cannot ") + what + ": " + std::generic_category().message(code), code);
}
void ThrowFileError(const std::string& path, const char* what) { ThrowFileError(path, what, errno); }

const std::string& CheckedPath(const std::string& path) {
  if (path.find('\0') != std::string::npos) ThrowFileError(path, "open", EINVAL);
  return path;
}

std::pair<std::string, std::string> SplitPath(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {"", path};
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

FileDescriptor OpenFolder(const std::string& path) {
  const char* const name = path.empty() ? "." : CheckedPath(path).c_str();
  FileDescriptor folder(open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
#if defined(O_PATH)
  if (!folder && errno == EACCES) folder = FileDescriptor(open(name, O_PATH | O_DIRECTORY | O_CLOEXEC));
#endif
  return folder;
}

FileDescriptor OpenAt(int folder, const char* path, int flags) {
  for (;;) {
    FileDescriptor file(openat(folder, path, flags));
    if (file || errno != EINTR) return file;
    CheckInterrupt(true);
  }
}

FileDescriptor OpenForReading(const std::string& path) {
  FileDescriptor file = OpenAt(AT_FDCWD, CheckedPath(path).c_str(), O_RDONLY | O_CLOEXEC);
  if (!file) ThrowFileError(path, "open");
  FactsOf(file.get(), path);
  return file;
}

FileFacts FactsOf(int descriptor, const std::string& path) {
  struct stat facts {};
  if (fstat(descriptor, &facts) != 0) ThrowFileError(path, "read");
  if (S_ISDIR(facts.st_mode)) ThrowFileError(path, "read", EISDIR);
  return {S_ISREG(facts.st_mode), S_ISREG(facts.st_mode) ? static_cast<uint64_t>(facts.st_size) : 0};
}

void ThrowShortened(const std::string& path, const std::string& found, int code) {
  throw FileError(path, found + ": it was shortened meanwhile", code);
}

size_t ReadSome(int descriptor, const std::string& path, void* to, size_t size) {
  size_t done = 0;
  while (done < size) {
    if (size >= kWorthAsking) CheckInterrupt();
    const ssize_t got = read(descriptor, static_cast<char*>(to) + done, std::min(size - done, kMostAtOnce));
    if (got < 0 && errno == EINTR) {
      CheckInterrupt(true);
      continue;
    }
    if (got < 0) ThrowFileError(path, "read");
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

void ReadAt(int descriptor, const std::string& path, uint64_t offset, void* to, size_t size) {
  while (size) {
    if (size >= kWorthAsking) CheckInterrupt();
    const ssize_t got = pread(descriptor, to, std::min(size, kMostAtOnce), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) {
      CheckInterrupt(true);
      continue;
    }
    if (got < 0) ThrowFileError(path, "read");
    if (got == 0) {
      ThrowShortened(path,
                     "ends at " + std::to_string(offset) + ", " + std::to_string(size) + " bytes before what it had when it was opened");
    }
    to = static_cast<char*>(to) + got;
    offset += static_cast<uint64_t>(got);
    size -= static_cast<size_t>(got);
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
