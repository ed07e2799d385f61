// Reads fields from bytes that a parse has already found well-formed: the unknown fields that a message keeps.
#pragma once

#include <string_view>
#include <vector>

#include "onnx_proto/fields/row.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

struct WireField {
  uint32_t number;
  Wire wire;
  uint64_t value;          // of numbers
  std::string_view bytes;  // of length-delimited fields and groups: the contents, without tags
  std::string_view raw;    // the whole field with its tags
};

// In order. Ends at the first fault, of which there is none in the bytes it is meant for.
ONNX_LIGHT_API std::vector<WireField> ReadWireFields(std::string_view bytes);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
