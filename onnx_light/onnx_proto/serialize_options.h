// How to parse and how to serialise: plain values, const inputs of every call that takes them, shareable between threads.
#pragma once

#include <cstdint>

#include "onnx_proto/callback.h"
#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE {

class GraphProto;
class TensorProto;

/// Payloads up to here stay where they are when a model is written with options that move payloads.
inline constexpr int64_t kSmallTensorDataThresholdBytes = 64;

/// How a model's file is read.
enum class FileLoadMode : int {
  /// The fastest safe way: a large file is indexed first and each payload read once to its place, a small one is read as a whole.
  AUTO = 0,
  /// Through a shared mapping of the file; with `no_copy` payloads are slices of it. What has no size (a pipe) is read as by AUTO.
  MMAP = 1,
  /// From front to back into one block, which large payloads share.
  IFSTREAM = 2,
};

/// Told of each tensor that has a payload (raw_data), when the whole message has been parsed, in the order of its bytes, on the thread
/// that parses. `graph` is the innermost graph that the tensor lies in, or null. May change the tensor. What it returns, if not empty, is
/// attached to the payload as a deleter. What it throws ends the parse, with the target as it was.
using RawDataCallback = utils::Callback<utils::Deleter(TensorProto& tensor, GraphProto* graph)>;

/// Told how far a long operation has got: how many bytes more than at the call before. The first bytes are told at once, later ones about
/// ten times a second or after 16 MiB, the last before anything takes the place of an older file. Called on whichever thread moves bytes,
/// never twice at a time. What it throws ends the operation: what was there before stays. It may save, but not into a folder where a save
/// is going on, the one that calls it or another (FileError), nor may it wait for another thread that saves into the folder of its own.
using ProgressCallback = utils::Callback<void(uint64_t bytes)>;

/// Which tensors an operation on tensor buffers touches, and how it places them.
struct TensorBufferOptions {
  /// Tensors of at least so many payload bytes.
  int64_t raw_data_threshold = 0;
  /// Each payload starts at a multiple of this; 0 and 1: anywhere.
  int64_t alignment = 0;
};

struct ParseOptions : TensorBufferOptions {
  ParseOptions() { raw_data_threshold = 1024; }

  /// Threads that read payloads of at least raw_data_threshold bytes from files, the caller's included; below 1: as many as pay.
  int32_t num_threads = 1;
  /// Payloads are read in parallel in pieces of at least so many bytes, and only if there are 16 such pieces.
  int64_t min_parallel_block_size = int64_t{4} << 20;
  /// Strings and payloads (lists of numbers are copied) borrow the bytes of the source, which the caller keeps alive and unchanged as long
  /// as the message (and whatever shares its payloads). Payloads of mapped files keep their mapping; of files that are not mapped
  /// everything is copied.
  bool no_copy = false;
  /// Payloads (raw_data) of at least raw_data_threshold bytes are left out: the field stays absent.
  bool skip_raw_data = false;
  /// See RawDataCallback.
  RawDataCallback raw_data_callback;
  FileLoadMode file_load_mode = FileLoadMode::AUTO;
  /// Nested messages below the one that is parsed, at most 2000 (to merge: 400). More: ParseError.
  int32_t max_recursion_depth = 400;
  /// Payload bytes of one tensor; more: ParseError before anything is allocated. Negative: no limit.
  int64_t max_tensor_size_bytes = -1;
  /// Bytes of the whole source; more: ParseError. Negative: no limit.
  int64_t max_total_size_bytes = -1;
};

struct SerializeOptions : TensorBufferOptions {
  SerializeOptions() { raw_data_threshold = kSmallTensorDataThresholdBytes; }

  /// Threads that write, the caller's included; below 1: as many as pay. They share out files: one file is written by one thread.
  int32_t num_threads = 1;
  /// Bytes of one file of external data, as far as no single tensor is larger; then the next file begins. 0 and below: no limit.
  int64_t max_external_file_size = 0;
  /// Payloads (raw_data) of at least raw_data_threshold bytes are left out.
  bool skip_raw_data = false;
  /// Nested messages below the one that is written, at most 2000. More: SerializeError.
  int32_t max_recursion_depth = 400;
  /// Bytes of the result; more: SerializeError. Negative: no limit.
  int64_t max_serialized_size_bytes = -1;
};

}  // namespace ONNX_LIGHT_NAMESPACE
