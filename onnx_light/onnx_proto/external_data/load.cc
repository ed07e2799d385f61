// Loading models: the file, and once more from the start when a saver has replaced it meanwhile.
#include <fcntl.h>
#include <sys/stat.h>

#include <utility>
#include <vector>

#include "onnx_proto/external_data/external_load.h"
#include "onnx_proto/external_data/location.h"
#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/onnx_files.h"
#include "onnx_proto/stream.h"
#include "onnx_proto/verbs/parse_source.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

// The file at a path, as it is when this is made; its number is not given to another file as long as this lives.
class Witness {
 public:
  explicit Witness(const std::string& path) : path_(utils::CheckedPath(path)) {
#if defined(O_PATH)
    file_ = utils::FileDescriptor(open(path.c_str(), O_PATH | O_CLOEXEC));
#endif
    known_ = file_ && fstat(file_.get(), &facts_) == 0 && S_ISREG(facts_.st_mode);
  }
  uint64_t size() const { return known_ ? static_cast<uint64_t>(facts_.st_size) : 0; }
  // Whether another file has taken its place.
  bool Replaced() const {
    struct stat now {};
    return known_ && stat(path_.c_str(), &now) == 0 && (now.st_dev != facts_.st_dev || now.st_ino != facts_.st_ino);
  }

 private:
  const std::string path_;
  utils::FileDescriptor file_;
  struct stat facts_ {};
  bool known_ = false;
};

}  // namespace

namespace proto {

void LoadFresh(const Table& table, Message& fresh, const std::string& path, const LoadOptions& options) {
  ParseOptions structure = options;
  structure.raw_data_callback = nullptr;  // once all payloads are there
  constexpr int kMostAttempts = 100;      // of a model that is replaced each time while it is read
  for (int attempt = 1;; ++attempt) {
    const Witness witness(path);
    try {
      utils::FileStream stream(path);
      ParseFresh(table, fresh, stream.Source(table, structure), structure, true);
      if (!options.load_external_data) break;
      ExternalLoad(table, fresh, {path, ExternalLoad::Place::kModelFile}, options).Run({}, witness.size());
    } catch (const Error&) {
      if (attempt == kMostAttempts || !witness.Replaced()) throw;
      Verbs::Clear(table, fresh);
      continue;
    }
    if (attempt == kMostAttempts || !witness.Replaced()) break;
    Verbs::Clear(table, fresh);
  }
  RunRawDataCallback(table, fresh, options.raw_data_callback);
}

void LoadExternalData(const Table& table, Message& message, const std::string& folder, const LoadOptions& options,
                      const std::vector<std::string>& names) {
  ExternalLoad(table, message, {folder, ExternalLoad::Place::kFolder}, options).Run(names, 0);
}

void LoadExternalDataBeside(const Table& table, Message& message, const std::string& path, const LoadOptions& options) {
  ExternalLoad(table, message, {path, ExternalLoad::Place::kModelFile}, options).Run({}, 0);
}

std::vector<ExternalRange> ListExternalData(const Table& table, const Message& message) {
  std::vector<ExternalRange> ranges;
  for (TensorWalk walk(table, message); walk.Next();) {
    if (!IsExternal(walk.tensor())) continue;
    std::string place = walk.place();
    const std::string whose = NameOf(walk.tensor(), place);
    const ExternalReference reference = ExternalReference::Of(walk.tensor(), place);
    const FileRange range = RangeOf(walk.tensor(), reference, place);
    ranges.push_back({&walk.tensor(), std::move(place), NormalLocation(reference.location, whose), range.offset, range.size,
                      std::string(reference.checksum)});
  }
  return ranges;
}

}  // namespace proto

void LoadModel(ModelProto& model, const std::string& path, const LoadOptions& options) {
  ModelProto loaded;
  proto::LoadFresh(ModelProto::table(), loaded, path, options);
  model = std::move(loaded);
}

}  // namespace ONNX_LIGHT_NAMESPACE
