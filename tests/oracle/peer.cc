#include "peer.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/stubs/strutil.h>
#include <google/protobuf/text_format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "onnx/onnx-data.pb.h"
#include "onnx/onnx-ml.pb.h"
#include "onnx/onnx-operators-ml.pb.h"

namespace oracle {
namespace {

namespace pb = google::protobuf;

// Length of the valid UTF-8 sequence of two bytes or more at `at`, or 0: no overlong form, no surrogate, nothing above U+10FFFF.
size_t SequenceLength(const std::string& text, size_t at) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned lead = byte(at);
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length == 0 || lead > 0xf4) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  }
  const unsigned second = byte(at + 1);
  if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f)) return 0;
  if ((lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f)) return 0;
  return length;
}

class UpbPrinter : public pb::TextFormat::FastFieldValuePrinter {
 public:
  // libprotobuf takes nine digits for a denormal, whose six-digit text its own strtof refuses.
  void PrintFloat(float value, pb::TextFormat::BaseTextGenerator* out) const override {
    if (std::fpclassify(value) != FP_SUBNORMAL) return FastFieldValuePrinter::PrintFloat(value, out);
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    if (std::strtof(text, nullptr) != value) std::snprintf(text, sizeof text, "%.9g", value);
    out->PrintString(text);
  }

  void PrintString(const std::string& value, pb::TextFormat::BaseTextGenerator* out) const override {
    std::string text = "\"";
    for (size_t at = 0, length; at < value.size(); at += length) {
      length = SequenceLength(value, at);
      if (length != 0) {
        text += value.substr(at, length);
      } else {
        length = 1;
        text += pb::CEscape(value.substr(at, 1));
      }
    }
    out->PrintString(text + '"');
  }

  void PrintBytes(const std::string& value, pb::TextFormat::BaseTextGenerator* out) const override {
    out->PrintString('"' + pb::CEscape(value) + '"');
  }
};

void Silence() {
  static pb::LogHandler* const previous = pb::SetLogHandler(nullptr);
  static_cast<void>(previous);
}

}  // namespace

std::unique_ptr<pb::Message> MakePeer(const std::string& type) {
  Silence();
  // Asking each file for its descriptor is what keeps the linker from leaving that file out.
  for (const pb::Descriptor* of_file :
       {onnx::ModelProto::descriptor(), onnx::SequenceProto::descriptor(), onnx::OperatorProto::descriptor()}) {
    const pb::Descriptor* found = of_file->file()->pool()->FindMessageTypeByName(type);
    if (found != nullptr) return std::unique_ptr<pb::Message>(pb::MessageFactory::generated_factory()->GetPrototype(found)->New());
  }
  throw std::invalid_argument("no such message: " + type);
}

std::unique_ptr<pb::Message> ReadPeer(const std::string& type, std::string_view bytes) {
  auto message = MakePeer(type);
  if (!message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return nullptr;
  return message;
}

std::string PeerText(const pb::Message& message) {
  pb::TextFormat::Printer printer;
  printer.SetHideUnknownFields(true);
  printer.SetDefaultFieldValuePrinter(new UpbPrinter);
  std::string text;
  printer.PrintToString(message, &text);
  return text;
}

}  // namespace oracle
