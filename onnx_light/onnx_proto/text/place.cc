#include "onnx_proto/text/place.h"

#include <algorithm>

#include "onnx_proto/text/quoted.h"
#include "onnx_proto/text/utf8.h"
#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

LineAndColumn PlaceOf(std::string_view text, const char* at) {
  const std::string_view before = text.substr(0, static_cast<size_t>(at - text.data()));
  const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  uint64_t column = 1;
  for (std::string_view rest = before.substr(line_start); !rest.empty(); ++column) {
    rest.remove_prefix(std::max<size_t>(Utf8SequenceSize(rest), 1));
  }
  return {static_cast<uint64_t>(std::count(before.begin(), before.end(), '\n')) + 1, column};
}

std::string Excerpt(std::string_view found, std::string_view nothing) { return found.empty() ? std::string(nothing) : Quoted(found, 40); }

std::string PathOf(const Table& root, const Step* innermost) {
  std::string path;
  for (const Step* step = innermost; step; step = step->above) {
    std::string name = "." + std::string(step->row->name);
    if (IsList(step->row->kind)) {
      const size_t count = Verbs::Count(*step->message, *step->row);
      name += "[" + std::to_string(step->inside ? count - 1 : count) + "]";
    }
    path.insert(0, name);  // at most some hundred steps
  }
  return std::string(root.name) + path;
}

std::string RuleOfOneof(const Table& table, const Message& message, const Row& row) {
  const auto is_given = [&](const Row& other) { return (row.siblings & message.has_bits() & other.bit()) != 0; };
  const auto given = std::find_if(table.rows.begin(), table.rows.end(), is_given);
  return "of " + std::string(row.oneof) + " one member can be set; " + std::string(given->name) + " is, before " + std::string(row.name);
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
