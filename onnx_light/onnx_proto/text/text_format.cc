// Protobuf text format, written: one line a field, in the order of numbers, two spaces a level; unknown fields are not shown.
//
// Reference: the text format language specification of protocol buffers; where implementations differ, upb's spelling.
#include <cmath>

#include "onnx_proto/text/numbers.h"
#include "onnx_proto/text/text_escape.h"
#include "onnx_proto/text/text_forms.h"
#include "onnx_proto/text/text_out.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

class TextWriter {
 public:
  TextWriter(TextOut& out, const TextFormatOptions& options) : options_(options), out_(out) {}

  void Write(const Table& table, const Message& message) { Fields(table, message); }

  // Some fields of a message that is nested so deep already.
  void WriteSome(const Table& table, const Message& message, uint32_t fields, int depth) {
    exact_nans_ = true;
    depth_ = depth;
    Fields(table, message, fields);
  }

 private:
  void Fields(const Table& table, const Message& message, uint32_t fields = ~uint32_t{0}) {
    if (depth_ > kMaxDepth) throw NestingError(std::string(table.name) + " is nested deeper than 400 messages");
    for (const Row& row : table.rows) {
      if (!(fields & row.bit())) continue;
      if (IsList(row.kind)) {
        const ListHandle& items = Verbs::ItemsOf(message, row);
        if (items.count && options_.use_short_repeated_primitives && IsNumberList(row.kind)) {
          Short(row, items);
          continue;
        }
        for (uint32_t i = 0; i < items.count; ++i) Field(row, Verbs::Element(items, row, i));
      } else if (message.Has(row)) {
        const Slot* slot = message.FindSlot(row);
        Field(row, row.kind == Kind::kMessage ? static_cast<const void*>(slot->child) : slot);
      }
    }
  }

  // `at` is the message, or where the value or list element lies.
  void Field(const Row& row, const void* at) {
    if (row.kind == Kind::kMessage || row.kind == Kind::kMessages) {
      Begin(row.name, " {");
      ++depth_;
      Fields(row.child(), *static_cast<const Message*>(at));
      --depth_;
      Begin("}", "");
      return;
    }
    Begin(row.name, ": ");
    Value(row, at);
    if (!options_.as_one_line) out_.Put('\n');
  }

  void Short(const Row& row, const ListHandle& items) {
    Begin(row.name, ": [");
    for (uint32_t i = 0; i < items.count; ++i) {
      if (i) out_.Put(", ");
      Value(row, Verbs::Element(items, row, i));
    }
    out_.Put(options_.as_one_line ? "]" : "]\n");
  }

  // The start of a line, and the end of one that opens or closes a message.
  void Begin(std::string_view name, std::string_view mark) {
    constexpr size_t kLongest = 2 * (kMaxDepth + 1) + 64;
    static_assert(kLongest <= TextOut::kRoom);
    char* at = out_.Room(kLongest);
    if (options_.as_one_line) {
      if (!first_) *at++ = ' ';
      first_ = false;
    } else {
      const auto indent = static_cast<size_t>(depth_) * 2;
      at = static_cast<char*>(std::memset(at, ' ', indent)) + indent;
    }
    at = static_cast<char*>(std::memcpy(at, name.data(), name.size())) + name.size();
    for (const char c : mark) *at++ = c;
    if (!options_.as_one_line && !mark.starts_with(':')) *at++ = '\n';
    out_.Advance(at);
  }

  void Value(const Row& row, const void* at) {
    switch (row.kind) {
      case Kind::kInt32:
      case Kind::kInt32s: return Integer(*static_cast<const int32_t*>(at));
      case Kind::kInt64:
      case Kind::kInt64s: return Integer(*static_cast<const int64_t*>(at));
      case Kind::kUint64s: return Integer(*static_cast<const uint64_t*>(at));
      case Kind::kFloat:
      case Kind::kFloats: return Real(*static_cast<const float*>(at));
      case Kind::kDoubles: return Real(*static_cast<const double*>(at));
      case Kind::kEnum: {
        const int32_t number = *static_cast<const int32_t*>(at);
        if (!row.enumeration->Has(number)) return Integer(number);  // only C++ can have set it
        return out_.Put(row.enumeration->values[static_cast<size_t>(number)].name);
      }
      case Kind::kPayload: return PutQuoted(out_, static_cast<const Slot*>(at)->payload->checked_view(), false);
      case Kind::kString:
      case Kind::kStrings: return PutQuoted(out_, static_cast<const StringHandle*>(at)->view(), options_.as_utf8);
      default: return PutQuoted(out_, static_cast<const StringHandle*>(at)->view(), false);
    }
  }

  template <class T>
  void Integer(T value) {
    out_.Advance(PrintNumber(out_.Room(kNumberRoom), value));
  }
  template <class T>
  void Real(T value) {
    if (std::isnan(value)) return exact_nans_ ? out_.Advance(PrintNan(out_.Room(kNumberRoom), value)) : out_.Put("nan");
    if (std::isinf(value)) return out_.Put(value < 0 ? "-inf" : "inf");
    out_.Advance(PrintNumber(out_.Room(kNumberRoom), value, options_.numbers));
  }

  const TextFormatOptions& options_;
  int depth_ = 0;
  bool first_ = true;
  bool exact_nans_ = false;
  TextOut& out_;
};

}  // namespace

void TextForms::WriteText(const Table& table, const Message& message, const TextSink& sink, const TextFormatOptions& options) {
  TextOut out(sink);
  TextWriter(out, options).Write(table, message);
  out.Flush();
}

void TextForms::WriteTextLine(const Table& table, const Message& message, uint32_t fields, int depth, TextOut& out) {
  const TextFormatOptions options{.as_one_line = true, .use_short_repeated_primitives = true};
  TextWriter(out, options).WriteSome(table, message, fields, depth);
}

std::string Verbs::Text(const Table& table, const Message& message) {
  std::string text;
  TextForms::WriteText(table, message, [&text](std::string_view piece) { text.append(piece); }, {});
  return text;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
