// The list of all tables.
#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

std::span<const Table* const> AllTables() {
#define ONNX_LIGHT_TABLE(type) &TableOf<type>(),
  static const Table* const kTables[] = {ONNX_LIGHT_MESSAGES(ONNX_LIGHT_TABLE)};
#undef ONNX_LIGHT_TABLE
  return kTables;
}

const Table* FindTable(std::string_view name) {
  for (const Table* table : AllTables()) {
    if (table->name == name) return table;
  }
  return nullptr;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
