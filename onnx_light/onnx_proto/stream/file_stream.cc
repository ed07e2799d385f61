// Files as sources of messages.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "onnx_proto/stream.h"
#include "onnx_proto/stream/indexed_file.h"

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {

// Up to here everything is read at once, without a look for where the payloads are.
constexpr size_t kReadAsAWhole = size_t{1} << 20;
// What a mapped file is expected to hold beside payloads: a guess that is too large costs fresh huge pages, more than the load itself.
constexpr size_t kUnknownStructure = size_t{64} << 10;

}  // namespace

FileStream::FileStream(const std::string& path) : FileStream(OpenForReading(path), path) {}

FileStream::FileStream(FileDescriptor file, const std::string& path) : path_(path), file_(std::move(file)) {
  const FileFacts facts = FactsOf(file_.get(), path_);
  regular_ = facts.regular;
  size_ = static_cast<size_t>(std::min<uint64_t>(facts.size, SIZE_MAX));
}

FileStream::~FileStream() {
  if (block_) block_->LetGo();
}

proto::ParseSource FileStream::Source(const proto::Table& table, const ParseOptions& options) {
  using Lends = proto::ParseSource::Lends;
  proto::CheckTotalSize(table, size_, options);
  // Files of /proc say that they are empty.
  if (!regular_ || size_ == 0 || options.file_load_mode == FileLoadMode::IFSTREAM) return WholeFile(table, options);
  if (options.file_load_mode == FileLoadMode::MMAP && options.no_copy) {
    if (!mapped_) mapped_.emplace(FileDescriptor(fcntl(file_.get(), F_DUPFD_CLOEXEC, 0)), path_);
    mapped_->CheckSize();
    return {.bytes = mapped_->bytes(),
            .owner = mapped_->owner(),
            .owned = false,
            .lends = Lends::kPayloads,
            .structure = std::min<size_t>(size_, kUnknownStructure)};
  }
  if (block_ || size_ <= kReadAsAWhole) return WholeFile(table, options);
  indexed_ = nullptr;  // before there are two of them
  indexed_ = std::make_unique<proto::IndexedFile>(file_.get(), path_, size_, table, options);
  return {.bytes = indexed_->bytes(), .lends = Lends::kNothing, .payloads = indexed_.get(), .structure = size_ - indexed_->payload_bytes()};
}

proto::ParseSource FileStream::WholeFile(const proto::Table& table, const ParseOptions& options) {
  const auto whole = [this] {
    return proto::ParseSource{.bytes = {reinterpret_cast<const char*>(bytes_), size_},
                              .owner = block_,
                              .owned = true,
                              .lends = proto::ParseSource::Lends::kNothing};
  };
  if (block_) return whole();
  // From its beginning, wherever an attempt before that failed has left it.
  if (regular_ && lseek(file_.get(), 0, SEEK_SET) != 0) ThrowFileError(path_, "read");
  // One byte more than the file says: a file that grows meanwhile, and a pipe, are read to their end.
  size_t room = size_ + 1;
  uint8_t* bytes = nullptr;
  proto::PayloadOwner* block = proto::PayloadOwner::NewBlock(room, &bytes);
  size_t size = 0;
  try {
    for (;;) {
      size += ReadSome(file_.get(), path_, bytes + size, room - size);
      if (size < room) break;
      proto::CheckTotalSize(table, size, options);
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
  return whole();
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
