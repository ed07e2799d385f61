// What the JSON mapping calls fields, derived from the rows once: `irVersion` for `ir_version`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "onnx_proto/fields/row.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

struct JsonTable;

struct JsonField {
  const Row* row;
  std::string camel_name;
  const JsonTable* child;  // of messages
};

struct JsonTable {
  const Table* table;
  std::vector<JsonField> fields;                // in the order of the rows
  std::vector<const JsonField*> by_name;        // in the order of the names in the .proto files
  std::vector<const JsonField*> by_camel_name;  // in the order of the camel names

  // Either name; null if there is none. `first` is where to look first.
  const JsonField* Find(std::string_view name, const JsonField* first) const;
};

const JsonTable& JsonTableOf(const Table& table);

// Drops each underscore and raises the letter behind it.
std::string CamelName(std::string_view name);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
