// Unknown fields compare as values: any bytes can be read as fields, and equality is an equivalence that keeps to its definition.
//
// The first byte says how many of the following bytes are the first of the two sets.
#include <algorithm>
#include <vector>

#include "check.h"
#include "onnx_proto/verbs/wire_reader.h"

namespace ONNX_LIGHT_NAMESPACE::fuzz {

// The fields sorted by number, those of one number in their order: an equal set.
std::string Sorted(std::string_view bytes) {
  std::vector<proto::WireField> fields = proto::ReadWireFields(bytes);
  std::stable_sort(fields.begin(), fields.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  std::string sorted;
  for (const proto::WireField& field : fields) sorted.append(field.raw);
  return sorted;
}

void Compare(std::string_view a, std::string_view b) {
  using proto::Verbs;
  for (const std::string_view side : {a, b}) {
    size_t whole = 0;
    for (const proto::WireField& field : proto::ReadWireFields(side)) {
      FUZZ_CHECK(field.raw.data() == side.data() + whole);
      whole += field.raw.size();
    }
    FUZZ_CHECK(whole <= side.size());
  }
  try {
    FUZZ_CHECK(Verbs::EqualUnknown(a, a));
    FUZZ_CHECK(Verbs::EqualUnknown(a, Sorted(a)));
    const bool equal = Verbs::EqualUnknown(a, b);
    FUZZ_CHECK(equal == Verbs::EqualUnknown(b, a));
    FUZZ_CHECK(equal == Verbs::EqualUnknown(Sorted(a), b));
  } catch (const NestingError&) {
    // groups in groups in groups
  }
  TensorProto_Segment x;  // of two numbers: nearly everything is unknown to it
  TensorProto_Segment y;
  try {
    x.ParseFromString(a);
    y.ParseFromString(b);
  } catch (const ParseError&) {
    return;
  }
  const bool equal = x == y;
  FUZZ_CHECK(equal == (y == x));
  if (x.SerializeAsString() == y.SerializeAsString()) FUZZ_CHECK(equal);
  if (equal) {
    x.DiscardUnknownFields();
    y.DiscardUnknownFields();
    FUZZ_CHECK(x.SerializeAsString() == y.SerializeAsString());
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const size_t first = std::min<size_t>(data[0], bytes.size());
  // Copies of their own size: a byte read too far is seen.
  const std::string a(bytes.substr(0, first));
  const std::string b(bytes.substr(first));
  ONNX_LIGHT_NAMESPACE::fuzz::Compare(a, b);
  return 0;
}
