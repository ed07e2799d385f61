#include "onnx_proto/stream/new_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

#include "onnx_proto/error.h"
#include "onnx_proto/stream/interrupt.h"
#include "onnx_proto/stream/progress.h"

namespace ONNX_LIGHT_NAMESPACE::utils {
namespace {

constexpr size_t kTokenDigits = 16;
constexpr std::string_view kEnd = ".part";

std::string Hex(uint64_t number) {
  std::string text(kTokenDigits, '0');
  for (size_t i = text.size(); i-- > 0; number >>= 4) text[i] = "0123456789abcdef"[number & 15];
  return text;
}

// What the hidden names of a family begin with: its name, cut where that is long, then told apart by a hash (FNV-1a).
std::string Beginning(const std::string& family) {
  constexpr size_t kMost = 120;
  if (family.size() <= kMost) return "." + family + ".";
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : family) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return "." + family.substr(0, kMost - kTokenDigits) + "~" + Hex(hash) + ".";
}

std::string HiddenName(const std::string& family) {
  std::random_device random;
  return Beginning(family) + Hex(uint64_t{random()} << 32 | random()) + std::string(kEnd);
}

std::string LinkTo(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

// Waits, if need be: who looks for leftovers locks each file for a moment. Nothing happens where there are no locks.
void Lock(int descriptor) {
  while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
  }
}

// The same, for as long as another saver takes, or until there is a reason to stop.
void WaitForLock(int descriptor) {
  while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR) CheckInterrupt(true);
}

// Whether somebody has taken a new file for a leftover and removed it, before it was locked.
bool IsRemoved(int descriptor) {
  struct stat facts {};
  return fstat(descriptor, &facts) == 0 && facts.st_nlink == 0;
}

// Whether the system says by this that it has no hard links here.
bool HasNoLinks(int code) { return code == EPERM || code == EOPNOTSUPP || code == ENOSYS || code == EMLINK || code == EXDEV; }

}  // namespace

std::string FolderPlace::PathOf(std::string_view name) const {
  if (path.empty()) return std::string(name);
  return (path.back() == '/' ? path : path + "/") + std::string(name);
}

void NewFile::Fail(const char* what) const { ThrowFileError(folder_.PathOf(family_), what); }

NewFile::NewFile(const FolderPlace& folder, const std::string& family, std::optional<mode_t> mode, How how)
    : folder_(folder), family_(family) {
#if defined(O_TMPFILE)
  if (how == How::kNamelessIfPossible) {
    file_ = FileDescriptor(openat(folder_.descriptor, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
    struct stat facts {};
    if (file_ && stat(LinkTo(file_.get()).c_str(), &facts) != 0) file_.Close();  // no /proc: it could never be named
  }
#endif
  for (int attempt = 0; !file_ && attempt < 100; ++attempt) {
    name_ = HiddenName(family_);
    file_ = FileDescriptor(openat(folder_.descriptor, name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file_ && errno != EEXIST) break;
    if (!file_) continue;
    Lock(file_.get());
    if (IsRemoved(file_.get())) file_.Close();
  }
  if (!file_) {
    name_.clear();
    Fail("create a file beside it");
  }
  if (name_.empty()) Lock(file_.get());
  if (mode && fchmod(file_.get(), *mode) != 0) {
    const int code = errno;
    if (!name_.empty()) unlinkat(folder_.descriptor, name_.c_str(), 0);
    errno = code;
    Fail("set the mode of a file beside it");
  }
}

NewFile::NewFile(NewFile&& other) noexcept
    : folder_(other.folder_),
      family_(other.family_),
      file_(std::move(other.file_)),
      name_(std::exchange(other.name_, {})),
      other_(std::exchange(other.other_, {})),
      keeps_name_(std::exchange(other.keeps_name_, false)) {}

NewFile::~NewFile() {
  if (!other_.empty()) unlinkat(folder_.descriptor, other_.c_str(), 0);
  if (!name_.empty() && !keeps_name_) unlinkat(folder_.descriptor, name_.c_str(), 0);
}

const std::string& NewFile::Name() {
  for (int attempt = 0; name_.empty() && attempt < 100; ++attempt) {
    const std::string name = HiddenName(family_);
    if (linkat(AT_FDCWD, LinkTo(file_.get()).c_str(), folder_.descriptor, name.c_str(), AT_SYMLINK_FOLLOW) == 0) name_ = name;
    else if (errno != EEXIST) break;
  }
  if (name_.empty()) Fail("name the file that was written beside it");
  return name_;
}

bool NewFile::Link() {
  Name();
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string fresh = HiddenName(family_);
    if (linkat(folder_.descriptor, name_.c_str(), folder_.descriptor, fresh.c_str(), 0) == 0) {
      other_ = fresh;
      return true;
    }
    if (HasNoLinks(errno)) return false;
    if (errno != EEXIST) break;
  }
  Fail("link the file that was written beside it");
}

void NewFile::MoveTo(const std::string& target) {
  std::string& from = other_.empty() ? (Name(), name_) : other_;
  if (renameat(folder_.descriptor, from.c_str(), folder_.descriptor, target.c_str()) != 0) {
    ThrowFileError(folder_.PathOf(target), "replace");
  }
  from.clear();
}

void NewFile::DropName() {
  keeps_name_ = false;
  if (!name_.empty()) unlinkat(folder_.descriptor, name_.c_str(), 0);
  name_.clear();
}

void NewFile::Park() {
  Name();
  if (!file_.Close()) Fail("write a file beside it");
}

void NewFile::CheckWritten() const {
  FileDescriptor copy(fcntl(file_.get(), F_DUPFD_CLOEXEC, 0));
  if (!copy || !copy.Close()) Fail("write a file beside it");
}

void NewFile::Sync() const {
  if (file_ && fsync(file_.get()) != 0) Fail("sync the file that was written beside it");
}

NewFile::How BestWay(const FolderPlace& folder, const std::string& family) {
  try {
    NewFile probe(folder, family, std::nullopt);
    if (!probe.nameless()) return NewFile::How::kNamed;
    probe.Name();
    return NewFile::How::kNamelessIfPossible;
  } catch (const FileError&) {
    return NewFile::How::kNamed;
  }
}

bool IsHiddenNameOf(const std::string& family, std::string_view name) {
  const std::string beginning = Beginning(family);
  if (name.size() != beginning.size() + kTokenDigits + kEnd.size() || !name.starts_with(beginning) || !name.ends_with(kEnd)) return false;
  return name.substr(beginning.size(), kTokenDigits).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

void RemoveLeftovers(const FolderPlace& folder, const std::string& family, const std::function<bool(const std::string&)>& keep) {
  std::vector<std::string> found;
  {
    FileDescriptor copy = OpenFolderAgain(folder.descriptor);
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(copy ? fdopendir(copy.Take()) : nullptr, closedir);
    if (!entries) return;
    while (const dirent* entry = readdir(entries.get())) {
      if (IsHiddenNameOf(family, entry->d_name)) found.emplace_back(entry->d_name);
    }
  }
  const auto remove = [&](const std::string& name) {
    const FileDescriptor file(openat(folder.descriptor, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat facts {};
    if (!file || fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
    if (flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;  // somebody writes it
    return !keep(name) && unlinkat(folder.descriptor, name.c_str(), 0) == 0;
  };
  while (std::erase_if(found, remove)) {  // what one that is gone now referred to may go as well
  }
}

FileDescriptor OpenFolderAgain(int descriptor) { return FileDescriptor(openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)); }

FolderLock::FolderLock(const FolderPlace& folder, How how) : folder_(OpenFolderAgain(folder.descriptor)) {
  if (!folder_) return;
  if (how == How::kWaits && !InCallback::Running()) {
    WaitForLock(folder_.get());
    return;
  }
  held_ = flock(folder_.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  if (held_ || how == How::kTries) return;
  throw FileError(folder.path.empty() ? "." : folder.path,
                  "a callback of a save cannot change a folder where another save is going on, which may be the one that called it",
                  EDEADLK);
}

// Closing would not do: a process that was forked meanwhile has the descriptor as well, and would have the lock for as long as it lives.
FolderLock::~FolderLock() {
  if (folder_ && held_) flock(folder_.get(), LOCK_UN);
}

std::string NameOfTarget(const std::string& path) {
  std::string name = SplitPath(CheckedPath(path)).second;
  if (name.empty() || name == "." || name == "..") ThrowFileError(path, "write", path.empty() ? ENOENT : EISDIR);
  return name;
}

namespace {

// The name of an open descriptor: /dev/fd/3, or a link to the process's own output, as /dev/stdout is. Whatever is open there, the name
// stays. Other links into /proc are like all links: who has placed them does not say where we write.
bool IsNameOfDescriptor(const FolderPlace& folder, const std::string& name) {
  struct statfs system {};
  if (fstatfs(folder.descriptor, &system) == 0 && system.f_type == PROC_SUPER_MAGIC) return true;
  char target[32];
  const ssize_t size = readlinkat(folder.descriptor, name.c_str(), target, sizeof target);
  const std::string_view link(target, size > 0 ? static_cast<size_t>(size) : 0);
  return link == "/proc/self/fd/1" || link == "/proc/self/fd/2";
}

}  // namespace

bool IsWrittenDirectly(const FolderPlace& folder, const std::string& name, const std::string& path) {
  struct stat facts {};
  if (fstatat(folder.descriptor, name.c_str(), &facts, 0) != 0) return false;
  if (S_ISDIR(facts.st_mode)) ThrowFileError(path, "write", EISDIR);
  return !S_ISREG(facts.st_mode) || IsNameOfDescriptor(folder, name);
}

FileDescriptor OpenToWriteDirectly(const FolderPlace& folder, const std::string& name, const std::string& path) {
  FileDescriptor file = OpenAt(folder.descriptor, name.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (!file) ThrowFileError(path, "open for writing");
  return file;
}

std::optional<mode_t> ModeOf(const FolderPlace& folder, const std::string& name) {
  struct stat facts {};
  if (fstatat(folder.descriptor, name.c_str(), &facts, 0) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  return facts.st_mode & 07777;
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
