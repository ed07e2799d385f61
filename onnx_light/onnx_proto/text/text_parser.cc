// Protobuf text format, read: everything that text_format.Parse accepts of it, and what the language specification allows besides.
//
// A value is put into the message as soon as it is read; the message is one that nobody sees until all is well.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "onnx_proto/text/numbers.h"
#include "onnx_proto/text/store.h"
#include "onnx_proto/text/text_forms.h"
#include "onnx_proto/text/text_values.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

class TextParser {
 public:
  TextParser(const Table& root, std::string_view text, const TextFormatParseOptions& options, TextPace& pace)
      : root_(root), options_(options), values_(root, text, text, Deepest(options), pace) {}
  // A part of a text that is something else; there a NaN may say its bits.
  TextParser(const Table& root, std::string_view text, std::string_view part, const TextFormatParseOptions& options, TextPace& pace)
      : root_(root), options_(options), values_(root, text, part, Deepest(options), pace), exact_nans_(true) {}

  void Read(Message& message) { Fields(root_, message, '\0'); }

  // See TextForms::AmendFromText.
  const char* Amend(Message& message) {
    const Row* last = root_.rows.data();
    uint32_t amended = 0;
    while (!values_.Is('}')) {
      if (values_.Is(Token::kEnd)) values_.Expected("'}'");
      const bool absent = values_.Take('-');
      const std::string_view name = values_.token().text;
      const Row* const row = values_.Is(Token::kName) ? Find(root_, name, last) : nullptr;
      if (row && !(amended & row->bit())) Verbs::ClearField(message, *row);
      if (row) amended |= row->bit();
      if (!absent) {
        Field(root_, message, last);
      } else if (!row) {
        values_.Fail(name.data(), std::string(root_.name) + " has no field " + Excerpt(name, "at the end of the text"));
      } else {
        values_.Next();
      }
      if (!values_.Take(',')) values_.Take(';');
    }
    return values_.token().text.data() + 1;
  }

 private:
  void Fields(const Table& table, Message& message, char closing) {
    const Row* last = table.rows.data();
    while (!values_.Is(Token::kEnd)) {
      if (closing && values_.Take(closing)) return;
      Field(table, message, last);
      if (!values_.Take(',')) values_.Take(';');
    }
    if (closing) values_.Expected(std::string("'") + closing + "'");
  }

  // Fields mostly come in order, and repeat: `last` is the one to look at first.
  static const Row* Find(const Table& table, std::string_view name, const Row* last) {
    const Row* const end = table.rows.data() + table.rows.size();
    for (const Row* row = last; row < end; ++row) {
      if (row->name == name) return row;
    }
    for (const Row* row = table.rows.data(); row < last; ++row) {
      if (row->name == name) return row;
    }
    return nullptr;
  }

  void Field(const Table& table, Message& message, const Row*& last) {
    const std::string_view name = values_.token().text;
    if (values_.Is('[')) values_.Fail(name.data(), "extensions and Any have no place in ONNX messages");
    if (!values_.Is(Token::kName)) values_.Expected("the name of a field");
    const Row* const row = Find(table, name, last);
    if (!row) {
      if (!options_.allow_unknown_field) values_.Fail(name.data(), std::string(table.name) + " has no field " + Excerpt(name, ""));
      values_.Next();
      return values_.SkipContents();
    }
    last = row;
    if (message.has_bits() & (row->bit() | row->siblings)) Twice(table, message, *row, name.data());
    Step step{values_.step, &message, row};
    values_.step = &step;
    values_.Next();
    const bool has_colon = values_.Take(':');
    if (!has_colon && row->kind != Kind::kMessage && row->kind != Kind::kMessages) values_.Expected("':'");
    if (IsList(row->kind) && values_.Take('[')) {
      List(message, *row, step);
    } else {
      Value(message, *row, step);
    }
    values_.step = step.above;
  }

  void List(Message& message, const Row& row, Step& step) {
    if (values_.Take(']')) return;
    for (;;) {
      Value(message, row, step);
      if (values_.Take(']')) return;
      if (!values_.Take(',')) values_.Expected("',' or ']'");
    }
  }

  void Value(Message& message, const Row& row, Step& step) {
    switch (row.kind) {
      case Kind::kMessage:
      case Kind::kMessages: return Child(message, row, step);
      case Kind::kFloat:
      case Kind::kFloats: {
        const float value = Real<float, uint32_t>();
        *static_cast<float*>(PlaceForNumber(message, row)) = value;
        return;
      }
      case Kind::kDoubles: {
        const double value = Real<double, uint64_t>();
        *static_cast<double*>(PlaceForNumber(message, row)) = value;
        return;
      }
      case Kind::kEnum: return Enum(message, row);
      case Kind::kInt64:
      case Kind::kInt64s: return Integer(message, row, "int64");
      case Kind::kInt32:
      case Kind::kInt32s: return Integer(message, row, "int32");
      case Kind::kUint64s: return Integer(message, row, "uint64");
      default: StoreString(message, row, values_.ReadString());
    }
  }

  template <class T, class Bits>
  T Real() {
    if (!exact_nans_) return Rounded<T>(values_.ReadReal());
    const char* const at = values_.token().text.data();
    std::optional<uint64_t> nan_bits;
    T value = Rounded<T>(values_.ReadReal(nan_bits));
    if (!nan_bits) return value;
    const auto bits = static_cast<Bits>(*nan_bits);
    std::memcpy(&value, &bits, sizeof value);
    if (bits != *nan_bits || !std::isnan(value)) values_.Fail(at, "these are not the bits of a NaN");
    return value;
  }
  template <class T>
  static T Rounded(double value) {
    if constexpr (sizeof(T) == sizeof(float)) return ToFloat(value);
    else return value;
  }

  void Child(Message& message, const Row& row, Step& step) {
    const char* const start = values_.token().text.data();
    const char closing = values_.Is('<') ? '>' : '}';
    if (!values_.Take('{') && !values_.Take('<')) values_.Expected("'{' or '<'");
    values_.Enter(start);
    Message& child = StoreChild(message, row);
    step.inside = true;
    Fields(row.child(), child, closing);
    step.inside = false;
    --values_.depth;
  }

  void Integer(Message& message, const Row& row, const char* type) {
    const TextValues::Integer integer = values_.ReadInteger();
    if (StoreInteger(message, row, integer.negative, integer.magnitude)) return;
    values_.Fail(integer.at, (integer.negative ? "-" : "") + std::to_string(integer.magnitude) + " is no " + type);
  }

  void Enum(Message& message, const Row& row) {
    const EnumTable& table = *row.enumeration;
    uint64_t number = table.values.size();
    if (values_.Is(Token::kName)) {
      const auto is_named = [&](const EnumValue& value) { return value.name == values_.token().text; };
      number = static_cast<uint64_t>(std::find_if(table.values.begin(), table.values.end(), is_named) - table.values.begin());
    }
    const bool known = (values_.Is(Token::kName) || values_.PeekMagnitude(number)) && number < table.values.size();
    if (!known) values_.Expected("a name or number of " + std::string(table.name));
    *static_cast<int32_t*>(PlaceForNumber(message, row)) = static_cast<int32_t>(number);
    values_.Next();
  }

  [[noreturn]] void Twice(const Table& table, const Message& message, const Row& row, const char* at) {
    if (message.Has(row)) values_.Fail(at, std::string(table.name) + "." + std::string(row.name) + " is given twice");
    values_.Fail(at, RuleOfOneof(table, message, row));
  }

  const Table& root_;
  const TextFormatParseOptions& options_;
  TextValues values_;
  const bool exact_nans_ = false;
};

}  // namespace

void TextForms::FillFromText(const Table& table, Message& fresh, std::string_view text, const TextFormatParseOptions& options) {
  TextPace pace(text, options.progress);
  TextParser(table, text, options, pace).Read(fresh);
  pace.Finish();
}

const char* TextForms::AmendFromText(const Table& table, Message& message, std::string_view text, std::string_view part, int max_depth,
                                     TextPace& pace) {
  const TextFormatParseOptions options{.allow_unknown_field = false, .max_recursion_depth = max_depth};
  return TextParser(table, text, part, options, pace).Amend(message);
}

void TextForms::ReadText(const Table& table, Message& message, std::string_view text, const TextFormatParseOptions& options) {
  ReplaceMessage(table, message, text.size(), [&](Message& fresh) { FillFromText(table, fresh, text, options); });
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
