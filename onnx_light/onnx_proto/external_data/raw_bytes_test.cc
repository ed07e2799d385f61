#include "onnx_proto/external_data/raw_bytes.h"

#include <gtest/gtest.h>

#include "onnx_proto/external_data/sha1.h"
#include "onnx_proto/tensor_size.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

TensorProto Tensor(int32_t type, int64_t dim) {
  TensorProto tensor;
  tensor.set_data_type(type);
  tensor.add_dims(dim);
  return tensor;
}
std::string Bytes(const TensorProto& tensor) {
  const std::optional<utils::ByteSpan> bytes = RawBytesOf(tensor);
  return bytes ? std::string(bytes->view()) : "none";
}

TEST(RawBytes, TypedFieldsGiveTheSameBytesAsRawData) {
  TensorProto floats = Tensor(TensorProto::FLOAT, 2);
  floats.add_float_data(1.0f);
  floats.add_float_data(-2.0f);
  EXPECT_EQ(Bytes(floats), std::string("\0\0\x80\x3f\0\0\0\xc0", 8));
  TensorProto complex = Tensor(TensorProto::COMPLEX64, 1);
  complex.add_float_data(1.0f);
  complex.add_float_data(-2.0f);
  EXPECT_EQ(Bytes(complex), Bytes(floats));
  TensorProto bytes = Tensor(TensorProto::INT8, 3);
  for (const int value : {1, -1, 127}) bytes.add_int32_data(value);
  EXPECT_EQ(Bytes(bytes), "\x01\xff\x7f");
  TensorProto halves = Tensor(TensorProto::BFLOAT16, 2);
  for (const int value : {0x3f80, 0xc000}) halves.add_int32_data(value);
  EXPECT_EQ(Bytes(halves), std::string("\x80\x3f\0\xc0", 4));
  TensorProto nibbles = Tensor(TensorProto::INT4, 3);
  for (const int value : {0x21, 0x0f}) nibbles.add_int32_data(value);
  EXPECT_EQ(Bytes(nibbles), "\x21\x0f");
  TensorProto sixes = Tensor(TensorProto::FLOAT6E2M3, 5);
  for (const int value : {0x3f, 0, 0x3f, 0x01, 0x21}) sixes.add_int32_data(value);
  EXPECT_EQ(Bytes(sixes), std::string("\x3f\xf0\x07\x21", 4));
  TensorProto words = Tensor(TensorProto::UINT32, 2);
  for (const uint64_t value : {uint64_t{1}, uint64_t{0xffffffff}}) words.add_uint64_data(value);
  EXPECT_EQ(Bytes(words), std::string("\1\0\0\0\xff\xff\xff\xff", 8));
  TensorProto longs = Tensor(TensorProto::INT64, 1);
  longs.add_int64_data(-2);
  EXPECT_EQ(Bytes(longs), "\xfe\xff\xff\xff\xff\xff\xff\xff");
}

TEST(RawBytes, WhatDoesNotFitItsShapeIsLeftAlone) {
  TensorProto tensor = Tensor(TensorProto::FLOAT, 2);
  tensor.set_raw_data("1234");
  EXPECT_EQ(Bytes(tensor), "none");
  tensor.set_raw_data("12345678");
  EXPECT_EQ(Bytes(tensor), "12345678");
  tensor.set_data_type(99);
  EXPECT_EQ(Bytes(tensor), "12345678");
  tensor.set_data_type(TensorProto::STRING);
  EXPECT_EQ(Bytes(tensor), "none");
  for (int type = 1; TensorProto::DataType_IsValid(type); ++type) {
    TensorProto wrong = Tensor(type, 3);
    wrong.add_int32_data(1);
    wrong.add_float_data(1);
    wrong.add_double_data(1);
    wrong.add_int64_data(1);
    wrong.add_uint64_data(1);
    const bool packed = PayloadSize(wrong) == 1u;  // three crumbs lie in one
    EXPECT_EQ(Bytes(wrong), packed ? "\x01" : "none") << TensorProto::DataType_Name(type);
    EXPECT_EQ(Bytes(Tensor(type, 3)), "none");
  }
}

TEST(RawBytes, ClearingForgetsEveryField) {
  TensorProto tensor = Tensor(TensorProto::FLOAT, 2);
  tensor.set_raw_data("1");
  tensor.add_int32_data(1);
  tensor.add_float_data(1);
  tensor.add_double_data(1);
  tensor.add_int64_data(1);
  tensor.add_uint64_data(1);
  tensor.add_string_data("1");
  EXPECT_TRUE(HasElements(tensor));
  ClearElements(tensor);
  EXPECT_FALSE(HasElements(tensor));
  EXPECT_EQ(tensor, Tensor(TensorProto::FLOAT, 2));
}

TEST(Sha1, GivesTheDigestsOfTheStandard) {
  const auto digest = [](const std::string& text) {
    Sha1 sha;
    sha.Add(text.data(), text.size());
    return sha.Digest();
  };
  EXPECT_EQ(digest(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(digest("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(digest(std::string(1000000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
  for (size_t size = 0; size < 200; ++size) {  // however it is cut
    const std::string text(size, 'x');
    Sha1 sha;
    for (size_t at = 0; at < size; at += 7) sha.Add(text.data() + at, std::min<size_t>(7, size - at));
    EXPECT_EQ(sha.Digest(), digest(text));
  }
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
