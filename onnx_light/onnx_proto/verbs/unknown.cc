// Unknown fields as values: two sets are equal if each tag (number and wire type) has the same values in the same order, however they were
// encoded.
#include <algorithm>
#include <vector>

#include "onnx_proto/verbs/equal.h"
#include "onnx_proto/verbs/wire_reader.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

bool EqualFields(std::vector<WireField> a, std::vector<WireField> b, int depth) {
  if (a.size() != b.size()) return false;
  if (depth > kMaxDepth) ComparedTooDeep("a group of unknown fields");
  const auto by_tag = [](const WireField& x, const WireField& y) { return std::pair(x.number, x.wire) < std::pair(y.number, y.wire); };
  std::stable_sort(a.begin(), a.end(), by_tag);
  std::stable_sort(b.begin(), b.end(), by_tag);
  return std::equal(a.begin(), a.end(), b.begin(), [&](const WireField& x, const WireField& y) {
    if (x.number != y.number || x.wire != y.wire || x.value != y.value) return false;
    return x.wire == Wire::kGroup ? EqualFields(ReadWireFields(x.bytes), ReadWireFields(y.bytes), depth + 1) : x.bytes == y.bytes;
  });
}

}  // namespace

void ComparedTooDeep(std::string_view name) { throw NestingError(std::string(name) + " is nested deeper than 400 messages"); }

bool Verbs::EqualUnknown(std::string_view a, std::string_view b) { return EqualFields(ReadWireFields(a), ReadWireFields(b), 0); }

}  // namespace ONNX_LIGHT_NAMESPACE::proto
