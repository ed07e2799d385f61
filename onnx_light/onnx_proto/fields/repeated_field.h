// utils::RepeatedField (numbers), utils::RepeatedStringField, utils::RepeatedProtoField (messages): the list types that accessors give.
//
// `message.ref_x()` and `mutable_x()` give the message's own list, by reference, until the message ends or is overwritten. A const message
// gives a view by value: cheap, valid as long as the message is not changed, as are its iterators, which do not need it; changing it makes
// it a copy. Otherwise a list is a value.
// Index errors of `at`, Get, Set and Mutable throw std::out_of_range; operator[] does not check.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "onnx_proto/fields/declare.h"
#include "onnx_proto/fields/repeated_base.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

/// A list of int64_t, int32_t, uint64_t, float or double, side by side in memory.
template <class T>
class RepeatedField : public proto::RepeatedBase {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;
  using reference = T&;
  using const_reference = const T&;
  using size_type = size_t;
  using difference_type = ptrdiff_t;

  RepeatedField() : RepeatedBase(kElementRow) {}
  RepeatedField(std::initializer_list<T> values) : RepeatedField() { Add(values.begin(), values.end()); }
  template <class Iterator>
  RepeatedField(Iterator begin, Iterator end) : RepeatedField() {
    Add(begin, end);
  }
  RepeatedField(const proto::Message& message, const proto::Row& row) : RepeatedBase(message, row) {}
  RepeatedField(const RepeatedField&) = default;
  RepeatedField(RepeatedField&&) = default;
  RepeatedField& operator=(const RepeatedField& other) = default;
  template <std::ranges::input_range Range>
  requires(!std::is_base_of_v<RepeatedField, Range>) RepeatedField& operator=(const Range& values) {
    const RepeatedField taken(std::begin(values), std::end(values));
    return *this = taken;
  }
  static RepeatedField& Of(proto::ListObject* list) { return *static_cast<RepeatedField*>(list); }

  const T* data() const { return reinterpret_cast<const T*>(items.data()); }
  T* mutable_data() { return reinterpret_cast<T*>(Changing().data()); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  const T* cbegin() const { return begin(); }
  const T* cend() const { return end(); }
  T* begin() { return mutable_data(); }
  T* end() { return mutable_data() + size(); }
  const T& operator[](size_t index) const { return data()[index]; }
  T& operator[](size_t index) { return mutable_data()[index]; }
  const T& at(size_t index) const { return *static_cast<const T*>(At(index)); }
  const T& Get(int index) const { return at(static_cast<size_t>(index)); }
  T* Mutable(int index) {
    Changing();
    return static_cast<T*>(At(static_cast<size_t>(index)));
  }
  void Set(int index, T value) { *Mutable(index) = value; }
  const T& front() const { return at(0); }
  const T& back() const { return at(size() - 1); }

  void push_back(T value) { *static_cast<T*>(AppendOne()) = value; }
  void Add(T value) { push_back(value); }
  void add(T value) { push_back(value); }
  template <class Iterator>
  void Add(Iterator begin, Iterator end) {
    for (; begin != end; ++begin) push_back(static_cast<T>(*begin));
  }
  template <class Range>
  void extend(const Range& values) {
    const RepeatedField taken(std::begin(values), std::end(values));
    MergeFrom(taken);
  }
  T* insert(const T* place, T value) {
    const auto index = static_cast<size_t>(place - data());
    *static_cast<T*>(InsertOne(index)) = value;
    return begin() + index;
  }
  T* erase(const T* place) { return erase(place, place + 1); }
  T* erase(const T* first, const T* last) {
    const auto index = static_cast<size_t>(first - data());
    EraseRange(index, static_cast<size_t>(last - data()));
    return begin() + index;
  }
  void resize(size_t size, T value = T()) {
    if (size < this->size()) EraseRange(size, this->size());
    reserve(size);
    while (this->size() < size) push_back(value);
  }
  void Resize(int size, T value) { resize(static_cast<size_t>(size), value); }
  void MergeFrom(const RepeatedField& other) { AppendAll(other); }
  void CopyFrom(const RepeatedField& other) { *this = other; }
  void Swap(RepeatedField* other) {
    const RepeatedField taken(*other);
    *other = *this;
    *this = taken;
  }
  /// By bits, as messages compare.
  friend bool operator==(const RepeatedField& a, const RepeatedField& b) { return a.EqualTo(b); }
  template <std::ranges::input_range Range>
  requires(!std::is_base_of_v<RepeatedField, Range>) friend bool operator==(const RepeatedField& a, const Range& b) {
    return std::equal(a.begin(), a.end(), std::begin(b), std::end(b));
  }

 private:
  static constexpr proto::Row kElementRow{.kind = proto::ListKindOf<T>(), .place = proto::Place::kRare, .name = "element"};
};

/// A list of strings. Elements are std::string where somebody asks for a reference, views otherwise (`view`).
class RepeatedStringField : public proto::RepeatedBase {
  struct Elements;

 public:
  using value_type = String;
  using iterator = proto::IndexIterator<proto::Through<RepeatedStringField>, String, String&>;
  using const_iterator = proto::IndexIterator<Elements, String, const String&>;
  using reference = String&;
  using const_reference = const String&;
  using size_type = size_t;
  using difference_type = ptrdiff_t;

  RepeatedStringField() : RepeatedBase(kElementRow) {}
  RepeatedStringField(std::initializer_list<std::string_view> values) : RepeatedStringField() { Add(values.begin(), values.end()); }
  template <class Iterator>
  RepeatedStringField(Iterator begin, Iterator end) : RepeatedStringField() {
    Add(begin, end);
  }
  RepeatedStringField(const proto::Message& message, const proto::Row& row) : RepeatedBase(message, row) {}
  RepeatedStringField(const RepeatedStringField&) = default;
  RepeatedStringField(RepeatedStringField&&) = default;
  RepeatedStringField& operator=(const RepeatedStringField& other) = default;
  template <std::ranges::input_range Range>
  requires(!std::is_base_of_v<RepeatedStringField, Range>) RepeatedStringField& operator=(const Range& values) {
    const RepeatedStringField taken(std::begin(values), std::end(values));
    return *this = taken;
  }
  static RepeatedStringField& Of(proto::ListObject* list) { return *static_cast<RepeatedStringField*>(list); }

  std::string_view view(size_t index) const { return proto::Verbs::StringAt(items, index).view(); }
  const String& operator[](size_t index) const { return proto::Verbs::StringAt(items, index).str(arena); }
  String& operator[](size_t index) {
    Changing();
    return proto::Verbs::StringAt(items, index).Own(arena).text();
  }
  const String& at(size_t index) const { return static_cast<const proto::StringHandle*>(At(index))->str(arena); }
  const String& Get(int index) const { return at(static_cast<size_t>(index)); }
  std::string* Mutable(int index) {
    At(static_cast<size_t>(index));
    return &(*this)[static_cast<size_t>(index)];
  }
  void Set(int index, std::string_view value) {
    Changing();
    static_cast<proto::StringHandle*>(At(static_cast<size_t>(index)))->Assign(arena, value);
  }
  const_iterator begin() const { return {Elements(*this), 0}; }
  const_iterator end() const { return {Elements(*this), size()}; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  iterator begin() { return {{this}, 0}; }
  iterator end() { return {{this}, size()}; }
  const String& front() const { return at(0); }
  const String& back() const { return at(size() - 1); }

  void push_back(std::string_view value) {
    const std::string taken(value);  // it may lie in this list, which may move
    static_cast<proto::StringHandle*>(AppendOne())->Assign(arena, taken);
  }
  void Add(std::string_view value) { push_back(value); }
  void add(std::string_view value) { push_back(value); }
  void emplace_back(std::string_view value) { push_back(value); }
  std::string* Add() {
    AppendOne();
    return &(*this)[size() - 1];
  }
  template <class Iterator>
  void Add(Iterator begin, Iterator end) {
    for (; begin != end; ++begin) push_back(*begin);
  }
  template <class Range>
  void extend(const Range& values) {
    const RepeatedStringField taken(std::begin(values), std::end(values));
    MergeFrom(taken);
  }
  iterator insert(const_iterator place, std::string_view value) {
    const std::string taken(value);
    static_cast<proto::StringHandle*>(InsertOne(place.index()))->Assign(arena, taken);
    return {{this}, place.index()};
  }
  iterator erase(const_iterator place) { return erase(place, place + 1); }
  iterator erase(const_iterator first, const_iterator last) {
    EraseRange(first.index(), last.index());
    return {{this}, first.index()};
  }
  void MergeFrom(const RepeatedStringField& other) { AppendAll(other); }
  void CopyFrom(const RepeatedStringField& other) { *this = other; }
  friend bool operator==(const RepeatedStringField& a, const RepeatedStringField& b) { return a.EqualTo(b); }
  template <std::ranges::input_range Range>
  requires(!std::is_base_of_v<RepeatedStringField, Range>) friend bool operator==(const RepeatedStringField& a, const Range& b) {
    return std::equal(a.begin(), a.end(), std::begin(b), std::end(b));
  }

 private:
  static constexpr proto::Row kElementRow{.kind = proto::Kind::kByteStrings, .place = proto::Place::kRare, .name = "element"};
  struct Elements {  // for iterators
    Place place;
    proto::Arena* arena = nullptr;
    Elements() = default;
    explicit Elements(const RepeatedStringField& list) : place(list), arena(list.arena) {}
    explicit Elements(const proto::Through<RepeatedStringField>& changing) : Elements(*changing.list) {}
    const String& operator[](size_t index) const { return proto::Verbs::StringAt(place.items(), index).str(arena); }
  };
};

/// A list of messages. Addresses of elements are stable: they end with the element, not when the list grows.
template <class T>
class RepeatedProtoField : public proto::RepeatedBase {
  struct Elements;

 public:
  using value_type = T;
  using iterator = proto::IndexIterator<proto::Through<RepeatedProtoField>, T, T&>;
  using const_iterator = proto::IndexIterator<Elements, T, const T&>;
  using reference = T&;
  using const_reference = const T&;
  using size_type = size_t;
  using difference_type = ptrdiff_t;

  RepeatedProtoField() : RepeatedBase(kElementRow) {}
  template <class Iterator>
  RepeatedProtoField(Iterator begin, Iterator end) : RepeatedProtoField() {
    Add(begin, end);
  }
  RepeatedProtoField(const proto::Message& message, const proto::Row& row) : RepeatedBase(message, row) {}
  RepeatedProtoField(const RepeatedProtoField&) = default;
  RepeatedProtoField(RepeatedProtoField&&) = default;
  RepeatedProtoField& operator=(const RepeatedProtoField& other) = default;
  static RepeatedProtoField& Of(proto::ListObject* list) { return *static_cast<RepeatedProtoField*>(list); }

  const T& operator[](size_t index) const { return *Element(index); }
  T& operator[](size_t index) {
    Changing();
    return *Element(index);
  }
  const T& at(size_t index) const { return static_cast<const T&>(*static_cast<const proto::Message*>(At(index))); }
  const T& Get(int index) const { return at(static_cast<size_t>(index)); }
  T* Mutable(int index) {
    At(static_cast<size_t>(index));
    return &(*this)[static_cast<size_t>(index)];
  }
  const_iterator begin() const { return {Elements(*this), 0}; }
  const_iterator end() const { return {Elements(*this), size()}; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  iterator begin() { return {{this}, 0}; }
  iterator end() { return {{this}, size()}; }
  const T& front() const { return at(0); }
  const T& back() const { return at(size() - 1); }
  T& back() { return *Mutable(static_cast<int>(size()) - 1); }

  /// A new, empty element at the end; the list keeps it.
  T* Add() { return static_cast<T*>(static_cast<proto::Message*>(AppendOne())); }
  T& add() { return *Add(); }
  T& emplace_back() { return *Add(); }
  /// A copy at the end.
  void push_back(const T& value) { InsertCopy(size(), value); }
  void Add(const T& value) { push_back(value); }
  template <class Iterator>
  void Add(Iterator begin, Iterator end) {
    for (; begin != end; ++begin) push_back(*begin);
  }
  template <class Range>
  void extend(const Range& values) {
    for (const T& value : values) push_back(value);
  }
  void extend(const RepeatedProtoField& values) { AppendAll(values); }
  iterator insert(const_iterator place, const T& value) {
    InsertCopy(place.index(), value);
    return {{this}, place.index()};
  }
  iterator erase(const_iterator place) { return erase(place, place + 1); }
  iterator erase(const_iterator first, const_iterator last) {
    EraseRange(first.index(), last.index());
    return {{this}, first.index()};
  }
  void MergeFrom(const RepeatedProtoField& other) { AppendAll(other); }
  void CopyFrom(const RepeatedProtoField& other) { *this = other; }
  friend bool operator==(const RepeatedProtoField& a, const RepeatedProtoField& b) { return a.EqualTo(b); }

 private:
  static constexpr proto::Row kElementRow{
      .kind = proto::Kind::kMessages, .place = proto::Place::kRare, .name = "element", .child = &proto::TableOf<T>};
  static T* ElementOf(const proto::ListHandle& items, size_t index) {
    return static_cast<T*>(static_cast<proto::Message*>(proto::Verbs::Element(items, kElementRow, index)));
  }
  T* Element(size_t index) const { return ElementOf(items, index); }
  struct Elements {  // for iterators
    Place place;
    Elements() = default;
    explicit Elements(const RepeatedProtoField& list) : place(list) {}
    explicit Elements(const proto::Through<RepeatedProtoField>& changing) : Elements(*changing.list) {}
    const T& operator[](size_t index) const { return *ElementOf(place.items(), index); }
  };
};

template <class T>
using RepeatedPtrField = RepeatedProtoField<T>;

}  // namespace ONNX_LIGHT_NAMESPACE::utils

namespace ONNX_LIGHT_NAMESPACE::proto {

// The list type of a FIELD_REPEATED line.
template <class T, bool kMessages>
struct ListTypeOf {
  using type = utils::RepeatedField<T>;
};
template <class T>
struct ListTypeOf<T, true> {
  using type = utils::RepeatedProtoField<T>;
};
template <class T>
using ListOf = typename ListTypeOf<T, kIsMessage<T>>::type;

}  // namespace ONNX_LIGHT_NAMESPACE::proto
