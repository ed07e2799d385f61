// What the three public list types share. A list is seen in one of three ways: as the list of a message, by reference; as a view of the
// list of a const message, which becomes a value of its own when it is changed; as a value.
#pragma once

#include <cstddef>
#include <iterator>
#include <stdexcept>

#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class ONNX_LIGHT_API RepeatedBase : protected ListObject {
 public:
  size_t size() const { return items.count; }
  bool empty() const { return items.count == 0; }
  void clear();
  void Clear() { clear(); }
  void reserve(size_t room);
  void Reserve(int room) { reserve(room < 0 ? 0 : static_cast<size_t>(room)); }
  void pop_back() { RemoveLast(); }
  void RemoveLast();
  /// Removes `count` elements from `start` on. Throws std::out_of_range.
  void DeleteSubrange(int start, int count);
  void SwapElements(int i, int j);

 protected:
  // A value of its own, empty; `element_row` tells kind and type of the elements.
  explicit RepeatedBase(const Row& element_row) {
    row = &element_row;
    mode = Mode::kValue;
  }
  // A view.
  RepeatedBase(const Message& message, const Row& field) {
    row = &field;
    mode = Mode::kView;
    arena = message.arena_or_null();
    items = Verbs::ItemsOf(message, field);
  }
  RepeatedBase(const RepeatedBase& other);
  RepeatedBase(RepeatedBase&& other);
  RepeatedBase& operator=(const RepeatedBase& other);
  ~RepeatedBase() {
    if (mode == Mode::kValue && arena) arena->DropOwner();
  }

  // The list, about to be changed.
  ListHandle& Changing();
  void* At(size_t index) const;  // std::out_of_range
  void* AppendOne() { return Verbs::Append(MyArena(), Changing(), *row); }
  void* InsertOne(size_t at);
  void InsertCopy(size_t at, const Message& value);  // of a list of messages; `value` may lie anywhere. All or nothing
  void EraseRange(size_t begin, size_t end);
  void AppendAll(const RepeatedBase& other);
  bool EqualTo(const RepeatedBase& other) const { return Verbs::EqualItems(items, other.items, *row); }
  Arena* MyArena() {
    Changing();
    return arena;
  }

  // Where the elements are, for iterators: those of a list that stays find them as it grows, those of a view may outlive it.
  class Place {
   public:
    Place() = default;
    explicit Place(const RepeatedBase& list) : view_(list.items), list_(list.mode == Mode::kView ? nullptr : &list.items) {}
    const ListHandle& items() const { return list_ ? *list_ : view_; }

   private:
    ListHandle view_{};
    const ListHandle* list_ = nullptr;
  };
};

// The elements of a list that may be changed, by way of the list.
template <class List>
struct Through {
  List* list = nullptr;
  decltype(auto) operator[](size_t index) const { return (*list)[index]; }
};

// Random access by index, for lists whose elements do not lie side by side. `Elements` has operator[].
template <class Elements, class Value, class Reference>
class IndexIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Value;
  using difference_type = ptrdiff_t;
  using pointer = std::remove_reference_t<Reference>*;
  using reference = Reference;

  IndexIterator() = default;
  IndexIterator(const Elements& elements, size_t index) : elements_(elements), index_(static_cast<ptrdiff_t>(index)) {}
  // From iterator to const_iterator.
  // clang-format off
  template <class Other>
    requires(!std::is_same_v<Other, Elements> && std::is_constructible_v<Elements, const Other&>)
  IndexIterator(const IndexIterator<Other, Value, Value&>& other)  // NOLINT(google-explicit-constructor)
      : IndexIterator(Elements(other.elements()), other.index()) {}
  // clang-format on
  reference operator*() const { return elements_[static_cast<size_t>(index_)]; }
  pointer operator->() const { return &**this; }
  reference operator[](ptrdiff_t n) const { return elements_[static_cast<size_t>(index_ + n)]; }
  IndexIterator& operator++() { return *this += 1; }
  IndexIterator& operator--() { return *this += -1; }
  IndexIterator operator++(int) {
    IndexIterator before = *this;
    ++*this;
    return before;
  }
  IndexIterator operator--(int) {
    IndexIterator before = *this;
    --*this;
    return before;
  }
  IndexIterator& operator+=(ptrdiff_t n) {
    index_ += n;
    return *this;
  }
  IndexIterator& operator-=(ptrdiff_t n) { return *this += -n; }
  friend IndexIterator operator+(IndexIterator a, ptrdiff_t n) { return a += n; }
  friend IndexIterator operator+(ptrdiff_t n, IndexIterator a) { return a += n; }
  friend IndexIterator operator-(IndexIterator a, ptrdiff_t n) { return a += -n; }
  friend ptrdiff_t operator-(const IndexIterator& a, const IndexIterator& b) { return a.index_ - b.index_; }
  friend bool operator==(const IndexIterator& a, const IndexIterator& b) { return a.index_ == b.index_; }
  friend auto operator<=>(const IndexIterator& a, const IndexIterator& b) { return a.index_ <=> b.index_; }
  size_t index() const { return static_cast<size_t>(index_); }
  const Elements& elements() const { return elements_; }

 private:
  Elements elements_{};
  ptrdiff_t index_ = 0;
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
