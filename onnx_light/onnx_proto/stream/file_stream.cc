// Streams over files. Errors name the file, the call and the system's reason.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <system_error>
#include <vector>

#include "onnx_proto/error.h"
#include "onnx_proto/stream.h"

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {

[[noreturn]] void Fail(const std::string& path, const char* what) {
  const int code = errno;
  throw FileError(path, std::string("cannot ") + what + ": " + std::generic_category().message(code), code);
}

// The system would take the part before a NUL for the path.
const std::string& CheckedPath(const std::string& path) {
  if (path.find('\0') != std::string::npos) {
    errno = EINVAL;
    Fail(path, "open");
  }
  return path;
}

// Reads up to `size` bytes; less only at the end of the file.
size_t ReadFully(const std::string& path, int descriptor, uint8_t* to, size_t size) {
  constexpr size_t kMost = size_t{1} << 30;  // one call moves at most 2 GiB less a page
  size_t done = 0;
  while (done < size) {
    const ssize_t got = read(descriptor, to + done, std::min(size - done, kMost));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) Fail(path, "read");
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

}  // namespace

FileStream::FileStream(const std::string& path) : path_(CheckedPath(path)), descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) Fail(path_, "open");
  struct stat facts {};
  if (fstat(descriptor_, &facts) != 0 || S_ISDIR(facts.st_mode)) {
    if (S_ISDIR(facts.st_mode)) errno = EISDIR;
    const int code = errno;
    close(descriptor_);
    errno = code;
    Fail(path_, "read");
  }
  size_ = S_ISREG(facts.st_mode) ? static_cast<size_t>(facts.st_size) : 0;  // of a pipe or device nothing is known before it is read
}

FileStream::~FileStream() {
  if (block_) block_->LetGo();
  close(descriptor_);
}

proto::ParseSource FileStream::Source() {
  if (block_) return {{reinterpret_cast<const char*>(bytes_), size_}, block_, true};
  // One byte more than the file says: a file that grows meanwhile, and a pipe, are read to their end.
  std::vector<std::pair<proto::PayloadOwner*, size_t>> blocks;
  size_t room = size_ + 1;
  uint8_t* bytes = nullptr;
  proto::PayloadOwner* block = proto::PayloadOwner::NewBlock(room, &bytes);
  size_t size = 0;
  try {
    for (;;) {
      size += ReadFully(path_, descriptor_, bytes + size, room - size);
      if (size < room) break;
      uint8_t* larger = nullptr;
      const size_t wanted = std::max<size_t>(room * 2, 65536);
      proto::PayloadOwner* const next = proto::PayloadOwner::NewBlock(wanted, &larger);
      std::copy_n(bytes, size, larger);
      block->LetGo();
      block = next;
      bytes = larger;
      room = wanted;
    }
  } catch (...) {
    block->LetGo();
    throw;
  }
  block_ = block;
  bytes_ = bytes;
  size_ = size;
  return {{reinterpret_cast<const char*>(bytes_), size_}, block_, true};
}

FileWriteStream::FileWriteStream(const std::string& path) : path_(CheckedPath(path)), exceptions_(std::uncaught_exceptions()) {
  struct stat facts {};
  const bool exists = stat(path.c_str(), &facts) == 0;
  if (exists && !S_ISREG(facts.st_mode)) {
    descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) Fail(path_, "open for writing");
    return;
  }
  if (path.empty()) {
    errno = ENOENT;
    Fail(path_, "open for writing");
  }
  const size_t slash = path.rfind('/');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  // The name stays within what file systems allow, however long the target's is.
  const std::string base = path.substr(0, name) + "." + path.substr(name, 100) + ".";
  for (unsigned attempt = 0; attempt < 1000; ++attempt) {
    temporary_ = base + std::to_string(getpid()) + "-" + std::to_string(attempt) + ".tmp";
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0 || errno != EEXIST) break;
  }
  if (descriptor_ < 0) Fail(path_, "create a file beside it");
  if (exists) fchmod(descriptor_, facts.st_mode & 07777);
}

FileWriteStream::~FileWriteStream() {
  try {
    if (descriptor_ >= 0 && !failed_ && std::uncaught_exceptions() == exceptions_) Close();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the header says so
  }
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void FileWriteStream::Write(std::string_view bytes) {
  constexpr size_t kMost = size_t{1} << 30;
  failed_ = true;  // until the end
  while (!bytes.empty()) {
    const ssize_t put = write(descriptor_, bytes.data(), std::min(bytes.size(), kMost));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) Fail(path_, "write");
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  failed_ = false;
}

void FileWriteStream::Close() {
  if (failed_) throw FileError(path_, "what was written is not whole", EIO);
  if (descriptor_ < 0) return;
  const int descriptor = std::exchange(descriptor_, -1);
  const bool closed = close(descriptor) == 0;
  const std::string temporary = std::exchange(temporary_, {});
  if (closed && (temporary.empty() || std::rename(temporary.c_str(), path_.c_str()) == 0)) return;
  const int code = errno;
  if (!temporary.empty()) unlink(temporary.c_str());
  errno = code;
  Fail(path_, closed ? "replace" : "write");
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
