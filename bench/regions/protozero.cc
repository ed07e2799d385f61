// A pure scan by protozero: every field of the structure is met, nothing is kept. The least that reading a model can cost.
#include <protozero/pbf_reader.hpp>

#include <stdexcept>

#include "../region.h"

namespace bench {
namespace {

// What is descended into: all that makes the size of the models here. The rest is skipped as bytes.
enum class Level { kModel, kGraph, kNode, kLeaf };

struct Seen {
  uint64_t sum = 0;  // of everything read, so that nothing can be left out
  uint64_t items = 0;
};

Level Below(Level level, uint32_t field) {
  if (level == Level::kModel && field == 7) return Level::kGraph;
  if (level == Level::kGraph && field == 1) return Level::kNode;
  if (level == Level::kGraph && field == 5) return Level::kLeaf;  // an initializer
  if (level == Level::kNode && field == 5) return Level::kLeaf;   // an attribute
  return Level::kModel;                                           // not a message of interest
}

[[gnu::noipa]] void Scan(std::string_view bytes, Level level, Seen& seen) {
  protozero::pbf_reader reader(bytes.data(), bytes.size());
  while (reader.next()) {
    const uint32_t field = reader.tag();  // the reader forgets it with the value
    switch (reader.wire_type()) {
      case protozero::pbf_wire_type::length_delimited: {
        const auto view = reader.get_view();
        const Level below = Below(level, field);
        seen.items += level == Level::kGraph && below != Level::kModel;
        if (below != Level::kModel) Scan({view.data(), view.size()}, below, seen);
        else seen.sum += view.size();
        break;
      }
      case protozero::pbf_wire_type::varint: seen.sum += reader.get_uint64(); break;
      default: reader.skip();
    }
  }
}

class ScanModel : public Region {
 public:
  explicit ScanModel(Input& input) : bytes_(input.bytes()) {}
  void Prepare() override { seen_ = {}; }
  void Act() override { Scan(bytes_, Level::kModel, seen_); }
  Outcome Check() override {
    if (seen_.sum == 0) throw std::runtime_error("the scan read nothing");
    return {seen_.items, bytes_.size()};
  }

 private:
  const std::string& bytes_;
  Seen seen_;
};

}  // namespace

void AddProtozero(Regions& regions) { Add<ScanModel>(regions, "protozero.scan"); }

}  // namespace bench
