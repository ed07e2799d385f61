// Types.
#include "onnx_proto/text/syntax_printer_parts.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

template <class T>
bool HasWord(const T& tensor) {
  return tensor.has_elem_type() && !DataTypeWord(tensor.elem_type()).empty();
}

// Whether the outermost message of the type is all there.
bool HasWords(const TypeProto& type) {
  switch (type.value_case()) {
    case TypeProto::kTensorType: return HasWord(type.tensor_type());
    case TypeProto::kSparseTensorType: return HasWord(type.sparse_tensor_type());
    case TypeProto::kSequenceType: return type.sequence_type().has_elem_type();
    case TypeProto::kOptionalType: return type.optional_type().has_elem_type();
    case TypeProto::kMapType: {
      const TypeProto_Map& map = type.map_type();
      return map.has_key_type() && !DataTypeWord(map.key_type()).empty() && map.has_value_type();
    }
    case TypeProto::kOpaqueType: return true;
    default: return false;
  }
}

}  // namespace

void SyntaxPrinter::Type(const TypeProto& type) {
  const Deeper deeper(*this);
  if (!HasWords(type)) return ValueNote(type, Given(type));
  const auto of = [&](TypeWord word, const auto& print) {
    const Deeper inside(*this);
    out_.Put(WordOf(word));
    out_.Put('(');
    print();
    out_.Put(')');
  };
  switch (type.value_case()) {
    case TypeProto::kTensorType: {
      const Deeper inside(*this);
      DataTypeAndShape(type.tensor_type());
      break;
    }
    case TypeProto::kSparseTensorType: of(TypeWord::kSparseTensor, [&] { DataTypeAndShape(type.sparse_tensor_type()); }); break;
    case TypeProto::kSequenceType: of(TypeWord::kSequence, [&] { Type(type.sequence_type().elem_type()); }); break;
    case TypeProto::kOptionalType: of(TypeWord::kOptional, [&] { Type(type.optional_type().elem_type()); }); break;
    case TypeProto::kMapType:
      of(TypeWord::kMap, [&] {
        out_.Put(DataTypeWord(type.map_type().key_type()));
        out_.Put(", ");
        Type(type.map_type().value_type());
      });
      break;
    default:
      of(TypeWord::kOpaque, [&] {
        const TypeProto_Opaque& opaque = type.opaque_type();
        if (opaque.has_domain()) {
          Domain(opaque.view_domain());
          out_.Put(',');
        }
        if (opaque.has_name()) Name(opaque.view_name());
      });
  }
  Note(type, type.has_bits() & TypeProto::table().Find("denotation")->bit());
}

template <class T>
void SyntaxPrinter::DataTypeAndShape(const T& tensor) {
  out_.Put(DataTypeWord(tensor.elem_type()));
  if (!tensor.has_shape()) return out_.Put("[]");
  const Deeper shape_is_deeper(*this);
  if (!tensor.shape().dim_size()) return;
  const Deeper dims_are_deeper(*this);
  out_.Put('[');
  bool first = true;
  for (const TensorShapeProto_Dimension& dim : tensor.shape().dim()) {
    if (!first) out_.Put(',');
    first = false;
    if (dim.has_dim_value()) {
      Integer(dim.dim_value());
    } else if (dim.has_dim_param()) {
      Name(dim.view_dim_param());
    } else {
      out_.Put('?');
    }
    Note(dim, dim.has_bits() & FieldBit(3));  // denotation
  }
  out_.Put(']');
}

// Identifiers with points between, or all of it as a string.
void SyntaxPrinter::Domain(std::string_view domain) {
  std::string_view rest = domain;
  for (;;) {
    const size_t size = rest.find('.');
    if (!IsIdentifier(rest.substr(0, size))) return String(domain);
    if (size == std::string_view::npos) return out_.Put(domain);
    rest.remove_prefix(size + 1);
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
