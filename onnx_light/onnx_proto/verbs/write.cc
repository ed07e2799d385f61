#include "onnx_proto/verbs/write.h"

#include "onnx_proto/storage/block_cache.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

void Writer::TooDeep(std::string_view name) const {
  throw SerializeError(std::string(name) + " is nested deeper than " + std::to_string(deepest_) + " messages");
}

void Writer::AddSegment(size_t count) {
  CloseSegment();
  const size_t room = std::max(count, next_);
  next_ = std::min(next_ * 4, size_t{4} << 20);
  segment_begin_ = static_cast<char*>(memory_.get()->Allocate(room));
  at_ = segment_end_ = segment_begin_ + room;
}

void WriteMessage(Writer& writer, const Table& table, const Message& message, const SerializeOptions& options) {
  table.write(writer, message);
  if (options.max_serialized_size_bytes >= 0 && writer.size() > static_cast<uint64_t>(options.max_serialized_size_bytes)) {
    throw SerializeError(std::string(table.name) + " takes " + std::to_string(writer.size()) + " bytes, " +
                         std::to_string(options.max_serialized_size_bytes) + " are allowed");
  }
}

std::string Verbs::Serialize(const Table& table, const Message& message, const SerializeOptions& options) {
  Writer writer(options);
  WriteMessage(writer, table, message, options);
  std::string out;
  out.reserve(writer.size());  // appending does not clear first, resizing would
  AdviseHugePages(out.data(), out.capacity());
  writer.ForEachPart([&](std::string_view part) { out.append(part); });
  return out;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
