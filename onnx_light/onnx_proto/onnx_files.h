// Models in files, with their weights in the same file or in others beside it.
//
// Saving never changes the model. What is saved appears whole or not at all, the weights together with the model that means them
// (external_data/publish.h says how); a model whose payloads are mapped from the files that are replaced is saved like any other.
// Locations that a file names lie in its model's folder, or are refused before anything is opened (external_data/model_folder.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE {

/// How to load. Limits count external bytes too. Each tensor with a payload goes to `raw_data_callback` once all payloads are there.
struct LoadOptions : ParseOptions {
  /// Whether payloads that lie in other files are read (with no_copy: mapped, one shared mapping a file) or left as references.
  bool load_external_data = true;
  /// Where the weights are, instead of where the model says: any path, links followed; a relative one is looked up beside the model, then
  /// in the current folder. Of a split, the first file: the others are looked up beside it (".1", ".2", …).
  std::string location;
  /// The SHA-1 of each file that a tensor gives a checksum for has to be that.
  bool verify_checksums = false;
};

/// How to save. `raw_data_threshold`, `alignment` (of each payload's place in its file) and `max_external_file_size` (how many bytes a file
/// takes, as far as no single tensor has more; further files are called location.1, location.2, …) are those of the base.
struct SaveOptions : SerializeOptions {
  SaveOptions() { raw_data_threshold = 1024; }
  explicit SaveOptions(const SerializeOptions& options) : SerializeOptions(options) {}

  /// Tensors of at least raw_data_threshold payload bytes go to other files. Tensors that are references already go with them.
  bool save_as_external_data = false;
  /// To one file, or each to a file named after the tensor, which takes the place of nothing but what the old model reads.
  bool all_tensors_to_one_file = true;
  /// The one file, relative to the model's folder, or absolute and inside it. Empty: the model's file name and ".data".
  std::string location;
  /// Attributes of nodes as well, not only initializers.
  bool convert_attribute = false;
  /// Each step is on the disk before the next one: the promise covers a loss of power, not only killed processes.
  bool durable = false;
  /// Each reference gets the SHA-1 of its whole file.
  bool checksum = false;
  /// The folder that references of the model refer to, where that is not the one it is saved in: their bytes are copied from there, without
  /// being loaded.
  std::string base_dir;
  /// Told of the bytes of all files that are written, the model's own included.
  ProgressCallback progress;
};

/// Reads a model. Throws ParseError, FileError or ExternalDataError, with `model` as it was.
ONNX_LIGHT_API void LoadModel(ModelProto& model, const std::string& path, const LoadOptions& options = {});

/// Writes a model. Tensors that are references and are not moved have to be found in the folder it is saved in. Throws SerializeError,
/// FileError or ExternalDataError; then what was there before is there as it was.
ONNX_LIGHT_API void SaveModel(const ModelProto& model, const std::string& path, const SaveOptions& options = {});
/// The same with options of a serialisation; tensors of at least raw_data_threshold bytes go to `location`, if that is not empty.
ONNX_LIGHT_API void SerializeToFile(const ModelProto& model, const std::string& path, const SerializeOptions& options = {},
                                    const std::string& location = "");

/// Reads the payloads of references, in a message of any kind, from a folder: of all tensors, or of those with these names. All or nothing.
/// Throws FileError, ExternalDataError (also for a name that no tensor has) and ParseError (limits).
template <class M>
void LoadExternalData(M& message, const std::string& folder, const LoadOptions& options = {}, const std::vector<std::string>& names = {});

/// A payload that lies in another file.
struct ExternalRange {
  const TensorProto* tensor;  // of the message that was asked
  std::string place;          // "graph.initializer[3]"
  std::string location;       // normalised
  uint64_t offset = 0;
  uint64_t size = 0;
  std::string checksum;
};
/// Every payload that lies in another file, in the order of the message. Reads no file. Throws ExternalDataError.
template <class M>
std::vector<ExternalRange> ListExternalData(const M& message);

namespace proto {
ONNX_LIGHT_API void LoadExternalData(const Table& table, Message& message, const std::string& folder, const LoadOptions& options,
                                     const std::vector<std::string>& names);
// The same for a message that came from a file at this path: a link there leads to one more folder where weights may lie.
ONNX_LIGHT_API void LoadExternalDataBeside(const Table& table, Message& message, const std::string& path, const LoadOptions& options);
ONNX_LIGHT_API std::vector<ExternalRange> ListExternalData(const Table& table, const Message& message);
// The same as LoadModel into an empty message that nobody has seen; after an error a part of the file may be in it.
ONNX_LIGHT_API void LoadFresh(const Table& table, Message& fresh, const std::string& path, const LoadOptions& options);
}  // namespace proto

template <class M>
void LoadExternalData(M& message, const std::string& folder, const LoadOptions& options, const std::vector<std::string>& names) {
  proto::LoadExternalData(M::table(), message, folder, options, names);
}
template <class M>
std::vector<ExternalRange> ListExternalData(const M& message) {
  return proto::ListExternalData(M::table(), message);
}

}  // namespace ONNX_LIGHT_NAMESPACE
