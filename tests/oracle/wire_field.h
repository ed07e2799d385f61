// A message's bytes as a list of raw fields, and back: what the tests edit when they need bytes that no serialiser writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oracle {

enum WireType : uint32_t { kVarint = 0, kFixed64 = 1, kLength = 2, kGroup = 3, kGroupEnd = 4, kFixed32 = 5 };

// `value` in as few bytes as it takes, then `padding` bytes that add nothing.
std::string Varint(uint64_t value, int padding = 0);

struct WireField {
  uint32_t number = 0;
  uint32_t type = kVarint;
  std::string payload;     // the varint, the fixed bytes, the content of a length-delimited field or of a group (its end tag left out)
  int tag_padding = 0;     // superfluous bytes in the tag
  int length_padding = 0;  // and in the length
  int end_padding = 0;     // and in a group's end tag
};

void Append(const WireField& field, std::string* bytes);
std::string Join(const std::vector<WireField>& fields);

// The fields of one level. Nothing where the bytes are malformed, as far as one level shows.
std::optional<std::vector<WireField>> Split(std::string_view bytes);

// Reads a varint of at most `limit` bytes and moves `bytes` behind it. False where there is none.
bool TakeVarint(std::string_view* bytes, uint64_t* value, size_t limit = 10);

}  // namespace oracle
