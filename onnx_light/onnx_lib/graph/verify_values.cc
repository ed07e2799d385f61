// Tensors, types and value infos.
#include <array>

#include "onnx_lib/graph/verify.h"
#include "onnx_proto/error.h"
#include "onnx_proto/external_data/reference.h"
#include "onnx_proto/tensor_size.h"

namespace ONNX_LIGHT_NAMESPACE::graph {
namespace {

[[noreturn]] void Fail(const std::string& place, const std::string& rule) { throw ValidationError(place + ": " + rule); }

std::string NameOf(const TensorProto& tensor) { return "tensor " + Quoted(tensor.view_name()); }

struct TypedField {
  std::string_view name;
  int size;
};
std::array<TypedField, 6> TypedFields(const TensorProto& tensor) {
  return {{{"float_data", tensor.float_data_size()},
           {"int32_data", tensor.int32_data_size()},
           {"string_data", tensor.string_data_size()},
           {"int64_data", tensor.int64_data_size()},
           {"double_data", tensor.double_data_size()},
           {"uint64_data", tensor.uint64_data_size()}}};
}

void VerifyExternal(const TensorProto& tensor, const std::string& place) {
  bool has_location = false;
  for (int i = 0; i < tensor.external_data_size(); ++i) {
    const StringStringEntryProto& entry = tensor.external_data(i);
    if (!entry.has_key() || !entry.has_value()) Fail(place, "an entry of external_data has no key or no value");
    has_location = has_location || (entry.view_key() == "location" && !entry.view_value().empty());
  }
  if (!has_location) Fail(place, "its elements are said to lie in another file, but external_data has no location");
}

void VerifyType(const TypeProto& type, const std::string& place, int depth);

void VerifyElementType(int32_t elem_type, const std::string& place) {
  if (elem_type == TensorProto::UNDEFINED) Fail(place, "its type has no elem_type");
  if (!ElementTypeOf(elem_type)) Fail(place, "elem_type " + std::to_string(elem_type) + " is no TensorProto.DataType");
}

void VerifyInner(bool has, const TypeProto& inner, const char* field, const std::string& place, int depth) {
  if (!has) Fail(place, std::string("its type has no ") + field);
  VerifyType(inner, place, depth + 1);
}

void VerifyType(const TypeProto& type, const std::string& place, int depth) {
  CheckGraphDepth(depth);
  switch (type.value_case()) {
    case TypeProto::kTensorType: return VerifyElementType(type.tensor_type().elem_type(), place);
    case TypeProto::kSparseTensorType: return VerifyElementType(type.sparse_tensor_type().elem_type(), place);
    case TypeProto::kSequenceType:
      return VerifyInner(type.sequence_type().has_elem_type(), type.sequence_type().elem_type(), "elem_type", place, depth);
    case TypeProto::kOptionalType:
      return VerifyInner(type.optional_type().has_elem_type(), type.optional_type().elem_type(), "elem_type", place, depth);
    case TypeProto::kMapType:
      if (!type.map_type().has_key_type()) Fail(place, "its type has no key_type");
      return VerifyInner(type.map_type().has_value_type(), type.map_type().value_type(), "value_type", place, depth);
    case TypeProto::kOpaqueType: return;
    default: Fail(place, "its type says nothing: none of tensor_type, sequence_type, map_type, … is set");
  }
}

}  // namespace

void VerifyTensor(const TensorProto& tensor, int64_t /*ir_version*/) {
  const std::string place = NameOf(tensor);
  if (tensor.has_segment()) Fail(place, "segments of larger tensors are not supported");
  if (tensor.data_type() == TensorProto::UNDEFINED) Fail(place, "it has no data_type");
  const std::optional<ElementType> type = ElementTypeOf(tensor.data_type());
  if (!type) Fail(place, "data_type " + std::to_string(tensor.data_type()) + " is no TensorProto.DataType");
  const std::optional<uint64_t> count = ElementCount(tensor);
  if (!count) Fail(place, "a dimension is negative, or there are more elements than 63 bits can count");

  int filled = tensor.has_raw_data();
  for (const TypedField& field : TypedFields(tensor)) filled += field.size != 0;
  if (IsExternal(tensor)) return VerifyExternal(tensor, place);
  if (filled > 1) Fail(place, "its elements stand in more than one field");
  if (tensor.has_raw_data()) {
    if (type->bits == 0) Fail(place, "strings cannot be raw_data");
    const std::optional<uint64_t> needed = PayloadSize(tensor);
    if (!needed || tensor.raw_data().size() != *needed) {
      Fail(place, "its " + std::to_string(*count) + " elements need " + (needed ? std::to_string(*needed) : "more than 2^63") +
                      " bytes, raw_data has " + std::to_string(tensor.raw_data().size()));
    }
    return;
  }
  for (const TypedField& field : TypedFields(tensor)) {
    if (field.name != type->field) {
      if (field.size)
        Fail(place,
             "elements of data_type " + TensorProto::DataType_Name(tensor.data_type()) + " cannot lie in " + std::string(field.name));
      continue;
    }
    const auto per_entry = static_cast<uint64_t>(type->per_entry);
    const uint64_t entries = *count / per_entry + (*count % per_entry != 0);
    if (entries > INT32_MAX || field.size != static_cast<int64_t>(entries) * type->entries) {
      Fail(place, "its " + std::to_string(*count) + " elements do not fit the " + std::to_string(field.size) + " entries of " +
                      std::string(field.name));
    }
  }
}

void VerifySparseTensor(const SparseTensorProto& sparse, int64_t ir_version) {
  const std::string place = "sparse tensor " + Quoted(sparse.values().view_name());
  if (!sparse.has_values()) Fail(place, "it has no values");
  VerifyTensor(sparse.values(), ir_version);
  if (sparse.values().dims_size() != 1) Fail(place, "its values have rank " + std::to_string(sparse.values().dims_size()) + ", not 1");
  if (sparse.dims_size() == 0) Fail(place, "it has no dims");
  int64_t dense = 1;
  for (int i = 0; i < sparse.dims_size(); ++i) {
    const int64_t size = sparse.dims(i);
    if (size <= 0) Fail(place, "dimension " + std::to_string(i) + " is " + std::to_string(size) + ", it has to be positive");
    if (dense > INT64_MAX / size) Fail(place, "it has more elements than 63 bits can count");
    dense *= size;
  }
  const int64_t count = sparse.values().dims(0);
  if (!sparse.has_indices()) {
    if (count != 0) Fail(place, "it has values and no indices");
    return;
  }
  const TensorProto& indices = sparse.indices();
  VerifyTensor(indices, ir_version);
  if (indices.data_type() != TensorProto::INT64) Fail(place, "its indices are not of type INT64");
  const bool is_linear = indices.dims_size() == 1;
  if (indices.dims_size() != 1 && indices.dims_size() != 2)
    Fail(place, "its indices have rank " + std::to_string(indices.dims_size()) + ", not 1 or 2");
  if (indices.dims(0) != count) Fail(place, std::to_string(count) + " values have " + std::to_string(indices.dims(0)) + " indices");
  if (!is_linear && indices.dims(1) != sparse.dims_size()) Fail(place, "each index needs one entry a dimension");
  if (IsExternal(indices)) return;
  const auto entry = [&](int64_t at) {
    if (!indices.has_raw_data()) return indices.int64_data(static_cast<int>(at));
    int64_t value = 0;
    for (int byte = 7; byte >= 0; --byte) value = (value << 8) | indices.raw_data().data()[at * 8 + byte];
    return value;
  };
  int64_t before = -1;
  for (int64_t i = 0; i < count; ++i) {
    int64_t place_in_dense = 0;
    if (is_linear) {
      place_in_dense = entry(i);
      if (place_in_dense < 0 || place_in_dense >= dense)
        Fail(place, "index " + std::to_string(place_in_dense) + " lies outside its " + std::to_string(dense) + " elements");
    } else {
      for (int k = 0; k < sparse.dims_size(); ++k) {
        const int64_t index = entry(i * sparse.dims_size() + k);
        if (index < 0 || index >= sparse.dims(k))
          Fail(place, "index " + std::to_string(index) + " lies outside dimension " + std::to_string(k));
        place_in_dense = place_in_dense * sparse.dims(k) + index;
      }
    }
    if (place_in_dense <= before) Fail(place, "its indices do not ascend at value " + std::to_string(i));
    before = place_in_dense;
  }
}

void VerifyValueInfo(const ValueInfoProto& value, int64_t /*ir_version*/) {
  if (value.view_name().empty()) Fail("value info", "it has no name");
  if (value.has_type()) VerifyType(value.type(), "value " + Quoted(value.view_name()), 0);
}

}  // namespace ONNX_LIGHT_NAMESPACE::graph
