// Any bytes as any message: an error, or a message that every verb treats alike.
//
// The first byte chooses the type. What was read is written, measured, read again (copied, borrowed, and into an arena that lives on),
// printed, copied, moved and merged; all of it must agree.
#include "check.h"

namespace ONNX_LIGHT_NAMESPACE::fuzz {

template <class T>
bool Parses(T& message, std::string_view bytes, const ParseOptions& options = {}) {
  try {
    return message.ParseFromString(bytes, options);
  } catch (const ParseError&) {
    FUZZ_CHECK(message.has_bits() == 0 && message.unknown().empty());
    CheckRefusedChangesNothing<T>([&](T& other) { other.ParseFromString(bytes, options); });
    return false;
  }
}

// Parses twice into a message that is part of a living arena.
template <class T>
bool ParsesInPlace(const T& expected, std::string_view bytes) {
  proto::NewRoot root(T::table());
  for (int i = 0; i < 2; ++i) {
    try {
      proto::Verbs::Parse(T::table(), root.message(), bytes, {});
    } catch (const ParseError&) {
      return false;
    }
    FUZZ_CHECK(static_cast<const T&>(root.message()) == expected);
  }
  proto::Verbs::Clear(T::table(), root.message());
  FUZZ_CHECK(static_cast<const T&>(root.message()) == T());
  return true;
}

template <class T>
void RoundTrip(std::string_view bytes) {
  T read;
  if (!Parses(read, bytes)) {
    ParseOptions borrowing;
    borrowing.no_copy = true;
    T borrowed;
    FUZZ_CHECK(!Parses(borrowed, bytes, borrowing));
    FUZZ_CHECK(!ParsesInPlace(T(), bytes));
    CheckRefusedChangesNothing<T>([&](T& other) { other.MergeFromString(bytes); });
    return;
  }
  const std::string written = read.SerializeAsString();
  FUZZ_CHECK(read.ByteSizeLong() == written.size());

  T again;
  FUZZ_CHECK(Parses(again, written));
  FUZZ_CHECK(again == read && again.SerializeAsString() == written);
  ParseOptions borrowing;
  borrowing.no_copy = true;
  T borrowed;
  FUZZ_CHECK(Parses(borrowed, bytes, borrowing) && borrowed == read);
  FUZZ_CHECK(ParsesInPlace(read, bytes));

  const std::string text = read.DebugString();
  FUZZ_CHECK(text == again.DebugString());

  T copy(read);
  FUZZ_CHECK(copy == read && copy.SerializeAsString() == written);
  T moved(std::move(copy));
  FUZZ_CHECK(moved == read);
  moved.MergeFrom(moved);
  T twice;
  FUZZ_CHECK(Parses(twice, written + written));  // the definition of merging
  FUZZ_CHECK(moved == twice && moved.SerializeAsString() == twice.SerializeAsString());
  again.MergeFromString(bytes);
  FUZZ_CHECK(again == twice);
  again.DiscardUnknownFields();
  FUZZ_CHECK(again.unknown().empty());
  again.Clear();
  FUZZ_CHECK(again == T());
}

}  // namespace ONNX_LIGHT_NAMESPACE::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  ONNX_LIGHT_NAMESPACE::fuzz::WithMessageType(data[0], [&]<class T>() { ONNX_LIGHT_NAMESPACE::fuzz::RoundTrip<T>(bytes); });
  return 0;
}
