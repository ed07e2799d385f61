// What one timed act costs: wall time, processor time, bytes moved, and the peak of memory.
//
// Promise: everything that measuring itself needs is done outside the clock, and the same for every library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace bench {

struct Figures {
  double wall_ns = 0;
  double cpu_ns = 0;        // user + system, all threads
  int64_t bytes_moved = 0;  // read and written by system calls
  int64_t anon_peak = 0;    // see Memory
  int64_t rss_peak = 0;
};

// Runs `act` once.
Figures Measure(const std::function<void()>& act);

// The peak of anonymous memory between construction and the call of Peak.
//
// The kernel keeps a high-water mark of resident memory (VmHWM) and forgets it when 5 is written to clear_refs. It sees every page, so
// nothing can rise and fall between two looks, as it can with a thread that polls RssAnon. But it counts file pages too. What those grew by
// is taken off: exact where no file is mapped, and a lower bound where one is. For the second case the runner polls RssAnon from outside,
// and the larger of the two figures counts.
class Memory {
 public:
  Memory();
  int64_t Peak() const;     // bytes above the state at construction
  int64_t RssPeak() const;  // the same with file pages
 private:
  int64_t resident_before_;
  int64_t file_before_;
};

// The largest resident size this process ever had, as far as nobody reset it.
int64_t ResidentPeak();

// Keeps malloc from giving memory back to the system, so that a repeated act meets memory that the process already has.
void KeepFreedMemory();

// Touches and frees `bytes`. On a virtual machine the first touch of a page that the host has not backed costs 5 to 20 times more than any
// later one; a throw-away process that does this before a timed one lets each side meet the same machine.
void WarmTheHost(size_t bytes);

std::string ReadFile(const std::string& path);

}  // namespace bench
