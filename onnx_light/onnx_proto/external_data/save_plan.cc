#include "onnx_proto/external_data/save_plan.h"

#include <sys/stat.h>

#include <filesystem>
#include <unordered_map>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/external_data/location.h"
#include "onnx_proto/external_data/raw_bytes.h"
#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/text/quoted.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

namespace fs = std::filesystem;

bool SameFolder(const ModelFolder& a, const ModelFolder& b) {
  struct stat one {
  }, other{};
  return &a == &b || (fstat(a.descriptor(), &one) == 0 && fstat(b.descriptor(), &other) == 0 && one.st_dev == other.st_dev &&
                      one.st_ino == other.st_ino);
}

uint64_t AlignedUp(uint64_t offset, int64_t alignment, const std::string& whose) {
  if (alignment <= 1) return offset;
  const auto step = static_cast<uint64_t>(alignment);
  const uint64_t rest = offset % step;
  if (rest && step - rest > INT64_MAX - offset)
    throw ExternalDataError(whose + ": an alignment of " + std::to_string(alignment) + " leads beyond 63 bits");
  return rest ? offset + (step - rest) : offset;
}

}  // namespace

std::string StoredLocation(const std::string& location, const ModelFolder& folder) {
  const std::string whose = "external data";
  if (!location.starts_with('/')) return NormalLocation(location, whose);
  std::error_code error;
  const std::string spelt = fs::absolute(folder.path().empty() ? "." : folder.path(), error).lexically_normal().string();
  const std::string real = fs::canonical(folder.path().empty() ? "." : folder.path(), error).string();
  const fs::path wanted = fs::path(location).lexically_normal();
  const std::string by_links = (fs::weakly_canonical(wanted.parent_path(), error) / wanted.filename()).string();
  for (const std::string& given : {wanted.string(), by_links}) {
    for (std::string inside : {spelt, real}) {
      if (inside.empty()) continue;  // the system cannot say where the folder is
      while (inside.size() > 1 && inside.back() == '/') inside.pop_back();
      if (inside != "/") inside += '/';
      if (given.size() > inside.size() && given.starts_with(inside)) return NormalLocation(given.substr(inside.size()), whose);
    }
  }
  throw ExternalDataError(whose + ": location " + Quoted(location) + " lies outside the model's folder " + Quoted(real));
}

bool SavePlan::Needed(const ModelProto& model, const SaveOptions& options) {
  if (options.save_as_external_data) return true;
  for (TensorWalk walk(model); walk.Next();) {
    if (IsExternal(walk.tensor())) return true;
  }
  return false;
}

SavePlan::SavePlan(ModelProto& model, const ModelFolder& folder, const std::string& name, const ModelFolder& source,
                   const SaveOptions& options)
    : model_(model), folder_(folder), name_(name), source_(source), options_(options) {
  Collect();
  for (const PlannedFile& file : files_) {
    if (file.location == name_) throw ExternalDataError("external data: location " + Quoted(file.location) + " is the model's own file");
  }
}

// A reference that stays what it is, or is followed, has to lead to bytes.
void SavePlan::CheckReference(const std::string& location, FileRange range, const ModelFolder& in, const std::string& whose) const {
  const WeightsFile file = in.Open(location, whose);
  if (range.offset > file.size || range.size > file.size - range.offset) {
    throw ExternalDataError(whose + ": needs " + std::to_string(range.size) + " bytes at offset " + std::to_string(range.offset) + " of " +
                            Shown(file.path, kWholePath) + ", which has " + std::to_string(file.size));
  }
}

void SavePlan::Place(PlannedFile& file, PlannedPart part) const {
  part.range.offset = AlignedUp(file.size, options_.alignment, part.whose);
  if (part.range.size > INT64_MAX - part.range.offset)
    throw ExternalDataError(part.whose + ": " + Quoted(file.location) + " would exceed 63 bits");
  file.size = part.range.offset + part.range.size;
  file.parts.push_back(std::move(part));
}

void SavePlan::Collect() {
  const bool moves = options_.save_as_external_data;
  const bool copies = !SameFolder(source_, folder_);
  struct Waiting {
    PlannedPart part;
    std::string location;  // its own
  };
  std::vector<Waiting> waiting;     // in the order of the model
  std::set<std::string> rewritten;  // locations of which a tensor brings new bytes
  for (MutableTensorWalk walk(model_); walk.Next();) {
    TensorProto& tensor = walk.tensor();
    if (IsExternal(tensor)) {
      const std::string place = walk.place(), whose = NameOf(tensor, place);
      const ExternalReference reference = ExternalReference::Of(tensor, place);
      std::string location = NormalLocation(reference.location, whose);
      if (HasElements(tensor)) {
        std::optional<utils::ByteSpan> bytes = RawBytesOf(tensor);
        if (!bytes)
          throw ExternalDataError(whose + ": it is to be saved to " + Quoted(location) +
                                  ", but its elements are not what its shape and type say");
        const uint64_t size = bytes->size();
        rewritten.insert(location);
        waiting.push_back({{&tensor, std::move(*bytes), "", {}, whose, {0, size}}, std::move(location)});
      } else {
        const FileRange range = RangeOf(tensor, reference, place);
        waiting.push_back({{&tensor, {}, location, range, whose, {0, range.size}}, location});
      }
    } else if (moves && (options_.convert_attribute || walk.is_initializer())) {
      if (tensor.has_raw_data() && static_cast<int64_t>(std::as_const(tensor).raw_data().size()) < options_.raw_data_threshold) continue;
      std::optional<utils::ByteSpan> bytes = RawBytesOf(tensor);
      if (!bytes || bytes->empty() || static_cast<int64_t>(bytes->size()) < options_.raw_data_threshold) continue;
      const uint64_t size = bytes->size();
      waiting.push_back({{&tensor, std::move(*bytes), "", {}, NameOf(tensor, ""), {0, size}}, ""});
    }
  }

  const std::string primary = !moves || !options_.all_tensors_to_one_file ? std::string()
                              : options_.location.empty()                 ? name_ + ".data"
                                                                          : StoredLocation(options_.location, folder_);
  FileNames names(name_);
  std::unordered_map<std::string, size_t> file_of;
  for (Waiting& one : waiting) {
    if (!one.part.source.empty()) {
      const bool stays = !moves && !copies && !rewritten.contains(one.location);
      CheckReference(one.location, one.part.source_range, stays ? folder_ : source_, one.part.whose);
      if (stays) continue;
    }
    size_t file = 0;
    if (!primary.empty()) {
      const auto most = static_cast<uint64_t>(std::max<int64_t>(options_.max_external_file_size, 0));
      const bool full = most && !files_.empty() && files_.back().size > 0 &&
                        (AlignedUp(files_.back().size, options_.alignment, one.part.whose) > most ||
                         one.part.range.size > most - AlignedUp(files_.back().size, options_.alignment, one.part.whose));
      if (files_.empty() || full) files_.push_back({SplitLocation(primary, files_.size())});
      file = files_.size() - 1;
    } else {
      const std::string location = moves ? names.NameFor(one.part.tensor->view_name()) : one.location;
      const auto [found, fresh] = file_of.try_emplace(location, files_.size());
      if (fresh) files_.push_back({location});
      file = found->second;
    }
    Place(files_[file], std::move(one.part));
  }
}

void SavePlan::Refer(const std::vector<std::string>& locations, const std::vector<std::string>& checksums) {
  for (size_t i = 0; i < files_.size(); ++i) {
    for (PlannedPart& part : files_[i].parts) {
      SetReference(*part.tensor, locations[i], part.range, checksums.empty() ? std::string_view() : checksums[i], part.tensor);
      part.bytes.clear();  // it may borrow what goes now
      ClearElements(*part.tensor);
    }
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE
