#include "onnx_proto/external_data/neighbours.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <set>
#include <string_view>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/external_data/location.h"
#include "onnx_proto/external_data/reference.h"
#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/onnx_text.h"
#include "onnx_proto/stream/indexed_file.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

constexpr size_t kStart = 64;                        // bytes that tell one format from another
constexpr uint64_t kMostText = uint64_t{256} << 20;  // text that is worth reading to find a reference
constexpr uint64_t kSearched = uint64_t{64} << 10;   // a model up to here is searched first, most being without a reference
constexpr std::string_view kKey = "location";        // of every reference

// Whether the bytes may begin a model in protobuf's format: with the tag of one of its fields.
bool MayBeModel(std::string_view start) {
  const auto& rows = ModelProto::table().rows;
  return std::any_of(rows.begin(), rows.end(), [&](const proto::Row& row) {
    const uint32_t tag = row.number << 3 | (proto::IsNumber(row.kind) ? 0 : 2);
    return static_cast<uint8_t>(start[0]) == (tag < 0x80 ? tag : (tag & 0x7f) | 0x80);
  });
}

// Whether they may begin one in a text form: without control characters, and with what opens a form, the name of a field, or that of a
// graph and its inputs.
bool MayBeText(std::string_view start) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r'; };
  if (std::any_of(start.begin(), start.end(), is_control)) return false;
  const size_t first = start.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return start.size() == kStart;
  start.remove_prefix(first);
  if (std::string_view("{<#\"").find(start[0]) != std::string_view::npos) return true;
  const auto ends = [](char c) { return !std::isalnum(static_cast<unsigned char>(c)) && c != '_'; };
  const auto after = static_cast<size_t>(std::find_if(start.begin(), start.end(), ends) - start.begin());
  const std::string_view word = start.substr(0, after);
  const size_t next = start.find_first_not_of(" \t\r\n", after);
  return next == std::string_view::npos || start[next] == '(' || ModelProto::table().Find(word);
}

// Escapes may spell the key as well.
bool MayRefer(std::string_view bytes, bool is_text) {
  return bytes.find(kKey) != std::string_view::npos || (is_text && bytes.find('\\') != std::string_view::npos);
}

void ReadText(std::string_view text, ModelProto& model) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return;
  if (text[first] == '{') return FromJson(text, model);
  try {
    FromTextFormat(text, model);
  } catch (const ParseError&) {
    FromOnnxSyntax(text, model);
  }
}

// Whether a file is fields of a model one after the other, without a look into them: all of them, or more than anybody puts there who
// keeps weights.
bool IsFieldsOfModel(int file, const std::string& path) {
  constexpr int kMostFields = 4096;
  const uint64_t size = utils::FactsOf(file, path).size;
  uint64_t at = 0;
  for (int fields = 0; at < size && fields < kMostFields; ++fields) {
    uint8_t head[20];  // two numbers
    const size_t got = std::min<uint64_t>(sizeof head, size - at);
    utils::ReadAt(file, path, at, reinterpret_cast<char*>(head), got);
    size_t used = 0;
    uint64_t values[2] = {};  // the tag, and what follows: a number or a length
    for (uint64_t& value : values) {
      for (unsigned shift = 0;; shift += 7) {
        if (used == got || shift > 63) return false;
        value |= uint64_t{head[used] & 0x7fU} << shift;
        if (head[used++] < 0x80) break;
      }
    }
    at += used;
    const uint64_t number = values[0] >> 3;
    const proto::Row* const row = number < 32 ? ModelProto::table().Find(static_cast<uint32_t>(number)) : nullptr;
    if (!row || static_cast<proto::Wire>(values[0] & 7) != proto::WireOf(row->kind)) return false;
    if (proto::WireOf(row->kind) == proto::Wire::kVarint) continue;
    if (values[1] > size - at) return false;
    at += values[1];
  }
  return true;
}

// Leaves the model empty where the file has none.
void ReadStructure(const std::string& path, ModelProto& model) {
  utils::FileDescriptor file = utils::OpenForReading(path);
  std::string start(kStart, '\0');
  start.resize(utils::ReadSome(file.get(), path, start.data(), start.size()));
  if (start.empty()) return;
  const bool may_be_text = MayBeText(start), may_be_model = MayBeModel(start);
  const uint64_t size = utils::FactsOf(file.get(), path).size;
  std::string bytes;
  if ((may_be_model && size <= kSearched) || (may_be_text && size <= kMostText)) {
    bytes.resize(size);
    utils::ReadAt(file.get(), path, 0, bytes.data(), bytes.size());
    if (!MayRefer(bytes, may_be_text)) return;
  }
  if (may_be_model) {
    ParseOptions structure;
    structure.skip_raw_data = true;
    structure.raw_data_threshold = 0;
    try {
      if (!bytes.empty()) {
        model.ParseFromString(bytes, structure);
      } else {
        const proto::IndexedFile indexed(file.get(), path, size, ModelProto::table(), structure);
        model.ParseFromString(indexed.bytes(), structure);
      }
      return;
    } catch (const ParseError&) {  // NOLINT(bugprone-empty-catch): then it may be text
    }
  }
  if (may_be_text) ReadText(bytes, model);
}

}  // namespace

std::vector<FoundReference> ReferencesIn(const std::string& path) {
  std::vector<FoundReference> found;
  try {
    ModelProto model;
    ReadStructure(path, model);
    for (TensorWalk walk(model); walk.Next();) {
      const TensorProto& tensor = walk.tensor();
      if (!IsExternal(tensor)) continue;
      try {
        const ExternalReference reference = ExternalReference::Of(tensor, "");
        found.push_back({NormalLocation(reference.location, ""), {}, false});
        found.back().range = RangeOf(tensor, reference, "");
        found.back().is_simple = reference.checksum.empty();
      } catch (const ExternalDataError&) {  // NOLINT(bugprone-empty-catch): it cannot be loaded, so it reads nothing
      }
    }
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): no model
  }
  return found;
}

bool MayHoldModel(const std::string& path) try {
  const utils::FileDescriptor file = utils::OpenForReading(path);
  std::string start(kStart, '\0');
  start.resize(utils::ReadSome(file.get(), path, start.data(), start.size()));
  return start.empty() || MayBeText(start) || IsFieldsOfModel(file.get(), path);
} catch (const FileError&) {
  return true;
}

std::vector<std::string> LocationsOf(const std::vector<FoundReference>& references) {
  std::vector<std::string> locations;
  locations.reserve(references.size());
  for (const FoundReference& one : references) locations.push_back(one.location);
  std::sort(locations.begin(), locations.end());
  locations.erase(std::unique(locations.begin(), locations.end()), locations.end());
  return locations;
}

std::string Neighbours::ReaderOf(const std::string& location) {
  struct stat facts {};
  if (fstatat(folder_.descriptor(), location.c_str(), &facts, 0) != 0) return "";
  for (const std::string& parts : {std::string(), utils::SplitPath(location).first}) {
    const Readers& readers = ReadersIn(parts);
    const auto found = readers.find({facts.st_dev, facts.st_ino});
    if (found != readers.end()) return found->second;
  }
  return "";
}

const Neighbours::Readers& Neighbours::ReadersIn(const std::string& parts) {
  const auto [found, fresh] = readers_.try_emplace(parts);
  if (fresh) {
    const utils::FileDescriptor folder = folder_.OpenFolder(parts);
    if (folder) Look({folder.get(), parts.empty() ? folder_.path() : folder_.PathOf(parts)}, parts, found->second);
  }
  return found->second;
}

// A link to the own model follows it to what takes its place, and a hidden file is not yet, or no more, a model that anybody uses.
void Neighbours::Look(const utils::FolderPlace& place, const std::string& parts, Readers& readers) const {
  utils::FileDescriptor copy = utils::OpenFolderAgain(place.descriptor);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(copy ? fdopendir(copy.Take()) : nullptr, closedir);
  if (!entries) return;
  struct stat own {};
  const bool has_own = !own_.empty() && fstatat(folder_.descriptor(), own_.c_str(), &own, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(own.st_mode);
  std::set<Identity> looked_at;  // several names may be one file
  while (const dirent* entry = readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name.starts_with('.') || (parts.empty() && name == own_)) continue;
    struct stat link {};
    struct stat file {};
    if (fstatat(place.descriptor, name.c_str(), &link, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (fstatat(place.descriptor, name.c_str(), &file, 0) != 0 || !S_ISREG(file.st_mode)) continue;
    if (has_own && S_ISLNK(link.st_mode) && file.st_dev == own.st_dev && file.st_ino == own.st_ino) continue;
    if (!looked_at.emplace(file.st_dev, file.st_ino).second) continue;
    std::string reader = parts;
    if (!parts.empty()) reader += '/';
    reader += name;
    for (const std::string& location : LocationsOf(ReferencesIn(place.PathOf(name)))) {
      struct stat weights {};
      if (fstatat(place.descriptor, location.c_str(), &weights, 0) != 0) continue;
      readers.try_emplace({weights.st_dev, weights.st_ino}, reader);
    }
  }
}

std::vector<std::string> RemoveUnreadWeights(const std::string& model_path, const std::vector<std::string>& locations) {
  const ModelFolder folder = ModelFolder::OfModel(model_path);
  const utils::FolderLock lock({folder.descriptor(), folder.path()});
  Neighbours models(folder, "");
  std::vector<std::string> removed;
  for (const std::string& given : locations) {
    const std::string location = NormalLocation(given, "external data");
    const auto [parts, name] = utils::SplitPath(location);
    const utils::FileDescriptor in = folder.OpenFolder(parts);
    struct stat facts {};
    if (!in || fstatat(in.get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(facts.st_mode)) continue;
    if (!models.ReaderOf(location).empty()) continue;
    if (unlinkat(in.get(), name.c_str(), 0) != 0) utils::ThrowFileError(folder.PathOf(location), "remove");
    removed.push_back(location);
  }
  return removed;
}

}  // namespace ONNX_LIGHT_NAMESPACE
