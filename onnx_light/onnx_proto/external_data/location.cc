#include "onnx_proto/external_data/location.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/external_data/reference.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

constexpr size_t kLongestName = 200;  // bytes; file systems allow 255, and a split or a temporary adds to it

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// Names that are devices on some systems, whatever follows the first dot.
bool IsDeviceName(std::string_view name) {
  const std::string stem = Lower(name.substr(0, name.find('.')));
  if (stem == "con" || stem == "prn" || stem == "aux" || stem == "nul") return true;
  return stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) && stem[3] >= '1' && stem[3] <= '9';
}

}  // namespace

std::string NormalLocation(std::string_view location, const std::string& whose) {
  const auto fail = [&](const char* rule) { throw ExternalDataError(whose + ": location " + Quoted(location) + " " + rule); };
  if (location.empty()) fail("is empty");
  if (location.find('\0') != std::string_view::npos) fail("has a NUL");
  if (location.find('\\') != std::string_view::npos) fail("has a backslash: parts are separated by /");
  if (location.starts_with('/')) fail("is absolute: it has to be relative to the model's folder");
  std::vector<std::string_view> parts;
  std::string_view rest = location, part;
  while (true) {
    const size_t slash = rest.find('/');
    part = rest.substr(0, slash);
    if (part == "..") {
      if (parts.empty()) fail("leaves the model's folder");
      parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  if (parts.empty() || part.empty() || part == "." || part == "..") fail("names a folder");
  std::string normal;
  for (const std::string_view each : parts) {
    if (!normal.empty()) normal += '/';
    normal += each;
  }
  return normal;
}

std::string SplitLocation(const std::string& primary, size_t k) { return k == 0 ? primary : primary + "." + std::to_string(k); }

int64_t SplitIndex(std::string_view primary, std::string_view location) {
  if (location == primary) return 0;
  if (!location.starts_with(primary)) return -1;
  location.remove_prefix(primary.size());
  if (location.size() < 2 || location.size() > 10 || location[0] != '.' || location[1] < '1' || location[1] > '9') return -1;
  int64_t index = 0;
  const auto [end, error] = std::from_chars(location.data() + 1, location.data() + location.size(), index);
  return error == std::errc() && end == location.data() + location.size() ? index : -1;
}

std::string PrimaryOf(const std::vector<std::string>& locations) {
  if (locations.empty()) return {};
  const std::string& shortest =
      *std::min_element(locations.begin(), locations.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  const bool all = std::all_of(locations.begin(), locations.end(), [&](const auto& one) { return SplitIndex(shortest, one) >= 0; });
  return all ? shortest : std::string();
}

bool FileNames::Take(std::string_view name) { return taken_.insert(Lower(name)).second; }

std::string FileNames::NameFor(std::string_view tensor_name) {
  std::string name;
  for (const char c : tensor_name.substr(0, kLongestName)) {
    const bool bad =
        static_cast<unsigned char>(c) < 0x20 || c == 0x7f || std::string_view("<>:;,?\"*|/\\").find(c) != std::string_view::npos;
    name += bad ? '_' : c;
  }
  // A text that is cut within a character is none: its first byte goes, and all that followed.
  while (tensor_name.size() > name.size() && !name.empty() && (name.back() & 0xc0) == 0x80) name.pop_back();
  if (tensor_name.size() > name.size() && !name.empty() && (name.back() & 0x80)) name.pop_back();
  while (!name.empty() && (name.back() == '.' || name.back() == ' ')) name.pop_back();
  if (name.empty() || name.front() == '.' || name.front() == ' ' || IsDeviceName(name)) name.insert(0, "tensor_");
  if (name.find("..") != std::string::npos) {  // readers take it for a way out
    for (size_t at = 0; (at = name.find("..", at)) != std::string::npos;) name.replace(at, 2, "._");
  }
  if (Take(name)) return name;
  uint64_t& number = numbers_.try_emplace(Lower(name), 1).first->second;
  std::string free;
  do {
    free = name + "_" + std::to_string(++number);
  } while (!Take(free));
  return free;
}

}  // namespace ONNX_LIGHT_NAMESPACE
