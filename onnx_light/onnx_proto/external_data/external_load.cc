#include "onnx_proto/external_data/external_load.h"

#include <unistd.h>

#include <cctype>
#include <map>
#include <unordered_set>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/external_data/location.h"
#include "onnx_proto/external_data/raw_bytes.h"
#include "onnx_proto/external_data/sha1.h"
#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/storage/payload_owner.h"
#include "onnx_proto/text/quoted.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

constexpr size_t kMostMapped = 256;  // files: a mapping keeps its descriptor, and there are not many

void Verify(const WeightsFile& file, const std::vector<std::pair<std::string, std::string>>& checksums) {
  const std::string is = Sha1OfFile(file.file.get(), file.path);
  for (const auto& [whose, checksum] : checksums) {
    std::string says = checksum;
    for (char& c : says) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (says == is) continue;
    throw ExternalDataError(std::string(whose)
                                .append(": the SHA-1 of ")
                                .append(Shown(file.path, kWholePath))
                                .append(" is ")
                                .append(is)
                                .append(", its checksum says ")
                                .append(Quoted(checksum)));
  }
}

bool StillRefers(const WantedPayload& one) {
  if (!IsExternal(*one.tensor)) return false;
  try {
    const ExternalReference reference = ExternalReference::Of(*one.tensor, "");
    return reference.location == one.location && RangeOf(*one.tensor, reference, "") == one.range;
  } catch (const ExternalDataError&) {
    return false;
  }
}

}  // namespace

void ExternalLoad::Collect(const std::vector<std::string>& names, uint64_t already) {
  const std::unordered_set<std::string_view> chosen(names.begin(), names.end());
  std::unordered_set<std::string_view> met;
  std::vector<std::string> checksums;  // of each that is wanted
  uint64_t total = already;
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
    wanted_.push_back({&tensor, whose, std::string(reference.location), range, {}});
    checksums.emplace_back(reference.checksum);
  }
  for (const std::string& name : names) {
    if (!met.contains(name)) throw ExternalDataError("no tensor is called " + Quoted(name));
  }
  std::map<std::string, size_t> source_of;
  for (size_t i = 0; i < wanted_.size(); ++i) {
    const std::string& written = wanted_[i].location;
    const std::string location = options_.location.empty() ? NormalLocation(written, wanted_[i].whose) : written;
    const auto [at, fresh] = source_of.try_emplace(location, sources_.size());
    if (fresh) sources_.push_back({location, {}, {}});
    Source& source = sources_[at->second];
    source.wanted.push_back(&wanted_[i]);
    if (!checksums[i].empty()) source.checksums.emplace_back(wanted_[i].whose, checksums[i]);
  }
}

void ExternalLoad::CheckLimits(const std::string& whose, uint64_t size, uint64_t& total) const {
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
void ExternalLoad::ChoosePrimary() {
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

WeightsFile ExternalLoad::Open(const Source& source) const {
  const std::string& whose = source.wanted.front()->whose;
  if (options_.location.empty()) return folder_->Open(source.location, whose);
  return OpenGivenFile(SplitLocation(given_, static_cast<size_t>(SplitIndex(primary_, source.location))), whose);
}

void ExternalLoad::Read() {
  if (wanted_.empty()) return;  // there need not be a folder
  folder_.emplace(place_.Open());
  ChoosePrimary();
  for (Source& source : sources_) Read(source);
}

void ExternalLoad::Read(Source& source) {
  WeightsFile file = Open(source);
  CheckRanges(file, source.wanted);
  if (options_.verify_checksums && !source.checksums.empty()) Verify(file, source.checksums);
  if (options_.no_copy && sources_.size() <= kMostMapped) MapPayloads(std::move(file), source.wanted);
  else ReadPayloads(file, source.wanted, options_);
}

void ExternalLoad::Put() {
  const proto::PayloadOwner::EndsLater later;  // what is replaced may have deleters
  for (WantedPayload& one : wanted_) {
    if (!StillRefers(one)) continue;
    ClearElements(*one.tensor);  // the file wins over what the tensor carries itself
    one.tensor->set_raw_data(std::move(one.bytes));
    DropReference(*one.tensor);
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE
