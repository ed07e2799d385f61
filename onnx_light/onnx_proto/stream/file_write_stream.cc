// Files as targets: written beside their path, and renamed when they are whole.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>

#include "onnx_proto/error.h"
#include "onnx_proto/stream.h"
#include "onnx_proto/stream/payload_writer.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

FileWriteStream::FileWriteStream(const std::string& path) : path_(CheckedPath(path)), exceptions_(std::uncaught_exceptions()) {
  struct stat facts {};
  const bool exists = stat(path.c_str(), &facts) == 0;
  if (exists && !S_ISREG(facts.st_mode)) {
    file_ = FileDescriptor(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file_) ThrowFileError(path_, "open for writing");
    return;
  }
  if (path.empty()) ThrowFileError(path_, "open for writing", ENOENT);
  const size_t slash = path.rfind('/');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  // The name stays within what file systems allow, however long the target's is.
  const std::string base = path.substr(0, name) + "." + path.substr(name, 100) + ".";
  for (unsigned attempt = 0; attempt < 1000; ++attempt) {
    temporary_ = base + std::to_string(getpid()) + "-" + std::to_string(attempt) + ".tmp";
    file_ = FileDescriptor(open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file_ || errno != EEXIST) break;
  }
  if (!file_) ThrowFileError(path_, "create a file beside it");
  if (exists && fchmod(file_.get(), facts.st_mode & 07777) != 0) {
    const int code = errno;
    unlink(temporary_.c_str());
    ThrowFileError(path_, "give the new file the old one's mode", code);
  }
}

FileWriteStream::~FileWriteStream() {
  try {
    if (file_ && !failed_ && std::uncaught_exceptions() == exceptions_) Close();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the header says so
  }
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void FileWriteStream::Write(std::string_view bytes) {
  const proto::OutPart part{bytes};
  WriteParts({&part, 1});
}

void FileWriteStream::WriteParts(std::span<const proto::OutPart> parts) {
  failed_ = true;  // until the end
  PayloadWriter writer(file_.get(), path_);
  uint64_t size = 0;
  for (const proto::OutPart& part : parts) size += part.bytes.size();
  if (!temporary_.empty() && size >= (size_t{64} << 10)) writer.Reserve(size);  // what is small finds room in any case
  for (const proto::OutPart& part : parts) writer.Add(part.bytes, part.owner);
  writer.Flush();
  failed_ = false;
}

void FileWriteStream::Close() {
  if (failed_) throw FileError(path_, "what was written is not whole", EIO);
  if (!file_) return;
  const bool closed = file_.Close();
  const std::string temporary = std::exchange(temporary_, {});
  if (closed && (temporary.empty() || std::rename(temporary.c_str(), path_.c_str()) == 0)) return;
  const int code = errno;
  if (!temporary.empty()) unlink(temporary.c_str());
  ThrowFileError(path_, closed ? "replace" : "write", code);
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
