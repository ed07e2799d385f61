// What a tensor says about the file that holds its bytes: the keys of `external_data`, read and checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "onnx_proto/onnx.h"
#include "onnx_proto/text/quoted.h"

namespace ONNX_LIGHT_NAMESPACE {

/// Whether a tensor's bytes lie in another file. Where it carries bytes of its own as well, the file wins on load.
inline bool IsExternal(const TensorProto& tensor) { return tensor.has_data_location() && tensor.data_location() == TensorProto::EXTERNAL; }

/// The keys of the format; others are ignored, and kept where they are. Of a key that comes twice the last one counts.
struct ExternalReference {
  std::string_view location;  // as written; of the tensor's own memory, like `checksum`
  std::optional<uint64_t> offset;
  std::optional<uint64_t> length;
  std::string_view checksum;

  /// @pre IsExternal(tensor). Throws ExternalDataError, naming the tensor: no location, a number that is none, is negative or exceeds 63
  /// bits.
  ONNX_LIGHT_API static ExternalReference Of(const TensorProto& tensor, const std::string& place);
};

/// Where in the file the bytes are: the offset (0 if none is written), and the length that shape and type ask for.
struct FileRange {
  uint64_t offset = 0;
  uint64_t size = 0;
  friend bool operator==(const FileRange&, const FileRange&) = default;
};
/// Throws ExternalDataError, naming the tensor: strings, a length other than 0 that contradicts shape and type, none where shape and type
/// do not give it, an end beyond 63 bits.
ONNX_LIGHT_API FileRange RangeOf(const TensorProto& tensor, const ExternalReference& reference, const std::string& place);

/// `tensor "w" (graph.initializer[3])`, for errors.
ONNX_LIGHT_API std::string NameOf(const TensorProto& tensor, const std::string& place);

/// Replaces the reference: location, offset, length and checksum (if not empty), then keys that the format does not know. The tensor counts
/// as external afterwards.
ONNX_LIGHT_API void SetReference(TensorProto& tensor, std::string_view location, FileRange range, std::string_view checksum,
                                 const TensorProto* keys_of = nullptr);
/// Forgets the reference; the tensor's bytes are its own from now on.
ONNX_LIGHT_API void DropReference(TensorProto& tensor);

}  // namespace ONNX_LIGHT_NAMESPACE
