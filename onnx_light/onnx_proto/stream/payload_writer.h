// Large writes straight from where the bytes lie: nothing is gathered or copied in this process.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "onnx_proto/export.h"
#include "onnx_proto/simple_span.h"
#include "onnx_proto/stream/progress.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

/// Writes parts one after the other to an open file, from where the descriptor stands, in batches of some MiB. Parts that are slices of
/// a mapped file are copied by the kernel, from file to file, where it can.
/// Memory that is added has to stay until Flush, with its owner. Throws FileError with the name of the file, also when the disk is full and
/// when a mapped payload is gone because its file was shortened; what has been written then is not whole.
class ONNX_LIGHT_API PayloadWriter {
 public:
  /// The descriptor stays the caller's; `path` is for errors. `progress`, if any, is told what has been written.
  PayloadWriter(int descriptor, std::string path, Progress* progress = nullptr)
      : descriptor_(descriptor), path_(std::move(path)), progress_(progress) {}
  PayloadWriter(const PayloadWriter&) = delete;
  PayloadWriter& operator=(const PayloadWriter&) = delete;

  /// Says how many bytes will follow: the disk sets them aside, or is full before anything is written. Pipes and file systems that know
  /// no such thing ignore it.
  void Reserve(uint64_t size);
  void Add(std::string_view bytes, const proto::PayloadOwner* owner = nullptr);
  void Add(const ByteSpan& payload) { Add(payload.view(), payload.owner_or_null()); }
  /// Zeros, up to the next multiple of `alignment` (0 and 1: none).
  void AlignTo(uint64_t alignment);
  void AddZeros(uint64_t size);
  void Flush();
  /// Bytes that have been added.
  uint64_t offset() const { return offset_; }

 private:
  bool CopyInKernel(std::string_view bytes, const proto::Mapping& from);
  [[noreturn]] void ThrowGone() const;

  const int descriptor_;
  const std::string path_;
  Progress* const progress_;
  std::vector<iovec> parts_;
  size_t waiting_ = 0;  // bytes of parts_
  uint64_t offset_ = 0;
  bool kernel_copies_ = true;               // until it says that it cannot
  const proto::Mapping* mapped_ = nullptr;  // that parts of parts_ lie in
};

}  // namespace ONNX_LIGHT_NAMESPACE::utils
