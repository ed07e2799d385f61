// How to parse and how to serialise: plain values, const inputs of every call that takes them, shareable between threads.
#pragma once

#include <cstdint>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE {

/// Payloads up to here stay where they are when a model is written with options that move payloads.
inline constexpr int64_t kSmallTensorDataThresholdBytes = 64;

/// Which tensors an operation on tensor buffers touches, and how it places them.
struct TensorBufferOptions {
  /// Tensors of at least so many payload bytes.
  int64_t raw_data_threshold = 0;
  /// Each payload starts at a multiple of this; 0 and 1: anywhere.
  int64_t alignment = 0;
};

struct ParseOptions : TensorBufferOptions {
  ParseOptions() { raw_data_threshold = 1024; }

  /// Strings and payloads borrow the bytes of the source, which the caller keeps alive and unchanged as long as the message (and
  /// whatever shares its payloads).
  bool no_copy = false;
  /// Payloads (raw_data) of at least raw_data_threshold bytes are left out: the field stays absent.
  bool skip_raw_data = false;
  /// Nested messages below the one that is parsed, at most 2000. More: ParseError.
  int32_t max_recursion_depth = 400;
  /// Payload bytes of one tensor; more: ParseError before anything is allocated. Negative: no limit.
  int64_t max_tensor_size_bytes = -1;
  /// Bytes of the whole source; more: ParseError. Negative: no limit.
  int64_t max_total_size_bytes = -1;
};

struct SerializeOptions : TensorBufferOptions {
  SerializeOptions() { raw_data_threshold = kSmallTensorDataThresholdBytes; }

  /// Payloads (raw_data) of at least raw_data_threshold bytes are left out.
  bool skip_raw_data = false;
  /// Nested messages below the one that is written, at most 2000. More: SerializeError.
  int32_t max_recursion_depth = 400;
  /// Bytes of the result; more: SerializeError. Negative: no limit.
  int64_t max_serialized_size_bytes = -1;
};

}  // namespace ONNX_LIGHT_NAMESPACE
