// Any field, where fields of different types share a place.
#pragma once

#include "onnx_proto/storage/list_handle.h"
#include "onnx_proto/storage/payload_slot.h"
#include "onnx_proto/storage/string_handle.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

union Slot {
  ListHandle list;
  StringHandle string;
  Message* child;
  PayloadSlot* payload;
  int64_t int64;
  uint64_t uint64;
  int32_t int32;
  float number;
  constexpr Slot() : list{} {}  // the widest member: initialising a narrow one would leave the rest unset
};
static_assert(sizeof(Slot) == 16);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
