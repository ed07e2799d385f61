// Reads the structure of a message out of a file, and notes where its large payloads lie without reading them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "onnx_proto/stream/indexed_file.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class StructureReader {
 public:
  // From here on a payload is read on its own: below, one call for each would cost more than copying it out of its surroundings.
  static constexpr size_t kOwnRead = size_t{16} << 10;

  StructureReader(IndexedFile& file, const ParseOptions& options) : file_(file), options_(options) {}
  // Afterwards every byte of the file has been read that is not part of a payload that the parser leaves out or is given; or, where the
  // file is no message, all up to the fault: the parser says what is wrong, and looks no further.
  void Read(const Table& table);

 private:
  bool ReadMessage(const Table& table, uint64_t end, int depth);
  void ReadTo(uint64_t end);
  bool Varint(uint64_t end, uint64_t& value);
  bool Field(const Table* table, uint64_t end, int depth, size_t& groups);
  void Skip(uint64_t size);

  IndexedFile& file_;
  const ParseOptions& options_;
  uint64_t at_ = 0;    // what is looked at; between read_ and here lies nothing that has been skipped
  uint64_t read_ = 0;  // up to here all is read, but for what has been skipped
  size_t window_ = size_t{64} << 10;
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
