// bench_proto: performs single regions by name and prints one JSON line for each.
//
//   bench_proto --list                                  the names of all regions
//   bench_proto <region> <file> [--warm N] [--check]    one act in this process, after N that are not counted
//   bench_proto --serve [--keep]                        lines `mode<TAB>region<TAB>file` at standard input until it ends, one answer each
//   bench_proto --touch <bytes>                         nothing but touching and freeing that much memory
// Modes: `check` acts once and looks at the result; `time` acts once under the clock; `memory` does so between the lines {"ready": true},
// one from the runner, and {"acted": true}: the runner watches from outside meanwhile. A result is looked at after every timed act too: no
// figure for a wrong one.
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "region.h"

namespace bench {
namespace {

class Worker {
 public:
  Worker() {
    AddOurs(regions_);
    AddLibprotobuf(regions_);
    AddProtozero(regions_);
    AddFloors(regions_);
    AddEncryption(regions_);
  }

  void List() const {
    for (const auto& entry : regions_) std::cout << entry.first << "\n";
  }

  // One act, one line, whatever happens.
  void Answer(std::string_view mode, const std::string& name, const std::string& file) try {
    Region& region = At(name, file);
    region.Prepare();
    if (mode == "memory") {
      Print("{\"ready\": true}");
      std::string go;
      std::getline(std::cin, go);
    }
    Figures figures;
    if (mode == "check") region.Act();
    else figures = Measure([&] { region.Act(); });
    if (mode == "memory") Print("{\"acted\": true}");
    const Outcome outcome = region.Check();
    region.Undo();
    std::ostringstream line;
    line << std::fixed << std::setprecision(0) << "{\"what\": \"" << name << "\", \"ns\": " << figures.wall_ns
         << ", \"cpu_ns\": " << figures.cpu_ns << ", \"bytes_moved\": " << figures.bytes_moved << ", \"anon_peak\": " << figures.anon_peak
         << ", \"rss_peak\": " << figures.rss_peak << ", \"resident_peak\": " << ResidentPeak() << ", \"items\": " << outcome.items
         << ", \"bytes\": " << outcome.bytes << "}";
    Print(line.str());
  } catch (const std::exception& error) {
    std::string text = error.what();
    for (char& c : text)
      if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ') c = '\'';
    Print("{\"what\": \"" + name + "\", \"error\": \"" + text + "\"}");
  }

  // Acts that are not counted, and say nothing. Only the first is looked at: a profile shall show the act.
  void Repeat(int times, const std::string& name, const std::string& file) {
    Region& region = At(name, file);
    for (int i = 0; i < times; ++i) {
      region.Prepare();
      region.Act();
      if (i == 0) region.Check();
      region.Undo();
    }
  }

 private:
  static void Print(const std::string& line) { std::cout << line << std::endl; }

  Region& At(const std::string& name, const std::string& file) {
    const auto make = regions_.find(name);
    if (make == regions_.end()) throw std::invalid_argument("no region of that name");
    auto& region = made_[name + "\t" + file];
    if (!region) region = make->second(inputs_.try_emplace(file, file).first->second);
    return *region;
  }

  Regions regions_;
  std::map<std::string, Input> inputs_;
  std::map<std::string, std::unique_ptr<Region>> made_;
};

void KeepAllFreedMemory() {
  KeepFreedMemory();
  KeepOurFreedMemory();
}

void Serve(Worker& worker, bool keep) {
  if (keep) KeepAllFreedMemory();
  for (std::string line; std::getline(std::cin, line);) {
    const size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (second == std::string::npos) throw std::invalid_argument("a line is mode, region and file with tabs between, not: " + line);
    worker.Answer(line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1));
  }
}

int Main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--touch") == 0) {
    WarmTheHost(std::strtoull(argv[2], nullptr, 10));
    return 0;
  }
  Worker worker;
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    worker.List();
  } else if (argc >= 2 && std::strcmp(argv[1], "--serve") == 0) {
    Serve(worker, argc == 3 && std::strcmp(argv[2], "--keep") == 0);
  } else if (argc >= 3) {
    int warm = 0;
    std::string_view mode = "time";
    for (int i = 3; i < argc; ++i) {
      const std::string_view option = argv[i];
      if (option == "--warm" && i + 1 < argc) warm = std::atoi(argv[++i]);
      else if (option == "--check" || option == "--memory") mode = option.substr(2);
      else throw std::invalid_argument("no such option: " + std::string(option));
    }
    if (warm) KeepAllFreedMemory();
    worker.Repeat(warm, argv[1], argv[2]);
    worker.Answer(mode, argv[1], argv[2]);
  } else {
    std::cerr << "usage: bench_proto --list | --serve [--keep] | --touch <bytes> |\n       bench_proto <region> <file> [--warm N] "
                 "[--check|--memory]\n";
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  try {
    return bench::Main(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "bench_proto: " << error.what() << "\n";
    return 1;
  }
}
