// Where printers write: a buffer that goes to a sink, piece by piece, whenever it is full.
#pragma once

#include <cstring>

#include "onnx_proto/text/text_options.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class TextOut {
 public:
  explicit TextOut(const TextSink& sink) : sink_(sink) {}
  TextOut(const TextOut&) = delete;
  TextOut& operator=(const TextOut&) = delete;

  // Room for `size` bytes, at most kRoom; the caller says with `Advance` where it stopped.
  static constexpr size_t kRoom = 1024;
  [[gnu::always_inline]] char* Room(size_t size) {
    if (static_cast<size_t>(buffer_ + sizeof buffer_ - at_) < size) Flush();
    return at_;
  }
  [[gnu::always_inline]] void Advance(char* end) { at_ = end; }

  void Put(char byte) {
    *Room(1) = byte;
    ++at_;
  }
  void Put(std::string_view bytes) {
    if (bytes.size() > kRoom) return PutLong(bytes);
    char* const at = Room(kRoom);
    if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());  // nothing may lie nowhere
    at_ = at + bytes.size();
  }
  void Spaces(size_t count) {
    for (; count > kRoom; count -= kRoom) Spaces(kRoom);
    std::memset(Room(kRoom), ' ', count);
    at_ += count;
  }
  // Hands over what is left; without it the text has no end.
  void Flush() {
    if (at_ != buffer_) sink_({buffer_, static_cast<size_t>(at_ - buffer_)});
    at_ = buffer_;
  }

 private:
  void PutLong(std::string_view bytes) {
    Flush();
    sink_(bytes);
  }

  const TextSink& sink_;
  char* at_ = buffer_;
  char buffer_[16 << 10];
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
