// Memory that will be needed, asked for before it is: the processor goes on meanwhile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

enum Access { kToRead, kToWrite };

// Asks for the cache lines of an element of `size` bytes that lies `ahead` of `at`; of a large one for the first ones. Addresses only:
// nothing is touched, and they may lie beyond the end.
template <Access access>
[[gnu::always_inline]] inline void AskFor(const void* at, size_t ahead, size_t size) {
  constexpr size_t kLine = 64;
  const uintptr_t first = reinterpret_cast<uintptr_t>(at) + ahead;
  for (size_t line = 0; line < std::min(size, 5 * kLine); line += kLine) {
    __builtin_prefetch(reinterpret_cast<const void*>(first + line), access);
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
