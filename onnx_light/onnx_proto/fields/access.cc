#include "onnx_proto/fields/access.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

std::string EnumName(const EnumTable& table, int number) {
  return table.Has(number) ? std::string(table.values[static_cast<size_t>(number)].name) : std::string();
}

int EnumNumber(const EnumTable& table, std::string_view name) {
  for (const EnumValue& value : table.values) {
    if (value.name == name) return value.number;
  }
  return -1;
}

int CaseOf(const Message& message, const Table& table, std::string_view group) {
  for (const Row& row : table.rows) {
    if (row.oneof == group && message.Has(row)) return row.number;
  }
  return 0;
}

void* CheckedElement(const Message& message, const Row& row, int index) {
  const ListHandle& items = Verbs::ItemsOf(message, row);
  if (index < 0 || static_cast<size_t>(index) >= items.count) {
    throw std::out_of_range("element " + std::to_string(index) + " of " + std::string(row.name) + ", which has " +
                            std::to_string(items.count));
  }
  return Verbs::Element(items, row, static_cast<size_t>(index));
}

std::string_view StringElement(const Message& message, const Row& row, int index) {
  return static_cast<const StringHandle*>(CheckedElement(message, row, index))->view();
}

const utils::String& OwnStringElement(const Message& message, const Row& row, int index) {
  return static_cast<const StringHandle*>(CheckedElement(message, row, index))->str(message.arena_or_null());
}

void SetStringElement(Message& message, const Row& row, int index, std::string_view value) {
  message.Touch();
  static_cast<StringHandle*>(CheckedElement(message, row, index))->Assign(message.arena(), value);
}

void AddString(Message& message, const Row& row, std::string_view value) {
  const std::string taken(value);  // it may lie in this list
  static_cast<StringHandle*>(Verbs::Append(message, row))->Assign(message.arena(), taken);
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
