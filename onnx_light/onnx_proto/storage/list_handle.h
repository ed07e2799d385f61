// A list in 16 bytes, and the object that it becomes while somebody holds it.
//
// Scalars and strings are one block. Messages are one dense block as long as nobody edits the list; the first edit turns it into a block
// of pointers to the same elements, whose addresses therefore never change. All zero bytes mean "empty".
#pragma once

#include <cstddef>
#include <cstdint>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class Arena;
class Message;
struct Row;

struct ListHandle {
  static constexpr uintptr_t kHeld = 1;      // the pointer is to a ListObject, and the list itself lies there
  static constexpr uintptr_t kPointers = 2;  // the block holds pointers to messages

  uintptr_t word;  // the block, 8-aligned, and the two flags
  uint32_t count;
  uint32_t room;

  [[gnu::always_inline]] char* data() const { return reinterpret_cast<char*>(word & ~(kHeld | kPointers)); }
  bool held() const { return word & kHeld; }
  bool pointers() const { return word & kPointers; }
  void Set(void* block, uintptr_t flags) { word = reinterpret_cast<uintptr_t>(block) | flags; }
};
static_assert(sizeof(ListHandle) == 16);

// A list while somebody holds it: lies in the arena of its message, outlives its detachment from it.
struct ListObject {
  enum class Mode : uint8_t {
    kField,  // of a message, or detached from one
    kValue,  // by itself; owns its arena
    kView,   // shows the list of a const message; becomes a value when it is changed
  };
  Arena* arena = nullptr;
  void* face = nullptr;       // whoever stands for it in another language
  Message* parent = nullptr;  // null once detached, and of a list that is a value of its own
  const Row* row = nullptr;
  ListHandle items{};
  Mode mode = Mode::kField;
  bool holds_parent = false;  // its parent was pending when it was taken hold of, and is counted on to stay
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
