// A model and its weights as one stream: the doors of stream.h to loading and saving with external data.
#include <filesystem>

#include "onnx_proto/onnx_files.h"
#include "onnx_proto/stream.h"

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {

// The weights' path is the caller's, not one below the model's folder.
std::string Absolute(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(CheckedPath(path), error);
  if (error) ThrowFileError(path, "find", error.value());
  return absolute.lexically_normal().string();
}

}  // namespace

TwoFilesStream::TwoFilesStream(const std::string& path, const std::string& weights_path)
    : model_(path), weights_path_(Absolute(weights_path)) {}
TwoFilesStream::~TwoFilesStream() = default;

void TwoFilesStream::Complete(const proto::Table& table, proto::Message& fresh, const ParseOptions& options) {
  LoadOptions with_location;
  static_cast<ParseOptions&>(with_location) = options;
  with_location.location = weights_path_;
  proto::LoadExternalDataBeside(table, fresh, model_.path(), with_location);
}

TwoFilesWriteStream::~TwoFilesWriteStream() = default;

void TwoFilesWriteStream::Write(std::string_view) { throw SerializeError(path_ + ": only a model can be written to two files, not bytes"); }

bool TwoFilesWriteStream::WriteMessage(const proto::Table& table, const proto::Message& message, const SerializeOptions& options) {
  if (&table != &ModelProto::table())
    throw SerializeError(path_ + ": only a ModelProto can be written to two files, not a " + std::string(table.name));
  SerializeToFile(static_cast<const ModelProto&>(message), Absolute(path_), options, Absolute(weights_path_));
  return true;
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
