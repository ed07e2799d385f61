#include "onnx_py/typed_fields.h"

#include <cstring>
#include <stdexcept>
#include <string>

#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

using proto::Verbs;

const proto::Row& NumericRow(std::string_view field) {
  const proto::Row* const row = TensorProto::table().Find(field);
  if (!row || !row->packed) throw std::invalid_argument("a TensorProto has no numeric field \"" + std::string(field) + "\"");
  return *row;
}

}  // namespace

std::string_view TypedBytes(const TensorProto& tensor, std::string_view field) {
  const proto::Row& row = NumericRow(field);
  const proto::ListHandle& items = Verbs::ItemsOf(tensor, row);
  return {items.data(), items.count * proto::ElementSize(row.kind)};
}

void AppendTypedBytes(TensorProto& tensor, std::string_view field, std::string_view bytes) {
  const proto::Row& row = NumericRow(field);
  const size_t size = proto::ElementSize(row.kind);
  if (bytes.size() % size != 0) {
    throw std::invalid_argument(std::to_string(bytes.size()) + " bytes are no whole number of elements of " + std::string(field));
  }
  if (bytes.empty()) return;
  const Verbs::Run run = Verbs::AppendRun(tensor, row, bytes.size() / size);
  std::memcpy(run.first, bytes.data(), bytes.size());
  run.items->count += static_cast<uint32_t>(bytes.size() / size);
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
