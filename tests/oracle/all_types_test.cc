// The list of types the other proofs run over is complete, and every type says its own name.
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <set>

#include "onnx/onnx-data.pb.h"
#include "onnx/onnx-ml.pb.h"
#include "onnx/onnx-operators-ml.pb.h"
#include "peer.h"
#include "subject.h"

namespace oracle {
namespace {

void Collect(const google::protobuf::Descriptor* type, std::set<std::string>* names) {
  names->insert(type->full_name());
  for (int i = 0; i < type->nested_type_count(); ++i) Collect(type->nested_type(i), names);
}

TEST(AllTypes, AreThoseOfTheThreeProtoFiles) {
  std::set<std::string> declared;
  for (const auto* file :
       {onnx::ModelProto::descriptor()->file(), onnx::MapProto::descriptor()->file(), onnx::OperatorProto::descriptor()->file()}) {
    for (int i = 0; i < file->message_type_count(); ++i) Collect(file->message_type(i), &declared);
  }
  EXPECT_EQ(declared, std::set<std::string>(TypeNames().begin(), TypeNames().end()));
}

TEST(AllTypes, SayTheirFullName) {
  for (const std::string& type : TypeNames()) EXPECT_EQ(MakeSubject(type)->TypeName(), type);
}

TEST(AllTypes, StartEmpty) {
  for (const std::string& type : TypeNames()) {
    const auto message = MakeSubject(type);
    EXPECT_EQ(message->Serialize(), "") << type;
    EXPECT_EQ(message->ByteSize(), 0u) << type;
    EXPECT_EQ(message->Text(), "") << type;
  }
}

}  // namespace
}  // namespace oracle
