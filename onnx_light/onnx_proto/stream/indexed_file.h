// A model's file in two steps: first its structure, then each payload once, straight to where it stays.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "onnx_proto/simple_span.h"
#include "onnx_proto/verbs/parse_source.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

// The structure is read into address space as long as the file, at the places the bytes have there: what the parser says about offsets
// holds, and gaps where payloads would be take no memory. Nothing of the file is mapped: a file that is shortened meanwhile is an error.
// Payloads of some MiB get pages of their own, so that each can be freed alone; smaller ones share slabs.
class IndexedFile final : public PayloadProvider {
 public:
  // Reads all that a parse of a message of this type with these options can ask for. The descriptor stays the caller's, and open; `path`
  // is for errors. Throws FileError, std::bad_alloc.
  IndexedFile(int descriptor, const std::string& path, uint64_t size, const Table& table, const ParseOptions& options);
  IndexedFile(const IndexedFile&) = delete;
  IndexedFile& operator=(const IndexedFile&) = delete;
  ~IndexedFile() { LetGo(); }

  std::string_view bytes() const { return {memory_, size_}; }
  bool Give(uint64_t offset, size_t size, utils::ByteSpan& payload) override;
  // How many bytes of payloads were read on their own.
  uint64_t payload_bytes() const;

 private:
  friend class StructureReader;
  struct Payload {
    uint64_t offset;
    size_t size;
    size_t read;  // so many of the first bytes came with the structure
    uint8_t* at = nullptr;
    PayloadOwner* owner = nullptr;  // one hold, until it is given away
  };
  void Reserve();
  void LetGo();
  void MakeRoom();
  void ReadPayloads(const ParseOptions& options) const;
  void ReadPart(const Payload& payload, size_t begin, size_t end) const;

  const int descriptor_;
  const std::string& path_;
  const size_t size_;
  void* reserved_ = nullptr;       // address space, somewhat more than the file
  char* memory_ = nullptr;         // on a 2 MiB bound in it
  std::vector<Payload> payloads_;  // by offset
  size_t next_ = 0;                // the parser asks in order
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
