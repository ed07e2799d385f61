#include "onnx_proto/external_data/old_model.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "onnx_proto/error.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

constexpr uint64_t kMostCompared = uint64_t{1} << 20;  // bytes of one file

bool IsSameFile(const ModelFolder& folder, const std::string& one, const std::string& other) {
  struct stat a {
  }, b{};
  return fstatat(folder.descriptor(), one.c_str(), &a, 0) == 0 && fstatat(folder.descriptor(), other.c_str(), &b, 0) == 0 &&
         a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool SameBytes(const WeightsFile& old, int descriptor, FileRange range) {
  constexpr uint64_t kPiece = uint64_t{64} << 10;
  const auto pieces = std::make_unique<char[]>(2 * kPiece);
  for (; range.size; range.size -= std::min(range.size, kPiece), range.offset += kPiece) {
    const auto size = static_cast<size_t>(std::min(range.size, kPiece));
    utils::ReadAt(old.file.get(), old.path, range.offset, pieces.get(), size);
    utils::ReadAt(descriptor, old.path, range.offset, pieces.get() + kPiece, size);
    if (std::memcmp(pieces.get(), pieces.get() + kPiece, size) != 0) return false;
  }
  return true;
}

}  // namespace

OldModel::OldModel(const ModelFolder& folder, const std::string& name, const std::string& path) {
  struct stat facts {};
  if (fstatat(folder.descriptor(), name.c_str(), &facts, 0) != 0 || !S_ISREG(facts.st_mode)) return;
  references_ = ReferencesIn(path);
  locations_ = LocationsOf(references_);
}

bool OldModel::RefersTo(const std::string& location) const { return std::binary_search(locations_.begin(), locations_.end(), location); }

bool OldModel::Reads(const ModelFolder& folder, const std::string& location) const {
  return std::any_of(locations_.begin(), locations_.end(),
                     [&](const std::string& old) { return old == location || IsSameFile(folder, old, location); });
}

bool OldModel::ReadsSameBytes(const ModelFolder& folder, const std::string& location, int descriptor,
                              const std::function<bool(const WeightsFile& old, FileRange range)>& known) const {
  if (descriptor < 0) return false;
  try {
    const WeightsFile old = folder.Open(location, "");
    std::string last;  // the location that was looked at last, as many are the same
    bool is_target = false;
    uint64_t left = kMostCompared;
    for (const FoundReference& one : references_) {
      if (one.location != last) {
        last = one.location;
        is_target = last == location || IsSameFile(folder, last, location);
      }
      if (!is_target) continue;
      if (!one.is_simple) return false;
      if (known(old, one.range)) continue;
      if (one.range.size > left || !SameBytes(old, descriptor, one.range)) return false;
      left -= one.range.size;
    }
    return true;
  } catch (const Error&) {
    return false;  // what cannot be read is not the same
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE
