// The least that the machine needs for a job, whoever does it.
#include <sys/mman.h>

#include <cstring>
#include <stdexcept>

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

}  // namespace

void AddFloors(Regions& regions) { Add<CopyIntoFreshMemory>(regions, "floor.copy"); }

}  // namespace bench
