// Any text as the ONNX syntax of a message: an error with a place, or a message that prints and reads back as itself, bit by bit.
//
// The first byte chooses the type. The rest is the text.
#include "check.h"
#include "onnx_proto/onnx_text.h"

namespace ONNX_LIGHT_NAMESPACE::fuzz {

template <class T>
void ReadSyntax(std::string_view text) {
  T message;
  try {
    FromOnnxSyntax(text, message);
  } catch (const OnnxSyntaxError& error) {
    FUZZ_CHECK(error.line() >= 1 && error.column() >= 1 && error.line() <= text.size() + 1 && error.column() <= text.size() + 1);
    FUZZ_CHECK(message == T());
    CheckRefusedChangesNothing<T>([&](T& other) { FromOnnxSyntax(text, other); });
    return;
  }
  T again;
  FromOnnxSyntax(ToOnnxSyntax(message), again);
  FUZZ_CHECK(again.SerializeAsString() == message.SerializeAsString());
  FUZZ_CHECK(ToOnnxSyntax(message, {.elide_after = 1}).size() <= ToOnnxSyntax(message).size() + 16 * text.size());
}

}  // namespace ONNX_LIGHT_NAMESPACE::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace fuzz = ONNX_LIGHT_NAMESPACE::fuzz;
  using namespace ONNX_LIGHT_NAMESPACE;  // NOLINT(google-build-using-namespace): the names of the messages
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 8) {
    case 0: fuzz::ReadSyntax<ModelProto>(text); break;
    case 1: fuzz::ReadSyntax<GraphProto>(text); break;
    case 2: fuzz::ReadSyntax<FunctionProto>(text); break;
    case 3: fuzz::ReadSyntax<NodeProto>(text); break;
    case 4: fuzz::ReadSyntax<AttributeProto>(text); break;
    case 5: fuzz::ReadSyntax<TypeProto>(text); break;
    case 6: fuzz::ReadSyntax<TensorProto>(text); break;
    default: fuzz::ReadSyntax<ValueInfoProto>(text);
  }
  return 0;
}
