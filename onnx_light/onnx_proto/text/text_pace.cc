#include "onnx_proto/text/text_pace.h"

#include <functional>

namespace ONNX_LIGHT_NAMESPACE::proto {

void TextPace::Tell(const char* at) {
  Ask();
  if (std::less<>()(at, told_) || std::less<>()(end_, at)) return;
  progress_.Add(static_cast<uint64_t>(at - told_));
  told_ = at;
}

void TextPace::Finish() {
  progress_.Add(static_cast<uint64_t>(end_ - told_));
  progress_.Flush();
  told_ = end_;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
