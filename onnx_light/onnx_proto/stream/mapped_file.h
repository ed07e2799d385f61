// A shared mapping of a file, counted by the payloads that are slices of it.
//
// The bytes are as stable as the file: nobody here writes or shortens it. Reading the memory of a mapping whose file another process
// has shortened ends in SIGBUS, or gives zeros where the last page of the file is meant, so what this library reads of it goes through the
// kernel (Read, and writes from the memory, which fail with EFAULT or are followed by IsWhole) or follows CheckSize.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "onnx_proto/simple_span.h"
#include "onnx_proto/stream/file_descriptor.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

/// The mapping and its open descriptor; goes with the last payload or MappedFile that holds it.
class ONNX_LIGHT_API Mapping final : public PayloadOwner {
 public:
  Mapping(utils::FileDescriptor file, std::string path, const char* data, uint64_t size);
  const Mapping* mapping() const override { return this; }
  std::string_view bytes() const { return {data_, static_cast<size_t>(size_)}; }
  const std::string& path() const { return path_; }
  int descriptor() const { return file_.get(); }
  /// Whether all of `part` lies in the mapping; then where in the file it begins.
  bool Holds(std::string_view part, uint64_t& offset) const;
  /// Whether the file is as long as when it was mapped; else CheckSize throws FileError.
  bool IsWhole() const { return SizeNow() >= size_; }
  void CheckSize() const;
  /// Copies a part of the mapping to `to`, through the kernel; FileError if it is gone.
  void Copy(std::string_view part, void* to) const;

 private:
  ~Mapping() override;
  uint64_t SizeNow() const;
  PayloadOwner* End() override;
  utils::FileDescriptor file_;
  const std::string path_;
  const char* const data_;
  const uint64_t size_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto

namespace ONNX_LIGHT_NAMESPACE::utils {

/// A handle on a mapping; copies share it.
class ONNX_LIGHT_API MappedFile {
 public:
  /// Maps a regular file as it is now. FileError: it cannot be opened or mapped, or is a pipe or device (ENODEV).
  explicit MappedFile(const std::string& path);
  /// The same of a file that is open already; `path` is for errors.
  MappedFile(FileDescriptor file, const std::string& path);
  MappedFile(const MappedFile& other) : mapping_(other.mapping_) { mapping_->Hold(); }
  MappedFile& operator=(MappedFile other) noexcept {
    std::swap(mapping_, other.mapping_);
    return *this;
  }
  ~MappedFile() { mapping_->LetGo(); }

  std::string_view bytes() const { return mapping_->bytes(); }
  uint64_t size() const { return bytes().size(); }
  const std::string& path() const { return mapping_->path(); }
  int descriptor() const { return mapping_->descriptor(); }
  /// Whoever holds it keeps the mapping.
  proto::PayloadOwner* owner() const { return mapping_; }
  /// FileError if the file is shorter than when it was mapped.
  void CheckSize() const { mapping_->CheckSize(); }
  /// Bytes of the mapping as a payload that holds it, without a copy. FileError if the file does not have them.
  ByteSpan Slice(uint64_t offset, uint64_t size) const;
  /// The same as pointer and owner.
  std::pair<const uint8_t*, std::shared_ptr<void>> SharedSlice(uint64_t offset, uint64_t size) const;
  /// Copies bytes out of the file through the kernel; FileError if they are gone.
  void Read(uint64_t offset, void* to, size_t size) const;

 private:
  void CheckRange(uint64_t offset, uint64_t size) const;
  proto::Mapping* mapping_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::utils
