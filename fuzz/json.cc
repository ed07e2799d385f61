// Any text as the JSON of a message: an error with a place, or a message that prints and reads back as itself.
//
// The first byte chooses the type and, by its top bit, whether unknown names are skipped. The rest is the text.
#include "check.h"
#include "onnx_proto/onnx_text.h"

namespace ONNX_LIGHT_NAMESPACE::fuzz {

template <class T>
void ReadJson(std::string_view text, bool skip) {
  T message;
  try {
    FromJson(text, message, {.ignore_unknown_fields = skip});
  } catch (const JsonParseError& error) {
    FUZZ_CHECK(error.line() >= 1 && error.column() >= 1 && error.line() <= text.size() + 1 && error.column() <= text.size() + 1);
    FUZZ_CHECK(message == T());
    CheckRefusedChangesNothing<T>([&](T& other) { FromJson(text, other, {.ignore_unknown_fields = skip}); });
    return;
  }
  JsonOptions options;
  for (const bool flag : {false, true}) {
    options.preserving_proto_field_name = options.sort_keys = options.use_integers_for_enums = flag;
    options.always_print_fields_with_no_presence = flag;
    options.ensure_ascii = !flag;
    if (flag) options.indent.reset();
    T again;
    FromJson(ToJson(message, options), again);
    FUZZ_CHECK(again == message);  // JSON has one NaN, so both have it
    T as_text;
    FromTextFormat(ToTextFormat(message), as_text);
    FUZZ_CHECK(ToJson(as_text) == ToJson(message));
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const bool skip = data[0] & 0x80;
  ONNX_LIGHT_NAMESPACE::fuzz::WithMessageType(data[0] & 0x7f, [&]<class T>() { ONNX_LIGHT_NAMESPACE::fuzz::ReadJson<T>(text, skip); });
  return 0;
}
