// Bytes as base64 (RFC 4648): written with the standard alphabet and padding, read in both alphabets, with padding or without.
#pragma once

#include <string_view>

#include "onnx_proto/text/text_out.h"
#include "onnx_proto/text/text_pace.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

void PutBase64(TextOut& out, std::string_view bytes);

// What `text` stands for, as far as its length tells; 0 also for what cannot be base64.
size_t Base64Size(std::string_view text);
// Writes exactly Base64Size(text) bytes. Null, or where `text` stops being base64.
const char* ReadBase64(std::string_view text, char* bytes, TextPace& pace);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
