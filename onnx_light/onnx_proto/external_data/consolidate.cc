// Payloads moved together into one block, and let go of.
#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/onnx_helper.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

constexpr size_t kVectorAlignment = 64;

size_t CheckedAlignment(const TensorBufferOptions& options) {
  constexpr int64_t kMost = int64_t{1} << 30;
  if (options.alignment < 0 || options.alignment > kMost) {
    throw std::invalid_argument("alignment " + std::to_string(options.alignment) + ": from 0 to " + std::to_string(kMost) + " is possible");
  }
  return std::max<size_t>(static_cast<size_t>(options.alignment), 1);
}

size_t Sum(size_t a, size_t b) {
  if (a > SIZE_MAX / 2 - b) throw std::bad_alloc();
  return a + b;
}

}  // namespace

std::shared_ptr<uint8_t[]> ConsolidateTensorsToBuffer(ModelProto& model, const TensorBufferOptions& options) {
  const size_t alignment = CheckedAlignment(options);
  const auto threshold = static_cast<uint64_t>(std::max<int64_t>(options.raw_data_threshold, 0));
  struct Moved {
    TensorProto* tensor;
    size_t offset;
  };
  std::vector<Moved> moved;
  size_t size = 0;
  for (MutableTensorWalk walk(model); walk.Next();) {
    const utils::ByteSpan& payload = walk.tensor().raw_data();
    if (payload.empty() || payload.size() < threshold) continue;
    size = Sum(size, (alignment - size % alignment) % alignment);
    moved.push_back({&walk.tensor(), size});
    size = Sum(size, payload.size());
  }
  if (moved.empty()) return nullptr;
  // As asked for, which need not be a power of two, or better.
  const size_t start_alignment = kVectorAlignment % alignment == 0 ? kVectorAlignment : alignment;
  uint8_t* block = nullptr;
  proto::PayloadOwner* const owner = proto::PayloadOwner::NewBlock(Sum(size, start_alignment), &block);
  const std::shared_ptr<void> held(block, [owner](void*) { owner->LetGo(); });
  uint8_t* const start = block + (start_alignment - reinterpret_cast<uintptr_t>(block) % start_alignment) % start_alignment;

  const proto::PayloadOwner::EndsLater later;  // owners of the old payloads may do anything, once all have been moved
  size_t filled = 0;
  for (const Moved& one : moved) {
    const utils::ByteSpan& payload = one.tensor->raw_data();
    std::memset(start + filled, 0, one.offset - filled);
    payload.CopyTo(start + one.offset);
    filled = one.offset + payload.size();
  }
  std::vector<utils::ByteSpan> spans(moved.size());  // made before the first is exchanged: all are moved, or none is
  for (size_t i = 0; i < moved.size(); ++i) {
    owner->Hold();
    spans[i].adopt(start + moved[i].offset, moved[i].tensor->raw_data().size(), owner, false);
  }
  for (size_t i = 0; i < moved.size(); ++i) moved[i].tensor->set_raw_data(std::move(spans[i]));
  return {held, start};
}

size_t ReleaseWeights(ModelProto& model) {
  const proto::PayloadOwner::EndsLater later;
  size_t released = 0;
  for (MutableTensorWalk walk(model); walk.Next();) {
    if (!walk.tensor().raw_data().is_borrowed()) continue;
    released += walk.tensor().raw_data().size();
    walk.tensor().clear_raw_data();
  }
  return released;
}

}  // namespace ONNX_LIGHT_NAMESPACE
