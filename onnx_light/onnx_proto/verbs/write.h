// A message into wire bytes, backwards in one pass: when a length has to be written, it is already known.
//
// The bytes lie in segments that never move; the last written segment comes first. Fields are written by descending number, list
// elements from the last to the first, unknown fields before everything: read forwards, that is protobuf's own order. Large payloads
// are not copied into segments: they are segments.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "onnx_proto/fields/declare.h"
#include "onnx_proto/stream.h"
#include "onnx_proto/verbs/message_verbs.h"
#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class Writer {
 public:
  explicit Writer(const SerializeOptions& options) : options_(options), deepest_(Deepest(options)), memory_(Arena::Create()) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  size_t size() const { return closed_ + static_cast<size_t>(segment_end_ - at_); }
  // The bytes in order, with those who keep the payloads; valid as long as the writer and the message.
  std::vector<OutPart> Parts() const {
    std::vector<OutPart> parts;
    parts.reserve(parts_.size() + 1);
    if (at_ != segment_end_) parts.push_back({{at_, static_cast<size_t>(segment_end_ - at_)}});
    parts.insert(parts.end(), parts_.rbegin(), parts_.rend());
    return parts;
  }
  // Gives them to be read at once. FileError if some are mapped from a file that has been shortened.
  template <class Take>
  void ForEachPart(Take take) const {
    for (const OutPart& part : Parts()) take(part.CheckedBytes());
  }
  // `out` has room for size() bytes.
  void CopyTo(char* out) const {
    for (const OutPart& part : Parts()) {
      if (const Mapping* const mapping = part.mapping()) mapping->Copy(part.bytes, out);
      else std::memcpy(out, part.bytes.data(), part.bytes.size());
      out += part.bytes.size();
    }
  }

  template <class T>
  void Write(const Message& message) {
    if (depth_++ > deepest_) [[unlikely]]
      TooDeep(T::kName);
    if (const std::string_view unknown = message.unknown(); !unknown.empty()) [[unlikely]]
      Bytes(unknown);
    ForEachFieldBackwards<T>([&]<int N>() { Field<T, N>(message); });
    --depth_;
  }

 private:
  static constexpr size_t kOwnPart = size_t{16} << 10;  // payloads from here on are not copied

  [[noreturn]] void TooDeep(std::string_view name) const;
  void CloseSegment() {
    if (at_ != segment_end_) parts_.push_back({{at_, static_cast<size_t>(segment_end_ - at_)}});
    closed_ += static_cast<size_t>(segment_end_ - at_);
    segment_end_ = at_;
  }
  [[gnu::always_inline]] void Need(size_t count) {
    if (static_cast<size_t>(at_ - segment_begin_) < count) [[unlikely]]
      AddSegment(count);
  }
  void AddSegment(size_t count);

  // These write before `at` and return the new place; room has been asked for.
  [[gnu::always_inline]] static char* PutBytes(char* at, std::string_view bytes) {
    const size_t size = bytes.size();
    at -= size;
    if (size <= 32 && size >= 8) {  // the usual name: no call
      const char* from = bytes.data();
      std::memcpy(at, from, 8);
      if (size > 16) {
        std::memcpy(at + 8, from + 8, 8);
        if (size > 24) std::memcpy(at + 16, from + 16, 8);
      }
      std::memcpy(at + size - 8, from + size - 8, 8);
    } else if (size < 8) {
      for (size_t i = 0; i < size; ++i) at[i] = bytes[i];
    } else {
      std::memcpy(at, bytes.data(), size);
    }
    return at;
  }
  [[gnu::always_inline]] static char* PutVarint(char* at, uint64_t value) {
    if (value < 0x80) [[likely]] {
      *--at = static_cast<char>(value);
      return at;
    }
    const int size = (std::bit_width(value) + 6) / 7;
    at -= size;
    for (int i = 0; i < size; ++i, value >>= 7) at[i] = static_cast<char>(value | (i + 1 < size ? 0x80 : 0));
    return at;
  }
  template <int N, Wire wire>
  [[gnu::always_inline]] static char* PutTag(char* at) {
    constexpr uint32_t tag = N << 3 | static_cast<uint32_t>(wire);
    if constexpr (tag >= 0x80) *--at = static_cast<char>(tag >> 7);
    *--at = static_cast<char>(tag >= 0x80 ? tag | 0x80 : tag);
    return at;
  }
  void Bytes(std::string_view bytes) {
    Need(bytes.size());
    at_ = PutBytes(at_, bytes);
  }
  template <int N>
  [[gnu::always_inline]] void LengthDelimited(std::string_view bytes) {
    Need(bytes.size() + 12);
    at_ = PutTag<N, Wire::kLength>(PutVarint(PutBytes(at_, bytes), bytes.size()));
  }
  template <int N>
  void Payload(const utils::ByteSpan& payload) {
    const std::string_view bytes = payload.view();
    if (options_.skip_raw_data && static_cast<int64_t>(bytes.size()) >= options_.raw_data_threshold) return;
    // Bytes of a mapped file are not read here: they may be gone.
    if (bytes.size() < kOwnPart && !(payload.owner_or_null() && payload.owner_or_null()->mapping())) return LengthDelimited<N>(bytes);
    CloseSegment();
    parts_.push_back({bytes, payload.owner_or_null()});
    closed_ += bytes.size();
    Need(12);
    at_ = PutTag<N, Wire::kLength>(PutVarint(at_, bytes.size()));
  }
  template <int N, class C>
  [[gnu::always_inline]] void Child(const Message& child) {
    const size_t before = size();
    MessageVerbs<C>::Write(*this, child);
    Need(12);
    at_ = PutTag<N, Wire::kLength>(PutVarint(at_, size() - before));
  }
  // One number, with its tag if `tagged`; `at` is where it lies in memory.
  template <int N, Kind kind, bool tagged>
  [[gnu::always_inline]] void Number(const void* at) {
    constexpr size_t size = ElementSize(kind);
    Need(12);
    if constexpr (WireOf(kind) == Wire::kVarint) {
      if constexpr (size == 8) {
        uint64_t value = 0;
        std::memcpy(&value, at, 8);
        at_ = PutVarint(at_, value);
      } else {
        int32_t value = 0;
        std::memcpy(&value, at, 4);
        at_ = PutVarint(at_, static_cast<uint64_t>(int64_t{value}));  // a negative one takes ten bytes
      }
    } else {
      at_ -= size;
      std::memcpy(at_, at, size);
    }
    if constexpr (tagged) at_ = PutTag<N, WireOf(kind)>(at_);
  }

  template <class T, int N>
  [[gnu::always_inline]] void Field(const Message& message) {
    static constexpr Row row = RowOf<T, N>();
    if constexpr (IsList(row.kind)) {
      if (const void* list = message.Find(row)) List<T, N>(Verbs::Items(list));
    } else {
      if (!message.Has(row)) return;
      const Slot* slot = message.FindSlot(row);
      if constexpr (row.kind == Kind::kMessage) Child<N, ChildOf<T, N>>(*slot->child);
      else if constexpr (row.kind == Kind::kPayload) Payload<N>(slot->payload->span());
      else if constexpr (IsString(row.kind)) LengthDelimited<N>(slot->string.view());
      else Number<N, row.kind, true>(slot);
    }
  }
  template <class T, int N>
  [[gnu::always_inline]] void List(const ListHandle& items) {
    static constexpr Row row = RowOf<T, N>();
    if (items.count == 0) return;
    if constexpr (row.kind == Kind::kMessages) {
      using C = ChildOf<T, N>;
      for (size_t i = items.count; i-- > 0;) {
        const void* child = items.pointers() ? reinterpret_cast<void**>(items.data())[i] : items.data() + i * sizeof(C);
        Child<N, C>(*static_cast<const Message*>(child));
      }
    } else if constexpr (IsStringList(row.kind)) {
      for (size_t i = items.count; i-- > 0;) LengthDelimited<N>(Verbs::StringAt(items, i).view());
    } else {
      constexpr size_t size = ElementSize(row.kind);
      const size_t before = this->size();
      if constexpr (row.packed && WireOf(row.kind) != Wire::kVarint) {
        Bytes({items.data(), items.count * size});
      } else {
        for (size_t i = items.count; i-- > 0;) Number<N, row.kind, !row.packed>(items.data() + i * size);
      }
      if constexpr (row.packed) {
        Need(12);
        at_ = PutTag<N, Wire::kLength>(PutVarint(at_, this->size() - before));
      }
    }
  }

  const SerializeOptions& options_;
  const int deepest_;
  const ArenaOwner memory_;
  std::vector<OutPart> parts_;
  char* segment_begin_ = nullptr;
  char* segment_end_ = nullptr;
  char* at_ = nullptr;
  size_t closed_ = 0;
  size_t next_ = 4096;
  int depth_ = 0;
};

// Writes the message; checks the limits of the options.
void WriteMessage(Writer& writer, const Table& table, const Message& message, const SerializeOptions& options);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
