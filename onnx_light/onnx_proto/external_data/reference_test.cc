#include "onnx_proto/external_data/reference.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/testing/sample.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::ErrorOf;
using Keys = std::vector<std::pair<std::string, std::string>>;

TensorProto Tensor(const Keys& keys, int32_t type = TensorProto::FLOAT, int64_t dim = 4) {
  TensorProto tensor;
  tensor.set_name("w");
  tensor.set_data_type(type);
  tensor.add_dims(dim);
  tensor.set_data_location(TensorProto::EXTERNAL);
  for (const auto& [key, value] : keys) {
    StringStringEntryProto* entry = tensor.add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }
  return tensor;
}
FileRange RangeIn(const TensorProto& tensor) { return RangeOf(tensor, ExternalReference::Of(tensor, "here"), "here"); }

TEST(Reference, KeysOfTheFormatAreReadAndOthersIgnored) {
  const TensorProto tensor =
      Tensor({{"note", "x"}, {"location", "old"}, {"offset", " +7\n"}, {"length", "16"}, {"checksum", "ab"}, {"location", "w.data"}});
  const ExternalReference reference = ExternalReference::Of(tensor, "");
  EXPECT_EQ(reference.location, "w.data");
  EXPECT_EQ(reference.offset, 7u);
  EXPECT_EQ(reference.length, 16u);
  EXPECT_EQ(reference.checksum, "ab");
}

TEST(Reference, NumbersThatAreNoneNameTheTensor) {
  for (const char* text : {"", " ", "-1", "abc", "1.5", "0x10", "1 2", "1_0", "++1"}) {
    EXPECT_NE(ErrorOf([&] {
                ExternalReference::Of(Tensor({{"location", "w"}, {"offset", text}}), "here");
              }).find("tensor \"w\" (here): its external offset"),
              std::string::npos)
        << text;
  }
  for (const char* text : {"9223372036854775808", "99999999999999999999999"}) {
    EXPECT_NE(ErrorOf([&] {
                ExternalReference::Of(Tensor({{"location", "w"}, {"length", text}}), "here");
              }).find("exceeds 63 bits"),
              std::string::npos);
  }
  EXPECT_THROW(ExternalReference::Of(Tensor({{"offset", "0"}}), ""), ExternalDataError);
}

TEST(Reference, AMissingOrZeroLengthComesFromShapeAndType) {
  EXPECT_EQ(RangeIn(Tensor({{"location", "w"}})).size, 16u);
  EXPECT_EQ(RangeIn(Tensor({{"location", "w"}, {"length", "0"}})).size, 16u);
  EXPECT_EQ(RangeIn(Tensor({{"location", "w"}}, TensorProto::UINT4, 3)).size, 2u);
  EXPECT_EQ(RangeIn(Tensor({{"location", "w"}}, TensorProto::FLOAT, 0)).size, 0u);
  EXPECT_EQ(RangeIn(Tensor({{"location", "w"}, {"length", "5"}}, 99)).size, 5u);
}

TEST(Reference, LengthsThatCannotBeAreRefused) {
  EXPECT_EQ(ErrorOf([] {
              RangeIn(Tensor({{"location", "w"}, {"length", "12"}}));
            }),
            "tensor \"w\" (here): shape [4] of type FLOAT takes 16 bytes, its external length says 12");
  EXPECT_THROW(RangeIn(Tensor({{"location", "w"}}, 99)), ExternalDataError);
  EXPECT_THROW(RangeIn(Tensor({{"location", "w"}, {"length", "4"}}, TensorProto::STRING)), ExternalDataError);
  EXPECT_THROW(RangeIn(Tensor({{"location", "w"}}, TensorProto::FLOAT, -4)), ExternalDataError);
  EXPECT_THROW(RangeIn(Tensor({{"location", "w"}}, TensorProto::FLOAT, INT64_MAX)), ExternalDataError);
  EXPECT_THROW(RangeIn(Tensor({{"location", "w"}, {"offset", "9223372036854775807"}})), ExternalDataError);
}

TEST(Reference, IsReplacedWithoutLosingForeignKeys) {
  const TensorProto before = Tensor({{"note", "x"}, {"location", "old"}, {"offset", "1"}, {"checksum", "ab"}, {"note", "y"}});
  TensorProto after = before;
  SetReference(after, "new", {4096, 16}, "", &before);
  Keys keys;
  for (const StringStringEntryProto& entry : after.external_data()) keys.emplace_back(entry.key(), entry.value());
  EXPECT_EQ(keys, (Keys{{"location", "new"}, {"offset", "4096"}, {"length", "16"}, {"note", "x"}, {"note", "y"}}));
  SetReference(after, "new", {0, 16}, "cd", &after);
  EXPECT_EQ(ExternalReference::Of(after, "").checksum, "cd");
  EXPECT_EQ(after.external_data_size(), 6);
  DropReference(after);
  EXPECT_FALSE(IsExternal(after));
  EXPECT_EQ(after.external_data_size(), 0);
}

TEST(Reference, ErrorsShowAnyNameWithoutHarm) {
  EXPECT_EQ(Quoted(std::string("a\"b\\c\x01\0d", 8)), "\"a\\\"b\\\\c\\x01\\x00d\"");
  EXPECT_LT(Quoted(std::string(100000, 'x')).size(), 300u);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
