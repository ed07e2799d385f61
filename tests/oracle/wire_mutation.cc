#include "wire_mutation.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "wire_field.h"

namespace oracle {
namespace {

namespace pb = google::protobuf;
using Fields = std::vector<WireField>;

std::string AnyPayload(uint32_t wire_type, Engine& engine) {
  switch (wire_type) {
    case kVarint: return Varint(AnyInteger(engine));
    case kFixed64: return std::string(8, static_cast<char>(engine()));
    case kFixed32: return std::string(4, static_cast<char>(engine()));
    case kLength: return OneIn(engine, 3) ? "" : AnyBytes(engine);
    default: {
      WireField inner{
          1 + static_cast<uint32_t>(Below(engine, 40)), static_cast<uint32_t>(OneIn(engine, 4) ? kGroup : kVarint), "", 0, 0, 0};
      inner.payload = inner.type == kGroup ? "" : Varint(AnyInteger(engine), static_cast<int>(Below(engine, 3)));
      return OneIn(engine, 2) ? "" : Join({inner});
    }
  }
}

uint32_t AnyWireType(Engine& engine) {
  static constexpr uint32_t kTypes[] = {kVarint, kFixed64, kLength, kGroup, kFixed32};
  return kTypes[Below(engine, std::size(kTypes))];
}

WireField AnyField(uint32_t number, Engine& engine) {
  const uint32_t type = AnyWireType(engine);
  return {number, type, AnyPayload(type, engine), 0, 0, 0};
}

uint32_t UnknownNumber(const pb::Descriptor* type, Engine& engine) {
  static constexpr uint32_t kNumbers[] = {12, 17, 99, 2047, 2048, 19999, (1u << 28), (1u << 29) - 1};
  for (;;) {
    const uint32_t number = kNumbers[Below(engine, std::size(kNumbers))];
    if (type->FindFieldByNumber(static_cast<int>(number)) == nullptr) return number;
  }
}

// The bytes of one element of a packable field are as wide as its wire type says; a varint is as long as it is.
uint32_t ElementType(const pb::FieldDescriptor* field) {
  switch (field->cpp_type()) {
    case pb::FieldDescriptor::CPPTYPE_FLOAT: return kFixed32;
    case pb::FieldDescriptor::CPPTYPE_DOUBLE: return kFixed64;
    default: return kVarint;
  }
}

void PackOrUnpack(Fields* fields, size_t at, const pb::FieldDescriptor* known) {
  WireField field = (*fields)[at];
  if (known == nullptr || !known->is_packable() || !known->is_repeated()) return;
  if (field.type == ElementType(known)) {
    (*fields)[at].type = kLength;
  } else if (field.type == kLength) {
    fields->erase(fields->begin() + static_cast<ptrdiff_t>(at));
    for (std::string_view rest = field.payload; !rest.empty();) {
      uint64_t value = 0;
      const std::string_view start = rest;
      if (ElementType(known) == kVarint ? !TakeVarint(&rest, &value) : rest.size() < (ElementType(known) == kFixed32 ? 4u : 8u)) return;
      if (ElementType(known) != kVarint) rest.remove_prefix(ElementType(known) == kFixed32 ? 4 : 8);
      fields->insert(fields->begin() + static_cast<ptrdiff_t>(at++),
                     {field.number, ElementType(known), std::string(start.substr(0, start.size() - rest.size())), 0, 0, 0});
    }
  }
}

// What no reader may accept.
std::string Malformed(uint32_t number, Engine& engine) {
  const uint64_t tag = uint64_t{number} << 3;
  const uint64_t other = tag + 8;
  switch (Below(engine, 11)) {
    case 0: return Varint(tag | kGroup);                                              // a group without an end
    case 1: return Varint(tag | kGroup) + Varint(other | kGroupEnd);                  // that ends as another
    case 2: return Varint(tag | kGroupEnd);                                           // an end without a group
    case 3: return Varint(Below(engine, 8)) + Varint(1);                              // field number 0
    case 4: return Varint(tag | 6 | Below(engine, 2)) + Varint(0);                    // wire types 6 and 7
    case 5: return Varint(tag | kVarint, 6) + Varint(0);                              // a tag of more than five bytes
    case 6: return Varint(tag | kVarint) + std::string(10, '\xff') + '\x01';          // a varint of eleven
    case 7: return Varint(tag | kLength) + Varint(1ull << (30 + Below(engine, 30)));  // a length beyond the end
    case 8: return Varint(tag | kLength) + Varint(UINT64_MAX);                        // a negative one
    case 9: return Varint(tag | kGroup) + Varint(0) + Varint(tag | kGroupEnd);        // field number 0 in a group
    default: return Varint(tag | kGroup) + Varint(other | kGroup) + Varint(tag | kGroupEnd) + Varint(other | kGroupEnd);  // crossed groups
  }
}

void EditValue(WireField* field, const pb::FieldDescriptor* known, Engine& engine) {
  if (field->type == kVarint) {
    switch (Below(engine, 5)) {
      case 0: field->payload = Varint(AnyInteger(engine)); break;
      case 1:
        field->payload = std::string(9, '\xff') + static_cast<char>(Below(engine, 128));
        break;  // only bit 0 of the tenth byte counts
      case 2: field->payload = Varint((1ull << (32 + Below(engine, 30))) + Below(engine, 40)); break;  // low half a small number
      case 3:
        if (known != nullptr && known->enum_type() != nullptr)
          field->payload = Varint(27 + Below(engine, 1u << 20), static_cast<int>(Below(engine, 3)));
        break;
      default: {
        std::string_view rest = field->payload;
        uint64_t value = 0;
        if (TakeVarint(&rest, &value)) field->payload = Varint(value, static_cast<int>(Below(engine, 11 - Varint(value).size())));
      }
    }
  } else if (!field->payload.empty()) {
    field->payload[Below(engine, field->payload.size())] = static_cast<char>(engine());
  }
}

void Edit(Fields* fields, const pb::Descriptor* type, Engine& engine) {
  const auto any_place = [&] { return fields->begin() + static_cast<ptrdiff_t>(Below(engine, fields->size() + 1)); };
  const auto a_number = [&] {
    return static_cast<uint32_t>(type->field(static_cast<int>(Below(engine, static_cast<uint64_t>(type->field_count()))))->number());
  };
  if (fields->empty() || OneIn(engine, 5)) {
    fields->insert(any_place(), AnyField(OneIn(engine, 2) ? a_number() : UnknownNumber(type, engine), engine));
    return;
  }
  const size_t at = Below(engine, fields->size());
  WireField& field = (*fields)[at];
  const pb::FieldDescriptor* known = type->FindFieldByNumber(static_cast<int>(field.number));
  switch (Below(engine, 11)) {
    case 0: fields->insert(any_place(), WireField(field)); break;
    case 1: std::shuffle(fields->begin(), fields->end(), engine); break;
    case 2: fields->erase(fields->begin() + static_cast<ptrdiff_t>(at)); break;
    case 3: field = AnyField(field.number, engine); break;
    case 4: field.tag_padding = static_cast<int>(Below(engine, 6 - Varint(uint64_t{field.number} << 3).size())); break;
    case 5: field.length_padding = static_cast<int>(Below(engine, OneIn(engine, 4) ? 10 : 5)); break;
    case 6: PackOrUnpack(fields, at, known); break;
    case 7:
      if (!field.payload.empty() && field.type != kVarint) field.payload.resize(Below(engine, field.payload.size()));
      break;
    case 8:
      if (known != nullptr && known->containing_oneof() != nullptr) {
        const pb::OneofDescriptor* oneof = known->containing_oneof();
        field.number =
            static_cast<uint32_t>(oneof->field(static_cast<int>(Below(engine, static_cast<uint64_t>(oneof->field_count()))))->number());
        fields->insert(any_place(), WireField(field));
      }
      break;
    default: EditValue(&field, known, engine);
  }
}

}  // namespace

std::string Mutated(const std::string& bytes, const pb::Descriptor* type, Engine& engine) {
  std::optional<Fields> fields = Split(bytes);
  if (!fields) {
    std::string changed = bytes;
    changed[Below(engine, changed.size())] = static_cast<char>(engine());
    return changed;
  }
  std::vector<size_t> children;
  for (size_t i = 0; i < fields->size(); ++i) {
    const pb::FieldDescriptor* known = type->FindFieldByNumber(static_cast<int>((*fields)[i].number));
    if ((*fields)[i].type == kLength && known != nullptr && known->message_type() != nullptr) children.push_back(i);
  }
  if (!children.empty() && !OneIn(engine, 3)) {
    WireField& child = (*fields)[children[Below(engine, children.size())]];
    child.payload = Mutated(child.payload, type->FindFieldByNumber(static_cast<int>(child.number))->message_type(), engine);
  } else if (OneIn(engine, 12)) {
    const size_t at = Below(engine, fields->size() + 1);
    const uint32_t number = OneIn(engine, 2) ? UnknownNumber(type, engine) : 1 + static_cast<uint32_t>(Below(engine, 20));
    const Fields before(fields->begin(), fields->begin() + static_cast<ptrdiff_t>(at));
    const Fields after(fields->begin() + static_cast<ptrdiff_t>(at), fields->end());
    return Join(before) + Malformed(number, engine) + Join(after);
  } else {
    Edit(&*fields, type, engine);
  }
  return Join(*fields);
}

}  // namespace oracle
