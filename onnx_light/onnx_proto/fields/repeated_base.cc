#include "onnx_proto/fields/repeated_base.h"

#include <string>

namespace ONNX_LIGHT_NAMESPACE::proto {

// NOLINTNEXTLINE(bugprone-copy-constructor-init): the copy is a list of its own
RepeatedBase::RepeatedBase(const RepeatedBase& other) : ListObject() {
  row = other.row;
  mode = Mode::kValue;
  if (other.items.count == 0) return;
  arena = Arena::Create();
  try {
    Verbs::AppendCopies(arena, items, *row, other.items);
  } catch (...) {
    arena->DropOwner();
    throw;
  }
}

RepeatedBase::RepeatedBase(RepeatedBase&& other) : RepeatedBase(*other.row) {
  if (other.mode != Mode::kValue) {  // the list of a message stays there
    RepeatedBase copy(static_cast<const RepeatedBase&>(other));
    std::swap(arena, copy.arena);
    std::swap(items, copy.items);
    return;
  }
  std::swap(arena, other.arena);
  std::swap(items, other.items);
}

RepeatedBase& RepeatedBase::operator=(const RepeatedBase& other) {
  if (this == &other) return *this;
  const RepeatedBase taken(other);  // it may lie in what is cleared
  clear();
  AppendAll(taken);
  return *this;
}

ListHandle& RepeatedBase::Changing() {
  if (mode == Mode::kView) {
    Arena* const mine = Arena::Create();
    ListHandle copied{};
    try {
      Verbs::AppendCopies(mine, copied, *row, items);
    } catch (...) {
      mine->DropOwner();
      throw;
    }
    arena = mine;
    items = copied;
    mode = Mode::kValue;
  } else if (!arena) {
    arena = Arena::Create();
  } else {
    Verbs::Touch(*this);
  }
  return items;
}

void* RepeatedBase::At(size_t index) const {
  if (index >= items.count) {
    // What was a negative number is shown as one.
    throw std::out_of_range("element " + std::to_string(static_cast<ptrdiff_t>(index)) + " of a list of " + std::to_string(items.count));
  }
  return Verbs::Element(items, *row, index);
}

void* RepeatedBase::InsertOne(size_t at) {
  if (at > items.count) throw std::out_of_range("insert at " + std::to_string(at) + " into a list of " + std::to_string(items.count));
  Changing();
  return Verbs::InsertAt(arena, items, *row, at);
}

void RepeatedBase::InsertCopy(size_t at, const Message& value) {
  if (at > items.count) throw std::out_of_range("insert at " + std::to_string(at) + " into a list of " + std::to_string(items.count));
  Changing();
  Message* const made = Verbs::Clone(row->child(), arena, value);
  Verbs::Insert(arena, items, *row, at, made);
}

void RepeatedBase::EraseRange(size_t begin, size_t end) {
  if (begin > end || end > items.count) {
    throw std::out_of_range("erase " + std::to_string(begin) + " to " + std::to_string(end) + " of a list of " +
                            std::to_string(items.count));
  }
  Changing();
  Verbs::Erase(arena, items, *row, begin, end);
}

void RepeatedBase::AppendAll(const RepeatedBase& other) {
  Changing();
  Verbs::AppendCopies(arena, items, *row, other.items);
}

void RepeatedBase::clear() { EraseRange(0, size()); }

void RepeatedBase::reserve(size_t room) {
  Changing();
  Verbs::Reserve(arena, items, *row, room);
}

void RepeatedBase::RemoveLast() {
  if (empty()) throw std::out_of_range("the list is empty");
  EraseRange(size() - 1, size());
}

void RepeatedBase::DeleteSubrange(int start, int count) {
  if (start < 0 || count < 0) throw std::out_of_range("a negative place or count in a list");
  EraseRange(static_cast<size_t>(start), static_cast<size_t>(start) + static_cast<size_t>(count));
}

void RepeatedBase::SwapElements(int i, int j) {
  At(static_cast<size_t>(i));
  At(static_cast<size_t>(j));
  if (i == j) return;
  Changing();
  Verbs::SwapElements(arena, items, *row, static_cast<size_t>(i), static_cast<size_t>(j));
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
