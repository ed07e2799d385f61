// How far a text has been read: tells it, and asks whether to go on, about every MiB.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "onnx_proto/stream/interrupt.h"
#include "onnx_proto/stream/progress.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class TextPace {
 public:
  // `text` stays alive.
  TextPace(std::string_view text, ProgressCallback progress)
      : told_(text.data()), end_(text.data() + text.size()), progress_(std::move(progress)) {}

  // All before `at` has been read. It may have been further on already, and a place that is not in the text is just one to ask at.
  // Throws what is thrown by who is told, or asked.
  void Reach(const char* at) {
    if (at - told_ >= kStep) [[unlikely]]
      Tell(at);
  }
  void Finish();

  // Where a loop over characters that may be many pauses to call Reach or Ask.
  static const char* PauseOf(const char* at, const char* end) { return at + std::min(end - at, kStep); }
  static void Ask() { utils::CheckInterrupt(); }

 private:
  static constexpr std::ptrdiff_t kStep = std::ptrdiff_t{1} << 20;

  void Tell(const char* at);

  const char* told_;
  const char* const end_;
  utils::Progress progress_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
