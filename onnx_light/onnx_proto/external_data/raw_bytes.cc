#include "onnx_proto/external_data/raw_bytes.h"

#include <bit>
#include <cstring>

#include "onnx_proto/tensor_size.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using utils::ByteSpan;

static_assert(std::endian::native == std::endian::little, "raw_data is little-endian: elsewhere each element would have to be turned");

template <class T>
std::optional<ByteSpan> Borrowed(const utils::RepeatedField<T>& list, uint64_t size) {
  if (list.size() * sizeof(T) != size) return std::nullopt;
  ByteSpan span;
  span.assign_borrowed(list.data(), size);
  return span;
}

// The low bytes of each number.
template <class Narrow, class T>
std::optional<ByteSpan> Narrowed(const utils::RepeatedField<T>& list, uint64_t size) {
  if (list.size() * sizeof(Narrow) != size) return std::nullopt;
  ByteSpan span;
  span.resize(size);
  uint8_t* to = span.mutable_data();
  for (const T number : list) {
    const auto low = static_cast<Narrow>(number);
    std::memcpy(to, &low, sizeof low);
    to += sizeof low;
  }
  return span;
}

// Six bits each, lowest bits first.
std::optional<ByteSpan> PackedSixes(const utils::RepeatedField<int32_t>& list, uint64_t count, uint64_t size) {
  if (list.size() != count) return std::nullopt;
  ByteSpan span;
  span.resize(size);
  uint8_t* const to = span.mutable_data();
  for (uint64_t i = 0; i < count; ++i) {
    const uint32_t bits = (static_cast<uint32_t>(list[i]) & 0x3f) << (i * 6 % 8);
    to[i * 6 / 8] = static_cast<uint8_t>(to[i * 6 / 8] | bits);
    if (bits > 0xff) to[i * 6 / 8 + 1] = static_cast<uint8_t>(bits >> 8);
  }
  return span;
}

}  // namespace

bool HasElements(const TensorProto& tensor) {
  return tensor.has_raw_data() || tensor.has_float_data() || tensor.has_int32_data() || tensor.has_string_data() ||
         tensor.has_int64_data() || tensor.has_double_data() || tensor.has_uint64_data();
}

void ClearElements(TensorProto& tensor) {
  tensor.clear_raw_data();
  tensor.clear_float_data();
  tensor.clear_int32_data();
  tensor.clear_string_data();
  tensor.clear_int64_data();
  tensor.clear_double_data();
  tensor.clear_uint64_data();
}

std::optional<ByteSpan> RawBytesOf(const TensorProto& tensor) {
  const int bits = BitsPerElement(tensor.data_type());
  if (tensor.data_type() == TensorProto::STRING) return std::nullopt;
  const std::optional<uint64_t> size = PayloadSize(tensor);
  if (tensor.has_raw_data()) {
    if (bits != 0 && (!size || *size != tensor.raw_data().size())) return std::nullopt;
    return tensor.raw_data();
  }
  if (!size || *size == 0) return std::nullopt;
  switch (tensor.data_type()) {
    case TensorProto::FLOAT:
    case TensorProto::COMPLEX64: return Borrowed(tensor.float_data(), *size);
    case TensorProto::DOUBLE:
    case TensorProto::COMPLEX128: return Borrowed(tensor.double_data(), *size);
    case TensorProto::INT64: return Borrowed(tensor.int64_data(), *size);
    case TensorProto::UINT64: return Borrowed(tensor.uint64_data(), *size);
    case TensorProto::UINT32: return Narrowed<uint32_t>(tensor.uint64_data(), *size);
    case TensorProto::INT32: return Borrowed(tensor.int32_data(), *size);
    case TensorProto::FLOAT6E2M3:
    case TensorProto::FLOAT6E3M2: return PackedSixes(tensor.int32_data(), *ElementCount(tensor), *size);
    default: break;  // the others, packed ones too, have 8 or 16 bits in each int32
  }
  return bits == 16 ? Narrowed<uint16_t>(tensor.int32_data(), *size) : Narrowed<uint8_t>(tensor.int32_data(), *size);
}

}  // namespace ONNX_LIGHT_NAMESPACE
