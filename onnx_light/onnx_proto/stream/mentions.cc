#include "onnx_proto/stream/mentions.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "onnx_proto/error.h"

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {

constexpr uint64_t kMost = uint64_t{2} << 30;  // bytes that are worth reading to free a leftover

bool Mentions(const FileDescriptor& file, const std::string& text) {
  std::string piece(size_t{1} << 20, '\0');
  size_t kept = 0;  // of the piece before, where the text may begin
  for (;;) {
    const size_t got = ReadSome(file.get(), "", piece.data() + kept, piece.size() - kept);
    if (std::string_view(piece.data(), kept + got).find(text) != std::string_view::npos) return true;
    if (got < piece.size() - kept) return false;
    kept = std::min(text.size() - 1, piece.size());
    std::copy(piece.end() - static_cast<ptrdiff_t>(kept), piece.end(), piece.begin());
  }
}

}  // namespace

bool MayBeMentioned(const FolderPlace& folder, const std::string& text) {
  FileDescriptor copy = OpenFolderAgain(folder.descriptor);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(copy ? fdopendir(copy.Take()) : nullptr, closedir);
  if (!entries) return true;
  std::vector<std::string> names;
  uint64_t bytes = 0;
  while (const dirent* entry = readdir(entries.get())) {
    struct stat facts {};
    if (fstatat(folder.descriptor, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) return true;
    if (!S_ISREG(facts.st_mode) || text == entry->d_name) continue;
    bytes += static_cast<uint64_t>(facts.st_size);
    if (bytes > kMost) return true;
    names.emplace_back(entry->d_name);
  }
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const FileDescriptor file(openat(folder.descriptor, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    try {
      return !file || Mentions(file, text);
    } catch (const FileError&) {
      return true;
    }
  });
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
