// Options are promises: a parse or serialise under limits gives a message within them, or the error that belongs to the limit.
//
// Bytes 0 to 5: the type; flags; depth; payload threshold; payload limit; total limit (in units of 16).
#include <algorithm>

#include "check.h"

namespace ONNX_LIGHT_NAMESPACE::fuzz {

template <class T>
void WithLimits(const uint8_t* head, std::string_view bytes) {
  ParseOptions options;
  options.no_copy = head[1] & 1;
  options.skip_raw_data = head[1] & 2;
  if (head[1] & 4) options.max_recursion_depth = head[2];
  if (head[1] & 8) options.raw_data_threshold = static_cast<int8_t>(head[3]);
  if (head[1] & 16) options.max_tensor_size_bytes = head[4] * 4;
  if (head[1] & 32) options.max_total_size_bytes = head[5] * 16;
  T limited;
  try {
    limited.ParseFromString(bytes, options);
  } catch (const ParseError&) {
    FUZZ_CHECK(limited == T());
    CheckRefusedChangesNothing<T>([&](T& other) { other.ParseFromString(bytes, options); });
    return;
  }
  if (options.max_total_size_bytes >= 0) FUZZ_CHECK(bytes.size() <= static_cast<size_t>(options.max_total_size_bytes));

  ParseOptions free;
  free.max_recursion_depth = options.max_recursion_depth;
  T whole;
  whole.ParseFromString(bytes, free);  // what was read under limits can be read without
  if (!options.skip_raw_data) FUZZ_CHECK(whole == limited);

  SerializeOptions writing;
  writing.max_recursion_depth = options.max_recursion_depth;  // as deep as it was read
  writing.skip_raw_data = options.skip_raw_data;
  writing.raw_data_threshold = std::max<int64_t>(options.raw_data_threshold, 0);
  FUZZ_CHECK(whole.SerializeAsString(writing) == limited.SerializeAsString(writing));
  const size_t size = limited.SerializeAsString(writing).size();
  writing.max_serialized_size_bytes = static_cast<int64_t>(size);
  FUZZ_CHECK(limited.SerializeAsString(writing).size() == size);
  if (size == 0) return;
  writing.max_serialized_size_bytes = static_cast<int64_t>(size) - 1;
  try {
    limited.SerializeAsString(writing);
    FUZZ_CHECK(!"the limit did not hold");
  } catch (const SerializeError&) {
    // so it should be
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kHead = 6;
  if (size < kHead) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + kHead, size - kHead);
  ONNX_LIGHT_NAMESPACE::fuzz::WithMessageType(data[0], [&]<class T>() { ONNX_LIGHT_NAMESPACE::fuzz::WithLimits<T>(data, bytes); });
  return 0;
}
