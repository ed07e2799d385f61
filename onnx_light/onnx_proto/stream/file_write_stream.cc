// Files as targets: written beside their path, and renamed when they are whole.
#include <cerrno>
#include <exception>
#include <utility>

#include "onnx_proto/error.h"
#include "onnx_proto/stream.h"
#include "onnx_proto/stream/interrupt.h"
#include "onnx_proto/stream/mentions.h"
#include "onnx_proto/stream/new_file.h"
#include "onnx_proto/stream/payload_writer.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

// Where the bytes go.
struct FileWriteStream::Target {
  explicit Target(const std::string& path) : name(NameOfTarget(path)) {
    place.path = SplitPath(path).first;
    folder = OpenFolder(place.path);
    if (!folder) ThrowFileError(path, "open for writing");
    place.descriptor = folder.get();
    if (IsWrittenDirectly(place, name, path)) {
      direct = OpenToWriteDirectly(place, name, path);
      return;
    }
    // Not waited for: who has the lock may be waiting for what this thread holds, and the next save cleans as well.
    if (const FolderLock lock(place, FolderLock::How::kTries); lock.held()) {
      RemoveLeftovers(place, name, [this](const std::string& hidden) { return MayBeMentioned(place, hidden); });
    }
    beside.emplace(place, name, ModeOf(place, name), BestWay(place, name));
  }
  int descriptor() const { return beside ? beside->descriptor() : direct.get(); }

  const std::string name;
  FileDescriptor folder;
  FolderPlace place{-1, {}};
  std::optional<NewFile> beside;
  FileDescriptor direct;  // else
};

FileWriteStream::FileWriteStream(const std::string& path)
    : path_(path), target_(std::make_unique<Target>(path)), exceptions_(std::uncaught_exceptions()) {}

FileWriteStream::~FileWriteStream() {
  try {
    if (!failed_ && std::uncaught_exceptions() == exceptions_) Close();
  } catch (...) {  // NOLINT(bugprone-empty-catch): the header says so
  }
}

bool FileWriteStream::direct() const { return target_ && target_->direct; }

void FileWriteStream::OnProgress(ProgressCallback callback) {
  progress_ = callback ? std::make_unique<Progress>(std::move(callback)) : nullptr;
}

void FileWriteStream::Write(std::string_view bytes) {
  const proto::OutPart part{bytes};
  WriteParts({&part, 1});
}

void FileWriteStream::WriteParts(std::span<const proto::OutPart> parts) {
  const bool failed_before = std::exchange(failed_, true);  // until the end; a callback that writes is not yet the end
  CheckInterrupt();
  PayloadWriter writer(target_ ? target_->descriptor() : -1, path_, progress_.get());
  uint64_t size = 0;
  for (const proto::OutPart& part : parts) size += part.bytes.size();
  if (target_ && target_->beside && size >= (size_t{64} << 10)) writer.Reserve(size);  // what is small finds room in any case
  for (const proto::OutPart& part : parts) writer.Add(part.bytes, part.owner);
  writer.Flush();
  failed_ = failed_before;
}

void FileWriteStream::Close() {
  if (failed_) throw FileError(path_, "what was written is not whole", EIO);
  const std::unique_ptr<Target> target = std::move(target_);
  if (!target) return;
  failed_ = true;  // until the end
  if (progress_) progress_->Flush();
  if (target->beside) {
    target->beside->CheckWritten();
    target->beside->MoveTo(target->name);
  } else if (!target->direct.Close()) {
    ThrowFileError(path_, "write");
  }
  failed_ = false;
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
