// Bytes that a serialiser would never write, made from bytes that it did: edits of the list of fields at any level of the message.
#pragma once

#include <google/protobuf/descriptor.h>

#include <string>

#include "random_message.h"

namespace oracle {

// One edit: a field doubled, moved, dropped, packed, unpacked, cut, given another wire type, an overlong tag, length or value or a 64-bit
// one; another member of a oneof, a number that is no member of an enum; an unknown field, a group; or something malformed. Bytes it cannot
// split are returned with one byte changed.
std::string Mutated(const std::string& bytes, const google::protobuf::Descriptor* type, Engine& engine);

}  // namespace oracle
