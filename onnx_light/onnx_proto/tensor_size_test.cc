#include "onnx_proto/tensor_size.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace ONNX_LIGHT_NAMESPACE {
namespace {

TensorProto Tensor(int32_t type, std::initializer_list<int64_t> dims) {
  TensorProto tensor;
  tensor.set_data_type(type);
  for (const int64_t dim : dims) tensor.add_dims(dim);
  return tensor;
}

TEST(TensorSize, EveryTypeHasItsBits) {
  for (int type = 0; TensorProto::DataType_IsValid(type); ++type) {
    const bool sized = type != TensorProto::UNDEFINED && type != TensorProto::STRING;
    EXPECT_EQ(BitsPerElement(type) != 0, sized) << TensorProto::DataType_Name(type);
    EXPECT_EQ(PayloadSize(Tensor(type, {8})).has_value(), sized) << TensorProto::DataType_Name(type);
    EXPECT_EQ(PayloadSize(Tensor(type, {8})).value_or(0), static_cast<uint64_t>(BitsPerElement(type)));
  }
  EXPECT_EQ(BitsPerElement(-1), 0);
  EXPECT_EQ(BitsPerElement(1000), 0);
}

TEST(TensorSize, PackedTypesAreRoundedUpToBytes) {
  EXPECT_EQ(PayloadSize(Tensor(TensorProto::UINT4, {3})), 2u);
  EXPECT_EQ(PayloadSize(Tensor(TensorProto::INT4, {3, 3})), 5u);
  EXPECT_EQ(PayloadSize(Tensor(TensorProto::UINT2, {5})), 2u);
  EXPECT_EQ(PayloadSize(Tensor(TensorProto::INT2, {1})), 1u);
  EXPECT_EQ(PayloadSize(Tensor(TensorProto::FLOAT6E2M3, {3})), 3u);
  EXPECT_EQ(PayloadSize(Tensor(TensorProto::FLOAT6E3M2, {4})), 3u);
  EXPECT_EQ(PayloadSize(Tensor(TensorProto::UINT4, {INT64_MAX})), (uint64_t{1} << 62));
}

TEST(TensorSize, ScalarsTakeOneElementAndEmptyTensorsNone) {
  EXPECT_EQ(PayloadSize(Tensor(TensorProto::DOUBLE, {})), 8u);
  EXPECT_EQ(PayloadSize(Tensor(TensorProto::FLOAT, {0})), 0u);
  EXPECT_EQ(PayloadSize(Tensor(TensorProto::FLOAT, {INT64_MAX, INT64_MAX, 0})), 0u);
}

TEST(TensorSize, ProductsNeverWrap) {
  EXPECT_EQ(PayloadSize(Tensor(TensorProto::FLOAT, {int64_t{1} << 32, int64_t{1} << 32})), std::nullopt);
  EXPECT_EQ(PayloadSize(Tensor(TensorProto::FLOAT, {int64_t{1} << 62})), std::nullopt);
  EXPECT_EQ(PayloadSize(Tensor(TensorProto::UINT8, {int64_t{1} << 62})), uint64_t{1} << 62);
  EXPECT_EQ(PayloadSize(Tensor(TensorProto::UINT8, {-1})), std::nullopt);
  EXPECT_EQ(ElementCount(Tensor(TensorProto::UINT8, {0, -1})), std::nullopt);
  EXPECT_EQ(ElementCount(Tensor(TensorProto::UINT8, {INT64_MAX, 2})), std::nullopt);
  EXPECT_EQ(ElementCount(Tensor(TensorProto::UINT8, {INT64_MAX, 4, 1})), std::nullopt);
}

TEST(TensorSize, ErrorsShowShapeAndType) {
  EXPECT_EQ(ShapeAndType(Tensor(TensorProto::FLOAT, {2, -3})), "shape [2, -3] of type FLOAT");
  EXPECT_EQ(ShapeAndType(Tensor(99, {})), "shape [] of type 99");
  TensorProto many;
  for (int i = 0; i < 1000; ++i) many.add_dims(1);
  EXPECT_LT(ShapeAndType(many).size(), 100u);
}

TEST(TensorSize, EveryElementTypeHasASizeAndAField) {
  for (const proto::EnumValue& value : DescribeEnum(TensorProto::DataType{})->values) {
    const std::optional<ElementType> type = ElementTypeOf(value.number);
    EXPECT_EQ(type.has_value(), value.number != TensorProto::UNDEFINED) << value.name;
    if (type) {
      EXPECT_NE(TensorProto::table().Find(type->field), nullptr) << value.name;
    }
  }
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
