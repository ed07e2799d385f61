// Protobuf's JSON mapping, read: into the message directly, in one pass.
//
// Stricter than json_format.Parse, as the mapping itself asks: a field may not come under both of its names, base64 has no foreign
// characters, booleans are no numbers. More lenient: the largest float may be written with its fewest digits.
#include <algorithm>
#include <cmath>
#include <limits>

#include "onnx_proto/text/base64.h"
#include "onnx_proto/text/json_lexer.h"
#include "onnx_proto/text/json_names.h"
#include "onnx_proto/text/numbers.h"
#include "onnx_proto/text/store.h"
#include "onnx_proto/text/text_forms.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

class JsonReader {
 public:
  JsonReader(const Table& root, std::string_view text, const JsonParseOptions& options)
      : options_(options), max_depth_(Deepest(options)), lexer_(root, text, options.progress) {}

  void Read(const Table& table, Message& message) {
    Object(JsonTableOf(table), message);
    lexer_.NeedEnd();
    lexer_.pace().Finish();
  }

 private:
  void Object(const JsonTable& json, Message& message) {
    lexer_.Need('{');
    if (lexer_.Take('}')) return;
    const JsonField* last = json.fields.data();
    uint32_t seen = 0;
    do {
      if (lexer_.Peek() != '"') lexer_.Expected("the name of a field");
      const char* const start = lexer_.at();
      const std::string_view name = lexer_.String();
      const JsonField* const field = json.Find(name, last);
      if (!field) {
        if (!options_.ignore_unknown_fields) lexer_.Fail(start, std::string(json.table->name) + " has no field " + Excerpt(name, "\"\""));
        lexer_.Need(':');
        lexer_.Skip(max_depth_ - depth_);
        continue;
      }
      last = field;
      if (seen & field->row->bit())
        lexer_.Fail(start, std::string(json.table->name) + "." + std::string(field->row->name) + " is given twice");
      seen |= field->row->bit();
      lexer_.Need(':');
      Field(*json.table, *field, message, start);
    } while (lexer_.Take(','));
    lexer_.Need('}');
  }

  void Field(const Table& table, const JsonField& field, Message& message, const char* start) {
    const Row& row = *field.row;
    if (lexer_.TakeWord("null")) return;  // as if it were not there
    if (row.siblings & message.has_bits()) lexer_.Fail(start, RuleOfOneof(table, message, row));
    Step step{lexer_.step, &message, &row};
    lexer_.step = &step;
    if (!IsList(row.kind)) {
      Value(field, message, step);
    } else {
      lexer_.Need('[');
      if (!lexer_.Take(']')) {
        do {
          if (lexer_.TakeWord("null")) lexer_.Fail(lexer_.at() - 4, "null is no element of a list");
          Value(field, message, step);
        } while (lexer_.Take(','));
        lexer_.Need(']');
      }
    }
    lexer_.step = step.above;
  }

  void Value(const JsonField& field, Message& message, Step& step) {
    const Row& row = *field.row;
    switch (row.kind) {
      case Kind::kMessage:
      case Kind::kMessages: {
        lexer_.Peek();
        if (++depth_ > max_depth_) {
          lexer_.Fail(lexer_.at(), "nested deeper than " + std::to_string(max_depth_) + " messages");
        }
        Message& child = StoreChild(message, row);
        step.inside = true;
        Object(*field.child, child);
        step.inside = false;
        --depth_;
        return;
      }
      case Kind::kFloat:
      case Kind::kFloats: {
        const float value = Real<float>("float");
        *static_cast<float*>(PlaceForNumber(message, row)) = value;
        return;
      }
      case Kind::kDoubles: {
        const double value = Real<double>("double");
        *static_cast<double*>(PlaceForNumber(message, row)) = value;
        return;
      }
      case Kind::kInt64:
      case Kind::kInt64s: return Integer(message, row, "int64");
      case Kind::kUint64s: return Integer(message, row, "uint64");
      case Kind::kInt32:
      case Kind::kInt32s: return Integer(message, row, "int32");
      case Kind::kEnum: return Enum(message, row);
      case Kind::kString:
      case Kind::kStrings: return StoreString(message, row, lexer_.String());
      default: Bytes(message, row);
    }
  }

  // A number, or a string that holds one.
  std::string_view NumberOrString() { return lexer_.Peek() == '"' ? lexer_.String() : lexer_.Number(); }

  // 7, "7", 7.0 and 70e-1 are the same integer.
  static bool ReadInteger(std::string_view text, bool& negative, uint64_t& magnitude) {
    negative = text.starts_with('-');
    if (!IsJsonNumber(text)) return false;
    if (ReadDigits(text.substr(negative ? 1 : 0), 10, magnitude)) return true;
    double value = 0;
    if (text.find_first_of(".eE") == std::string_view::npos || !ReadDecimal(text, value)) return false;
    value = std::fabs(value);
    if (value != std::trunc(value) || value >= 0x1p64) return false;
    magnitude = static_cast<uint64_t>(value);
    return true;
  }

  void Integer(Message& message, const Row& row, const char* type) {
    lexer_.Peek();
    const char* const start = lexer_.at();
    const std::string_view text = NumberOrString();
    bool negative = false;
    uint64_t magnitude = 0;
    if (!ReadInteger(text, negative, magnitude) || !StoreInteger(message, row, negative, magnitude)) {
      lexer_.Fail(start, "expected an integer of type " + std::string(type) + ", found " + Excerpt(text, "\"\""));
    }
  }

  template <class T>
  T Real(const char* type) {
    const bool quoted = lexer_.Peek() == '"';
    const char* const start = lexer_.at();
    const std::string_view text = NumberOrString();
    if (quoted && text == "NaN") return std::numeric_limits<T>::quiet_NaN();
    if (quoted && text == "Infinity") return std::numeric_limits<T>::infinity();
    if (quoted && text == "-Infinity") return -std::numeric_limits<T>::infinity();
    double value = 0;
    if (IsJsonNumber(text) && ReadDecimal(text, value)) {
      T number;
      if constexpr (sizeof(T) == sizeof(float)) number = ToFloat(value);
      else number = value;
      if (!std::isinf(number)) return number;
    }
    lexer_.Fail(start, "expected a number of type " + std::string(type) + ", found " + Excerpt(text, "\"\""));
  }

  void Enum(Message& message, const Row& row) {
    const EnumTable& table = *row.enumeration;
    const bool quoted = lexer_.Peek() == '"';
    const char* const start = lexer_.at();
    const std::string_view text = NumberOrString();
    const auto named = std::find_if(table.values.begin(), table.values.end(), [&](const EnumValue& value) { return value.name == text; });
    auto number = static_cast<uint64_t>(named - table.values.begin());
    bool negative = false;
    if (number == table.values.size() && !ReadInteger(text, negative, number)) {
      if (quoted && options_.ignore_unknown_fields) return;
      number = table.values.size();
    }
    if (negative || number >= table.values.size()) {
      lexer_.Fail(start, "expected a name or number of " + std::string(table.name) + ", found " + Excerpt(text, "\"\""));
    }
    *static_cast<int32_t*>(PlaceForNumber(message, row)) = static_cast<int32_t>(number);
  }

  void Bytes(Message& message, const Row& row) {
    const std::string_view text = lexer_.String();
    const size_t size = Base64Size(text);
    const auto read = [&](char* bytes) { return ReadBase64(text, bytes, lexer_.pace()); };
    const char* wrong = nullptr;
    if (row.kind == Kind::kPayload && size) {  // straight to where it stays
      uint8_t* bytes = nullptr;
      PayloadOwner* const owner = PayloadOwner::NewBlock(size, &bytes);
      utils::ByteSpan span;
      span.adopt(bytes, size, owner, true);
      wrong = read(reinterpret_cast<char*>(bytes));
      if (!wrong) return Verbs::SetPayload(message, row, std::move(span));
    } else {
      bytes_.resize(size);
      wrong = read(bytes_.data());
      if (!wrong) return StoreString(message, row, bytes_);
    }
    lexer_.Fail(wrong, "this is not base64");
  }

  const JsonParseOptions& options_;
  const int max_depth_;
  JsonLexer lexer_;
  std::string bytes_;
  int depth_ = 0;
};

}  // namespace

void TextForms::FillFromJson(const Table& table, Message& fresh, std::string_view text, const JsonParseOptions& options) {
  JsonReader(table, text, options).Read(table, fresh);
}

void TextForms::ReadJson(const Table& table, Message& message, std::string_view text, const JsonParseOptions& options) {
  ReplaceMessage(table, message, text.size(), [&](Message& fresh) { FillFromJson(table, fresh, text, options); });
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
