#include "onnx_proto/text/json_names.h"

#include <algorithm>
#include <unordered_map>

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

using JsonTables = std::unordered_map<const Table*, JsonTable>;

JsonTables MakeTables() {
  JsonTables made;
  for (const Table* table : AllTables()) made[table].table = table;
  for (auto& [table, json] : made) {
    json.fields.reserve(table->rows.size());
    for (const Row& row : table->rows) {
      json.fields.push_back({&row, CamelName(row.name), row.child ? &made.at(&row.child()) : nullptr});
      json.by_name.push_back(&json.fields.back());
    }
    json.by_camel_name = json.by_name;
    std::sort(json.by_name.begin(), json.by_name.end(), [](const JsonField* a, const JsonField* b) { return a->row->name < b->row->name; });
    std::sort(json.by_camel_name.begin(), json.by_camel_name.end(),
              [](const JsonField* a, const JsonField* b) { return a->camel_name < b->camel_name; });
  }
  return made;
}

}  // namespace

const JsonTable& JsonTableOf(const Table& table) {
  static const JsonTables& tables = *new JsonTables(MakeTables());  // never destroyed: printing at exit is allowed
  return tables.at(&table);
}

const JsonField* JsonTable::Find(std::string_view name, const JsonField* first) const {
  const JsonField* const begin = fields.data();
  const JsonField* const end = begin + fields.size();
  const auto is = [&](const JsonField& field) { return field.camel_name == name || field.row->name == name; };
  const JsonField* found = std::find_if(first, end, is);
  if (found != end) return found;
  found = std::find_if(begin, first, is);
  return found != first ? found : nullptr;
}

std::string CamelName(std::string_view name) {
  std::string camel;
  bool raise = false;
  for (const char c : name) {
    if (c != '_') camel.push_back(raise && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    raise = c == '_';
  }
  return camel;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
