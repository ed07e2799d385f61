#include "onnx_proto/external_data/model_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <climits>
#if defined(__linux__)
#include <sys/syscall.h>
#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#endif
#endif

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/external_data/reference.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using utils::FileDescriptor;
using utils::SplitPath;

// Opens nothing that could wait or be changed by being opened.
#if defined(O_PATH)
constexpr int kLookAt = O_PATH | O_CLOEXEC;
#else
constexpr int kLookAt = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
#endif
constexpr int kRead = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC;  // a pipe that took the file's place is not waited for

FileIdentity IdentityOf(const struct stat& facts) { return {facts.st_dev, facts.st_ino}; }

// One step down; a link is ELOOP.
FileDescriptor Step(int folder, const char* name, int flags) {
  FileDescriptor next(openat(folder, name, flags | O_NOFOLLOW));
  struct stat facts {};
  if (!next && fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0) {
    errno = S_ISLNK(facts.st_mode) ? ELOOP : ENOTDIR;
  } else if (next && fstat(next.get(), &facts) == 0 && S_ISLNK(facts.st_mode)) {
    next.Close();
    errno = ELOOP;
  }
  return next;
}

FileDescriptor WalkDown(int folder, const std::string& parts) {
  FileDescriptor at(openat(folder, ".", kLookAt | O_DIRECTORY));
  for (size_t begin = 0; at && begin < parts.size();) {
    const size_t slash = std::min(parts.find('/', begin), parts.size());
    at = Step(at.get(), parts.substr(begin, slash - begin).c_str(), kLookAt | O_DIRECTORY);
    begin = slash + 1;
  }
  return at;
}

// The folder at the end of "a/b" (or itself, for ""), without a link on the way.
FileDescriptor FolderBelow(int folder, const std::string& parts) {
#if defined(SYS_openat2) && defined(RESOLVE_BENEATH)
  if (!parts.empty()) {
    open_how how{};
    how.flags = kLookAt | O_DIRECTORY;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    for (int attempt = 0; attempt < 100; ++attempt) {
      FileDescriptor found(static_cast<int>(syscall(SYS_openat2, folder, parts.c_str(), &how, sizeof how)));
      if (found) return found;
      if (errno != EAGAIN && errno != EINTR) break;  // something was renamed meanwhile
    }
    if (errno != ENOSYS && errno != EPERM && errno != EAGAIN) return FileDescriptor();
  }
#endif
  return WalkDown(folder, parts);
}

std::string RealPathOf(int descriptor) {
#if defined(__linux__)
  char target[PATH_MAX];
  const ssize_t size = readlink(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), target, sizeof target);
  if (size > 0 && static_cast<size_t>(size) < sizeof target && target[0] == '/') return {target, static_cast<size_t>(size)};
#elif defined(F_GETPATH)
  char target[PATH_MAX];
  if (fcntl(descriptor, F_GETPATH, target) == 0) return target;
#endif
  return {};
}

// What is left of `path` below `folder`; empty if it does not lie there.
std::string Below(const std::string& folder, const std::string& path) {
  if (folder.empty() || path.size() <= folder.size() || !path.starts_with(folder)) return {};
  if (folder.back() == '/') return path.substr(folder.size());
  return path[folder.size()] == '/' ? path.substr(folder.size() + 1) : std::string();
}

struct Found {
  FileDescriptor folder;
  std::string name;
  struct stat facts {};
};

// Looks at the file at the end of "a/b/name" without following a link; not open, with errno, where there is one or nothing.
Found Look(int folder, const std::string& location) {
  const auto [parts, name] = SplitPath(location);
  Found found{FolderBelow(folder, parts), name};
  if (!found.folder) return found;
  const FileDescriptor file = Step(found.folder.get(), name.c_str(), kLookAt);
  if (!file || fstat(file.get(), &found.facts) != 0) {
    const int code = errno;
    found.folder.Close();
    errno = code;
  }
  return found;
}

// How many entries of the folder are the file.
uint64_t LinksIn(int folder, const struct stat& facts) {
  const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(copy < 0 ? nullptr : fdopendir(copy), closedir);
  uint64_t links = 0;
  while (const dirent* entry = entries ? readdir(entries.get()) : nullptr) {
    struct stat other {};
    links += entry->d_ino == facts.st_ino && fstatat(folder, entry->d_name, &other, AT_SYMLINK_NOFOLLOW) == 0 &&
             IdentityOf(other) == IdentityOf(facts);
  }
  return links;
}

// Whether every link of the file is an entry of the folder. An entry that is renamed while the folder is read may be missed: a saver does
// that, so one look is not enough for a no.
bool AllLinksLieIn(int folder, const struct stat& facts, uint64_t& here) {
  constexpr int kLooks = 20;
  here = 0;
  for (int look = 0; look < kLooks; ++look) {
    here = std::max(here, LinksIn(folder, facts));
    if (here >= facts.st_nlink) return true;
  }
  return false;
}

std::string Reason(int code) { return std::generic_category().message(code); }

}  // namespace

FileIdentity IdentityOf(int descriptor) {
  struct stat facts {};
  return fstat(descriptor, &facts) == 0 ? IdentityOf(facts) : FileIdentity();
}

ModelFolder ModelFolder::At(const std::string& folder) {
  ModelFolder result;
  result.path_ = folder;
  while (result.path_.size() > 1 && result.path_.back() == '/') result.path_.pop_back();
  result.folder_ = utils::OpenFolder(folder);
  if (!result.folder_) utils::ThrowFileError(folder.empty() ? "." : folder, "open");
  return result;
}

ModelFolder ModelFolder::OfModel(const std::string& path) {
  const auto [folder, name] = SplitPath(utils::CheckedPath(path));
  ModelFolder result;
  try {
    result = At(folder);
  } catch (const FileError& error) {
    utils::ThrowFileError(path, "open", error.code());  // it is the model that the caller named
  }
  struct stat facts {};
  if (fstatat(result.descriptor(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISLNK(facts.st_mode)) return result;
  const FileDescriptor model(openat(result.descriptor(), name.c_str(), kLookAt));
  const std::string real = model ? RealPathOf(model.get()) : std::string();
  if (!real.empty()) result.real_folder_ = FileDescriptor(open(SplitPath(real).first.c_str(), kLookAt | O_DIRECTORY));
  return result;
}

FileDescriptor ModelFolder::OpenFolder(const std::string& parts) const { return FolderBelow(folder_.get(), parts); }

// A file that is replaced, or whose names change, while it is looked at is looked at again: savers do that.
WeightsFile ModelFolder::Open(const std::string& location, const std::string& whose) const {
  constexpr int kMostAttempts = 100;
  for (int attempt = 1;; ++attempt) {
    try {
      return OpenOnce(location, whose);
    } catch (const ExternalDataError& error) {
      if (error.code() != EAGAIN || attempt == kMostAttempts) throw;
    }
  }
}

WeightsFile ModelFolder::OpenOnce(const std::string& location, const std::string& whose) const {
  const auto fail = [&](const std::string& rule, int code = 0) {
    throw ExternalDataError(whose + ": " + PathOf(Shown(location, kWholePath)) + " " + rule, code);
  };
  Found found = Look(folder_.get(), location);
  if (!found.folder && errno == ELOOP) {  // links on the way: see where they lead
    const FileDescriptor target(openat(folder_.get(), location.c_str(), kLookAt));
    if (!target) fail("cannot be opened: " + Reason(errno), errno);
    struct stat facts {};
    if (fstat(target.get(), &facts) != 0) fail("cannot be read: " + Reason(errno), errno);
    const std::string real = RealPathOf(target.get());
    for (const FileDescriptor* root : {&folder_, &real_folder_}) {
      if (found.folder || !*root) continue;
      const std::string rest = Below(RealPathOf(root->get()), real);
      if (rest.empty()) continue;
      found = Look(root->get(), rest);
      if (found.folder && IdentityOf(found.facts) != IdentityOf(facts)) found.folder.Close();
    }
    if (!found.folder) fail("is a link that leads out of the model's folder");
  }
  if (!found.folder) {
    if (errno == ENOENT) fail("does not exist", ENOENT);
    fail("cannot be opened: " + Reason(errno), errno);
  }
  if (!S_ISREG(found.facts.st_mode)) fail("is not a regular file");
  if (uint64_t here = 0; found.facts.st_nlink > 1 && !AllLinksLieIn(found.folder.get(), found.facts, here)) {
    struct stat now {};
    if (fstatat(found.folder.get(), found.name.c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0 &&
        (IdentityOf(now) != IdentityOf(found.facts) || now.st_nlink != found.facts.st_nlink)) {
      fail("is changed again and again while it is looked at", EAGAIN);
    }
    fail("has " + std::to_string(found.facts.st_nlink) + " hard links, of which " + std::to_string(here) +
         " lie in its folder: another folder can reach it");
  }
  WeightsFile opened{FileDescriptor(openat(found.folder.get(), found.name.c_str(), kRead)), PathOf(location)};
  struct stat facts {};
  if (!opened.file || fstat(opened.file.get(), &facts) != 0) fail("cannot be opened: " + Reason(errno), errno);
  if (!S_ISREG(facts.st_mode) || IdentityOf(facts) != IdentityOf(found.facts))
    fail("is replaced again and again while it is opened", EAGAIN);
  opened.size = static_cast<uint64_t>(facts.st_size);
  opened.identity = IdentityOf(facts);
  return opened;
}

WeightsFile OpenGivenFile(const std::string& path, const std::string& whose) {
  const auto fail = [&](const std::string& rule, int code = 0) { throw ExternalDataError(whose + ": " + path + " " + rule, code); };
  if (path.find('\0') != std::string::npos) fail("has a NUL");
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) fail(errno == ENOENT ? "does not exist" : "cannot be opened: " + Reason(errno), errno);
  if (!S_ISREG(facts.st_mode)) fail("is not a regular file");
  WeightsFile opened{FileDescriptor(open(path.c_str(), kRead & ~O_NOFOLLOW)), path};
  if (!opened.file || fstat(opened.file.get(), &facts) != 0) fail("cannot be opened: " + Reason(errno), errno);
  if (!S_ISREG(facts.st_mode)) fail("is not a regular file");
  opened.size = static_cast<uint64_t>(facts.st_size);
  opened.identity = IdentityOf(facts);
  return opened;
}

}  // namespace ONNX_LIGHT_NAMESPACE
