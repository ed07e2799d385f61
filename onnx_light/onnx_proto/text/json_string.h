// Strings as JSON spells them (RFC 8259).
#pragma once

#include <string>
#include <string_view>

#include "onnx_proto/text/text_out.h"
#include "onnx_proto/text/text_pace.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

// `text`, which is UTF-8, between quotes; everything beyond ASCII escaped if `ascii`. False at what is not UTF-8: then a part has been put.
bool PutJsonString(TextOut& out, std::string_view text, bool ascii);

// Appends what stands between two quotes to `out`. Null, or where an escape is wrong: then `rule` says why, and `out` is not to be used.
const char* UnescapeJson(std::string_view quoted, std::string& out, const char** rule, TextPace& pace);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
