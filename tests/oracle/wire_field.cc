#include "wire_field.h"

namespace oracle {
namespace {

constexpr int kMaxDepth = 200;

bool Take(std::string_view* bytes, size_t count, std::string* payload) {
  if (count > bytes->size()) return false;
  payload->assign(bytes->substr(0, count));
  bytes->remove_prefix(count);
  return true;
}

// One field; at an end-group tag `field` has that type and nothing else is taken.
bool TakeField(std::string_view* bytes, WireField* field, int depth);

bool TakeGroup(std::string_view* bytes, WireField* group, int depth) {
  for (WireField inner;;) {
    const std::string_view start = *bytes;
    if (depth > kMaxDepth || !TakeField(bytes, &inner, depth + 1)) return false;
    if (inner.type == kGroupEnd) {
      group->end_padding = inner.tag_padding;
      return inner.number == group->number;
    }
    group->payload.append(start.substr(0, start.size() - bytes->size()));
  }
}

bool TakeField(std::string_view* bytes, WireField* field, int depth) {
  uint64_t tag = 0;
  const size_t left = bytes->size();
  if (!TakeVarint(bytes, &tag, 5) || tag > UINT32_MAX || tag < 8) return false;
  *field = {static_cast<uint32_t>(tag >> 3), static_cast<uint32_t>(tag & 7), "", 0, 0, 0};
  field->tag_padding = static_cast<int>(left - bytes->size() - Varint(tag).size());
  const std::string_view rest = *bytes;
  uint64_t value = 0;
  switch (field->type) {
    case kVarint:
      if (!TakeVarint(bytes, &value)) return false;
      field->payload.assign(rest.substr(0, rest.size() - bytes->size()));
      return true;
    case kFixed64: return Take(bytes, 8, &field->payload);
    case kFixed32: return Take(bytes, 4, &field->payload);
    case kLength:
      if (!TakeVarint(bytes, &value)) return false;
      field->length_padding = static_cast<int>(rest.size() - bytes->size() - Varint(value).size());
      return Take(bytes, value, &field->payload);
    case kGroup: return TakeGroup(bytes, field, depth);
    case kGroupEnd: return true;
    default: return false;
  }
}

}  // namespace

std::string Varint(uint64_t value, int padding) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  bytes += static_cast<char>(value);
  for (; padding > 0; --padding) {
    bytes.back() = static_cast<char>(bytes.back() | 0x80);
    bytes += '\0';
  }
  return bytes;
}

void Append(const WireField& field, std::string* bytes) {
  *bytes += Varint(uint64_t{field.number} << 3 | field.type, field.tag_padding);
  if (field.type == kLength) *bytes += Varint(field.payload.size(), field.length_padding);
  *bytes += field.payload;
  if (field.type == kGroup) *bytes += Varint(uint64_t{field.number} << 3 | kGroupEnd, field.end_padding);
}

std::string Join(const std::vector<WireField>& fields) {
  std::string bytes;
  for (const WireField& field : fields) Append(field, &bytes);
  return bytes;
}

std::optional<std::vector<WireField>> Split(std::string_view bytes) {
  std::vector<WireField> fields;
  while (!bytes.empty()) {
    WireField field;
    if (!TakeField(&bytes, &field, 0) || field.type == kGroupEnd) return std::nullopt;
    fields.push_back(std::move(field));
  }
  return fields;
}

bool TakeVarint(std::string_view* bytes, uint64_t* value, size_t limit) {
  *value = 0;
  for (size_t i = 0; i < limit && i < bytes->size(); ++i) {
    const auto byte = static_cast<unsigned char>((*bytes)[i]);
    *value |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      bytes->remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

}  // namespace oracle
