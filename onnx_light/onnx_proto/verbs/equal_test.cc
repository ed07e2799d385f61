#include "onnx_proto/verbs/equal.h"

#include <gtest/gtest.h>

#include <limits>

#include "onnx_proto/onnx.h"
#include "onnx_proto/testing/sample.h"
#include "onnx_proto/verbs/wire_reader.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using testing_support::RichModel;

std::string Bytes(std::initializer_list<int> bytes) {
  std::string made;
  for (const int byte : bytes) made.push_back(static_cast<char>(byte));
  return made;
}

TEST(Equal, PresenceCounts) {
  NodeProto absent;
  NodeProto empty;
  empty.set_name("");
  EXPECT_FALSE(absent == empty);
  EXPECT_TRUE(absent != empty);
  ModelProto with;
  with.mutable_graph();
  EXPECT_NE(with, ModelProto());
  (void)absent.ref_input();  // looked at, not set
  (void)absent.ref_doc_string();
  EXPECT_EQ(absent, NodeProto());
}

TEST(Equal, EveryFieldCounts) {
  const ModelProto model = RichModel();
  for (const proto::Table* table : proto::AllTables()) {
    SCOPED_TRACE(table->name);
    for (const proto::Row& row : table->rows) {
      const proto::NewRoot a(*table);
      const proto::NewRoot b(*table);
      // One field from bytes: a number 1, or one byte of length-delimited.
      const int tag = row.number << 3 | static_cast<int>(proto::WireOf(row.kind));
      std::string bytes = tag < 0x80 ? Bytes({tag}) : Bytes({(tag & 0x7f) | 0x80, tag >> 7});
      switch (proto::WireOf(row.kind)) {
        case proto::Wire::kVarint: bytes += "\x01"; break;
        case proto::Wire::kFixed32: bytes += "1234"; break;
        case proto::Wire::kFixed64: bytes += "12345678"; break;
        default:
          bytes += row.child ? std::string(1, '\0')
                             : "\x01"
                               "x";
      }
      proto::Verbs::Parse(*table, a.message(), bytes, {});
      EXPECT_TRUE(a.message().unknown().empty()) << row.name;
      EXPECT_FALSE(proto::Verbs::Equal(*table, a.message(), b.message())) << row.name;
      EXPECT_FALSE(proto::Verbs::Equal(*table, b.message(), a.message())) << row.name;
      proto::Verbs::Copy(*table, b.message(), a.message());
      EXPECT_TRUE(proto::Verbs::Equal(*table, a.message(), b.message())) << row.name;
      proto::Verbs::Clear(*table, a.message());
      EXPECT_FALSE(proto::Verbs::Equal(*table, a.message(), b.message())) << row.name;
    }
  }
}

TEST(Equal, WhereAValueLivesDoesNotCount) {
  AttributeProto a;
  a.set_i(1);
  a.set_f(2);  // beside: i has the slot
  AttributeProto b;
  b.set_f(2);
  b.set_i(1);
  b.add_ints(3);
  b.clear_ints();
  EXPECT_EQ(a, b);
  GraphProto edited = RichModel().graph();
  edited.add_node();
  edited.ref_node().RemoveLast();  // now a list of pointers
  EXPECT_EQ(edited, RichModel().graph());
  NodeProto seen = RichModel().graph().node(0);
  (void)seen.name();  // now a std::string
  seen.mutable_input(0)->append("");
  EXPECT_EQ(seen, RichModel().graph().node(0));
}

TEST(Equal, FloatsCompareByTheirBits) {
  AttributeProto a;
  AttributeProto b;
  a.set_f(std::numeric_limits<float>::quiet_NaN());
  b.set_f(std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(a, b);
  a.set_f(0.0f);
  b.set_f(-0.0f);
  EXPECT_NE(a, b);
}

TEST(Equal, UnknownFieldsCompareAsValues) {
  const auto equal = [](const std::string& a, const std::string& b) {
    TensorProto_Segment x;
    TensorProto_Segment y;
    x.ParseFromString(a);
    y.ParseFromString(b);
    EXPECT_EQ(x == y, y == x);
    return x == y;
  };
  const std::string five = Bytes({0xa0, 0x06, 0x05});
  const std::string six = Bytes({0xa0, 0x06, 0x06});
  const std::string other = Bytes({0xa8, 0x06, 0x05});
  EXPECT_TRUE(equal(five, five));
  EXPECT_FALSE(equal(five, six));
  EXPECT_FALSE(equal(five, ""));
  EXPECT_FALSE(equal(five, five + five));
  EXPECT_TRUE(equal(five + other, other + five));  // order counts within one number only
  EXPECT_TRUE(equal(five + other + six, other + five + six));
  EXPECT_FALSE(equal(five + six, six + five));
  EXPECT_TRUE(equal(five, Bytes({0xa0, 0x86, 0x00, 0x85, 0x80, 0x00})));  // nor do spare bytes
  EXPECT_FALSE(equal(five, Bytes({0xa5, 0x06, 5, 0, 0, 0})));             // but the wire type does
  EXPECT_TRUE(equal(Bytes({0xa2, 0x06, 0x81, 0x00, 'x'}), Bytes({0xa2, 0x06, 0x01, 'x'})));
  EXPECT_FALSE(equal(Bytes({0xa2, 0x06, 0x01, 'y'}), Bytes({0xa2, 0x06, 0x01, 'x'})));
  const auto group = [](const std::string& inside) { return Bytes({0xa3, 0x06}) + inside + Bytes({0xa4, 0x06}); };
  EXPECT_TRUE(equal(group(five + other), group(other + five)));
  EXPECT_FALSE(equal(group(five), group(six)));
  EXPECT_FALSE(equal(group(five) + group(six), group(six) + group(five)));
  EXPECT_TRUE(equal(group(group(five)) + other, other + group(group(five))));
}

TEST(Equal, UnknownFieldsAreComparedCopiedMergedAndWritten) {
  const std::string unknown = Bytes({0xa0, 0x06, 0x05, 0xa2, 0x06, 0x01, 'x'});
  NodeProto node;
  node.ParseFromString(unknown);
  NodeProto copy = node;
  EXPECT_EQ(copy, node);
  copy.MergeFrom(node);
  EXPECT_EQ(copy.SerializeAsString(), unknown + unknown);
  EXPECT_NE(copy, node);
  GraphProto graph;
  graph.add_node()->CopyFrom(node);
  graph.mutable_node(0)->MergeFrom(graph.node(0));
  EXPECT_EQ(graph.node(0).unknown(), unknown + unknown);
  EXPECT_EQ(graph.node(0).ByteSizeLong(), 2 * unknown.size());
  EXPECT_EQ(node.DebugString(), "");
}

TEST(Equal, GroupsNestedTooDeepAreAnErrorWhereverTheyAreMet) {
  std::string deep;
  for (int i = 0; i < 401; ++i) deep = Bytes({0xa3, 0x06}) + deep + Bytes({0xa4, 0x06});
  EXPECT_THROW(TensorProto_Segment().ParseFromString(deep), ParseError);
  EXPECT_TRUE(proto::Verbs::EqualUnknown(deep.substr(2, deep.size() - 4), deep.substr(2, deep.size() - 4)));
  for (int i = 0; i < 4; ++i) deep = Bytes({0xa3, 0x06}) + deep + Bytes({0xa4, 0x06});
  EXPECT_THROW(proto::Verbs::EqualUnknown(deep, deep + ""), NestingError);
}

TEST(Equal, ManyUnknownFieldsTakeTimeAndMemoryInProportionToThem) {
  std::string many;
  for (int i = 0; i < 100000; ++i) many += Bytes({0xa0, 0x06, i & 0x7f, 0x08, 0x01});  // with known ones between
  TensorProto_Segment a;
  a.ParseFromString(many);
  EXPECT_EQ(a.unknown().size(), 300000u);
  EXPECT_LT(a.arena()->bytes_used(), size_t{4} << 20);
  GraphProto graph;
  graph.add_initializer()->mutable_segment()->ParseFromString(many);
  EXPECT_EQ(graph.initializer(0).segment(), a);
  EXPECT_LT(graph.arena()->bytes_used(), size_t{4} << 20);
  std::string enums;
  for (int i = 0; i < 100000; ++i) enums += Bytes({0xa0, 0x01, 0x7f});
  AttributeProto attribute;
  attribute.ParseFromString(enums);
  EXPECT_EQ(attribute.unknown().size(), 300000u);
  EXPECT_LT(attribute.arena()->bytes_used(), size_t{4} << 20);
}

TEST(WireReader, EndsAtTheFirstFault) {
  const std::string good = Bytes({0x08, 0x01, 0x12, 0x01, 'x'});
  EXPECT_EQ(proto::ReadWireFields(good).size(), 2u);
  EXPECT_EQ(proto::ReadWireFields(good)[1].bytes, "x");
  for (const std::string& bad : {Bytes({0x0c}), Bytes({0x0b, 0x08}), Bytes({0x12, 0xff}), Bytes({0x15, 1, 2}), Bytes({0x0e}),
                                 Bytes({0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}), Bytes({0x80})}) {
    EXPECT_EQ(proto::ReadWireFields(good + bad).size(), 2u);
    for (size_t n = 0; n <= bad.size(); ++n) proto::ReadWireFields(bad.substr(0, n));
  }
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
