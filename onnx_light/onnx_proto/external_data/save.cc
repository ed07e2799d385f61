#include "onnx_proto/external_data/save.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/external_data/location.h"
#include "onnx_proto/external_data/sha1.h"
#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/stream/mentions.h"
#include "onnx_proto/stream/payload_writer.h"
#include "onnx_proto/thread_pool.h"
#include "onnx_proto/verbs/write.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using utils::FileDescriptor;
using utils::NewFile;
using utils::PayloadWriter;

constexpr size_t kMostOpen = 64;  // weights files that are kept open until all are written

}  // namespace

// A serialised model, with holds on the payloads that are not copied into it.
class WrittenModel {
 public:
  WrittenModel(const ModelProto& model, const SerializeOptions& options) : writer_(options) {
    proto::WriteMessage(writer_, ModelProto::table(), model, options);
    parts_ = writer_.Parts();
    for (const proto::OutPart& part : parts_) {
      if (part.owner) part.owner->Hold();
    }
  }
  WrittenModel(const WrittenModel&) = delete;
  WrittenModel& operator=(const WrittenModel&) = delete;
  ~WrittenModel() {
    for (const proto::OutPart& part : parts_) {
      if (part.owner) part.owner->LetGo();
    }
  }
  void WriteTo(PayloadWriter& to) const {
    to.Reserve(writer_.size());
    for (const proto::OutPart& part : parts_) to.Add(part.bytes, part.owner);
    to.Flush();
  }

 private:
  proto::Writer writer_;
  std::vector<proto::OutPart> parts_;
};

ModelSaver::ModelSaver(const ModelProto& model, const std::string& path, const SaveOptions& options, Print print)
    : options_(options),
      print_(std::move(print)),
      path_(path),
      name_(utils::NameOfTarget(path)),
      folder_(ModelFolder::OfModel(path)),
      source_(options.base_dir.empty() ? std::nullopt : std::optional(ModelFolder::At(options.base_dir))),
      place_{folder_.descriptor(), folder_.path()},
      neighbours_(folder_, name_),
      progress_(options.progress),
      publication_{.folder = place_, .name = name_, .durable = options.durable} {
  for (TensorWalk walk(model); walk.Next();) {
    const utils::ByteSpan& payload = walk.tensor().raw_data();
    const proto::PayloadOwner* const owner = payload.owner_or_null();
    if (owner && owner->mapping()) mappings_.try_emplace(owner->mapping(), payload);
  }
  const bool needs_plan = SavePlan::Needed(model, options_);
  if (needs_plan || print_) changed_ = model;
  if (needs_plan) {
    plan_.emplace(changed_, folder_, name_, source_ ? *source_ : folder_, options_);
    if (WritesDirectly() && !plan_->files().empty()) {
      throw ExternalDataError("external data: " + Quoted(path_) + " is a pipe or device, beside which no weights can lie");
    }
  } else if (!print_) {
    CheckMappings();  // small payloads are copied now
    written_ = std::make_unique<WrittenModel>(model, options_);
  }
}

ModelSaver::~ModelSaver() = default;

void ModelSaver::Lock() {
  if (!WritesDirectly()) lock_.emplace(place_);
}

bool ModelSaver::WritesDirectly() const { return utils::IsWrittenDirectly(place_, name_, path_); }

void ModelSaver::CheckMappings() const {
  for (const auto& [mapping, held] : mappings_) mapping->CheckSize();
}

void ModelSaver::WriteMessageTo(PayloadWriter& to) const {
  if (print_) {
    const utils::InCallback in_callback;
    print_(changed_, [&to](std::string_view piece) {
      to.Add(piece);
      to.Flush();
    });
    return;
  }
  if (written_) written_->WriteTo(to);
  else WrittenModel(changed_, options_).WriteTo(to);
}

NewFile ModelSaver::WriteModel(utils::Progress* progress) const {
  NewFile file(place_, name_, utils::ModeOf(place_, name_), how_);
  PayloadWriter writer(file.descriptor(), path_, progress);
  WriteMessageTo(writer);
  file.CheckWritten();
  if (progress) progress->Flush();
  return file;
}

void ModelSaver::WriteWeightsFile(size_t index, NewFile& file) const {
  PlannedFile& planned = const_cast<SavePlan&>(*plan_).files()[index];
  const std::string path = place_.PathOf(planned.location);
  PayloadWriter writer(file.descriptor(), path, &progress_);
  writer.Reserve(planned.size);
  std::optional<utils::MappedFile> source;
  std::string source_location;
  for (const PlannedPart& part : planned.parts) {
    writer.AddZeros(part.range.offset - writer.offset());
    if (part.source.empty()) {
      writer.Add(part.bytes);
    } else if (part.range.size) {
      if (!source || source_location != part.source) {
        writer.Flush();  // what it holds of the one before
        WeightsFile opened = (source_ ? *source_ : folder_).Open(part.source, part.whose);
        source.emplace(std::move(opened.file), opened.path);
        source_location = part.source;
      }
      writer.Add(source->Slice(part.source_range.offset, part.source_range.size));
    }
  }
  writer.Flush();
}

void ModelSaver::WriteWeights() {
  publication_.weights.clear();
  std::map<std::string, std::shared_ptr<FileDescriptor>> folders;
  std::map<std::string, NewFile::How> ways;
  const bool many = plan_->files().size() > kMostOpen;
  checksums_.assign(options_.checksum ? plan_->files().size() : 0, "");
  const auto prepare = [&](const PlannedFile& planned) {
    const auto [parts, name] = utils::SplitPath(planned.location);
    std::shared_ptr<FileDescriptor>& folder = folders[parts];
    if (!folder) folder = std::make_shared<FileDescriptor>(folder_.OpenFolder(parts));
    if (!*folder) utils::ThrowFileError(place_.PathOf(parts), "open the folder for weights");
    struct stat facts {};
    if (fstatat(folder->get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(facts.st_mode) && !S_ISLNK(facts.st_mode)) {
      throw ExternalDataError("external data: " + place_.PathOf(planned.location) + " is not a regular file, and is not replaced",
                              S_ISDIR(facts.st_mode) ? EISDIR : 0);
    }
    const utils::FolderPlace in{folder->get(), parts.empty() ? place_.path : place_.PathOf(parts)};
    const auto known = ways.find(parts);
    const NewFile::How how = known != ways.end() ? known->second : ways[parts] = utils::BestWay(in, name_);
    return NewWeights{NewFile(in, name_, utils::ModeOf(in, name), how), folder, parts, name};
  };
  const auto finish = [&](size_t i, NewFile& file) {
    WriteWeightsFile(i, file);
    file.CheckWritten();
    if (options_.checksum) checksums_[i] = Sha1OfFile(file.descriptor(), place_.PathOf(plan_->files()[i].location));
    if (!many) return;
    if (options_.durable) file.Sync();
    file.Park();
  };
  if (many) {
    for (size_t i = 0; i < plan_->files().size(); ++i) {
      publication_.weights.push_back(prepare(plan_->files()[i]));
      finish(i, publication_.weights.back().file);
    }
    progress_.Flush();
    return;
  }
  for (const PlannedFile& planned : plan_->files()) publication_.weights.push_back(prepare(planned));
  utils::ThreadPool pool(options_.num_threads);
  pool.ForEach(publication_.weights.size(), [&](size_t i) { finish(i, publication_.weights[i].file); });
  progress_.Flush();
}

void ModelSaver::Write() {
  CheckMappings();
  if (!lock_) {
    const FileDescriptor file = utils::OpenToWriteDirectly(place_, name_, path_);
    PayloadWriter writer(file.get(), path_, &progress_);
    WriteMessageTo(writer);
    progress_.Flush();
    return;
  }
  RemoveLeftoversOfEarlierSaves();
  RequireOwnPlace();
  how_ = utils::BestWay(place_, name_);
  if (!plan_) {
    whole_.emplace(WriteModel(&progress_));
  } else {
    RequireOwnTargets();
    WriteWeights();
  }
  CheckMappings();  // what was shortened meanwhile gave zeros
}

void ModelSaver::Publish() {
  if (!lock_) return;
  if (whole_) {
    ONNX_LIGHT_NAMESPACE::Publish(publication_, [&](const std::vector<std::string>&) { return std::move(*whole_); });
    return;
  }
  // Where names were not chosen, a model that reads the files is there before they have them: else the next save, after this one was
  // killed, would take them for somebody else's.
  publication_.model_between = !NamesAreChosen();
  for (size_t i = 0; i < publication_.weights.size() && !publication_.model_between; ++i) {
    publication_.model_between = OldModelNotices(i);
  }
  utils::Progress* progress = &progress_;  // what counts is the model that stays, not a second one with hidden names
  ONNX_LIGHT_NAMESPACE::Publish(publication_, [&](const std::vector<std::string>& locations) {
    plan_->Refer(locations, checksums_);
    return WriteModel(std::exchange(progress, nullptr));
  });
  std::vector<std::string> locations;
  for (const NewWeights& one : publication_.weights) locations.push_back(one.Location(one.name));
  RemoveStaleSplit(locations);
  if (old_ && OldModelIsOfAKilledSave()) {
    old_.emplace();  // now nothing refers to its files
    RemoveLeftoversOfEarlierSaves();
  }
}

bool ModelSaver::NamesAreChosen() const { return options_.save_as_external_data ? options_.all_tensors_to_one_file : !source_; }

// What a save takes the place of is the saved model's own. References that are copied from another folder keep their file names, and where
// each tensor has a file, that is called like the tensor: names which nobody has chosen for this folder. What has such a name here and is
// not read by the model that is replaced is somebody else's. By whatever name, weights that another model reads are that one's too.
// What a killed save was about to replace had been looked at by that.
void ModelSaver::RequireOwnTargets() {
  const bool own = NamesAreChosen() || OldModelIsOfAKilledSave();
  for (const PlannedFile& planned : plan_->files()) {
    struct stat facts {};
    if (fstatat(folder_.descriptor(), planned.location.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
    const std::string whose = "external data: " + Quoted(place_.PathOf(planned.location));
    if (!own && !Old().Reads(folder_, planned.location)) {
      throw ExternalDataError(whose + " exists and is not the saved model's: choose a location for its weights");
    }
    const std::string reader = neighbours_.ReaderOf(planned.location);
    if (!reader.empty()) {
      throw ExternalDataError(whose + " has weights of " + Quoted(reader) +
                              " too, which would be lost: choose another location for those of " + Quoted(name_));
    }
  }
}

// Nor does the model itself take the place of weights that another one reads.
void ModelSaver::RequireOwnPlace() {
  struct stat facts {};
  if (fstatat(folder_.descriptor(), name_.c_str(), &facts, 0) != 0 || !S_ISREG(facts.st_mode) || MayHoldModel(path_)) return;
  const std::string reader = neighbours_.ReaderOf(name_);
  if (reader.empty()) return;
  throw ExternalDataError("external data: " + Quoted(path_) + " has weights of " + Quoted(reader) +
                          ", which would be lost: choose another name for the model");
}

std::optional<ModelProto> ModelSaver::PublishWeights() {
  if (!plan_) return std::nullopt;
  CheckMappings();
  RemoveLeftoversOfEarlierSaves();
  RequireOwnTargets();
  WriteWeights();
  CheckMappings();
  std::vector<std::string> locations;
  for (NewWeights& one : publication_.weights) {
    if (options_.durable) one.file.Sync();
    one.file.MoveTo(one.name);
    locations.push_back(one.Location(one.name));
  }
  SyncFolders(publication_);
  plan_->Refer(locations, checksums_);
  return std::move(changed_);
}

const OldModel& ModelSaver::Old() {
  if (!old_) old_.emplace(folder_, name_, path_);
  return *old_;
}

// Whether a killed save has left the model that is there: it refers to hidden names.
bool ModelSaver::OldModelIsOfAKilledSave() {
  const std::vector<std::string>& locations = Old().locations();
  return std::any_of(locations.begin(), locations.end(),
                     [&](const std::string& location) { return utils::IsHiddenNameOf(name_, utils::SplitPath(location).second); });
}

// Whether the model that is there reads a file that is to be replaced, and would find other bytes in the new one.
bool ModelSaver::OldModelNotices(size_t index) {
  const NewWeights& target = publication_.weights[index];
  const std::vector<PlannedPart>& parts = plan_->files()[index].parts;
  const std::string location = target.Location(target.name);
  struct stat facts {};
  if (fstatat(folder_.descriptor(), location.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0 || !Old().Reads(folder_, location)) return false;
  // What came out of the old file, from the same place.
  const auto known = [&](const WeightsFile& old, FileRange range) {
    auto part = std::upper_bound(parts.begin(), parts.end(), range.offset,
                                 [](uint64_t offset, const PlannedPart& one) { return offset < one.range.offset; });
    if (part == parts.begin()) return false;
    --part;
    const uint64_t into = range.offset - part->range.offset;
    if (into > part->range.size || range.size > part->range.size - into) return false;
    if (!part->source.empty()) return !source_ && part->source == location && part->source_range.offset == part->range.offset;
    const proto::PayloadOwner* const owner = part->bytes.owner_or_null();
    const proto::Mapping* const mapping = owner ? owner->mapping() : nullptr;
    uint64_t offset = 0;
    return mapping && mapping->Holds(part->bytes.view(), offset) && offset == part->range.offset &&
           IdentityOf(mapping->descriptor()) == old.identity;
  };
  return !Old().ReadsSameBytes(folder_, location, target.file.descriptor(), known);
}

void ModelSaver::RemoveLeftoversOfEarlierSaves() {
  std::set<std::string> folders{""};
  if (plan_) {
    for (const PlannedFile& file : plan_->files()) folders.insert(utils::SplitPath(file.location).first);
  }
  for (const std::string& parts : folders) {
    const FileDescriptor folder = folder_.OpenFolder(parts);
    if (!folder) continue;
    utils::RemoveLeftovers({folder.get(), parts}, name_, [&](const std::string& name) {
      std::string location = parts;
      if (!parts.empty()) location += '/';
      location += name;
      return Old().RefersTo(location) || utils::MayBeMentioned(place_, name);
    });
  }
}

// Files of an earlier split that the model that was there read, that no file of this save replaces, and that no other model reads.
void ModelSaver::RemoveStaleSplit(const std::vector<std::string>& locations) {
  const std::string primary = PrimaryOf(locations);
  if (primary.empty() || !old_) return;
  for (const std::string& old : old_->locations()) {
    if (SplitIndex(primary, old) < static_cast<int64_t>(locations.size()) || SplitIndex(primary, old) < 1) continue;
    if (!neighbours_.ReaderOf(old).empty()) continue;
    const auto [parts, name] = utils::SplitPath(old);
    const FileDescriptor folder = folder_.OpenFolder(parts);
    if (folder) unlinkat(folder.get(), name.c_str(), 0);
  }
}

void ModelSaver::Save(std::unique_ptr<ModelSaver> given) {
  const std::unique_ptr<ModelSaver> saver = std::move(given);
  saver->Lock();
  saver->Write();
  saver->Publish();
}

void SaveModel(const ModelProto& model, const std::string& path, const SaveOptions& options) {
  ModelSaver::Save(std::make_unique<ModelSaver>(model, path, options));
}

void SerializeToFile(const ModelProto& model, const std::string& path, const SerializeOptions& options, const std::string& location) {
  SaveOptions all(options);
  all.save_as_external_data = !location.empty();
  all.location = location;
  SaveModel(model, path, all);
}

}  // namespace ONNX_LIGHT_NAMESPACE
