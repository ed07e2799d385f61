// Protobuf's JSON mapping, written: character for character what json_format.MessageToJson makes with the same options.
#include <algorithm>
#include <cmath>

#include "onnx_proto/text/base64.h"
#include "onnx_proto/text/json_names.h"
#include "onnx_proto/text/json_string.h"
#include "onnx_proto/text/numbers.h"
#include "onnx_proto/text/text_forms.h"
#include "onnx_proto/text/text_out.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

class JsonWriter {
 public:
  JsonWriter(const TextSink& sink, const JsonOptions& options) : options_(options), out_(sink) {}

  void Write(const Table& table, const Message& message) {
    Object(JsonTableOf(table), message);
    out_.Flush();
  }

 private:
  void Object(const JsonTable& json, const Message& message) {
    if (depth_++ > kMaxDepth) throw NestingError(std::string(json.table->name) + " is nested deeper than 400 messages");
    out_.Put('{');
    ++level_;
    bool first = true;
    const auto field = [&](const JsonField& one) {
      NewLine(first);
      first = false;
      Name(one);
      Field(*json.table, one, message);
    };
    const auto is_set = [&](const Row& row) { return IsList(row.kind) ? Verbs::Count(message, row) > 0 : message.Has(row); };
    const auto is_shown = [&](const Row& row) {
      return is_set(row) || (options_.always_print_fields_with_no_presence && IsList(row.kind));
    };
    if (options_.sort_keys) {
      for (const JsonField* one : options_.preserving_proto_field_name ? json.by_name : json.by_camel_name) {
        if (is_shown(*one->row)) field(*one);
      }
    } else {
      for (const JsonField& one : json.fields) {
        if (is_set(*one.row)) field(one);
      }
      for (const JsonField& one : json.fields) {
        if (!is_set(*one.row) && is_shown(*one.row)) field(one);
      }
    }
    --level_;
    if (!first) NewLine(true);
    out_.Put('}');
    --depth_;
  }

  void Name(const JsonField& field) {
    const std::string_view name = options_.preserving_proto_field_name ? field.row->name : std::string_view(field.camel_name);
    char* at = out_.Room(name.size() + 4);
    *at++ = '"';
    at = static_cast<char*>(std::memcpy(at, name.data(), name.size())) + name.size();
    for (const char c : {'"', ':', ' '}) *at++ = c;
    out_.Advance(at);
  }

  void Field(const Table& table, const JsonField& field, const Message& message) {
    const Row& row = *field.row;
    if (!IsList(row.kind)) {
      const Slot* slot = message.FindSlot(row);
      return Value(table, field, row.kind == Kind::kMessage ? static_cast<const void*>(slot->child) : slot);
    }
    const ListHandle& items = Verbs::ItemsOf(message, row);
    out_.Put('[');
    ++level_;
    for (uint32_t i = 0; i < items.count; ++i) {
      NewLine(i == 0);
      Value(table, field, Verbs::Element(items, row, i));
    }
    --level_;
    if (items.count) NewLine(true);
    out_.Put(']');
  }

  // `at` is the message, or where the value or list element lies.
  void Value(const Table& table, const JsonField& field, const void* at) {
    const Row& row = *field.row;
    switch (row.kind) {
      case Kind::kMessage:
      case Kind::kMessages: return Object(*field.child, *static_cast<const Message*>(at));
      case Kind::kInt32:
      case Kind::kInt32s: return Integer(*static_cast<const int32_t*>(at));
      case Kind::kInt64:
      case Kind::kInt64s: return Quoted(*static_cast<const int64_t*>(at));
      case Kind::kUint64s: return Quoted(*static_cast<const uint64_t*>(at));
      case Kind::kFloat:
      case Kind::kFloats: return Real(*static_cast<const float*>(at));
      case Kind::kDoubles: return Real(*static_cast<const double*>(at));
      case Kind::kEnum: {
        const int32_t number = *static_cast<const int32_t*>(at);
        if (options_.use_integers_for_enums || !row.enumeration->Has(number)) return Integer(number);
        out_.Put('"');
        out_.Put(row.enumeration->values[static_cast<size_t>(number)].name);
        return out_.Put('"');
      }
      case Kind::kString:
      case Kind::kStrings:
        if (PutJsonString(out_, static_cast<const StringHandle*>(at)->view(), options_.ensure_ascii)) return;
        throw SerializeError(std::string(table.name) + "." + std::string(row.name) + " is not UTF-8, and JSON has no other strings");
      case Kind::kPayload: return Bytes(static_cast<const Slot*>(at)->payload->checked_view());
      default: return Bytes(static_cast<const StringHandle*>(at)->view());
    }
  }

  void Integer(int32_t value) { out_.Advance(PrintNumber(out_.Room(kNumberRoom), value)); }
  template <class T>
  void Quoted(T value) {
    char* at = out_.Room(kNumberRoom);
    *at++ = '"';
    at = PrintNumber(at, value);
    *at++ = '"';
    out_.Advance(at);
  }
  void Bytes(std::string_view bytes) {
    out_.Put('"');
    PutBase64(out_, bytes);
    out_.Put('"');
  }
  template <class T>
  void Real(T value) {
    if (std::isnan(value)) return out_.Put("\"NaN\"");
    if (std::isinf(value)) return out_.Put(value < 0 ? "\"-Infinity\"" : "\"Infinity\"");
    char* const at = out_.Room(kNumberRoom);
    out_.Advance(options_.float_precision.value_or(0) > 0 ? PrintRounded(at, value, *options_.float_precision)
                                                          : PrintNumber(at, value, NumberStyle::kPython));
  }

  // Between two values, after an opening bracket and before a closing one, where no comma stands.
  void NewLine(bool no_comma) {
    if (!no_comma) out_.Put(',');
    if (options_.indent) {
      out_.Put('\n');
      out_.Spaces(static_cast<size_t>(std::max(*options_.indent, 0)) * level_);
    } else if (!no_comma) {
      out_.Put(' ');
    }
  }

  const JsonOptions& options_;
  int depth_ = 0;     // of messages
  size_t level_ = 0;  // of brackets
  TextOut out_;
};

}  // namespace

void TextForms::WriteJson(const Table& table, const Message& message, const TextSink& sink, const JsonOptions& options) {
  JsonWriter(sink, options).Write(table, message);
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
