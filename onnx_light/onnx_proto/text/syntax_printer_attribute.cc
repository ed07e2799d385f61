// Attributes.
#include "onnx_proto/text/syntax_printer_parts.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

constexpr uint32_t kName = FieldBit(1);
constexpr uint32_t kDocString = FieldBit(13);
constexpr uint32_t kType = FieldBit(20);
constexpr uint32_t kReference = FieldBit(21);

// The field that belongs to a type of attribute.
constexpr int FieldOf(int32_t type) {
  switch (type) {
    case AttributeProto::FLOAT: return 2;
    case AttributeProto::INT: return 3;
    case AttributeProto::STRING: return 4;
    case AttributeProto::TENSOR: return 5;
    case AttributeProto::GRAPH: return 6;
    case AttributeProto::FLOATS: return 7;
    case AttributeProto::INTS: return 8;
    case AttributeProto::STRINGS: return 9;
    case AttributeProto::TENSORS: return 10;
    case AttributeProto::GRAPHS: return 11;
    case AttributeProto::TYPE_PROTO: return 14;
    case AttributeProto::TYPE_PROTOS: return 15;
    case AttributeProto::SPARSE_TENSOR: return 22;
    case AttributeProto::SPARSE_TENSORS: return 23;
    default: return 0;
  }
}

}  // namespace

void SyntaxPrinter::Attribute(const AttributeProto& attribute, bool may_lack_value) {
  const Deeper deeper(*this);
  const uint32_t given = Given(attribute);
  const uint32_t value = given & ~(kName | kDocString | kType);
  const int32_t type = attribute.type();
  const uint32_t own = attribute.has_type() && FieldOf(type) ? FieldBit(FieldOf(type)) : 0;
  const bool is_list = own && ItemAttributeType(type) != type;
  const bool is_reference = value == kReference && (own || !attribute.has_type());
  const bool lacks_value = may_lack_value && own && !is_list && !value;
  const bool has_value = own && (value == own || (is_list && !value));
  if (!attribute.has_name() || !(is_reference || lacks_value || has_value)) return ValueNote(attribute, given);
  Name(attribute.view_name());
  if (own) {
    out_.Put(": ");
    out_.Put(AttributeTypeWord(type));
  }
  Note(attribute, given & kDocString);
  if (lacks_value) return;
  out_.Put(" = ");
  if (has_value) return AttributeValue(attribute);
  out_.Put('@');
  Name(attribute.view_ref_attr_name());
}

template <class List, class PrintOne>
void SyntaxPrinter::AttributeList(const List& values, const PrintOne& print) {
  const size_t shown = Shown(values.size());
  out_.Put('[');
  for (size_t i = 0; i < shown; ++i) {
    if (i) out_.Put(", ");
    print(i);
  }
  if (shown < values.size()) out_.Put(shown ? ", ..." : "...");
  out_.Put(']');
}

void SyntaxPrinter::AttributeValue(const AttributeProto& attribute) {
  const auto numbers = [&](const auto& values, const auto& print) { AttributeList(values, [&](size_t i) { print(values[i]); }); };
  const auto sparse = [&](const SparseTensorProto& tensor) {
    const Deeper deeper(*this);
    ValueNote(tensor, Given(tensor));
  };
  switch (attribute.type()) {
    case AttributeProto::FLOAT: return Real(attribute.f());
    case AttributeProto::INT: return Integer(attribute.i());
    case AttributeProto::STRING: return String(attribute.view_s());
    case AttributeProto::TENSOR: return AttributeTensor(attribute.t());
    case AttributeProto::GRAPH: return Graph(attribute.g());
    case AttributeProto::TYPE_PROTO: return Type(attribute.tp());
    case AttributeProto::SPARSE_TENSOR: return sparse(attribute.sparse_tensor());
    case AttributeProto::FLOATS: return numbers(attribute.floats(), [&](float one) { Real(one); });
    case AttributeProto::INTS: return numbers(attribute.ints(), [&](int64_t one) { Integer(one); });
    case AttributeProto::STRINGS: {
      const auto& values = attribute.strings();
      return AttributeList(values, [&](size_t i) { String(values.view(i)); });
    }
    case AttributeProto::TENSORS: return numbers(attribute.tensors(), [&](const TensorProto& one) { AttributeTensor(one); });
    case AttributeProto::GRAPHS: return numbers(attribute.graphs(), [&](const GraphProto& one) { Graph(one); });
    case AttributeProto::TYPE_PROTOS: return numbers(attribute.type_protos(), [&](const TypeProto& one) { Type(one); });
    default: return numbers(attribute.sparse_tensors(), sparse);
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
