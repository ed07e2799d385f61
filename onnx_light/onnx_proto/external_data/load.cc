// Loading models, and the payloads that lie outside their files.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <vector>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/external_data/location.h"
#include "onnx_proto/external_data/payload_source.h"
#include "onnx_proto/external_data/raw_bytes.h"
#include "onnx_proto/external_data/sha1.h"
#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/onnx_files.h"
#include "onnx_proto/stream.h"
#include "onnx_proto/verbs/parse_source.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using proto::Message;
using proto::Table;

constexpr size_t kMostMapped = 256;  // files: a mapping keeps its descriptor, and there are not many

// All payloads of one location.
struct Source {
  std::string location;
  std::vector<WantedPayload*> wanted;
  std::vector<std::pair<std::string, std::string>> checksums;  // whose, which
};

class ExternalLoad {
 public:
  // `folder` is asked for if there is anything to read.
  ExternalLoad(const Table& table, Message& message, std::function<ModelFolder()> folder, const LoadOptions& options)
      : table_(table), message_(message), find_folder_(std::move(folder)), options_(options) {}

  // `already` bytes count to the limit.
  void Run(const std::vector<std::string>& names, uint64_t already) {
    Collect(names, already);
    if (wanted_.empty()) return;
    folder_.emplace(find_folder_());
    ChoosePrimary();
    for (Source& source : sources_) Read(source);
    for (WantedPayload& one : wanted_) {  // the file wins over what the tensor carries itself
      ClearElements(*one.tensor);
      one.tensor->set_raw_data(std::move(one.bytes));
      DropReference(*one.tensor);
    }
  }

 private:
  void Collect(const std::vector<std::string>& names, uint64_t total) {
    const std::unordered_set<std::string_view> chosen(names.begin(), names.end());
    std::unordered_set<std::string_view> met;
    std::vector<std::pair<std::string, std::string>> found;  // location and checksum of each that is wanted
    for (MutableTensorWalk walk(table_, message_); walk.Next();) {
      TensorProto& tensor = walk.tensor();
      if (!options_.location.empty() && IsExternal(tensor)) all_locations_.emplace(ExternalReference::Of(tensor, walk.place()).location);
      if (!chosen.empty()) {
        const auto name = chosen.find(tensor.view_name());
        if (name == chosen.end()) continue;
        met.insert(*name);
      }
      if (!IsExternal(tensor)) continue;
      const std::string place = walk.place(), whose = NameOf(tensor, place);
      const ExternalReference reference = ExternalReference::Of(tensor, place);
      const FileRange range = RangeOf(tensor, reference, place);
      if (options_.skip_raw_data && static_cast<int64_t>(range.size) >= options_.raw_data_threshold) continue;
      CheckLimits(whose, range.size, total);
      found.emplace_back(options_.location.empty() ? NormalLocation(reference.location, whose) : std::string(reference.location),
                         std::string(reference.checksum));
      wanted_.push_back({&tensor, whose, range, {}});
    }
    for (const std::string& name : names) {
      if (!met.contains(name)) throw ExternalDataError("no tensor is called " + Quoted(name));
    }
    std::map<std::string, size_t> source_of;
    for (size_t i = 0; i < wanted_.size(); ++i) {
      const auto [at, fresh] = source_of.try_emplace(found[i].first, sources_.size());
      if (fresh) sources_.push_back({found[i].first, {}, {}});
      Source& source = sources_[at->second];
      source.wanted.push_back(&wanted_[i]);
      if (!found[i].second.empty()) source.checksums.emplace_back(wanted_[i].whose, found[i].second);
    }
  }

  void CheckLimits(const std::string& whose, uint64_t size, uint64_t& total) const {
    if (options_.max_tensor_size_bytes >= 0 && size > static_cast<uint64_t>(options_.max_tensor_size_bytes)) {
      throw ParseError("ParseError: " + whose + ": " + std::to_string(size) + " bytes of external data, " +
                       std::to_string(options_.max_tensor_size_bytes) + " are allowed");
    }
    total = size > UINT64_MAX - total ? UINT64_MAX : total + size;
    if (options_.max_total_size_bytes >= 0 && total > static_cast<uint64_t>(options_.max_total_size_bytes)) {
      throw ParseError("ParseError: " + whose + ": " + std::to_string(total) + " bytes up to here, " +
                       std::to_string(options_.max_total_size_bytes) + " are allowed");
    }
  }

  // Where the caller names the file: which of the model's locations it stands for.
  void ChoosePrimary() {
    if (options_.location.empty() || sources_.empty()) return;
    const std::vector<std::string> locations(all_locations_.begin(), all_locations_.end());
    primary_ = PrimaryOf(locations);
    if (primary_.empty()) {
      throw ExternalDataError("the tensors lie in " + std::to_string(locations.size()) + " files (" + Quoted(locations[0]) + ", " +
                              Quoted(locations[1]) + ", …), which are no split of one: they cannot all be read from " +
                              Quoted(options_.location));
    }
    given_ = options_.location;
    const std::string beside = folder_->PathOf(given_);
    if (!given_.starts_with('/') && access(beside.c_str(), F_OK) == 0) given_ = beside;
  }

  WeightsFile Open(const Source& source) const {
    const std::string& whose = source.wanted.front()->whose;
    if (options_.location.empty()) return folder_->Open(source.location, whose);
    return OpenGivenFile(SplitLocation(given_, static_cast<size_t>(SplitIndex(primary_, source.location))), whose);
  }

  void Read(Source& source) {
    WeightsFile file = Open(source);
    CheckRanges(file, source.wanted);
    if (options_.verify_checksums && !source.checksums.empty()) Verify(file, source);
    const bool maps = options_.no_copy && sources_.size() <= kMostMapped;
    if (maps) MapPayloads(std::move(file), source.wanted);
    else ReadPayloads(file, source.wanted, options_);
  }

  static void Verify(const WeightsFile& file, const Source& source) {
    const std::string is = Sha1OfFile(file.file.get(), file.path);
    for (const auto& [whose, checksum] : source.checksums) {
      std::string says = checksum;
      for (char& c : says) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      if (says != is)
        throw ExternalDataError(std::string(whose)
                                    .append(": the SHA-1 of ")
                                    .append(file.path)
                                    .append(" is ")
                                    .append(is)
                                    .append(", its checksum says ")
                                    .append(Quoted(checksum)));
    }
  }

  const Table& table_;
  Message& message_;
  const std::function<ModelFolder()> find_folder_;
  std::optional<ModelFolder> folder_;
  const LoadOptions& options_;
  std::vector<WantedPayload> wanted_;
  std::vector<Source> sources_;
  std::set<std::string> all_locations_;  // of wanted tensors and others
  std::string primary_;                  // in the model
  std::string given_;                    // instead
};

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
      ExternalLoad(
          table, fresh, [&] { return ModelFolder::OfModel(path); }, options)
          .Run({}, witness.size());
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
  const PayloadOwner::EndsLater later;
  ExternalLoad(
      table, message, [&] { return ModelFolder::At(folder); }, options)
      .Run(names, 0);
}

void LoadExternalDataBeside(const Table& table, Message& message, const std::string& path, const LoadOptions& options) {
  const PayloadOwner::EndsLater later;
  ExternalLoad(
      table, message, [&] { return ModelFolder::OfModel(path); }, options)
      .Run({}, 0);
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
