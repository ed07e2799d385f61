// What a messages/*.cc needs to compile its types: the definitions of the instantiated verbs, and one macro a type.
#pragma once

#include "onnx_proto/onnx.h"
#include "onnx_proto/verbs/clone.h"
#include "onnx_proto/verbs/equal.h"
#include "onnx_proto/verbs/parse.h"
#include "onnx_proto/verbs/write.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

template <class T>
void MessageVerbs<T>::Parse(Parser& parser, Message& message, const char* begin, const char* end) {
  parser.Parse<T>(message, begin, end);
}
template <class T>
void MessageVerbs<T>::Write(Writer& writer, const Message& message) {
  writer.Write<T>(message);
}
template <class T>
void MessageVerbs<T>::Clone(Cloner& cloner, Message& fresh, const Message& from) {
  cloner.Clone<T>(fresh, from);
}
template <class T>
bool MessageVerbs<T>::Equal(const Message& a, const Message& b, int depth) {
  return EqualMessages<T>(a, b, depth);
}

template <class T>
constexpr Table MakeTable() {
  Table table{.name = T::kName,
              .full_name = T::kFullName,
              .doc = T::kDoc,
              .rows = kRows<T>,
              .size = sizeof(T),
              .has_payload = HasPayload<T>(),
              .parse = &MessageVerbs<T>::Parse,
              .write = &MessageVerbs<T>::Write,
              .clone = &MessageVerbs<T>::Clone,
              .equal = &MessageVerbs<T>::Equal};
  for (const Row& row : table.rows) table.index_of_number[row.number] = row.index;
  return table;
}

template <class T>
const Table& TableOf() {
  static_assert(sizeof(T) % 8 == 0 && sizeof(T) <= Arena::kLargestExact,
                "elements of a block come back one by one: put a field among the rare");
  static constexpr Table kTable = MakeTable<T>();
  return kTable;
}

// Each type is compiled in one file only.
#define ONNX_LIGHT_ELSEWHERE(type) extern template struct MessageVerbs<type>;
ONNX_LIGHT_MESSAGES(ONNX_LIGHT_ELSEWHERE)
#undef ONNX_LIGHT_ELSEWHERE

#define ONNX_LIGHT_COMPILE(type)      \
  template struct MessageVerbs<type>; \
  template const Table& TableOf<type>();

}  // namespace ONNX_LIGHT_NAMESPACE::proto
