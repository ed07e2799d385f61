// Tensors: a type whose axes all have lengths, and elements, or where they lie.
#include <cstring>

#include "onnx_proto/text/syntax_parser_lists.h"
#include "onnx_proto/verbs/verbs.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

void SyntaxParser::Tensor(TensorProto& tensor) {
  const Deeper deeper(*this);
  const char* const start = (Peek(), at());
  if (AtValueNote()) return Note(tensor);
  TypeAhead();
  TensorBehindType(tensor, type_, start);
}

void SyntaxParser::TensorBehindType(TensorProto& tensor, const TypeProto& type, const char* type_at) {
  SetDataTypeAndDims(tensor, type, type_at);
  tensor.set_name(AtName() ? Name("a name") : std::string_view());
  const bool has_data = Take('=') || Peek() == '{' || Peek() == '[';
  if (!has_data) return Note(tensor);
  TensorData(tensor);
}

void SyntaxParser::SetDataTypeAndDims(TensorProto& tensor, const TypeProto& type, const char* type_at) {
  if (!type.has_tensor_type() || type.has_denotation()) Fail(type_at, "a tensor needs an element type and a shape");
  if (!type.tensor_type().has_shape()) Fail(type_at, "a tensor needs a shape");
  tensor.set_data_type(type.tensor_type().elem_type());
  for (const TensorShapeProto_Dimension& dim : type.tensor_type().shape().dim()) {
    if (!dim.has_dim_value() || dim.has_denotation()) Fail(type_at, "the axes of a tensor need lengths");
    tensor.add_dims(dim.dim_value());
  }
}

void SyntaxParser::TensorData(TensorProto& tensor) {
  if (AtValueNote()) return Note(tensor);
  if (Take('[')) {
    StringPairs([&]() -> StringStringEntryProto& { return *tensor.add_external_data(); });
    tensor.set_data_location(TensorProto::EXTERNAL);
    return Note(tensor);
  }
  Need('{');
  Elements(tensor);
}

void SyntaxParser::Elements(TensorProto& tensor) {
  const int field = DataFormOf(tensor.data_type()).field;
  const Table& table = TensorProto::table();
  switch (field ? table.RowOf(field).kind : Kind::kByteStrings) {
    case Kind::kFloats: return NumberElements<float>(tensor, field, [this](const Number& number) { return ToReal<float>(number); });
    case Kind::kDoubles: return NumberElements<double>(tensor, field, [this](const Number& number) { return ToReal<double>(number); });
    case Kind::kInt32s: return NumberElements<int32_t>(tensor, field, [this](const Number& number) { return ToInt32(number); });
    case Kind::kInt64s: return NumberElements<int64_t>(tensor, field, [this](const Number& number) { return ToInt64(number); });
    case Kind::kUint64s: return NumberElements<uint64_t>(tensor, field, [this](const Number& number) { return ToUint64(number); });
    default: break;
  }
  if (!Take('}')) {
    do {
      if (Peek() == '.') Fail(at(), "elements were left out when this was printed");
      tensor.add_string_data(String("a string"));
    } while (Take(','));
    Need('}');
  }
  Note(tensor);
}

template <class T, class ReadOne>
void SyntaxParser::NumberElements(TensorProto& tensor, int field, const ReadOne& read) {
  const char* const start = at();
  constexpr size_t kKept = size_t{1} << 20;
  if (elements_.capacity() > kKept) elements_ = std::string();
  elements_.clear();
  if (!Take('}')) {
    do {
      if (Peek() == '.') Fail(at(), "elements were left out when this was printed");
      const T value = read(NeedNumber("a number"));
      elements_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } while (Take(','));
    Need('}');
  }
  const bool has_note = AtNote();
  OpenedNote note{};
  bool is_raw = false;
  if (has_note) {
    note = OpenNote();
    is_raw = TakeNoteWord(note, "raw");
  }
  if (is_raw) {
    RawElements<T>(tensor, start);
  } else if (!elements_.empty()) {
    const size_t count = elements_.size() / sizeof(T);
    const Verbs::Run run = Verbs::AppendRun(tensor, TensorProto::table().RowOf(field), count);
    std::memcpy(run.first, elements_.data(), elements_.size());
    run.items->count += static_cast<uint32_t>(count);
  }
  if (has_note) ReadNote(TensorProto::table(), tensor, note);
}

// As the bytes of raw_data: integers lose what they do not need.
template <class T>
void SyntaxParser::RawElements(TensorProto& tensor, const char* at) {
  const DataForm form = DataFormOf(tensor.data_type());
  size_t size = 0;
  if constexpr (std::is_integral_v<T>) {
    const int unused = 64 - 8 * form.width;
    for (size_t from = 0; from < elements_.size(); from += sizeof(T)) {
      T value{};
      std::memcpy(&value, elements_.data() + from, sizeof value);
      const auto bits = static_cast<uint64_t>(static_cast<int64_t>(value));
      const bool fits =
          form.is_signed ? static_cast<int64_t>(bits << unused) >> unused == static_cast<int64_t>(bits) : bits << unused >> unused == bits;
      if (!fits) Fail(at, std::to_string(value) + " needs more than " + std::to_string(8 * form.width) + " bits");
      std::memcpy(elements_.data() + size, &bits, form.width);
      size += form.width;
    }
  } else {
    size = elements_.size();
  }
  tensor.set_raw_data(std::string_view(elements_.data(), size));
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
