// Any text as protobuf text format: an error with a place, or a message that prints and reads back as itself.
//
// The first byte chooses the type and, by its top bit, whether unknown fields are skipped. The rest is the text.
#include "check.h"
#include "onnx_proto/onnx_text.h"

namespace ONNX_LIGHT_NAMESPACE::fuzz {

// NaNs of any payload print alike, so messages are compared as they print.
template <class T>
void ReadText(std::string_view text, bool skip) {
  T message;
  try {
    FromTextFormat(text, message, {.allow_unknown_field = skip});
  } catch (const TextParseError& error) {
    FUZZ_CHECK(error.line() >= 1 && error.column() >= 1 && error.line() <= text.size() + 1 && error.column() <= text.size() + 1);
    FUZZ_CHECK(message == T());
    CheckRefusedChangesNothing<T>([&](T& other) { FromTextFormat(text, other, {.allow_unknown_field = skip}); });
    return;
  }
  for (const NumberStyle numbers : {NumberStyle::kShort, NumberStyle::kPython}) {
    for (const bool flag : {false, true}) {
      T again;
      FromTextFormat(ToTextFormat(message, {numbers, flag, flag, !flag}), again);
      FUZZ_CHECK(ToTextFormat(again) == ToTextFormat(message));
      FUZZ_CHECK(again.ByteSizeLong() == message.ByteSizeLong());
    }
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const bool skip = data[0] & 0x80;
  ONNX_LIGHT_NAMESPACE::fuzz::WithMessageType(data[0] & 0x7f, [&]<class T>() { ONNX_LIGHT_NAMESPACE::fuzz::ReadText<T>(text, skip); });
  return 0;
}
