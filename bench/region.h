// A region is one act that can be timed, with what must be there before it and what is thrown away after it.
//
// The names are `side.act`: a side (ours, libprotobuf, ...) keeps to one process, so that no library meets the memory another one left.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "measure.h"

namespace bench {

// What was found in the result. The runner holds all sides of one row against each other: they must have done the same job.
struct Outcome {
  uint64_t items = 0;  // nodes and initializers of the main graph
  uint64_t bytes = 0;  // of the file
};

class Region {
 public:
  virtual ~Region() = default;
  virtual void Prepare() {}
  virtual void Act() = 0;  // the only part that is timed
  // Between Act and Undo. @throws std::runtime_error when the result is wrong.
  virtual Outcome Check() = 0;
  virtual void Undo() {}
};

// The model file of a region. Its bytes are read on first need and shared by all regions of the process.
class Input {
 public:
  explicit Input(std::string path) : path_(std::move(path)) {}
  const std::string& path() const { return path_; }
  const std::string& bytes() {
    if (!bytes_) bytes_ = std::make_unique<std::string>(ReadFile(path_));
    return *bytes_;
  }
  // Bytes that are made of the file, by `make` on first need, and shared like it: acts that each kept their own would fill the memory.
  const std::string& Made(std::string_view name, const std::function<std::string()>& make) {
    const auto found = made_.find(name);
    return found != made_.end() ? found->second : made_.emplace(name, make()).first->second;
  }

 private:
  std::string path_;
  std::unique_ptr<std::string> bytes_;
  std::map<std::string, std::string, std::less<>> made_;
};

using Regions = std::map<std::string, std::function<std::unique_ptr<Region>(Input&)>, std::less<>>;

template <class T>
void Add(Regions& regions, const char* name) {
  regions[name] = [](Input& input) { return std::make_unique<T>(input); };
}

// One line for each file of regions/; main takes them all.
void AddOurs(Regions& regions);
void AddLibprotobuf(Regions& regions);
void AddProtozero(Regions& regions);
void AddFloors(Regions& regions);
void AddEncryption(Regions& regions);

// Called once in a process that repeats its acts: whatever allocator a side has, it may keep what was freed.
void KeepOurFreedMemory();

}  // namespace bench
