// After FIPS 180-4.
#include "onnx_proto/external_data/sha1.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <vector>

#include "onnx_proto/stream/file_descriptor.h"
#include "onnx_proto/stream/interrupt.h"

namespace ONNX_LIGHT_NAMESPACE {

void Sha1::Block(const uint8_t* block) {
  std::array<uint32_t, 80> w{};
  for (size_t i = 0; i < 16; ++i) {
    w[i] = uint32_t{block[4 * i]} << 24 | uint32_t{block[4 * i + 1]} << 16 | uint32_t{block[4 * i + 2]} << 8 | block[4 * i + 3];
  }
  for (size_t i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  auto [a, b, c, d, e] = state_;
  for (size_t i = 0; i < 80; ++i) {
    uint32_t mixed = 0;
    if (i < 20) mixed = ((b & c) | (~b & d)) + 0x5a827999;
    else if (i < 40) mixed = (b ^ c ^ d) + 0x6ed9eba1;
    else if (i < 60) mixed = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    else mixed = (b ^ c ^ d) + 0xca62c1d6;
    const uint32_t next = std::rotl(a, 5) + mixed + e + w[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  const uint32_t add[5] = {a, b, c, d, e};
  for (size_t i = 0; i < 5; ++i) state_[i] += add[i];
}

void Sha1::Add(const void* data, size_t size) {
  const auto* from = static_cast<const uint8_t*>(data);
  const size_t waiting = size_ % 64;
  size_ += size;
  if (waiting) {
    const size_t some = std::min(64 - waiting, size);
    std::memcpy(rest_.data() + waiting, from, some);
    if (waiting + some < 64) return;
    Block(rest_.data());
    from += some;
    size -= some;
  }
  for (; size >= 64; from += 64, size -= 64) Block(from);
  std::memcpy(rest_.data(), from, size);
}

std::string Sha1::Digest() {
  const uint64_t bits = size_ * 8;
  const uint8_t one = 0x80, zero = 0;
  Add(&one, 1);
  while (size_ % 64 != 56) Add(&zero, 1);
  uint8_t length[8];
  for (size_t i = 0; i < 8; ++i) length[i] = static_cast<uint8_t>(bits >> (56 - 8 * i));
  Add(length, sizeof length);
  std::string text;
  for (const uint32_t word : state_) {
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
  }
  return text;
}

std::string Sha1OfFile(int descriptor, const std::string& path) {
  Sha1 sha;
  std::vector<char> piece(size_t{1} << 20);
  for (uint64_t at = 0;;) {
    utils::CheckInterrupt();
    const ssize_t got = pread(descriptor, piece.data(), piece.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) utils::ThrowFileError(path, "read");
    if (got == 0) return sha.Digest();
    sha.Add(piece.data(), static_cast<size_t>(got));
    at += static_cast<uint64_t>(got);
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE
