// utils::ByteSpan: the bytes of a tensor, and whoever keeps them alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "onnx_proto/callback.h"
#include "onnx_proto/storage/field_home.h"
#include "onnx_proto/storage/payload_owner.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
class PayloadSlab;
}

namespace ONNX_LIGHT_NAMESPACE::utils {

/// Keeps the bytes of a span alive while any copy of it lives. Empty where nobody does. Becomes a std::shared_ptr<void> (or any pointer
/// that is made from an address and a deleter) where one is asked for, so that this header need not know the type.
class ONNX_LIGHT_API OwnerToken {
 public:
  OwnerToken() = default;
  /// Takes over one hold on `owner`, which may be null.
  OwnerToken(const void* data, proto::PayloadOwner* owner) : data_(data), owner_(owner) {}
  OwnerToken(const OwnerToken& other) : data_(other.data_), owner_(other.owner_) {
    if (owner_) owner_->Hold();
  }
  OwnerToken& operator=(const OwnerToken& other) {
    OwnerToken copy(other);
    std::swap(data_, copy.data_);
    std::swap(owner_, copy.owner_);
    return *this;
  }
  ~OwnerToken() { reset(); }

  const void* get() const { return data_; }
  explicit operator bool() const { return owner_ != nullptr; }
  friend bool operator==(const OwnerToken& token, std::nullptr_t) { return token.owner_ == nullptr; }
  void reset() {
    data_ = nullptr;
    if (proto::PayloadOwner* const owner = std::exchange(owner_, nullptr)) owner->LetGo();
  }

  struct LetGo {
    proto::PayloadOwner* owner;
    void operator()(const void* /*data*/) const { owner->LetGo(); }
  };
  template <class Pointer>
  requires requires { Pointer(static_cast<void*>(nullptr), LetGo{}); }
  operator Pointer() const {  // NOLINT(google-explicit-constructor): as one shared pointer becomes another
    if (!owner_) return Pointer();
    owner_->Hold();
    return Pointer(const_cast<void*>(data_), LetGo{owner_});
  }

 private:
  const void* data_ = nullptr;
  proto::PayloadOwner* owner_ = nullptr;
};

/// Bytes in one of three modes: *owned* (a counted block of this library), *borrowed* (somebody else keeps them alive) and
/// *borrowed with an owner* (a counted owner goes when the last span that shares it goes).
///
/// Copying a span shares its bytes and costs a count. Bytes are copied only by `assign`, and by `mutable_data` and `resize` when they
/// are shared, borrowed or watched by a deleter: nobody ever sees somebody else's bytes change, and borrowed memory is never written.
/// `data()` is valid until the span is assigned, cleared or detached; `owner()` keeps the bytes alive beyond that.
/// Threads: distinct spans that share bytes may be used from distinct threads, but for spans that are fields: those of one message and of
/// all that is below or above it have one writer. One span is as safe as an int. Exceptions: std::bad_alloc, and FileError where bytes of a
/// mapped file are copied that are gone; with the span as it was.
class ONNX_LIGHT_API ByteSpan {
 public:
  ByteSpan() = default;
  ByteSpan(const ByteSpan& other);
  ByteSpan(ByteSpan&& other) noexcept;
  ByteSpan& operator=(const ByteSpan& other);
  ByteSpan& operator=(ByteSpan&& other) noexcept;
  ~ByteSpan() { LetGo(owner_, in_arena_); }

  const uint8_t* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const uint8_t* begin() const { return data_; }
  const uint8_t* end() const { return data_ + size_; }
  uint8_t operator[](size_t index) const { return data_[index]; }
  std::string_view view() const { return {reinterpret_cast<const char*>(data_), size_}; }
  /// The same, to be read at once: FileError if the bytes are mapped from a file that has been shortened since.
  std::string_view checked_view() const;
  /// Copies all bytes to `to`; of mapped ones through the kernel: FileError if they are gone.
  void CopyTo(void* to) const { CopyTo(to, size_); }
  operator std::string_view() const { return view(); }  // NOLINT(google-explicit-constructor): reads like a string

  /// True when the bytes are not a block of this library (with or without an owner).
  bool is_borrowed() const { return data_ != nullptr && !owned_; }
  /// A token that keeps the bytes alive while any copy of it lives; empty when nobody does (plain borrowed, or no bytes).
  OwnerToken owner() const;
  /// The library's own form of it; lives as long as the span holds it.
  proto::PayloadOwner* owner_or_null() const { return owner_; }

  /// Copies `size` bytes.
  void assign(const void* data, size_t size);
  void assign(std::string_view bytes) { assign(bytes.data(), bytes.size()); }
  /// Bytes that the caller keeps alive and unchanged as long as any copy of this span is read.
  void assign_borrowed(const void* data, size_t size);
  /// The same, kept alive by `owner`.
  template <class Owner>
  void assign_borrowed(const void* data, size_t size, Owner owner) {
    adopt(data, size, owner == nullptr ? nullptr : proto::PayloadOwner::NewToken(std::move(owner)), false);
  }
  /// The same; `deleter` runs once, when the last span that shares the bytes is destroyed, overwritten or cleared.
  void assign_with_deleter(const void* data, size_t size, Deleter deleter);
  /// Adds a deleter to the bytes that are here. Deleters chain: newest first, each once. An empty one costs nothing.
  void attach_deleter(Deleter deleter);
  /// For the library's own owners: takes over one hold on `owner`.
  void adopt(const void* data, size_t size, proto::PayloadOwner* owner, bool owned);

  /// Bytes that may be written: these, or a copy when anybody else may see these.
  uint8_t* mutable_data();
  /// Keeps the first min(size(), size) bytes; new ones are zero.
  void resize(size_t size);
  /// No bytes. Presence of the field, where the span is one, is not touched.
  void clear();

  friend bool operator==(const ByteSpan& a, const ByteSpan& b) { return a.view() == b.view(); }
  friend bool operator==(const ByteSpan& a, std::string_view b) { return a.view() == b; }

 protected:
  /// Of a span that is a field: bytes in a slab of its arena, which counts them.
  ByteSpan(const uint8_t* data, size_t size, proto::PayloadSlab* slab);
  proto::FieldHome home_;  // of a span that is a field: assigning it makes the field present

 private:
  void Replace(const void* data, size_t size, proto::PayloadOwner* owner, bool owned);
  void CopyTo(void* to, size_t size) const;  // the first ones
  void HoldForItself();
  static void LetGo(proto::PayloadOwner* owner, bool in_arena) {
    if (!owner) return;
    if (in_arena) EndInArena(owner);
    else owner->LetGo();
  }
  static void EndInArena(proto::PayloadOwner* owner);

  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
  proto::PayloadOwner* owner_ = nullptr;
  bool owned_ = false;     // the bytes lie in a block of owner_, and nothing but spans watches it
  bool in_arena_ = false;  // the arena holds owner_, a PayloadSlab, for this span
};

}  // namespace ONNX_LIGHT_NAMESPACE::utils
