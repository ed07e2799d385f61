#include "random_message.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/unknown_field_set.h>
#include <google/protobuf/wire_format.h>

#include <cstring>
#include <iterator>

namespace oracle {
namespace {

namespace pb = google::protobuf;

template <typename T, size_t N>
const T& OneOf(Engine& engine, const T (&choices)[N]) {
  return choices[Below(engine, N)];
}

// Any bits at all, signalling NaNs included, or one of the numbers whose text is hard to get right.
template <typename Float, typename Bits>
Float AnyFloat(Engine& engine) {
  static constexpr Float kHard[] = {
      0, -0.0f, 1, -1, 0.1f, 0.5f, 1e5f, 1e6f, 1e15f, 1e16f, 16777216, 123456.7f, 3.4028235e38f, 1.17549435e-38f, 1e-45f};
  if (OneIn(engine, 2)) return OneOf(engine, kHard);
  static constexpr Bits kTop = Bits(1) << (sizeof(Bits) * 8 - 1);
  const Bits infinity = sizeof(Bits) == 4 ? Bits(0x7f800000u) : Bits(0x7ff0000000000000u);
  const Bits specials[] = {infinity,
                           Bits(infinity | kTop),
                           Bits(infinity + 1),
                           Bits((infinity + 1) | kTop),
                           Bits(infinity | (kTop >> (sizeof(Bits) == 4 ? 9 : 12))),
                           1,
                           kTop};
  const Bits bits = OneIn(engine, 3) ? OneOf(engine, specials) : static_cast<Bits>(engine());
  Float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

void AddUnknown(pb::UnknownFieldSet* fields, Engine& engine, int number, int wire_type, int depth) {
  switch (wire_type) {
    case 0: return fields->AddVarint(number, AnyInteger(engine));
    case 1: return fields->AddFixed64(number, engine());
    case 2: return fields->AddLengthDelimited(number, AnyBytes(engine));
    case 5: return fields->AddFixed32(number, static_cast<uint32_t>(engine()));
    default: {
      pb::UnknownFieldSet* group = fields->AddGroup(number);
      static constexpr int kTypes[] = {0, 1, 2, 3, 5};
      for (uint64_t n = depth < 3 ? Below(engine, 3) : 0; n > 0; --n)
        AddUnknown(group, engine, 1 + static_cast<int>(Below(engine, 3000)), OneOf(engine, kTypes), depth + 1);
    }
  }
}

// A number the message does not know, or one it knows with a wire type it does not take, or an enum field with a number that is no member.
void AddUnknownTo(pb::Message* message, Engine& engine) {
  const pb::Descriptor* type = message->GetDescriptor();
  pb::UnknownFieldSet* fields = message->GetReflection()->MutableUnknownFields(message);
  static constexpr int kTypes[] = {0, 1, 2, 3, 5};
  static constexpr int kNumbers[] = {12, 15, 16, 100, 2047, 2048, 19500, (1 << 21) - 1, 1 << 28, (1 << 29) - 1};
  const pb::FieldDescriptor* known = type->field(static_cast<int>(Below(engine, static_cast<uint64_t>(type->field_count()))));
  if (known->enum_type() != nullptr && OneIn(engine, 2)) {
    static constexpr uint64_t kNoMember[] = {27, 100, 128, 1u << 20, 0x7fffffffu, 0x80000000u, 0xffffffffu};
    return fields->AddVarint(known->number(), OneOf(engine, kNoMember));
  }
  const int wire_type = OneOf(engine, kTypes);
  const bool wrong = wire_type != static_cast<int>(pb::internal::WireFormat::WireTypeForFieldType(known->type())) &&
                     !(wire_type == 2 && known->is_packable());
  if (wrong && OneIn(engine, 2)) return AddUnknown(fields, engine, known->number(), wire_type, 0);
  const int number = OneOf(engine, kNumbers);
  if (type->FindFieldByNumber(number) == nullptr) AddUnknown(fields, engine, number, wire_type, 0);
}

class Filler {
 public:
  Filler(Engine& engine, int messages, const Kinds& kinds) : engine_(engine), messages_left_(messages), kinds_(kinds) {}

  void Fill(pb::Message* message) {
    const pb::Descriptor* type = message->GetDescriptor();
    const uint64_t rarity = 1 + Below(engine_, 4);  // from "everything is set" to "one field in four"
    for (int i = 0; i < type->field_count(); ++i) {
      if (OneIn(engine_, rarity)) Set(message, type->field(i));
    }
    if (kinds_.unknown_fields && OneIn(engine_, 3)) {
      for (uint64_t n = 1 + Below(engine_, 3); n > 0; --n) AddUnknownTo(message, engine_);
    }
  }

 private:
  void Set(pb::Message* message, const pb::FieldDescriptor* field) {
    const bool many = field->is_repeated();
    static constexpr uint64_t kCounts[] = {0, 1, 1, 2, 3, 5, 17};
    const bool is_message = field->cpp_type() == pb::FieldDescriptor::CPPTYPE_MESSAGE;
    for (uint64_t n = !many ? 1 : is_message ? 1 + Below(engine_, 3) : OneOf(engine_, kCounts); n > 0; --n) {
      if (is_message && messages_left_-- <= 0) return;
      SetOne(message, field, many);
    }
  }

  void SetOne(pb::Message* message, const pb::FieldDescriptor* field, bool many) {
    const pb::Reflection* reflection = message->GetReflection();
#define PUT(Type, value) return many ? reflection->Add##Type(message, field, value) : reflection->Set##Type(message, field, value)
    switch (field->cpp_type()) {
      case pb::FieldDescriptor::CPPTYPE_INT32: PUT(Int32, static_cast<int32_t>(AnyInteger(engine_)));
      case pb::FieldDescriptor::CPPTYPE_INT64: PUT(Int64, static_cast<int64_t>(AnyInteger(engine_)));
      case pb::FieldDescriptor::CPPTYPE_UINT64: PUT(UInt64, AnyInteger(engine_));
      case pb::FieldDescriptor::CPPTYPE_FLOAT: PUT(Float, (AnyFloat<float, uint32_t>(engine_)));
      case pb::FieldDescriptor::CPPTYPE_DOUBLE: PUT(Double, (AnyFloat<double, uint64_t>(engine_)));
      case pb::FieldDescriptor::CPPTYPE_ENUM: {
        const pb::EnumDescriptor* type = field->enum_type();
        PUT(Enum, type->value(static_cast<int>(Below(engine_, static_cast<uint64_t>(type->value_count())))));
      }
      case pb::FieldDescriptor::CPPTYPE_STRING: {
        const bool bytes = field->type() == pb::FieldDescriptor::TYPE_BYTES;
        PUT(String, bytes ? AnyBytes(engine_) : AnyText(engine_, !kinds_.invalid_utf8));
      }
      case pb::FieldDescriptor::CPPTYPE_MESSAGE:
        return Fill(many ? reflection->AddMessage(message, field) : reflection->MutableMessage(message, field));
      default: GOOGLE_LOG(FATAL) << "ONNX has no field of this kind: " << field->full_name();
    }
#undef PUT
  }

  Engine& engine_;
  int messages_left_;
  const Kinds& kinds_;
};

}  // namespace

uint64_t Below(Engine& engine, uint64_t bound) { return engine() % bound; }
bool OneIn(Engine& engine, uint64_t n) { return Below(engine, n) == 0; }

uint64_t AnyInteger(Engine& engine) {
  static constexpr int64_t kEnds[] = {
      0, 0, 1, 1, 2, -1, -2, 127, 128, 16383, 16384, INT32_MAX, INT32_MIN, 1LL << 32, (1LL << 35) - 1, 1LL << 56, INT64_MAX, INT64_MIN};
  if (!OneIn(engine, 3)) return static_cast<uint64_t>(OneOf(engine, kEnds));
  return engine() >> Below(engine, 64);
}

std::string AnyText(Engine& engine, bool valid) {
  static const std::string kPieces[] = {std::string(1, '\0'),
                                        "a",
                                        "Conv",
                                        "weight_0",
                                        "\"",
                                        "'",
                                        "\\",
                                        "\n\r\t",
                                        "\x7f",
                                        "\x1f"
                                        "7",
                                        " ",
                                        "\xc3\xa9",
                                        "\xe6\xbc\xa2",
                                        "\xf0\x9d\x84\x9e",
                                        "\xef\xbb\xbf",
                                        "\xc2\x80",
                                        "\xf4\x8f\xbf\xbf",
                                        std::string(130, 'x')};
  static const std::string kBroken[] = {"\xff",     "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80",
                                        "\xe2\x82", "\x80"};
  std::string text;
  for (uint64_t n = Below(engine, 5); n > 0; --n) text += !valid && OneIn(engine, 8) ? OneOf(engine, kBroken) : OneOf(engine, kPieces);
  return text;
}

std::string AnyBytes(Engine& engine) {
  if (OneIn(engine, 3)) return AnyText(engine, false);
  std::string bytes(OneIn(engine, 10) ? 300 : Below(engine, 9), '\0');
  for (char& byte : bytes) byte = static_cast<char>(engine());
  return bytes;
}

void Randomize(pb::Message* message, Engine& engine, int messages, const Kinds& kinds) { Filler(engine, messages, kinds).Fill(message); }

}  // namespace oracle
