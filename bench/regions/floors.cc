// The least that the machine needs for a job, whoever does it.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "../region.h"

namespace bench {
namespace {

// The bytes of the model into memory that nobody has touched yet: ordinary pages, as a std::string of that size gets them.
class CopyIntoFreshMemory : public Region {
 public:
  explicit CopyIntoFreshMemory(Input& input) : bytes_(input.bytes()) {}
  void Act() override {
    copy_ = mmap(nullptr, bytes_.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy_ == MAP_FAILED) throw std::bad_alloc();
    std::memcpy(copy_, bytes_.data(), bytes_.size());
  }
  Outcome Check() override {
    if (std::memcmp(copy_, bytes_.data(), bytes_.size()) != 0) throw std::runtime_error("the copy differs");
    return {0, bytes_.size()};
  }
  void Undo() override { munmap(copy_, bytes_.size()); }

 private:
  const std::string& bytes_;
  void* copy_ = nullptr;
};

constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kBatch = size_t{8} << 20;

// An open file, closed at the end.
class File {
 public:
  File(const std::string& path, int flags) : descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0600)) {
    if (descriptor_ < 0) throw std::runtime_error("cannot open " + path);
    struct stat facts {};
    fstat(descriptor_, &facts);
    size_ = static_cast<size_t>(facts.st_size);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(descriptor_); }
  int descriptor() const { return descriptor_; }
  size_t size() const { return size_; }

 private:
  int descriptor_;
  size_t size_ = 0;
};

// The file into huge pages that nobody has touched yet, each byte once.
class PreadIntoHugePages : public Region {
 public:
  explicit PreadIntoHugePages(Input& input) : path_(input.path()) {}
  void Act() override {
    const File file(path_, O_RDONLY);
    size_ = file.size();
    mapped_ = mmap(nullptr, size_ + 2 * kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped_ == MAP_FAILED) throw std::bad_alloc();
    at_ = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(mapped_) + kHugePage - 1) / kHugePage * kHugePage);
    madvise(at_, size_, MADV_HUGEPAGE);
    for (size_t done = 0; done < size_;) {
      const ssize_t got = pread(file.descriptor(), at_ + done, std::min(kHugePage, size_ - done), static_cast<off_t>(done));
      if (got <= 0) throw std::runtime_error("cannot read");
      done += static_cast<size_t>(got);
    }
  }
  Outcome Check() override {
    std::ifstream in(path_, std::ios::binary);
    std::vector<char> piece(kBatch);
    for (size_t done = 0; done < size_; done += piece.size()) {
      in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
      if (std::memcmp(piece.data(), at_ + done, static_cast<size_t>(in.gcount())) != 0) throw std::runtime_error("the bytes differ");
    }
    return {0, size_};
  }
  void Undo() override { munmap(mapped_, size_ + 2 * kHugePage); }

 private:
  const std::string path_;
  void* mapped_ = nullptr;
  char* at_ = nullptr;
  size_t size_ = 0;
};

// A mapping of the file, of which one byte is read for each of 512 tensors.
class TouchOnceATensor : public Region {
 public:
  explicit TouchOnceATensor(Input& input) : path_(input.path()) {}
  void Act() override {
    const File file(path_, O_RDONLY);
    size_ = file.size();
    mapped_ = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file.descriptor(), 0);
    if (mapped_ == MAP_FAILED) throw std::bad_alloc();
    constexpr size_t kTensors = 512;
    for (size_t i = 0; i < kTensors; ++i) sum_ += static_cast<const volatile uint8_t*>(mapped_)[size_ / kTensors * i];
  }
  Outcome Check() override { return {0, size_}; }
  void Undo() override { munmap(mapped_, size_); }

 private:
  const std::string path_;
  void* mapped_ = nullptr;
  size_t size_ = 0;
  uint64_t sum_ = 0;
};

// Makes a file beside the model that has its bytes.
class MakesTheFile : public Region {
 public:
  MakesTheFile(Input& input, const char* suffix) : bytes_(input.bytes()), path_(input.path() + suffix) {}
  Outcome Check() override {
    if (ReadFile(path_) != bytes_) throw std::runtime_error("the file differs");
    return {0, bytes_.size()};
  }
  void Undo() override { unlink(path_.c_str()); }

 protected:
  const std::string& bytes_;
  const std::string path_;
};

// From memory, in large batches.
class AllocateAndWrite final : public MakesTheFile {
 public:
  explicit AllocateAndWrite(Input& input) : MakesTheFile(input, ".floor.saved") {}
  void Act() override {
    const File file(path_, O_WRONLY | O_CREAT | O_EXCL);
    if (fallocate(file.descriptor(), 0, 0, static_cast<off_t>(bytes_.size())) != 0) throw std::runtime_error("cannot allocate");
    for (size_t done = 0; done < bytes_.size();) {
      const iovec part{const_cast<char*>(bytes_.data()) + done, std::min(kBatch, bytes_.size() - done)};
      const ssize_t put = writev(file.descriptor(), &part, 1);
      if (put <= 0) throw std::runtime_error("cannot write");
      done += static_cast<size_t>(put);
    }
  }
};

// As `cp` does it: from file to file, in the kernel.
class CopyFile final : public MakesTheFile {
 public:
  explicit CopyFile(Input& input) : MakesTheFile(input, ".floor.copied"), from_(input.path()) {}
  void Act() override {
    const File from(from_, O_RDONLY);
    const File to(path_, O_WRONLY | O_CREAT | O_EXCL);
    for (size_t done = 0; done < from.size();) {
      const ssize_t put = copy_file_range(from.descriptor(), nullptr, to.descriptor(), nullptr, from.size() - done, 0);
      if (put <= 0) throw std::runtime_error("cannot copy");
      done += static_cast<size_t>(put);
    }
  }

 private:
  const std::string from_;
};

}  // namespace

void AddFloors(Regions& regions) {
  Add<CopyIntoFreshMemory>(regions, "floor.copy");
  Add<PreadIntoHugePages>(regions, "floor.pread_huge");
  Add<TouchOnceATensor>(regions, "floor.touch");
  Add<AllocateAndWrite>(regions, "floor.allocate_and_write");
  Add<CopyFile>(regions, "floor.copy_file");
}

}  // namespace bench
