#include "onnx_proto/stream/payload_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "onnx_proto/error.h"
#include "onnx_proto/stream/file_descriptor.h"
#include "onnx_proto/stream/interrupt.h"
#include "onnx_proto/stream/mapped_file.h"

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {

constexpr size_t kBatch = size_t{8} << 20;
constexpr size_t kMostParts = 512;                   // of one call; systems allow at least so many
constexpr size_t kWorthACall = size_t{64} << 10;     // a shorter slice goes with its neighbours
constexpr size_t kMostInKernel = size_t{256} << 20;  // of one call: so that signals are looked at now and then
constexpr size_t kMostUntold = size_t{32} << 20;     // the same where somebody is to hear of progress

}  // namespace

void PayloadWriter::Reserve(uint64_t size) {
#if defined(__linux__)
  // Not posix_fallocate: where the file system cannot do it, that one writes into every block instead.
  const off_t begin = lseek(descriptor_, 0, SEEK_CUR);
  if (size == 0 || begin < 0) return;
  while (fallocate(descriptor_, 0, begin, static_cast<off_t>(size)) != 0) {
    if (errno == EINTR) continue;
    if (errno == ENOSPC || errno == EFBIG || errno == EDQUOT || errno == EIO) ThrowFileError(path_, "write");
    return;
  }
#endif
}

void PayloadWriter::Add(std::string_view bytes, const proto::PayloadOwner* owner) {
  const proto::Mapping* const mapping = owner ? owner->mapping() : nullptr;
  offset_ += bytes.size();
  if (mapping) {
    if (kernel_copies_ && bytes.size() >= kWorthACall && CopyInKernel(bytes, *mapping)) return;
    if (mapped_ && mapped_ != mapping) Flush();
  }
  while (!bytes.empty()) {
    if (mapping) mapped_ = mapping;
    const size_t size = std::min(bytes.size(), kBatch - waiting_);
    parts_.push_back({const_cast<char*>(bytes.data()), size});
    bytes.remove_prefix(size);
    waiting_ += size;
    if (waiting_ == kBatch || parts_.size() == kMostParts) {
      CheckInterrupt();
      Flush();
    }
  }
}

void PayloadWriter::AddZeros(uint64_t size) {
  static const std::string zeros(size_t{64} << 10, '\0');
  while (size) {
    const uint64_t some = std::min<uint64_t>(size, zeros.size());
    Add({zeros.data(), static_cast<size_t>(some)});
    size -= some;
  }
}

void PayloadWriter::AlignTo(uint64_t alignment) {
  if (alignment > 1) AddZeros((alignment - offset_ % alignment) % alignment);
}

void PayloadWriter::Flush() {
  size_t first = 0;
  while (first < parts_.size()) {
    const ssize_t put = writev(descriptor_, &parts_[first], static_cast<int>(parts_.size() - first));
    if (put < 0 && errno == EINTR) {
      CheckInterrupt(true);
      continue;
    }
    if (put < 0 && errno == EFAULT && mapped_) ThrowGone();
    if (put <= 0) ThrowFileError(path_, "write", put < 0 ? errno : EIO);
    size_t done = static_cast<size_t>(put);
    waiting_ -= done;
    if (progress_) progress_->Add(done);
    for (; first < parts_.size() && done >= parts_[first].iov_len; ++first) done -= parts_[first].iov_len;
    if (done) {
      parts_[first].iov_base = static_cast<char*>(parts_[first].iov_base) + done;
      parts_[first].iov_len -= done;
    }
    if (waiting_) CheckInterrupt(true);  // a write that ends early was interrupted
  }
  parts_.clear();
  if (mapped_ && !mapped_->IsWhole()) ThrowGone();  // what a file has lost of a page that it still has was written as zeros
  mapped_ = nullptr;
}

void PayloadWriter::ThrowGone() const {
  ThrowShortened(path_, "cannot write: bytes that are mapped from " + mapped_->path() + " are gone", EFAULT);
}

// False, with nothing written, if the kernel cannot do it between these files. What it has left is added as memory.
bool PayloadWriter::CopyInKernel(std::string_view bytes, const proto::Mapping& from) {
#if defined(__linux__)
  uint64_t offset = 0;
  if (!from.Holds(bytes, offset)) return false;
  Flush();
  auto at = static_cast<off64_t>(offset);
  bool any = false;
  const size_t most = progress_ ? kMostUntold : kMostInKernel;
  while (!bytes.empty()) {
    CheckInterrupt();
    const ssize_t put = copy_file_range(from.descriptor(), &at, descriptor_, nullptr, std::min(bytes.size(), most), 0);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && (errno == ENOSPC || errno == EFBIG || errno == EDQUOT || errno == EIO)) ThrowFileError(path_, "write");
    if (put <= 0) {  // other file systems, pipes, and files that are opened to append
      kernel_copies_ = false;
      if (!any) return false;
      offset_ -= bytes.size();
      Add(bytes, &from);
      return true;
    }
    any = true;
    bytes.remove_prefix(static_cast<size_t>(put));
    if (progress_) progress_->Add(static_cast<uint64_t>(put));
  }
  return true;
#else
  return false;
#endif
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
