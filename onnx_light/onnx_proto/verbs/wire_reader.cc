#include "onnx_proto/verbs/wire_reader.h"

#include <cstring>

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

// Null at the end of the bytes, as from there on.
const char* ReadVarint(const char* p, const char* end, uint64_t& value) {
  value = 0;
  for (int shift = 0; p && p < end && shift < 70; shift += 7) {
    const auto byte = static_cast<uint8_t>(*p++);
    value |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return p;
  }
  return nullptr;
}

const char* ReadFixed(const char* p, const char* end, ptrdiff_t size, uint64_t& value) {
  if (!p || end - p < size) return nullptr;
  value = 0;
  std::memcpy(&value, p, static_cast<size_t>(size));
  return p + size;
}

// The place after the end tag that closes what is open at `p`; `inside` ends before that tag. Groups nest, hence the count.
const char* SkipGroup(const char* p, const char* end, const char*& inside) {
  size_t open = 1;
  while (p) {
    inside = p;
    uint64_t tag = 0;
    uint64_t value = 0;
    p = ReadVarint(p, end, tag);
    switch (static_cast<Wire>(tag & 7)) {
      case Wire::kVarint: p = ReadVarint(p, end, value); break;
      case Wire::kFixed64: p = ReadFixed(p, end, 8, value); break;
      case Wire::kFixed32: p = ReadFixed(p, end, 4, value); break;
      case Wire::kLength:
        p = ReadVarint(p, end, value);
        if (p) p = value > static_cast<uint64_t>(end - p) ? nullptr : p + value;
        break;
      case Wire::kGroup: ++open; break;
      default:
        if (--open == 0) return p;
    }
  }
  return nullptr;
}

}  // namespace

std::vector<WireField> ReadWireFields(std::string_view bytes) {
  std::vector<WireField> fields;
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  while (p && p < end) {
    const char* const start = p;
    uint64_t tag = 0;
    WireField field{};
    p = ReadVarint(p, end, tag);
    field.number = static_cast<uint32_t>(tag >> 3);
    field.wire = static_cast<Wire>(tag & 7);
    const char* inside = p;
    switch (field.wire) {
      case Wire::kVarint: p = ReadVarint(p, end, field.value); break;
      case Wire::kFixed64: p = ReadFixed(p, end, 8, field.value); break;
      case Wire::kFixed32: p = ReadFixed(p, end, 4, field.value); break;
      case Wire::kLength: {
        uint64_t size = 0;
        p = ReadVarint(p, end, size);
        if (!p || size > static_cast<uint64_t>(end - p)) return fields;
        field.bytes = {p, size};
        p += size;
        break;
      }
      case Wire::kGroup: {
        const char* const first = p;
        p = SkipGroup(p, end, inside);
        if (p) field.bytes = {first, static_cast<size_t>(inside - first)};
        break;
      }
      default: return fields;
    }
    if (!p) return fields;
    field.raw = {start, static_cast<size_t>(p - start)};
    fields.push_back(field);
  }
  return fields;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
