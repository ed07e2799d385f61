// SHA-1, as the `checksum` key of external data asks for it. Finds damage; protects from nobody.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE {

class ONNX_LIGHT_API Sha1 {
 public:
  void Add(const void* data, size_t size);
  /// The digest of all that was added, in 40 hexadecimal digits. Ends the object's use.
  std::string Digest();

 private:
  void Block(const uint8_t* block);
  std::array<uint32_t, 5> state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  uint64_t size_ = 0;
  std::array<uint8_t, 64> rest_{};
};

/// The digest of a file, read from its beginning. Throws FileError with `path`.
ONNX_LIGHT_API std::string Sha1OfFile(int descriptor, const std::string& path);

}  // namespace ONNX_LIGHT_NAMESPACE
