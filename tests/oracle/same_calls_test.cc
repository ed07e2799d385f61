// Client code written for protoc's classes: the same accessor calls, on our classes and on protoc's, compile and leave the same bytes.
// The calls come from tests/data/onnx_fields.txt by way of field_calls.inc, so that every accessor of every field is among them. That file
// undefines its macros at its end.
#include <gtest/gtest.h>

#include <string_view>

#include "compare.h"
#include "onnx/onnx-data.pb.h"
#include "onnx/onnx-ml.pb.h"
#include "onnx/onnx-operators-ml.pb.h"
#include "onnx_proto/onnx.h"
#include "random_message.h"

namespace oracle {
namespace {

// ---- Copy<Message>(from, to): by accessors alone. Either side may be of either family.

#define END()
#define NUMBER(Message, field, Type)
#define NUMBERS(Message, field, Type)
#define TEXT(Message, field, Type)
#define TEXTS(Message, field, Type)
#define ENUM(Message, field, Type)
#define CHILD(Message, field, Type)
#define CHILDS(Message, field, Type)
#define BEGIN(Message)            \
  template <class From, class To> \
  void Copy##Message(const From& from, To* to);
#include "field_calls.inc"

inline std::string AsString(const std::string& text) { return text; }
inline std::string AsString(const onnx_light::utils::ByteSpan& bytes) { return std::string(bytes.view()); }

#define BEGIN(Message)            \
  template <class From, class To> \
  void Copy##Message([[maybe_unused]] const From& from, [[maybe_unused]] To* to) {
#define END() }
#define NUMBER(Message, field, Type) \
  if (from.has_##field()) to->set_##field(from.field());
#define ENUM(Message, field, Type) \
  if (from.has_##field()) to->set_##field(static_cast<decltype(to->field())>(static_cast<int>(from.field())));
#define TEXT(Message, field, Type) \
  if (from.has_##field()) to->set_##field(AsString(from.field()));
#define CHILD(Message, field, Type) \
  if (from.has_##field()) Copy##Type(from.field(), to->mutable_##field());
#define NUMBERS(Message, field, Type) \
  for (int i = 0; i < from.field##_size(); ++i) to->add_##field(from.field(i));
#define TEXTS(Message, field, Type) \
  for (int i = 0; i < from.field##_size(); ++i) to->add_##field(AsString(from.field(i)));
#define CHILDS(Message, field, Type) \
  for (int i = 0; i < from.field##_size(); ++i) Copy##Type(from.field(i), to->add_##field());
#include "field_calls.inc"

// ---- Empty<Message>(message): every field cleared by its own call, after which nothing may be left.

#define BEGIN(Message)    \
  template <class Target> \
  void Empty##Message(Target* message) {
#define END() }
#define NUMBER(Message, field, Type) \
  message->clear_##field();          \
  EXPECT_FALSE(message->has_##field());
#define ENUM NUMBER
#define TEXT NUMBER
#define CHILD NUMBER
#define NUMBERS(Message, field, Type) \
  message->clear_##field();           \
  EXPECT_EQ(message->field##_size(), 0);
#define TEXTS NUMBERS
#define CHILDS NUMBERS
#include "field_calls.inc"

// Protoc's message is made at random and goes to ours and back, accessor by accessor.
template <class Theirs, class Ours>
void ThereAndBack(void (*there)(const Theirs&, Ours*), void (*back)(const Ours&, Theirs*), void (*empty)(Ours*)) {
  for (uint64_t seed = 0; seed < Rounds(40); ++seed) {
    Engine engine(seed);
    Theirs theirs;
    Kinds kinds;
    kinds.unknown_fields = false;
    Randomize(&theirs, engine, static_cast<int>(Below(engine, 12)), kinds);
    const std::string expected = theirs.SerializeAsString();
    Ours ours;
    there(theirs, &ours);
    ASSERT_EQ(Hex(ours.SerializeAsString()), Hex(expected)) << theirs.GetTypeName() << ", seed " << seed;
    Theirs returned;
    back(ours, &returned);
    ASSERT_EQ(Hex(returned.SerializeAsString()), Hex(expected)) << theirs.GetTypeName() << ", seed " << seed;
    empty(&ours);
    ASSERT_EQ(ours.ByteSizeLong(), 0u) << theirs.GetTypeName() << ", seed " << seed;
  }
}

TEST(SameCalls, SetGetAndClearEveryFieldAsOnProtocsClasses) {
#define MESSAGE(cpp, name) ThereAndBack<onnx::cpp, onnx_light::cpp>(Copy##cpp, Copy##cpp, Empty##cpp);
#include "message_types.inc"
#undef MESSAGE
}

// ---- calls that are not a field's own

template <class Model, class Tensor, class Type>
std::string Written() {
  Model model;
  auto* graph = model.mutable_graph();
  for (const char* name : {"a", "b", "c", "d"}) graph->add_node()->set_name(name);
  graph->mutable_node()->SwapElements(0, 3);
  graph->mutable_node()->RemoveLast();
  graph->mutable_node()->DeleteSubrange(1, 1);
  graph->mutable_node()->Add()->set_op_type("Relu");
  for (auto& node : *graph->mutable_node()) node.add_input("x");
  graph->mutable_node(0)->set_input(0, "y");
  *graph->mutable_node(1)->add_output() = "z";
  *graph->mutable_node(1)->mutable_domain() = "d";
  graph->add_node()->CopyFrom(graph->node(0));
  // graph->mutable_node()->erase(graph->mutable_node()->begin());

  Tensor* tensor = graph->add_initializer();
  for (const int dim : {2, 3, 5}) tensor->add_dims(dim);
  tensor->set_dims(1, 7);
  tensor->mutable_dims()->Set(2, 9);
  tensor->mutable_dims()->Add(11);
  tensor->mutable_float_data()->Reserve(8);
  tensor->mutable_float_data()->Add(0.5f);
  tensor->set_data_type(Tensor::FLOAT);
  tensor->set_data_location(Tensor::EXTERNAL);
  tensor->set_raw_data("abcd", 4);
  tensor->set_raw_data(tensor->name());

  Type* type = graph->add_input()->mutable_type();
  type->mutable_sequence_type()->mutable_elem_type();
  if (type->value_case() == Type::kSequenceType) type->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_param("N");
  if (type->value_case() != Type::kTensorType || type->has_sequence_type()) return "the oneof was not switched";
  type->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(-1);

  std::string read;
  for (const auto& node : graph->node()) read += node.name() + ":" + std::to_string(node.input().size()) + node.op_type() + ";";
  for (const int64_t dim : tensor->dims()) read += std::to_string(dim) + ",";
  read += graph->node().empty() ? "" : graph->node(0).domain();
  return read + Hex(model.SerializeAsString());
}

TEST(SameCalls, EditListsOneofsAndBytesAsOnProtocsClasses) {
  EXPECT_EQ((Written<onnx_light::ModelProto, onnx_light::TensorProto, onnx_light::TypeProto>()),
            (Written<onnx::ModelProto, onnx::TensorProto, onnx::TypeProto>()));
}

#define EXPECT_SAME_ENUM(Enum)                                                                      \
  for (int number = -1; number < 40; ++number) {                                                    \
    ASSERT_EQ(onnx_light::Enum##_IsValid(number), onnx::Enum##_IsValid(number)) << #Enum << number; \
    if (!onnx::Enum##_IsValid(number)) continue;                                                    \
    EXPECT_EQ(std::string(onnx_light::Enum##_Name(static_cast<onnx_light::Enum>(number))),          \
              onnx::Enum##_Name(static_cast<onnx::Enum>(number)));                                  \
  }

TEST(SameCalls, NameTheMembersOfEveryEnumAsProtocDoes) {
  EXPECT_SAME_ENUM(AttributeProto_AttributeType)
  EXPECT_SAME_ENUM(TensorProto_DataType)
  EXPECT_SAME_ENUM(TensorProto_DataLocation)
  EXPECT_SAME_ENUM(SequenceProto_DataType)
  EXPECT_SAME_ENUM(OptionalProto_DataType)
  EXPECT_SAME_ENUM(OperatorStatus)
  EXPECT_SAME_ENUM(Version)
  static_assert(int{onnx_light::TensorProto_DataType_INT2} == int{onnx::TensorProto_DataType_INT2});
  static_assert(int{onnx_light::TensorProto::FLOAT8E8M0} == int{onnx::TensorProto::FLOAT8E8M0});
  static_assert(int{onnx_light::AttributeProto::TYPE_PROTOS} == int{onnx::AttributeProto_AttributeType_TYPE_PROTOS});
  static_assert(int{onnx_light::Version::IR_VERSION} == int{onnx::Version::IR_VERSION});
  static_assert(int{onnx_light::TypeProto::VALUE_NOT_SET} == int{onnx::TypeProto::VALUE_NOT_SET});
}

}  // namespace
}  // namespace oracle
