// Large blocks of memory on 2 MiB bounds, advised to huge pages; some freed ones are kept, because a fresh page costs far more
// than a used one (about 2 µs per 4 KiB on virtual machines).
#pragma once

#include <cstddef>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

inline constexpr size_t kHugePage = size_t{2} << 20;

inline constexpr size_t RoundUp(size_t size, size_t step) { return (size + step - 1) / step * step; }

// `size` is a multiple of kHugePage. Throws std::bad_alloc. Thread-safe.
void* TakeHugeBlock(size_t size);
void GiveHugeBlock(void* block, size_t size);
// Of memory that somebody else has taken and nobody has touched yet: its whole huge pages, if there are any.
ONNX_LIGHT_API void AdviseHugePages(void* memory, size_t size);
void LimitKeptHugeBlocks(size_t bytes);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
