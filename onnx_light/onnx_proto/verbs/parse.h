// Wire bytes into a message: a jump table by field number, whose entries are instantiated from the rows.
//
// Lists get one exact block: short runs of strings are gathered on the stack, other runs of one repeated field are counted first. Bytes
// are copied once per small message, not once per string: the strings are views into that copy.
#pragma once

#include <array>
#include <bit>

#include "onnx_proto/fields/declare.h"
#include "onnx_proto/storage/prefetch.h"
#include "onnx_proto/verbs/message_verbs.h"
#include "onnx_proto/verbs/parse_source.h"
#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

// Thrown inside, becomes a ParseError at the door; the path grows while it climbs.
struct ParseFailure {
  const char* at;
  std::string rule;
  uint64_t offset;
  std::string path;
};

class Parser {
 public:
  enum class Strings {
    kAlias,   // point into the source, which outlives the arena
    kPacked,  // copied into a root's arena, small messages as a whole
    kPieces,  // copied one by one into an arena that goes on living: they can be recycled
  };
  Parser(Arena* arena, const ParseSource& source, const ParseOptions& options, Strings strings, bool borrows);
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() { EndSlab(); }

  template <class T>
  void Parse(Message& message, const char* p, const char* const end) {
    static constexpr std::array<Entry, 32> kJump = Entries<T>(FieldNumbers{});
    const char* start = p;
    uint32_t tag = 0;
    try {
      while (p < end) {
        start = p;
        tag = static_cast<uint8_t>(*p++);
        if (tag >= 0x80) {
          if (p < end && static_cast<uint8_t>(*p) < 0x80) {
            tag = (tag & 0x7f) | static_cast<uint32_t>(static_cast<uint8_t>(*p++)) << 7;
          } else {
            p = LongTag(start, end, tag);
          }
        }
        const Entry entry = tag >> 3 < 32 ? kJump[tag >> 3] : nullptr;
        p = entry ? entry(*this, message, p, end, tag, start) : Unknown(message, p, end, tag, start);
      }
    } catch (ParseFailure& failure) {
      Locate(failure, T::table(), message, tag, start, end);
      throw;
    }
  }

 private:
  using Entry = const char* (*)(Parser&, Message&, const char* p, const char* end, uint32_t tag, const char* start);
  static constexpr size_t kCopyWhole = 1024;     // messages up to here are copied once
  static constexpr size_t kSmallPayload = 4096;  // payloads up to here share slabs
  static constexpr size_t kLocalRun = 8;

  template <class T, int N>
  static constexpr Entry EntryOf() {
    if constexpr (HasRow<T, N>) return &Field<T, N>;
    else return nullptr;
  }
  template <class T, int... N>
  static constexpr std::array<Entry, 32> Entries(std::integer_sequence<int, N...>) {
    return {EntryOf<T, N>()...};
  }
  static constexpr bool Is(uint32_t tag, Wire wire) { return (tag & 7) == static_cast<uint32_t>(wire); }

  [[noreturn]] void Fail(const char* at, std::string rule) const;
  void Locate(ParseFailure& failure, const Table& table, const Message& message, uint32_t tag, const char* start, const char* end) const;
  const char* LongVarint(const char* p, const char* end, uint64_t& value) const;
  const char* LongTag(const char* p, const char* end, uint32_t& tag) const;
  const char* Skip(const char* p, const char* end, uint32_t tag, int depth) const;
  const char* Unknown(Message& message, const char* p, const char* end, uint32_t tag, const char* start);
  void UnknownEnum(Message& message, uint32_t number, uint32_t value);
  [[noreturn]] void TooDeep(const char* at) const;
  static size_t LargestSmallPayload(const ParseOptions& options);
  void EndSlab();
  void NewSlab(size_t room);
  void SetPayload(Message& message, const Row& row, const char* bytes, size_t size);

  [[gnu::always_inline]] const char* Varint(const char* p, const char* end, uint64_t& value) const {
    if (end - p >= 2) [[likely]] {  // one byte, or two: the length of a node, a dimension
      const uint64_t first = static_cast<uint8_t>(p[0]);
      if (first < 0x80) [[likely]] {
        value = first;
        return p + 1;
      }
      const uint64_t second = static_cast<uint8_t>(p[1]);
      if (second < 0x80) [[likely]] {
        value = (first & 0x7f) | second << 7;
        return p + 2;
      }
    }
    return LongVarint(p, end, value);
  }
  // After the length: `value` bytes are there.
  [[gnu::always_inline]] const char* Length(const char* p, const char* end, uint64_t& value) const {
    p = Varint(p, end, value);
    if (value > static_cast<uint64_t>(end - p)) [[unlikely]]
      TooShort(p, value, end);
    return p;
  }
  [[noreturn]] void TooShort(const char* at, uint64_t needed, const char* end) const;

  // True when the tag of [start, p) stands at `next` again.
  [[gnu::always_inline]] static bool SameTag(const char* start, size_t tag_size, const char* next, const char* end) {
    if (static_cast<size_t>(end - next) <= tag_size || next[0] != start[0]) return false;
    return tag_size == 1 || (tag_size == 2 && next[1] == start[1]);
  }
  // How many fields with the tag at `start` follow each other; each is known to lie whole in the source afterwards.
  [[gnu::always_inline]] size_t CountRun(const char* start, const char* p, const char* end) const {
    const size_t tag_size = static_cast<size_t>(p - start);
    size_t count = 0;
    uint64_t length = 0;
    for (;;) {
      p = Length(p, end, length) + length;
      ++count;
      if (!SameTag(start, tag_size, p, end)) return count;
      // Each length is known only when the last one has been read: guess where the next ones lie, as elements are of much the same size.
      AskFor<kToRead>(p, length * 12, length);
      p += tag_size;
    }
  }
  [[gnu::always_inline]] void SetString(StringHandle& string, std::string_view bytes) {
    if (string.stored()) string.Release(arena_);  // the last one wins
    if (bytes.empty()) return;
    if (strings_ == Strings::kAlias) return string.Alias(bytes);
    if (strings_ == Strings::kPieces) return string.Assign(arena_, bytes);
    char* copy = arena_->AllocateBytes(bytes.size());
    std::memcpy(copy, bytes.data(), bytes.size());
    string.Alias({copy, bytes.size()});
  }

  // AppendRun, without a call for the usual case: the first run of a field that is not rare.
  template <class T, int N>
  [[gnu::always_inline]] Verbs::Run MakeRun(Message& message, size_t count) {
    static constexpr Row row = RowOf<T, N>();
    if constexpr (row.place != Place::kRare) {
      auto* items = static_cast<ListHandle*>(message.Make(row));
      if (!items->word && count <= UINT32_MAX) {
        size_t size = ElementSize(row.kind);
        if constexpr (row.kind == Kind::kMessages) size = sizeof(ChildOf<T, N>);
        *items = {reinterpret_cast<uintptr_t>(arena_->Allocate(count * size)), 0, static_cast<uint32_t>(count)};
        return {items, items->data()};
      }
    }
    return Verbs::AppendRun(message, RowOf<T, N>(), count);
  }

  // While a copy in the arena is read: strings point into it, and offsets are those of the source.
  class ReadingACopy {
   public:
    ReadingACopy(Parser& parser, ptrdiff_t shift) : parser_(parser), before_(parser.shift_) {
      parser.shift_ += shift;
      parser.strings_ = Strings::kAlias;
    }
    ReadingACopy(const ReadingACopy&) = delete;
    ReadingACopy& operator=(const ReadingACopy&) = delete;
    ~ReadingACopy() {
      parser_.shift_ = before_;
      parser_.strings_ = Strings::kPacked;
    }

   private:
    Parser& parser_;
    const ptrdiff_t before_;
  };

  template <class C>
  [[gnu::always_inline]] void ParseChild(Message& child, const char* p, size_t size) {
    if (++depth_ > deepest_) [[unlikely]]
      TooDeep(p);
    if (strings_ == Strings::kPacked && size <= kCopyWhole && !HasPayload<C>()) {
      char* copy = arena_->AllocateBytes(size);
      std::memcpy(copy, p, size);
      const ReadingACopy reading(*this, p - copy);
      MessageVerbs<C>::Parse(*this, child, copy, copy + size);
    } else {
      MessageVerbs<C>::Parse(*this, child, p, p + size);
    }
    --depth_;
  }

  template <class T, int N>
  static const char* Field(Parser& self, Message& message, const char* p, const char* end, uint32_t tag, const char* start) {
    static constexpr Row row = RowOf<T, N>();
    constexpr Kind kind = row.kind;
    if constexpr (kind == Kind::kMessages || kind == Kind::kMessage || IsString(kind) || IsStringList(kind) || kind == Kind::kPayload) {
      if (!Is(tag, Wire::kLength)) return self.Unknown(message, p, end, tag, start);
    }
    if constexpr (kind == Kind::kMessages) {
      return self.Messages<T, N>(message, p, end, start);
    } else if constexpr (IsStringList(kind)) {
      return self.StringRun<T, N>(message, p, end, start);
    } else if constexpr (IsNumberList(kind)) {
      return self.Numbers<T, N>(message, p, end, tag, start);
    } else if constexpr (IsNumber(kind)) {
      return self.Number<T, N>(message, p, end, tag, start);
    } else {
      uint64_t size = 0;
      p = self.Length(p, end, size);
      if constexpr (kind == Kind::kMessage) {
        self.ParseChild<ChildOf<T, N>>(*Verbs::Child(message, RowOf<T, N>()), p, size);
      } else if constexpr (kind == Kind::kPayload) {
        if (!self.SetSmallPayload<T, N>(message, p, size)) self.SetPayload(message, RowOf<T, N>(), p, size);
      } else {
        message.SetHas(RowOf<T, N>());
        self.SetString(*static_cast<StringHandle*>(message.Make(row)), {p, size});
      }
      return p + size;
    }
  }

  // The first bytes of a field that fit into a slab.
  template <class T, int N>
  [[gnu::always_inline]] bool SetSmallPayload(Message& message, const char* bytes, size_t size) {
    static constexpr Row row = RowOf<T, N>();
    constexpr size_t kAlignment = 16;  // of any element type
    if (size == 0 || size > small_payload_) return false;
    PayloadSlot*& payload = static_cast<Slot*>(message.Make(row))->payload;
    if (payload) return false;
    const size_t room = (size + kAlignment - 1) & ~(kAlignment - 1);
    if (static_cast<size_t>(slab_end_ - slab_at_) < room) NewSlab(room);
    std::memcpy(slab_at_, bytes, size);
    payload = PayloadSlot::NewInSlab(arena_, slab_at_, size, slab_);
    slab_at_ += room;
    message.SetHas(RowOf<T, N>());
    return true;
  }

  template <class T, int N>
  const char* Messages(Message& message, const char* p, const char* end, const char* start) {
    using Child = ChildOf<T, N>;
    const size_t tag_size = static_cast<size_t>(p - start);
    const size_t count = CountRun(start, p, end);
    uint64_t size = 0;
    size_t i = 0;
    if (strings_ == Strings::kPieces && arena_->HasRecycled(sizeof(Child))) {
      for (;; p += tag_size) {
        p = Length(p, end, size);
        ParseChild<Child>(*static_cast<Message*>(Verbs::Append(message, RowOf<T, N>())), p, size);
        p += size;
        if (++i == count) return p;
      }
    }
    const Verbs::Run run = MakeRun<T, N>(message, count);
    try {
      for (;; p += tag_size) {
        p = Length(p, end, size);
        Message* child = Verbs::Init(run.first + i * sizeof(Child), sizeof(Child), arena_, true);
        ++run.items->count;
        if constexpr (sizeof(Child) > 96 || HasPayload<Child>()) {  // nodes and tensors: there may be a great many
          AskFor<kToRead>(p, size * 4, size);
          AskFor<kToWrite>(child, sizeof(Child) * 4, sizeof(Child));
          arena_->PrefetchAhead();
          if constexpr (HasPayload<Child>()) AskFor<kToWrite>(slab_at_, 1024, size);
        }
        ParseChild<Child>(*child, p, size);
        p += size;
        if (++i == count) return p;
      }
    } catch (...) {  // the rest of the block was never filled
      while (++i < count) arena_->Recycle(run.first + i * sizeof(Child), sizeof(Child));
      throw;
    }
  }

  template <class T, int N>
  const char* StringRun(Message& message, const char* p, const char* end, const char* start) {
    const size_t tag_size = static_cast<size_t>(p - start);
    uint64_t size = 0;
    StringHandle local[kLocalRun];
    size_t count = 0;
    if (strings_ != Strings::kPieces) {  // pieces are to be found by whoever recycles after a failure
      for (;;) {
        p = Length(p, end, size);
        std::memset(static_cast<void*>(&local[count]), 0, sizeof(StringHandle));
        SetString(local[count++], {p, size});
        p += size;
        if (!SameTag(start, tag_size, p, end)) {
          const Verbs::Run run = MakeRun<T, N>(message, count);
          std::memcpy(run.first, static_cast<const void*>(local), count * sizeof(StringHandle));
          run.items->count += static_cast<uint32_t>(count);
          return p;
        }
        p += tag_size;
        if (count == kLocalRun) break;
      }
    }
    const size_t more = CountRun(start, p, end);
    const Verbs::Run run = MakeRun<T, N>(message, count + more);
    std::memcpy(run.first, static_cast<const void*>(local), count * sizeof(StringHandle));
    run.items->count += static_cast<uint32_t>(count);
    auto* strings = reinterpret_cast<StringHandle*>(run.first) + count;
    std::memset(static_cast<void*>(strings), 0, more * sizeof(StringHandle));
    for (size_t i = 0;; p += tag_size) {
      p = Length(p, end, size);
      SetString(strings[i], {p, size});
      ++run.items->count;
      p += size;
      if (++i == more) return p;
    }
  }

  template <Kind kind>
  [[gnu::always_inline]] const char* ReadOne(const char* p, const char* end, uint64_t& value) const {
    if constexpr (WireOf(kind) == Wire::kVarint) return Varint(p, end, value);
    constexpr ptrdiff_t size = static_cast<ptrdiff_t>(ElementSize(kind));
    if (end - p < size) TooShort(p, size, end);
    value = 0;
    std::memcpy(&value, p, size);
    return p + size;
  }

  template <class T, int N>
  const char* Numbers(Message& message, const char* p, const char* end, uint32_t tag, const char* start) {
    static constexpr Row row = RowOf<T, N>();
    constexpr size_t size = ElementSize(row.kind);
    uint64_t value = 0;
    if (Is(tag, Wire::kLength)) {
      p = Length(p, end, value);
      const char* const stop = p + value;
      if (p == stop) return p;
      if constexpr (WireOf(row.kind) != Wire::kVarint) {
        if (value % size) TooShort(stop - value % size, size, stop);
        const Verbs::Run run = MakeRun<T, N>(message, value / size);
        std::memcpy(run.first, p, value);
        run.items->count += static_cast<uint32_t>(value / size);
        return stop;
      } else {
        size_t count = 0;
        for (const char* q = p; q < stop; ++q) count += static_cast<uint8_t>(*q) < 0x80;
        if (static_cast<uint8_t>(stop[-1]) >= 0x80) ++count;  // cut short: found when it is read
        const Verbs::Run run = MakeRun<T, N>(message, count);
        for (char* at = run.first; p < stop; at += size) {
          p = Varint(p, stop, value);
          std::memcpy(at, &value, size);
          ++run.items->count;
        }
        return p;
      }
    }
    if (!Is(tag, WireOf(row.kind))) return Unknown(message, p, end, tag, start);
    const size_t tag_size = static_cast<size_t>(p - start);
    size_t count = 1;
    for (const char* q = ReadOne<row.kind>(p, end, value); SameTag(start, tag_size, q, end); ++count) {
      q = ReadOne<row.kind>(q + tag_size, end, value);
    }
    const Verbs::Run run = MakeRun<T, N>(message, count);
    for (char* at = run.first;; at += size, p += tag_size) {
      p = ReadOne<row.kind>(p, end, value);
      std::memcpy(at, &value, size);
      ++run.items->count;
      if (--count == 0) return p;
    }
  }

  template <class T, int N>
  [[gnu::always_inline]] const char* Number(Message& message, const char* p, const char* end, uint32_t tag, const char* start) {
    static constexpr Row row = RowOf<T, N>();
    if (!Is(tag, WireOf(row.kind))) return Unknown(message, p, end, tag, start);
    uint64_t value = 0;
    p = ReadOne<row.kind>(p, end, value);
    if constexpr (row.kind == Kind::kEnum) {
      value = static_cast<uint32_t>(value);
      if (!row.enumeration->Has(static_cast<int64_t>(value))) {
        UnknownEnum(message, row.number, static_cast<uint32_t>(value));
        return p;
      }
    }
    message.SetHas(RowOf<T, N>());
    std::memcpy(message.Make(row), &value, ElementSize(row.kind));
    return p;
  }

  Arena* const arena_;
  const bool borrows_;  // payloads point into the source
  const ParseSource& source_;
  const ParseOptions& options_;
  const int deepest_;
  ptrdiff_t shift_ = 0;  // from the bytes being read to the same bytes in the source
  Strings strings_;
  int depth_ = 0;
  const size_t small_payload_;   // up to here payloads go to a slab; 0 where each one is a question
  PayloadSlab* slab_ = nullptr;  // where they lie side by side
  uint8_t* slab_at_ = nullptr;
  uint8_t* slab_end_ = nullptr;
  size_t next_slab_ = 4096;
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
