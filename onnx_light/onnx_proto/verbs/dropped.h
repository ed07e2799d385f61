// What an edit takes out of a tree, until it is given back.
#pragma once

#include <new>
#include <utility>
#include <vector>

#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

// Messages and payloads that are no longer part of anything, and still have to be given back. Giving back does not recurse, and the
// owners of payloads (whose deleters may call anything) go when the tree is whole again.
struct Dropped {
  struct Gone {
    const Table* table;
    Message* message;
    uint32_t count = 0;  // not 0: a dense block of so many messages, which goes back as one piece
  };
  std::vector<Gone> messages;
  std::vector<utils::ByteSpan> payloads;

  Dropped() = default;
  Dropped(const Table& table, Message* message) noexcept { Add(table, message); }
  // Giving back never fails: without memory for the list, messages wait for the end of the arena, and payloads go at once.
  void Add(const Table& table, Message* message, uint32_t count = 0) noexcept {
    try {
      messages.push_back({&table, message, count});
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
    }
  }
  void Add(utils::ByteSpan span) noexcept {
    try {
      payloads.push_back(std::move(span));
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
    }
  }
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
