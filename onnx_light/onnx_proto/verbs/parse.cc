// The parser's slow paths, its errors, and the doors that keep the target whole.
#include "onnx_proto/verbs/parse.h"

#include <algorithm>

namespace ONNX_LIGHT_NAMESPACE::proto {

// A size that needs no further question.
size_t Parser::LargestSmallPayload(const ParseOptions& options) {
  return options.max_tensor_size_bytes < 0 ? kSmallPayload : std::min(kSmallPayload, static_cast<size_t>(options.max_tensor_size_bytes));
}

Parser::Parser(Arena* arena, const ParseSource& source, const ParseOptions& options, Strings strings, bool borrows)
    : arena_(arena),
      borrows_(borrows),
      source_(source),
      options_(options),
      deepest_(Deepest(options)),
      strings_(strings),
      small_payload_(borrows_ || options.skip_raw_data ? 0 : LargestSmallPayload(options)) {}

void Parser::Fail(const char* at, std::string rule) const {
  throw ParseFailure{at, std::move(rule), static_cast<uint64_t>(at - source_.bytes.data() + shift_), {}};
}

void Parser::TooShort(const char* at, uint64_t needed, const char* end) const {
  const auto offset = static_cast<uint64_t>(at - source_.bytes.data() + shift_);
  const uint64_t left = static_cast<uint64_t>(end - at);
  const char* const where = offset + left == source_.bytes.size() ? "the input has " : "its message has ";
  Fail(at, "needs " + std::to_string(needed) + (needed == 1 ? " byte" : " bytes") + " at offset " + std::to_string(offset) + ", " + where +
               std::to_string(left) + " left");
}

void Parser::TooDeep(const char* at) const { Fail(at, "nested deeper than " + std::to_string(deepest_) + " messages"); }

// Puts the name of the field that was being read before the path, with its index where it is one of a list.
void Parser::Locate(ParseFailure& failure, const Table& table, const Message& message, uint32_t tag, const char* start,
                    const char* end) const {
  const Row* const row = table.Find(tag >> 3);
  if (!row) {
    if (tag >> 3) failure.path = ".(field " + std::to_string(tag >> 3) + ")" + failure.path;
    return;
  }
  std::string step = "." + std::string(row->name);
  if (IsList(row->kind) && (Is(tag, Wire::kLength) || !IsNumberList(row->kind)) != IsNumberList(row->kind)) {
    // Of the run that begins at `start`, the elements before the fault are whole. A fault inside an element (not in its length) was met
    // when the element had been counted.
    size_t whole = 0;
    bool counted = false;
    try {
      for (const char* p = start; p < end; ++whole) {
        uint32_t next = 0;
        p = Skip(LongTag(p, end, next), end, tag, 0);
        counted = static_cast<uint64_t>(p - source_.bytes.data() + shift_) > failure.offset;
        if (counted || next != tag) break;
      }
    } catch (const ParseFailure&) {  // NOLINT(bugprone-empty-catch): this is the fault
    }
    const size_t count = Verbs::Count(message, *row);
    step += "[" + std::to_string(counted ? count - 1 : count + whole) + "]";
  }
  failure.path = step + failure.path;
}

const char* Parser::LongVarint(const char* p, const char* end, uint64_t& value) const {
  value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (p == end) TooShort(p, 1, end);
    const auto byte = static_cast<uint8_t>(*p++);
    value |= uint64_t{byte & 0x7fu} << shift;  // of the tenth byte one bit counts, the others fall out
    if (byte < 0x80) return p;
  }
  Fail(p, "a varint is longer than 10 bytes");
}

const char* Parser::LongTag(const char* p, const char* end, uint32_t& tag) const {
  uint64_t value = 0;
  const char* const start = p;
  p = Varint(p, end, value);
  if (p - start > 5 || value > UINT32_MAX) Fail(start, "a tag is longer than 5 bytes or 32 bits");
  tag = static_cast<uint32_t>(value);
  return p;
}

const char* Parser::Skip(const char* p, const char* end, uint32_t tag, int depth) const {
  uint64_t value = 0;
  if (tag >> 3 == 0) Fail(p, "field number 0");
  switch (static_cast<Wire>(tag & 7)) {
    case Wire::kVarint: return Varint(p, end, value);
    case Wire::kFixed64:
      if (end - p < 8) TooShort(p, 8, end);
      return p + 8;
    case Wire::kFixed32:
      if (end - p < 4) TooShort(p, 4, end);
      return p + 4;
    case Wire::kLength: p = Length(p, end, value); return p + value;
    case Wire::kGroup:
      if (depth_ + ++depth > deepest_) TooDeep(p);
      for (;;) {
        uint32_t inner = 0;
        p = LongTag(p, end, inner);
        if (!Is(inner, Wire::kEndGroup)) {
          p = Skip(p, end, inner, depth);
        } else if (inner >> 3 == tag >> 3) {
          return p;
        } else {
          Fail(p, "group " + std::to_string(inner >> 3) + " ends inside group " + std::to_string(tag >> 3));
        }
      }
    case Wire::kEndGroup: Fail(p, "group " + std::to_string(tag >> 3) + " ends and was not open");
    default: Fail(p, "wire type " + std::to_string(tag & 7) + " does not exist");
  }
}

const char* Parser::Unknown(Message& message, const char* p, const char* end, uint32_t tag, const char* start) {
  p = Skip(p, end, tag, 0);
  Verbs::AppendUnknown(message, {start, static_cast<size_t>(p - start)});
  return p;
}

// A number the enum does not have is kept among the unknown fields, in its shortest form.
void Parser::UnknownEnum(Message& message, uint32_t number, uint32_t value) {
  char bytes[10];
  size_t size = 0;
  const auto put = [&](uint32_t rest) {
    for (; rest >= 0x80; rest >>= 7) bytes[size++] = static_cast<char>(rest | 0x80);
    bytes[size++] = static_cast<char>(rest);
  };
  put(number << 3);
  put(value);
  Verbs::AppendUnknown(message, {bytes, size});
}

void Parser::EndSlab() {
  if (PayloadSlab* const slab = std::exchange(slab_, nullptr)) slab->EndSpan();
}

// The same place as before, or one in a new slab: larger than the last one, as far as the source can have use for it.
void Parser::NewSlab(size_t room) {
  constexpr size_t kLargestSlab = size_t{4} << 20;
  EndSlab();
  const size_t size = std::max(std::min(next_slab_, source_.bytes.size()), room);
  slab_ = PayloadSlab::New(arena_, size, &slab_at_);
  slab_end_ = slab_at_ + size;
  next_slab_ = std::min(next_slab_ * 4, kLargestSlab);
}

void Parser::SetPayload(Message& message, const Row& row, const char* bytes, size_t size) {
  if (IsTooLarge(size, options_)) {
    Fail(bytes, "a payload of " + std::to_string(size) + " bytes, " + std::to_string(options_.max_tensor_size_bytes) + " are allowed");
  }
  if (IsLeftOut(size, options_)) return Verbs::ClearField(message, row);  // of two the last one wins, also where it is left out
  utils::ByteSpan span;
  if (size == 0) return Verbs::SetPayload(message, row, std::move(span));
  bytes += shift_;  // in the source, also where a copy is being read
  if (source_.payloads && source_.payloads->Give(static_cast<uint64_t>(bytes - source_.bytes.data()), size, span)) {
    return Verbs::SetPayload(message, row, std::move(span));
  }
  if (borrows_) {
    if (source_.owner) source_.owner->Hold();
    span.adopt(bytes, size, source_.owner, false);
  } else if (size > kSmallPayload && source_.owner) {
    source_.owner->Hold();
    span.adopt(bytes, size, source_.owner, source_.owned);
  } else {
    span.assign(bytes, size);
  }
  Verbs::SetPayload(message, row, std::move(span));
}

namespace {

// Keeps a source alive as long as an arena whose strings point into it.
class SourceHold final : public Finalizer {
 public:
  explicit SourceHold(PayloadOwner* owner) : owner_(owner) { owner_->Hold(); }
  void Finish() override { delete this; }

 private:
  ~SourceHold() { owner_->LetGo(); }
  PayloadOwner* const owner_;
};

}  // namespace

void CheckTotalSize(const Table& table, uint64_t size, const ParseOptions& options) {
  if (options.max_total_size_bytes < 0 || size <= static_cast<uint64_t>(options.max_total_size_bytes)) return;
  throw ParseError("ParseError: " + std::string(table.name) + ": " + std::to_string(size) + " bytes, " +
                   std::to_string(options.max_total_size_bytes) + " are allowed");
}

void ParseFresh(const Table& table, Message& fresh, const ParseSource& source, const ParseOptions& options, bool root) {
  CheckTotalSize(table, source.bytes.size(), options);
  const bool borrows = options.no_copy && source.lends != ParseSource::Lends::kNothing;
  const bool aliases = borrows && source.lends == ParseSource::Lends::kAll;
  if (aliases && source.owner) fresh.arena()->AdoptWritersFinalizer(new SourceHold(source.owner));
  const auto strings = aliases ? Parser::Strings::kAlias : root ? Parser::Strings::kPacked : Parser::Strings::kPieces;
  try {
    Parser parser(fresh.arena(), source, options, strings, borrows);
    table.parse(parser, fresh, source.bytes.data(), source.bytes.data() + source.bytes.size());
  } catch (const ParseFailure& failure) {
    const bool says_offset = failure.rule.find(" at offset ") != std::string::npos;
    throw ParseError("ParseError: " + std::string(table.name) + failure.path + ": " + failure.rule +
                     (says_offset ? std::string() : " at offset " + std::to_string(failure.offset)));
  }
  RunRawDataCallback(table, fresh, options.raw_data_callback);
}

void ParseInto(const Table& table, Message& message, const ParseSource& source, const ParseOptions& options) {
  if (message.is_value() || !message.arena_or_null()) {
    NewRoot root(table, ExpectedArena(source));
    ParseFresh(table, root.message(), source, options, true);
    Verbs::TakeRoot(table, message, root.Take());
    return;
  }
  const Detached fresh(table, Verbs::New(table, message.arena()));
  ParseFresh(table, *fresh, source, options, false);
  Verbs::Move(table, message, *fresh);
}

void Verbs::Parse(const Table& table, Message& message, std::string_view bytes, const ParseOptions& options) {
  ParseInto(table, message, ParseSource{bytes}, options);
}

void Verbs::ParseAndMerge(const Table& table, Message& message, std::string_view bytes, const ParseOptions& options) {
  const PayloadOwner::EndsLater later;
  ParseOptions merged = options;
  merged.max_recursion_depth = std::min(options.max_recursion_depth, kMaxDepth);  // deeper, the merge would stop halfway
  const Detached fresh(table, New(table, message.arena()));
  ParseFresh(table, *fresh, ParseSource{bytes}, merged, false);
  message.Touch();
  MergeRows(table, message, *fresh, 0);
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
