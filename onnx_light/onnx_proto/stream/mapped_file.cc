#include "onnx_proto/stream/mapped_file.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "onnx_proto/error.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

Mapping::Mapping(utils::FileDescriptor file, std::string path, const char* data, uint64_t size)
    : PayloadOwner(false), file_(std::move(file)), path_(std::move(path)), data_(data), size_(size) {}

Mapping::~Mapping() {
  if (size_) munmap(const_cast<char*>(data_), size_);
}

PayloadOwner* Mapping::End() {
  delete this;
  return nullptr;
}

bool Mapping::Holds(std::string_view part, uint64_t& offset) const {
  const auto begin = reinterpret_cast<uintptr_t>(data_), at = reinterpret_cast<uintptr_t>(part.data());
  if (at < begin || at - begin > size_ || part.size() > size_ - (at - begin)) return false;
  offset = at - begin;
  return true;
}

uint64_t Mapping::SizeNow() const { return utils::FactsOf(descriptor(), path_).size; }

void Mapping::CheckSize() const {
  const uint64_t now = SizeNow();
  if (now >= size_) return;
  utils::ThrowShortened(path_, "has " + std::to_string(now) + " bytes, " + std::to_string(size_) + " when it was mapped");
}

void Mapping::Copy(std::string_view part, void* to) const {
  uint64_t offset = 0;
  if (Holds(part, offset)) utils::ReadAt(descriptor(), path_, offset, to, part.size());
  else if (!part.empty()) std::memcpy(to, part.data(), part.size());  // its owner's chain knows a mapping, but it lies elsewhere
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {

proto::Mapping* Map(FileDescriptor file, const std::string& path) {
  const FileFacts facts = FactsOf(file.get(), path);
  if (!facts.regular) ThrowFileError(path, "map", ENODEV);
  if (facts.size > SIZE_MAX / 2) ThrowFileError(path, "map", EOVERFLOW);
  void* memory = nullptr;
  if (facts.size) {  // an empty file cannot be mapped, and need not be
    memory = mmap(nullptr, facts.size, PROT_READ, MAP_SHARED, file.get(), 0);
    if (memory == MAP_FAILED) ThrowFileError(path, "map");
  }
  try {
    return new proto::Mapping(std::move(file), path, static_cast<const char*>(memory), facts.size);
  } catch (...) {
    if (memory) munmap(memory, facts.size);
    throw;
  }
}

}  // namespace

MappedFile::MappedFile(const std::string& path) : mapping_(Map(OpenForReading(path), path)) {}
MappedFile::MappedFile(FileDescriptor file, const std::string& path) : mapping_(Map(std::move(file), path)) {}

void MappedFile::CheckRange(uint64_t offset, uint64_t wanted) const {
  if (offset <= size() && wanted <= size() - offset) return;
  throw FileError(
      path(),
      std::to_string(wanted) + " bytes at offset " + std::to_string(offset) + " are asked for, the file has " + std::to_string(size()),
      EINVAL);
}

ByteSpan MappedFile::Slice(uint64_t offset, uint64_t wanted) const {
  CheckRange(offset, wanted);
  ByteSpan span;
  if (wanted == 0) return span;
  mapping_->Hold();
  span.adopt(bytes().data() + offset, static_cast<size_t>(wanted), mapping_, false);
  return span;
}

std::pair<const uint8_t*, std::shared_ptr<void>> MappedFile::SharedSlice(uint64_t offset, uint64_t wanted) const {
  const ByteSpan span = Slice(offset, wanted);
  return {span.data(), span.owner()};
}

void MappedFile::Read(uint64_t offset, void* to, size_t wanted) const {
  CheckRange(offset, wanted);
  ReadAt(descriptor(), path(), offset, to, wanted);
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
