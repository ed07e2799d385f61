// Tensors: elements in the field of their type or as bytes are shown as numbers, whose note says "raw" for bytes; what is stored in any
// other way is shown in text format.
#include <cstring>

#include "onnx_proto/external_data/reference.h"
#include "onnx_proto/text/syntax_printer_parts.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

constexpr uint32_t kName = FieldBit(8);
constexpr uint32_t kRawData = FieldBit(9);
constexpr uint32_t kExternalData = FieldBit(13);
constexpr uint32_t kDataLocation = FieldBit(14);
constexpr uint32_t kElements = FieldBit(4) | FieldBit(5) | FieldBit(6) | FieldBit(7) | kRawData | FieldBit(10) | FieldBit(11);
constexpr uint32_t kNoted = FieldBit(3) | FieldBit(12) | FieldBit(16);  // segment, doc_string, metadata_props

}  // namespace

SyntaxPrinter::TensorForm SyntaxPrinter::FormOf(const TensorProto& tensor, uint32_t given) {
  const DataForm form = DataFormOf(tensor.has_data_type() ? tensor.data_type() : 0);
  if (!form.field) return TensorForm::kText;
  const bool is_external = IsExternal(tensor);
  const uint32_t elements = given & kElements;
  if (is_external || given & kExternalData) {
    return is_external && given & kExternalData && !elements ? TensorForm::kExternal : TensorForm::kText;
  }
  if (elements == kRawData) return form.width && tensor.raw_data().size() % form.width == 0 ? TensorForm::kRaw : TensorForm::kText;
  return !elements || elements == FieldBit(form.field) ? TensorForm::kElements : TensorForm::kText;
}

void SyntaxPrinter::Constant(const TensorProto& tensor) {
  const Deeper deeper(*this);
  const uint32_t given = Given(tensor);
  const TensorForm form = FormOf(tensor, given);
  if (form == TensorForm::kText) {
    NameNoType(tensor.view_name());
    out_.Put(" = ");
    return ValueNote(tensor, given & ~kName, ~given & kName);
  }
  DataTypeAndDims(tensor);
  out_.Put(' ');
  Name(tensor.view_name());
  out_.Put(" = ");
  if (form == TensorForm::kExternal) {
    External(tensor);
  } else {
    if (tensor.data_type() != TensorProto::STRING) out_.Put(' ');
    form == TensorForm::kRaw ? RawElements(tensor) : Elements(tensor);
  }
  TensorNote(tensor, form, given);
}

void SyntaxPrinter::AttributeTensor(const TensorProto& tensor) {
  const Deeper deeper(*this);
  const uint32_t given = Given(tensor);
  const TensorForm form = FormOf(tensor, given);
  if (form == TensorForm::kText) return ValueNote(tensor, given);
  DataTypeAndDims(tensor);
  out_.Put(' ');
  if (!tensor.view_name().empty() || form == TensorForm::kExternal) Name(tensor.view_name());
  if (form == TensorForm::kExternal) {
    External(tensor);
  } else {
    if (!tensor.view_name().empty()) out_.Put(' ');
    form == TensorForm::kRaw ? RawElements(tensor) : Elements(tensor);
  }
  TensorNote(tensor, form, given);
}

void SyntaxPrinter::DataTypeAndDims(const TensorProto& tensor) {
  out_.Put(DataTypeWord(tensor.data_type()));
  if (!tensor.dims_size()) return;
  out_.Put('[');
  bool first = true;
  for (const int64_t dim : tensor.dims()) {
    if (!first) out_.Put(',');
    first = false;
    Integer(dim);
  }
  out_.Put(']');
}

void SyntaxPrinter::External(const TensorProto& tensor) {
  const Deeper deeper(*this);
  StringPairs(tensor.external_data());
}

void SyntaxPrinter::TensorNote(const TensorProto& tensor, TensorForm form, uint32_t given) {
  uint32_t noted = given & kNoted;
  if (form != TensorForm::kExternal) noted |= given & kDataLocation;
  for (const StringStringEntryProto& entry : tensor.external_data()) {
    if (!entry.has_key() || !entry.has_value()) noted |= kExternalData;
  }
  const uint32_t absent = ~given & kName;
  const std::string_view word = form == TensorForm::kRaw ? "raw" : "";
  if (noted | absent || !word.empty()) PutNote(NoteKind::kComment, TensorProto::table(), tensor, noted, absent, word, false);
}

template <class Stored, class Shown>
void SyntaxPrinter::NumberElements(const void* data, size_t count) {
  const size_t shown = this->Shown(count);
  const char* at = static_cast<const char*>(data);
  for (size_t i = 0; i < shown; ++i, at += sizeof(Stored)) {
    Stored value{};
    std::memcpy(&value, at, sizeof value);
    if (i) out_.Put(',');
    if constexpr (std::is_floating_point_v<Stored>) Real(value);
    else Integer(static_cast<Shown>(value));
  }
  if (shown < count) out_.Put(shown ? ",..." : "...");
}

void SyntaxPrinter::Elements(const TensorProto& tensor) {
  const auto& strings = tensor.string_data();
  const int field = DataFormOf(tensor.data_type()).field;
  const ListHandle& items = Verbs::ItemsOf(tensor, TensorProto::table().RowOf(field));
  out_.Put('{');
  switch (TensorProto::table().RowOf(field).kind) {
    case Kind::kFloats: NumberElements<float>(items.data(), items.count); break;
    case Kind::kDoubles: NumberElements<double>(items.data(), items.count); break;
    case Kind::kInt32s: NumberElements<int32_t>(items.data(), items.count); break;
    case Kind::kInt64s: NumberElements<int64_t>(items.data(), items.count); break;
    case Kind::kUint64s: NumberElements<uint64_t>(items.data(), items.count); break;
    default: {
      const size_t shown = Shown(strings.size());
      for (size_t i = 0; i < shown; ++i) {
        if (i) out_.Put(", ");
        String(strings.view(i));
      }
      if (shown < strings.size()) out_.Put(shown ? ", ..." : "...");
    }
  }
  out_.Put('}');
}

void SyntaxPrinter::RawElements(const TensorProto& tensor) {
  const DataForm form = DataFormOf(tensor.data_type());
  const std::string_view raw = tensor.raw_data().view();
  const size_t count = raw.size() / form.width;
  out_.Put('{');
  switch (TensorProto::table().RowOf(form.field).kind) {
    case Kind::kFloats: NumberElements<float>(raw.data(), count); break;
    case Kind::kDoubles: NumberElements<double>(raw.data(), count); break;
    default:
      switch (form.width) {
        case 1:
          form.is_signed ? NumberElements<int8_t, int32_t>(raw.data(), count) : NumberElements<uint8_t, int32_t>(raw.data(), count);
          break;
        case 2:
          form.is_signed ? NumberElements<int16_t, int32_t>(raw.data(), count) : NumberElements<uint16_t, int32_t>(raw.data(), count);
          break;
        case 4: form.is_signed ? NumberElements<int32_t>(raw.data(), count) : NumberElements<uint32_t, uint64_t>(raw.data(), count); break;
        default: form.is_signed ? NumberElements<int64_t>(raw.data(), count) : NumberElements<uint64_t>(raw.data(), count);
      }
  }
  out_.Put('}');
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
