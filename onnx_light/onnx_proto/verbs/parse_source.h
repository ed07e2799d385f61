// What is parsed: bytes, and who keeps them alive beyond the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "onnx_proto/fields/message.h"
#include "onnx_proto/serialize_options.h"
#include "onnx_proto/storage/payload_owner.h"

namespace ONNX_LIGHT_NAMESPACE::utils {
class ByteSpan;
}

namespace ONNX_LIGHT_NAMESPACE::proto {

// Payloads that do not lie among the bytes that are parsed: of a file, of which only the structure has been read so far.
class PayloadProvider {
 public:
  // The payload at this offset of the source; false if it lies among the bytes.
  virtual bool Give(uint64_t offset, size_t size, utils::ByteSpan& payload) = 0;

 protected:
  ~PayloadProvider() = default;
};

struct ParseSource {
  // What ParseOptions::no_copy may leave in the source instead of copying it.
  enum class Lends {
    kAll,
    kPayloads,  // what may change or vanish (a mapped file, a buffer that somebody can write into): no strings
    kNothing,   // bytes that end with the call
  };

  std::string_view bytes;
  // Where not null, large payloads share the source through it instead of being copied.
  PayloadOwner* owner = nullptr;
  // The shared payloads count as owned (the source is a block of this library) or as borrowed.
  bool owned = true;
  Lends lends = Lends::kAll;
  PayloadProvider* payloads = nullptr;
  // How many of the bytes are not payload, as far as that is known; 0: it is not.
  uint64_t structure = 0;
};

// What to expect of the arena: the structure of a graph takes about three times its wire bytes; of payload bytes nothing goes there.
inline size_t ExpectedArena(size_t wire_bytes) { return wire_bytes < SIZE_MAX / 4 ? wire_bytes * 3 : SIZE_MAX / 4; }
inline size_t ExpectedArena(const ParseSource& source) {
  return ExpectedArena(source.structure ? static_cast<size_t>(source.structure) : source.bytes.size());
}

// ParseError if the source is larger than the options allow.
void CheckTotalSize(const Table& table, uint64_t size, const ParseOptions& options);
// What the limits of the options say about a payload of this size: whether it is too large (the parse fails), or left out.
inline bool IsTooLarge(uint64_t payload, const ParseOptions& options) {
  return options.max_tensor_size_bytes >= 0 && payload > static_cast<uint64_t>(options.max_tensor_size_bytes);
}
inline bool IsLeftOut(uint64_t payload, const ParseOptions& options) {
  return options.skip_raw_data && (options.raw_data_threshold <= 0 || payload >= static_cast<uint64_t>(options.raw_data_threshold));
}

// Parses into an empty message that nobody has seen yet, and calls the callback of the options. Throws ParseError, and what the callback
// throws; the message then holds a part of the source.
void ParseFresh(const Table& table, Message& fresh, const ParseSource& source, const ParseOptions& options, bool root);

// Calls the callback, if there is one, for each tensor below that has a payload, and attaches the deleters that it returns.
ONNX_LIGHT_API void RunRawDataCallback(const Table& table, Message& message, const RawDataCallback& callback);

// Parses into a message: a C++ value gets a new arena, so that parsing into one message again and again does not grow it.
ONNX_LIGHT_API void ParseInto(const Table& table, Message& message, const ParseSource& source, const ParseOptions& options);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
