// Protobuf text format, written: one line a field, in the order of numbers, two spaces a level; unknown fields are not shown.
//
// Reference: the text format language specification of protocol buffers; where implementations differ, upb's spelling.
#include <charconv>
#include <cmath>

#include "onnx_proto/text/utf8.h"
#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

class TextWriter {
 public:
  std::string Take() { return std::move(out_); }

  void Write(const Table& table, const Message& message) {
    if (depth_ > kMaxDepth) throw NestingError(std::string(table.name) + " is nested deeper than 400 messages");
    for (const Row& row : table.rows) {
      if (IsList(row.kind)) {
        const ListHandle& items = Verbs::ItemsOf(message, row);
        for (uint32_t i = 0; i < items.count; ++i) Field(row, Verbs::Element(items, row, i));
      } else if (message.Has(row)) {
        const Slot* slot = message.FindSlot(row);
        Field(row, row.kind == Kind::kMessage ? static_cast<const void*>(slot->child) : slot);
      }
    }
  }

 private:
  // `at` is the message, or where the value or list element lies.
  void Field(const Row& row, const void* at) {
    out_.append(static_cast<size_t>(depth_) * 2, ' ').append(row.name);
    if (row.kind == Kind::kMessage || row.kind == Kind::kMessages) {
      out_.append(" {\n");
      ++depth_;
      Write(row.child(), *static_cast<const Message*>(at));
      --depth_;
      out_.append(static_cast<size_t>(depth_) * 2, ' ').append("}\n");
      return;
    }
    out_.append(": ");
    Value(row, at);
    out_.push_back('\n');
  }

  void Value(const Row& row, const void* at) {
    switch (row.kind) {
      case Kind::kInt32: case Kind::kInt32s: return Integer(*static_cast<const int32_t*>(at));
      case Kind::kInt64: case Kind::kInt64s: return Integer(*static_cast<const int64_t*>(at));
      case Kind::kUint64s: return Integer(*static_cast<const uint64_t*>(at));
      case Kind::kFloat: case Kind::kFloats: return Real(*static_cast<const float*>(at), 6, 9);
      case Kind::kDoubles: return Real(*static_cast<const double*>(at), 15, 17);
      case Kind::kEnum: {
        const int32_t number = *static_cast<const int32_t*>(at);
        if (!row.enumeration->Has(number)) return Integer(number);  // only C++ can have set it
        out_.append(row.enumeration->values[static_cast<size_t>(number)].name);
        return;
      }
      case Kind::kPayload: return Quoted(static_cast<const Slot*>(at)->payload->view(), false);
      case Kind::kString: case Kind::kStrings: return Quoted(static_cast<const StringHandle*>(at)->view(), true);
      default: return Quoted(static_cast<const StringHandle*>(at)->view(), false);
    }
  }

  template <class T>
  void Integer(T value) {
    char text[24];
    out_.append(text, static_cast<size_t>(std::to_chars(text, text + sizeof text, value).ptr - text));
  }

  // As "%.6g", or with as many digits as it takes to read the same number again ("%.9g"); never with a locale.
  template <class T>
  void Real(T value, int digits, int all_digits) {
    if (std::isnan(value)) {
      out_.append("nan");
      return;
    }
    if (std::isinf(value)) {
      out_.append(value < 0 ? "-inf" : "inf");
      return;
    }
    char text[40];
    for (const int precision : {digits, all_digits}) {
      const char* const end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, precision).ptr;
      T again{};
      if (precision == all_digits || (std::from_chars(text, end, again).ec == std::errc() && again == value)) {
        out_.append(text, static_cast<size_t>(end - text));
        return;
      }
    }
  }

  // Of text, well-formed UTF-8 passes; everything else beyond ASCII, and all of it in bytes, is octal.
  void Quoted(std::string_view bytes, bool is_text) {
    out_.push_back('"');
    for (size_t i = 0; i < bytes.size();) {
      const auto byte = static_cast<uint8_t>(bytes[i]);
      if (const char* escape = Escape(byte)) {
        out_.append(escape);
        ++i;
      } else if (byte >= 0x20 && byte < 0x7f) {
        out_.push_back(bytes[i++]);
      } else if (const size_t size = is_text ? Utf8SequenceSize(bytes.substr(i)) : 0; size > 1) {
        out_.append(bytes.substr(i, size));
        i += size;
      } else {
        const char octal[] = {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + (byte >> 3 & 7)),
                              static_cast<char>('0' + (byte & 7))};
        out_.append(octal, sizeof octal);
        ++i;
      }
    }
    out_.push_back('"');
  }
  static const char* Escape(uint8_t byte) {
    switch (byte) {
      case '\n': return "\\n";
      case '\r': return "\\r";
      case '\t': return "\\t";
      case '"': return "\\\"";
      case '\'': return "\\'";
      case '\\': return "\\\\";
      default: return nullptr;
    }
  }

  std::string out_;
  int depth_ = 0;
};

}  // namespace

std::string Verbs::Text(const Table& table, const Message& message) {
  TextWriter writer;
  writer.Write(table, message);
  return writer.Take();
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
