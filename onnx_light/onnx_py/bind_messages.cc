// The classes of messages, and what they are made of, for the descriptors that Python builds.
#include "onnx_proto/onnx.h"
#include "onnx_py/areas.h"
#include "onnx_py/face_types.h"

namespace nb = nanobind;

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

nb::str Text(std::string_view text) { return nb::str(text.data(), text.size()); }

// The words of the .proto language.
const char* TypeName(Kind kind) {
  switch (kind) {
    case Kind::kInt64:
    case Kind::kInt64s: return "int64";
    case Kind::kInt32:
    case Kind::kInt32s: return "int32";
    case Kind::kUint64s: return "uint64";
    case Kind::kEnum: return "enum";
    case Kind::kFloat:
    case Kind::kFloats: return "float";
    case Kind::kDoubles: return "double";
    case Kind::kString:
    case Kind::kStrings: return "string";
    case Kind::kMessage:
    case Kind::kMessages: return "message";
    default: return "bytes";
  }
}

// (name, number, type, is_repeated, is_packed, oneof, class of messages or None, name of the enum, doc)
nb::tuple DescribeField(const FieldFace& field) {
  const Row& row = *field.row;
  return nb::make_tuple(Text(row.name), row.number, TypeName(row.kind), IsList(row.kind), row.packed, Text(row.oneof),
                        field.child ? nb::borrow(field.child->object()) : nb::none(),
                        row.enumeration ? Text(row.enumeration->name) : Text(""), Text(row.doc));
}

// (class, full name, its fields)
nb::list DescribeMessages() {
  nb::list messages;
  for (const FaceType* type : AllFaceTypes()) {
    nb::list fields;
    for (const FieldFace& field : type->fields) fields.append(DescribeField(field));
    messages.append(nb::make_tuple(nb::borrow(type->object()), Text(type->table->full_name), fields));
  }
  return messages;
}

// (name, its values as (name, number))
nb::list DescribeEnums() {
  nb::list enums;
  for (const proto::EnumTable* table : {DescribeEnum(TensorProto::DataType{}), DescribeEnum(TensorProto::DataLocation{}),
                                        DescribeEnum(AttributeProto::AttributeType{}), DescribeEnum(SequenceProto::DataType{}),
                                        DescribeEnum(OptionalProto::DataType{}), DescribeEnum(Version{}), DescribeEnum(OperatorStatus{})}) {
    nb::list values;
    for (const proto::EnumValue& value : table->values) values.append(nb::make_tuple(Text(value.name), value.number));
    enums.append(nb::make_tuple(Text(table->name), values));
  }
  return enums;
}

// What ListFields pairs values with, in the order of the class's fields.
void SetDescriptors(nb::type_object type, nb::list descriptors) {
  FaceType* const face_type = FaceTypeOf(reinterpret_cast<PyTypeObject*>(type.ptr()));
  if (!face_type || face_type->fields.size() != descriptors.size())
    throw nb::value_error("a message class and a descriptor for each field");
  for (size_t i = 0; i < descriptors.size(); ++i) {
    nb::object(nb::steal(std::exchange(face_type->fields[i].descriptor, nb::object(descriptors[i]).release().ptr())));
  }
}

}  // namespace

void BindMessages(nb::module_& module) {
  if (!MakeTypes(module.ptr())) throw nb::python_error();
  module.def("describe_messages", &DescribeMessages);
  module.def("describe_enums", &DescribeEnums);
  module.def("set_descriptors", &SetDescriptors);
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
