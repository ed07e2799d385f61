#include "onnx_proto/text/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNone = 0xff;
constexpr std::array<uint8_t, 256> kValues = [] {
  std::array<uint8_t, 256> made{};
  made.fill(kNone);
  for (size_t i = 0; i < kAlphabet.size(); ++i) made[static_cast<uint8_t>(kAlphabet[i])] = static_cast<uint8_t>(i);
  made['-'] = made['+'];
  made['_'] = made['/'];
  return made;
}();

std::string_view WithoutPadding(std::string_view text) {
  for (int i = 0; i < 2 && text.size() % 4 != 1 && text.ends_with('='); ++i) text.remove_suffix(1);
  return text;
}

}  // namespace

void PutBase64(TextOut& out, std::string_view bytes) {
  constexpr size_t kBatch = TextOut::kRoom / 4 * 3;
  const auto at = [&](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(bytes[i])); };
  while (bytes.size() >= 3) {
    const size_t batch = std::min(bytes.size() / 3 * 3, kBatch);
    char* to = out.Room(TextOut::kRoom);
    for (size_t i = 0; i < batch; i += 3) {
      const uint32_t three = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
      *to++ = kAlphabet[three >> 18];
      *to++ = kAlphabet[three >> 12 & 63];
      *to++ = kAlphabet[three >> 6 & 63];
      *to++ = kAlphabet[three & 63];
    }
    out.Advance(to);
    bytes.remove_prefix(batch);
  }
  if (bytes.empty()) return;
  const uint32_t rest = at(0) << 16 | (bytes.size() > 1 ? at(1) << 8 : 0);
  const char last[] = {kAlphabet[rest >> 18], kAlphabet[rest >> 12 & 63], bytes.size() > 1 ? kAlphabet[rest >> 6 & 63] : '=', '='};
  out.Put({last, sizeof last});
}

size_t Base64Size(std::string_view text) {
  const std::string_view digits = WithoutPadding(text);
  return digits.size() / 4 * 3 + (digits.size() % 4 * 3) / 4;
}

const char* ReadBase64(std::string_view text, char* bytes, TextPace& pace) {
  const std::string_view digits = WithoutPadding(text);
  const char* at = digits.data();
  const char* const end = at + digits.size();
  const auto value = [](char c) { return static_cast<uint32_t>(kValues[static_cast<uint8_t>(c)]); };
  bool is_wrong = false;
  while (end - at >= 4 && !is_wrong) {
    for (const char* const pause = TextPace::PauseOf(at, end) - 3; at < pause; at += 4) {
      const uint32_t a = value(at[0]), b = value(at[1]), c = value(at[2]), d = value(at[3]);
      is_wrong = (a | b | c | d) > 63;
      if (is_wrong) break;
      const uint32_t three = a << 18 | b << 12 | c << 6 | d;
      *bytes++ = static_cast<char>(three >> 16);
      *bytes++ = static_cast<char>(three >> 8);
      *bytes++ = static_cast<char>(three);
    }
    pace.Reach(at);
  }
  uint32_t rest = 0;
  for (const char* p = at; p < end; ++p) {
    if (value(*p) == kNone) return p;
    rest = rest << 6 | value(*p);
  }
  switch (end - at) {
    case 0: return nullptr;
    case 1: return end;  // one digit is no byte
    case 2: *bytes = static_cast<char>(rest >> 4); return nullptr;
    default:
      *bytes++ = static_cast<char>(rest >> 10);
      *bytes = static_cast<char>(rest >> 2);
      return nullptr;
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
