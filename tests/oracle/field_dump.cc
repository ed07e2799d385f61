#include "field_dump.h"

#include <set>
#include <string>

#include "onnx_proto/fields/row.h"

namespace oracle {
namespace {

namespace proto = onnx_light::proto;
using proto::Kind;

std::string TypeOf(const proto::Row& row) {
  switch (row.kind) {
    case Kind::kInt64:
    case Kind::kInt64s: return "int64";
    case Kind::kInt32:
    case Kind::kInt32s: return "int32";
    case Kind::kUint64s: return "uint64";
    case Kind::kFloat:
    case Kind::kFloats: return "float";
    case Kind::kDoubles: return "double";
    case Kind::kString:
    case Kind::kStrings: return "string";
    case Kind::kBytes:
    case Kind::kByteStrings:
    case Kind::kPayload: return "bytes";
    case Kind::kEnum: return "onnx." + std::string(row.enumeration->name);
    case Kind::kMessage:
    case Kind::kMessages: return std::string(row.child().full_name);
  }
  return "no type";
}

}  // namespace

void DumpFields(std::ostream& out) {
  for (const proto::Table* table : proto::AllTables()) {
    for (const proto::Row& row : table->rows) {
      out << table->full_name << '\t' << row.name << '\t' << int{row.number} << '\t' << TypeOf(row) << '\t'
          << (IsList(row.kind) ? "repeated" : "optional") << '\t' << (row.packed ? "packed" : "-") << '\t'
          << (row.oneof.empty() ? "-" : row.oneof) << '\n';
    }
  }
}

void DumpEnums(std::ostream& out) {
  std::set<const proto::EnumTable*> seen;
  for (const proto::Table* table : proto::AllTables()) {
    for (const proto::Row& row : table->rows) {
      if (row.enumeration == nullptr || !seen.insert(row.enumeration).second) continue;
      for (const proto::EnumValue& value : row.enumeration->values) {
        out << "onnx." << row.enumeration->name << '\t' << value.name << '\t' << value.number << '\n';
      }
    }
  }
}

}  // namespace oracle
