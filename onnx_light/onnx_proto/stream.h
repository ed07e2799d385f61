// Where bytes come from and where they go: streams over memory and files.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "onnx_proto/stream/file_descriptor.h"
#include "onnx_proto/stream/mapped_file.h"
#include "onnx_proto/verbs/parse_source.h"
#include "onnx_proto/verbs/stream_verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class IndexedFile;

// A part of what is written; `owner` keeps the bytes of a payload, and may be null.
struct OutPart {
  std::string_view bytes;
  PayloadOwner* owner = nullptr;
  // The file that they are mapped from, or null.
  const Mapping* mapping() const { return owner ? owner->mapping() : nullptr; }
  // To be read at once: FileError if they are mapped from a file that has been shortened.
  std::string_view CheckedBytes() const {
    if (const Mapping* const from = mapping()) from->CheckSize();
    return bytes;
  }
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto

namespace ONNX_LIGHT_NAMESPACE::utils {

class Progress;

/// A source of bytes. What is parsed from it may share them: payloads then keep alive what they need, not the stream.
class ONNX_LIGHT_API BinaryStream {
 public:
  BinaryStream() = default;
  BinaryStream(const BinaryStream&) = delete;
  BinaryStream& operator=(const BinaryStream&) = delete;
  virtual ~BinaryStream();
  /// What a parse of a message of this type with these options needs: the bytes, and where payloads are that do not lie among them. It
  /// stays until the next call or the end of the stream. Throws FileError, and ParseError if the source is larger than the options allow.
  virtual proto::ParseSource Source(const proto::Table& table, const ParseOptions& options) = 0;
  /// Whether parts of a message come from elsewhere when it has been parsed, by Complete.
  virtual bool completes() const { return false; }
  virtual void Complete(const proto::Table&, proto::Message&, const ParseOptions&) {}
};

/// Bytes in memory, which the caller keeps alive as long as the stream (with ParseOptions::no_copy: as long as the message).
class ONNX_LIGHT_API StringStream final : public BinaryStream {
 public:
  explicit StringStream(std::string_view bytes) : bytes_(bytes) {}
  StringStream(const void* data, size_t size) : StringStream(std::string_view(static_cast<const char*>(data), size)) {}
  ~StringStream() override;
  proto::ParseSource Source(const proto::Table&, const ParseOptions&) override { return {.bytes = bytes_}; }

 private:
  std::string_view bytes_;
};

/// A file, or a pipe or device that is read to its end. Payloads that are parsed from it own their bytes, or with FileLoadMode::MMAP and
/// no_copy are slices of one mapping, which they keep.
class ONNX_LIGHT_API FileStream final : public BinaryStream {
 public:
  /// Opens the file. Throws FileError.
  explicit FileStream(const std::string& path);
  /// The same of a file that is open already; `path` is for errors.
  FileStream(FileDescriptor file, const std::string& path);
  ~FileStream() override;
  proto::ParseSource Source(const proto::Table& table, const ParseOptions& options) override;
  /// As far as it is known before a pipe is read.
  size_t size() const { return size_; }
  const std::string& path() const { return path_; }

 private:
  proto::ParseSource WholeFile(const proto::Table& table, const ParseOptions& options);

  const std::string path_;
  FileDescriptor file_;
  bool regular_ = false;
  size_t size_ = 0;
  proto::PayloadOwner* block_ = nullptr;  // the whole file, once it has been read so
  uint8_t* bytes_ = nullptr;
  std::unique_ptr<proto::IndexedFile> indexed_;
  std::optional<MappedFile> mapped_;
};

/// A model's file and the file of its weights, whatever name the model has for it. With no_copy the weights are slices of one mapping.
class ONNX_LIGHT_API TwoFilesStream final : public BinaryStream {
 public:
  /// Opens the model's file; that of the weights is opened when a tensor is met that lies in it. Throws FileError.
  TwoFilesStream(const std::string& path, const std::string& weights_path);
  ~TwoFilesStream() override;
  proto::ParseSource Source(const proto::Table& table, const ParseOptions& options) override { return model_.Source(table, options); }
  bool completes() const override { return true; }
  /// Throws FileError and ExternalDataError.
  void Complete(const proto::Table& table, proto::Message& fresh, const ParseOptions& options) override;

 private:
  FileStream model_;
  const std::string weights_path_;
};

/// Where bytes are written to, in order.
class ONNX_LIGHT_API BinaryWriteStream {
 public:
  BinaryWriteStream() = default;
  BinaryWriteStream(const BinaryWriteStream&) = delete;
  BinaryWriteStream& operator=(const BinaryWriteStream&) = delete;
  virtual ~BinaryWriteStream();
  virtual void Write(std::string_view bytes) = 0;
  /// The same for many parts: payloads are not copied on their way. Throws FileError where one is mapped from a file that was shortened.
  virtual void WriteParts(std::span<const proto::OutPart> parts);
  /// True if the stream has written the message in a way of its own.
  virtual bool WriteMessage(const proto::Table&, const proto::Message&, const SerializeOptions&) { return false; }
  /// Says that what was written is not whole, and nothing more will come: a message could not be written.
  virtual void Abandon() {}
};

class ONNX_LIGHT_API StringWriteStream final : public BinaryWriteStream {
 public:
  ~StringWriteStream() override;
  void Write(std::string_view bytes) override { bytes_.append(bytes); }
  const std::string& str() const { return bytes_; }
  size_t size() const { return bytes_.size(); }

 private:
  std::string bytes_;
};

/// A file that appears whole or not at all: written beside its path and renamed by Close. An existing target keeps its mode, a link is
/// replaced by the file. Devices and pipes are written directly. What a killed process left beside the path is removed.
class ONNX_LIGHT_API FileWriteStream final : public BinaryWriteStream {
 public:
  /// Throws FileError, as Write and Close do.
  explicit FileWriteStream(const std::string& path);
  /// Closes, unless an exception is on its way or something failed: then the old file stays. Call Close to hear of errors.
  ~FileWriteStream() override;
  void Write(std::string_view bytes) override;
  void WriteParts(std::span<const proto::OutPart> parts) override;
  /// What is written from now on is told to the callback, as a save tells it.
  void OnProgress(ProgressCallback callback);
  /// The old file stays.
  void Abandon() override { failed_ = true; }
  /// Whether a pipe, a device or an open descriptor is written directly, where a write may wait for whoever reads.
  bool direct() const;
  /// Once the bytes are not whole (a write failed, or Abandon), this throws too.
  void Close();

 private:
  struct Target;
  const std::string path_;
  std::unique_ptr<Target> target_;  // until it is closed
  std::unique_ptr<Progress> progress_;
  bool failed_ = false;
  const int exceptions_;
};

/// A model to one file and its weights (payloads of at least raw_data_threshold bytes) to another, which has to lie in the same folder or
/// below. Both appear together, or neither: when the model is written, nothing has to be closed.
class ONNX_LIGHT_API TwoFilesWriteStream final : public BinaryWriteStream {
 public:
  TwoFilesWriteStream(const std::string& path, const std::string& weights_path) : path_(path), weights_path_(weights_path) {}
  ~TwoFilesWriteStream() override;
  /// Throws SerializeError: bytes that are no model have no weights.
  void Write(std::string_view bytes) override;
  /// Throws SerializeError (also for what is no ModelProto), FileError, ExternalDataError.
  bool WriteMessage(const proto::Table& table, const proto::Message& message, const SerializeOptions& options) override;

 private:
  const std::string path_;
  const std::string weights_path_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::utils
