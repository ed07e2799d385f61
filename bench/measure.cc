#include "measure.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace bench {
namespace {

// A file of /proc as text. Its own length is what this read adds to the process's bytes moved.
std::string ReadProc(const char* path) {
  char text[8192];
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) throw std::runtime_error(std::string(path) + ": cannot be opened, this benchmark needs Linux");
  const ssize_t size = read(file, text, sizeof text);
  close(file);
  return {text, size < 0 ? 0 : static_cast<size_t>(size)};
}

int64_t Number(const std::string& text, const char* name) {
  const size_t at = text.find(name);
  return at == std::string::npos ? 0 : std::strtoll(text.c_str() + at + std::strlen(name), nullptr, 10);
}

int64_t StatusBytes(const char* name) { return Number(ReadProc("/proc/self/status"), name) * 1024; }
int64_t FileBytes() {
  const std::string status = ReadProc("/proc/self/status");
  return (Number(status, "RssFile:") + Number(status, "RssShmem:")) * 1024;
}

double Clock(clockid_t id) {
  timespec now;
  clock_gettime(id, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

}  // namespace

Memory::Memory() {
  const int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  if (file < 0 || write(file, "5", 1) != 1)
    throw std::runtime_error("/proc/self/clear_refs: cannot be written, no memory figure without it");
  close(file);
  resident_before_ = StatusBytes("VmRSS:");
  file_before_ = FileBytes();
}

int64_t Memory::RssPeak() const { return std::max<int64_t>(0, StatusBytes("VmHWM:") - resident_before_); }

int64_t Memory::Peak() const { return std::max<int64_t>(0, RssPeak() - std::max<int64_t>(0, FileBytes() - file_before_)); }

Figures Measure(const std::function<void()>& act) {
  Figures figures;
  const Memory memory;
  const std::string io_before = ReadProc("/proc/self/io");
  const double cpu = Clock(CLOCK_PROCESS_CPUTIME_ID);
  const double wall = Clock(CLOCK_MONOTONIC);
  act();
  figures.wall_ns = Clock(CLOCK_MONOTONIC) - wall;
  figures.cpu_ns = Clock(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  const std::string io_after = ReadProc("/proc/self/io");
  figures.anon_peak = memory.Peak();
  figures.rss_peak = memory.RssPeak();
  for (const char* name : {"rchar:", "wchar:"}) figures.bytes_moved += Number(io_after, name) - Number(io_before, name);
  figures.bytes_moved -= static_cast<int64_t>(io_before.size());
  return figures;
}

int64_t ResidentPeak() { return StatusBytes("VmHWM:"); }

void KeepFreedMemory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 2147483647);
}

void WarmTheHost(size_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return;
  madvise(at, bytes, MADV_HUGEPAGE);
  for (size_t i = 0; i < bytes; i += 4096) static_cast<char*>(at)[i] = 1;
  munmap(at, bytes);
}

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) throw std::runtime_error(path + ": cannot be opened");
  std::string bytes(static_cast<size_t>(in.tellg()), '\0');
  in.seekg(0);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!in) throw std::runtime_error(path + ": cannot be read");
  return bytes;
}

}  // namespace bench
