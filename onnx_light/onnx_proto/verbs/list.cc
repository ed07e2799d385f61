// Lists: room, append, insert, erase. A list of messages that is edited becomes a block of pointers; addresses of elements never change.
#include <algorithm>
#include <vector>

#include "onnx_proto/verbs/clone.h"
#include "onnx_proto/verbs/dropped.h"
#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

uint32_t CheckedRoom(size_t room) {
  if (room > UINT32_MAX) throw Error("a list of " + std::to_string(room) + " elements: at most 2^32 - 1 fit");
  return static_cast<uint32_t>(room);
}

}  // namespace

const ListHandle& Verbs::ItemsOf(const Message& message, const Row& row) {
  static constexpr ListHandle kEmpty{};
  const void* list = message.Find(row);
  return list ? Items(list) : kEmpty;
}

ListHandle& Verbs::MakeItems(Message& message, const Row& row) {
  message.Touch();
  return Items(message.Make(row));
}

size_t Verbs::ElementSize(const ListHandle& items, const Row& row) {
  if (row.kind != Kind::kMessages) return proto::ElementSize(row.kind);
  return items.pointers() ? sizeof(void*) : row.child().size;
}

void Verbs::Grow(Arena* arena, ListHandle& items, const Row& row, size_t count) {
  const size_t wanted = items.count + count;
  if (wanted <= items.room) return;
  const size_t size = ElementSize(items, row);
  const uint32_t room = CheckedRoom(items.room ? std::max(wanted, std::min(size_t{items.room} * 2, size_t{UINT32_MAX})) : wanted);
  void* data = arena->Allocate(room * size);
  if (items.count) std::memcpy(data, items.data(), items.count * size);
  if (items.data()) arena->Recycle(items.data(), items.room * size);
  items.Set(data, items.word & ListHandle::kPointers);
  items.room = room;
}

void Verbs::Reserve(Arena* arena, ListHandle& items, const Row& row, size_t room) {
  if (room <= items.count) return;
  if (row.kind == Kind::kMessages) return MakePointers(arena, items, row, room);
  Grow(arena, items, row, room - items.count);
}

Verbs::Run Verbs::AppendRun(Message& message, const Row& row, size_t count) {
  ListHandle& items = MakeItems(message, row);
  return AppendRun(message.arena(), items, row, count);
}

Verbs::Run Verbs::AppendRun(Arena* arena, ListHandle& items, const Row& row, size_t count) {
  if (row.kind != Kind::kMessages) {
    Grow(arena, items, row, count);
    return {&items, items.data() + items.count * ElementSize(items, row)};
  }
  const size_t size = row.child().size;
  const uint32_t room = CheckedRoom(count);
  if (!items.data()) {
    char* const block = static_cast<char*>(arena->Allocate(room * size));
    items.Set(block, 0);
    items.count = 0;
    items.room = room;
    return {&items, block};
  }
  MakePointers(arena, items, row, items.count + count);
  char* const block = static_cast<char*>(arena->Allocate(room * size));
  for (size_t i = 0; i < count; ++i) reinterpret_cast<void**>(items.data())[items.count + i] = block + i * size;
  return {&items, block};
}

void Verbs::MakePointers(Arena* arena, ListHandle& items, const Row& row, size_t room) {
  if (!items.pointers() && items.data()) {
    const uint32_t wide = CheckedRoom(std::max(room, size_t{items.count} + 1));
    auto** pointers = static_cast<void**>(arena->Allocate(wide * sizeof(void*)));
    for (uint32_t i = 0; i < items.count; ++i) pointers[i] = Element(items, row, i);
    items.Set(pointers, ListHandle::kPointers);
    items.room = wide;
  }
  items.word |= ListHandle::kPointers;
  if (room > items.count) Grow(arena, items, row, room - items.count);
}

void* Verbs::Append(Arena* arena, ListHandle& items, const Row& row) {
  if (row.kind == Kind::kMessages) {
    Message* child = New(row.child(), arena);
    Insert(arena, items, row, items.count, child);
    return child;
  }
  Grow(arena, items, row, 1);
  void* element = Element(items, row, items.count++);
  std::memset(element, 0, ElementSize(items, row));
  return element;
}

void* Verbs::InsertAt(Arena* arena, ListHandle& items, const Row& row, size_t at) {
  if (row.kind == Kind::kMessages) {
    Message* child = New(row.child(), arena);
    Insert(arena, items, row, at, child);
    return child;
  }
  Grow(arena, items, row, 1);
  const size_t size = ElementSize(items, row);
  char* const place = items.data() + at * size;
  std::memmove(place + size, place, (items.count++ - at) * size);
  return std::memset(place, 0, size);
}

void Verbs::Insert(Arena* arena, ListHandle& items, const Row& row, size_t at, Message* child) {
  MakePointers(arena, items, row, items.count + size_t{1});
  auto** pointers = reinterpret_cast<Message**>(items.data());
  std::memmove(pointers + at + 1, pointers + at, (items.count++ - at) * sizeof(void*));
  pointers[at] = child;
  child->attached_ = true;
}

void Verbs::AppendCopies(Arena* arena, ListHandle& items, const Row& row, const ListHandle& from, int depth) {
  const size_t count = from.count;  // as it is at the call: the list may be appended to itself
  if (count == 0) return;
  const ListHandle source = from;
  if (row.kind == Kind::kMessages) {
    const Table& table = row.child();
    std::vector<Message*> sources(count);
    for (size_t i = 0; i < count; ++i) sources[i] = static_cast<Message*>(Element(source, row, i));
    if (arena->HasRecycled(table.size)) {
      for (Message*& each : sources) each = Clone(table, arena, *each, depth);
      MakePointers(arena, items, row, items.count + count);
      for (Message* each : sources) Insert(arena, items, row, items.count, each);
      return;
    }
    const Run run = AppendRun(arena, items, row, count);
    for (size_t i = 0; i < count; ++i) {
      Message* const child = Init(run.first + i * table.size, table.size, arena, true);
      Cloner cloner(arena, depth);
      table.clone(cloner, *child, *sources[i]);
    }
    run.items->count += static_cast<uint32_t>(count);  // not before all are made: the list may lie in one of the sources
    return;
  }
  const size_t size = ElementSize(items, row);
  const bool itself = source.data() == items.data();  // also by way of a view: the block may move
  const Run run = AppendRun(arena, items, row, count);
  const char* const first = itself ? items.data() : source.data();
  if (IsStringList(row.kind)) {
    auto* strings = reinterpret_cast<StringHandle*>(run.first);
    std::memset(run.first, 0, count * size);
    for (size_t i = 0; i < count; ++i) {
      strings[i].Assign(arena, reinterpret_cast<const StringHandle*>(first)[i].view());
      ++run.items->count;
    }
    return;
  }
  std::memcpy(run.first, first, count * size);
  run.items->count += static_cast<uint32_t>(count);
}

void Verbs::Erase(Arena* arena, ListHandle& items, const Row& row, size_t begin, size_t end) {
  Dropped dropped;
  if (begin == 0 && end == items.count) {
    DropItems(arena, row, items, dropped);
  } else if (begin < end) {
    if (row.kind == Kind::kMessages) MakePointers(arena, items, row, items.count);
    if (!IsNumberList(row.kind)) {
      for (size_t i = begin; i < end; ++i) DropItem(arena, row, Element(items, row, i), dropped);
    }
    const size_t size = ElementSize(items, row);
    std::memmove(items.data() + begin * size, items.data() + end * size, (items.count - end) * size);
    items.count -= static_cast<uint32_t>(end - begin);
  }
  Recycle(dropped);
}

void Verbs::SwapElements(Arena* arena, ListHandle& items, const Row& row, size_t i, size_t j) {
  if (row.kind == Kind::kMessages) MakePointers(arena, items, row, items.count);
  const size_t size = ElementSize(items, row);
  std::swap_ranges(items.data() + i * size, items.data() + (i + 1) * size, items.data() + j * size);
}

bool Verbs::EqualItems(const ListHandle& a, const ListHandle& b, const Row& row, int depth) {
  if (a.count != b.count) return false;
  if (a.count == 0) return true;
  if (IsNumberList(row.kind)) return std::memcmp(a.data(), b.data(), a.count * ElementSize(a, row)) == 0;
  for (uint32_t i = 0; i < a.count; ++i) {
    if (row.kind == Kind::kMessages) {
      const auto& x = *static_cast<const Message*>(Element(a, row, i));
      const auto& y = *static_cast<const Message*>(Element(b, row, i));
      if (!Equal(row.child(), x, y, depth + 1)) return false;
    } else if (StringAt(a, i).view() != StringAt(b, i).view()) {
      return false;
    }
  }
  return true;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
