// Where in a text, and where in the message it describes, a fault lies.
#pragma once

#include <string>
#include <string_view>

#include "onnx_proto/fields/message.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

struct LineAndColumn {
  uint64_t line;    // from 1
  uint64_t column;  // from 1, in characters; bytes that are not UTF-8 count one each
};
// Counted only when there is something to complain about. `at` lies in the text or at its end.
LineAndColumn PlaceOf(std::string_view text, const char* at);

// The beginning of what was found, made printable, in quotes; `nothing` if it is empty.
std::string Excerpt(std::string_view found, std::string_view nothing);

// One step from a message to a field, while a reader is there. Steps lie on the reader's stack.
struct Step {
  const Step* above;
  const Message* message;
  const Row* row;
  bool inside = false;  // of the child, which is in the list already
};
// "ModelProto.graph.node[3]"
std::string PathOf(const Table& root, const Step* innermost);

// Why the field cannot be set: another member of its oneof is.
std::string RuleOfOneof(const Table& table, const Message& message, const Row& row);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
