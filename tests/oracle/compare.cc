#include "compare.h"

#include <google/protobuf/descriptor.h>

#include <cstdlib>

#include "peer.h"
#include "subject.h"
#include "wire_field.h"

namespace oracle {
namespace {

namespace pb = google::protobuf;

size_t left_to_upb = 0;

struct Form {
  bool beyond_libprotobuf = false;  // upb and libprotobuf may disagree about it
  bool shortest = true;             // every tag, length and varint is as short as can be
};

// Looks at the encoding as far as it can be followed.
void Inspect(std::string_view bytes, const pb::Descriptor* message, Form* form) {
  size_t groups = 0;  // open ones; nothing in them is known
  while (!bytes.empty()) {
    uint64_t tag = 0, value = 0;
    const size_t at_tag = bytes.size();
    if (!TakeVarint(&bytes, &tag)) return;
    form->beyond_libprotobuf |= tag > UINT32_MAX && at_tag - bytes.size() <= 5;  // longer tags both refuse
    form->shortest &= at_tag - bytes.size() == Varint(tag).size();
    const std::string_view rest = bytes;
    const pb::FieldDescriptor* known = groups != 0 ? nullptr : message->FindFieldByNumber(static_cast<int>(tag >> 3));
    switch (tag & 7) {
      case kVarint:
        if (!TakeVarint(&bytes, &value)) return;
        form->shortest &= rest.substr(0, rest.size() - bytes.size()) == Varint(value);  // by bytes: of a tenth byte only one bit counts
        form->beyond_libprotobuf |= known != nullptr && known->enum_type() != nullptr && value > UINT32_MAX;
        break;
      case kLength: {
        if (!TakeVarint(&bytes, &value)) return;
        form->shortest &= rest.size() - bytes.size() == Varint(value).size();
        form->beyond_libprotobuf |= rest.size() - bytes.size() > 5;
        if (value > bytes.size()) return;
        if (known != nullptr && known->message_type() != nullptr) Inspect(bytes.substr(0, value), known->message_type(), form);
        bytes.remove_prefix(value);
        break;
      }
      case kFixed32:
      case kFixed64:
        value = (tag & 7) == kFixed32 ? 4 : 8;
        if (value > bytes.size()) return;
        bytes.remove_prefix(value);
        break;
      case kGroup: ++groups; break;
      case kGroupEnd: groups -= groups != 0; break;
      default: return;
    }
  }
}

testing::AssertionResult Consistent(const std::string& type, const Subject& ours) {
  const std::string bytes = ours.Serialize();
  if (bytes.size() != ours.ByteSize())
    return testing::AssertionFailure() << "size " << ours.ByteSize() << " announced, " << bytes.size() << " written";
  const auto again = MakeSubject(type);
  if (!again->Parse(bytes)) return testing::AssertionFailure() << "cannot read what it wrote, " << Hex(bytes) << ": " << again->error();
  if (again->Serialize() != bytes || !again->Equals(ours))
    return testing::AssertionFailure() << "what it wrote, " << Hex(bytes) << ", reads as " << Hex(again->Serialize());
  return testing::AssertionSuccess();
}

testing::AssertionResult Same(const std::string& type, const Subject& ours, const pb::Message& peer, bool shortest) {
  const std::string expected = peer.SerializeAsString();
  const std::string written = ours.Serialize();
  if (written != expected) {
    const auto rewritten = shortest ? nullptr : ReadPeer(type, written);
    if (rewritten == nullptr || rewritten->SerializeAsString() != expected) {
      return testing::AssertionFailure() << "writes   " << Hex(written) << "\nexpected " << Hex(expected);
    }
  }
  const std::string text = PeerText(peer);
  if (ours.Text() != text) return testing::AssertionFailure() << "prints\n" << ours.Text() << "expected\n" << text;
  return Consistent(type, ours);
}

}  // namespace

testing::AssertionResult ReadsLikeLibprotobuf(const std::string& type, std::string_view bytes) {
  const auto described = [&](testing::AssertionResult result) {
    return result ? result : result << "\n" << type << " from " << Hex(bytes);
  };
  const auto ours = MakeSubject(type);
  const std::string before = Unhex("c23e026f6b");  // field 1000, which no message knows
  if (!ours->Parse(before)) return described(testing::AssertionFailure() << "refuses an unknown field: " << ours->error());
  const auto borrower = MakeSubject(type);
  const bool read = ours->Parse(bytes);
  if (!read && ours->Serialize() != before)
    return described(testing::AssertionFailure() << "refused, but the target is now " << Hex(ours->Serialize()));
  if (borrower->ParseBorrowing(bytes) != read || (read && (borrower->Serialize() != ours->Serialize() || !borrower->Equals(*ours)))) {
    return described(testing::AssertionFailure()
                     << "a borrower reads it otherwise: " << borrower->error() << " " << Hex(borrower->Serialize()));
  }
  const auto peer = ReadPeer(type, bytes);
  Form form;
  Inspect(bytes, MakePeer(type)->GetDescriptor(), &form);
  if (form.beyond_libprotobuf) {
    ++left_to_upb;
    return described(read ? Consistent(type, *ours) : testing::AssertionSuccess());
  }
  if (read != (peer != nullptr)) {
    return described(testing::AssertionFailure() << (read ? "reads what libprotobuf refuses, as " + Hex(ours->Serialize())
                                                          : "refuses what libprotobuf reads: " + ours->error()));
  }
  return described(read ? Same(type, *ours, *peer, form.shortest) : testing::AssertionSuccess());
}

size_t LeftToUpb() { return left_to_upb; }

std::string Hex(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char byte : bytes) hex += {kDigits[static_cast<unsigned char>(byte) >> 4], kDigits[byte & 15]};
  return hex;
}

std::string Unhex(std::string_view hex) {
  const auto digit = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) bytes += static_cast<char>(digit(hex[i]) << 4 | digit(hex[i + 1]));
  return bytes;
}

uint64_t Rounds(uint64_t rounds) {
  const char* times = std::getenv("ONNX_LIGHT_ORACLE_ROUNDS");
  return times == nullptr ? rounds : rounds * std::strtoull(times, nullptr, 10);
}

}  // namespace oracle
