// Payloads from weights files: which ranges are wanted, and how they get into memory.
//
// Owned: each range is read once, by pread, into where it stays; large ones have a block of their own, small ones share blocks, ranges that
// overlap share theirs, so that no more is allocated than the file has. Mapped: slices of one shared mapping.
// Every range has been checked against the file's size before anything is allocated.
#pragma once

#include <string>
#include <vector>

#include "onnx_proto/external_data/model_folder.h"
#include "onnx_proto/external_data/reference.h"
#include "onnx_proto/onnx_files.h"

namespace ONNX_LIGHT_NAMESPACE {

struct WantedPayload {
  TensorProto* tensor;
  std::string whose;     // for errors
  std::string location;  // as written
  FileRange range;
  utils::ByteSpan bytes;  // when it has been read
};

/// Throws ExternalDataError for a range that the file does not have.
ONNX_LIGHT_API void CheckRanges(const WeightsFile& file, const std::vector<WantedPayload*>& wanted);
/// Reads all of them. Throws FileError, also when the file has been shortened since it was checked.
ONNX_LIGHT_API void ReadPayloads(const WeightsFile& file, const std::vector<WantedPayload*>& wanted, const ParseOptions& options);
/// Makes them slices of a mapping, which takes over the file.
ONNX_LIGHT_API void MapPayloads(WeightsFile file, const std::vector<WantedPayload*>& wanted);

/// For tests: is called with the path of each weights file between the check of its size and the first read. Null: nothing is.
ONNX_LIGHT_API void SetHookBeforeReading(void (*hook)(const char* path));

}  // namespace ONNX_LIGHT_NAMESPACE
