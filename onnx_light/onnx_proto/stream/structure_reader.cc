#include "onnx_proto/stream/structure_reader.h"

#include <algorithm>

#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/storage/block_cache.h"
#include "onnx_proto/stream/file_descriptor.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kAfterAPayload = 512;  // usually all there is before the next one: a name and a shape

}  // namespace

void StructureReader::Read(const Table& table) {
  if (ReadMessage(table, file_.size_, 0)) ReadTo(file_.size_);
}

// Reads on up to `end`, and somewhat further: windows grow as long as nothing is skipped, up to whole huge pages.
void StructureReader::ReadTo(uint64_t end) {
  if (read_ >= end) return;
  const uint64_t wanted = std::max<uint64_t>(end - read_, window_);
  const uint64_t stop = std::min<uint64_t>(RoundUp(read_ + wanted, wanted < kHugePage ? kPage : kHugePage), file_.size_);
  AdviseHugePages(file_.memory_ + read_, stop - read_);
  utils::ReadAt(file_.descriptor_, file_.path_, read_, file_.memory_ + read_, stop - read_);
  read_ = stop;
  window_ = std::min(window_ * 4, kHugePage);
}

void StructureReader::Skip(uint64_t size) {
  at_ += size;
  if (at_ <= read_) return;
  read_ = at_;
  window_ = kAfterAPayload;
}

// False if the varint does not end before `end`, or is longer than one can be.
bool StructureReader::Varint(uint64_t end, uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 70 && at_ < end; shift += 7) {
    if (at_ >= read_) ReadTo(at_ + 1);
    const auto byte = static_cast<uint8_t>(file_.memory_[at_++]);
    value |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

// False at what the parser will not take either (it looks at more, and may stop before).
bool StructureReader::ReadMessage(const Table& table, uint64_t end, int depth) {
  size_t groups = 0;  // that are open
  while (at_ < end) {
    if (!Field(groups ? nullptr : &table, end, depth, groups)) return false;
  }
  return true;
}

// Inside a group there is no table: it is unknown as a whole.
bool StructureReader::Field(const Table* table, uint64_t end, int depth, size_t& groups) {
  uint64_t tag = 0, size = 0;
  if (!Varint(end, tag) || tag >> 3 == 0) return false;
  switch (static_cast<Wire>(tag & 7)) {
    case Wire::kVarint: return Varint(end, size);
    case Wire::kFixed64: at_ += 8; return at_ <= end;
    case Wire::kFixed32: at_ += 4; return at_ <= end;
    case Wire::kGroup: ++groups; return true;
    case Wire::kEndGroup: return groups-- > 0;
    case Wire::kLength: break;
    default: return false;
  }
  if (!Varint(end, size) || size > end - at_) return false;
  const Row* const row = table && size >= kOwnRead && tag >> 3 < 32 ? table->Find(static_cast<uint32_t>(tag >> 3)) : nullptr;
  if (row && row->kind == Kind::kPayload) {
    if (!IsTooLarge(size, options_) && !IsLeftOut(size, options_))
      file_.payloads_.push_back({at_, static_cast<size_t>(size), static_cast<size_t>(std::min(size, read_ - at_))});
    Skip(size);
    return true;
  }
  if (row && (row->kind == Kind::kMessage || row->kind == Kind::kMessages) && depth < options_.max_recursion_depth && depth < 2000 &&
      LeadsToTensors(row->child())) {
    return ReadMessage(row->child(), at_ + size, depth + 1);
  }
  at_ += size;
  return true;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
