// The macros that declare a message once: BEGIN_PROTO, one FIELD line a field, SERIALIZATION_METHOD, END_PROTO.
//
//   FIELD(type, name, number, doc)                 a number (int64_t, int32_t, float), an enum, or a message
//   FIELD_STR(name, number, doc)                   text            FIELD_WORD  the same, for words that repeat (op_type)
//   FIELD_BYTES(name, number, doc)                 bytes           FIELD_PAYLOAD  bytes of a tensor, in a ByteSpan
//   FIELD_REPEATED(type, name, number, doc)        a list of numbers or messages; FIELD_REPEATED_PACKED writes numbers packed
//   FIELD_REPEATED_STR(type, name, number, doc)    a list of strings (utils::String); FIELD_REPEATED_BYTES(name, number, doc) of bytes
//
// An optional last argument says where the field lives: HERE, in the object (as when nothing is said); RARE, in a block that exists only
// when something rare is set; VALUE, in the object's one shared slot (declared by VALUE_SLOT()) while that is free, else with the rare
// ones; ONEOF(group, constant), like VALUE, with at most one of the group set (declared by ONEOF_CASE).
// Each line gives the member (if HERE), its accessors, and a constexpr row from which every verb is derived.
//
// onnx.h undefines these macros at its end (fields/undeclare.h), so that no client meets them by chance.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "onnx_proto/fields/access.h"
#include "onnx_proto/serialize_options.h"
#include "onnx_proto/verbs/stream_verbs.h"

#if defined(__GNUC__)
#pragma GCC diagnostic push
// Messages have a base and no virtual functions: offsetof is the same everywhere, though the standard does not say so.
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#endif

// clang-format off
#define PROTO_NS ::ONNX_LIGHT_NAMESPACE::proto
#define PROTO_UTILS ::ONNX_LIGHT_NAMESPACE::utils

// ---- where a field lives

#define PROTO_FIRST(first, ...) first
#define PROTO_WHERE(...) PROTO_FIRST(__VA_ARGS__ __VA_OPT__(, ) HERE)
#define PROTO_PLACE_HERE PROTO_NS::Place::kHere
#define PROTO_PLACE_RARE PROTO_NS::Place::kRare
#define PROTO_PLACE_VALUE PROTO_NS::Place::kValue
#define PROTO_PLACE_ONEOF(group, constant) PROTO_NS::Place::kValue
#define PROTO_GROUP_HERE ""
#define PROTO_GROUP_RARE ""
#define PROTO_GROUP_VALUE ""
#define PROTO_GROUP_ONEOF(group, constant) #group
#define PROTO_OFFSET_HERE(name) offsetof(Self, name##_)
#define PROTO_OFFSET_RARE(name) 0
#define PROTO_OFFSET_VALUE(name) offsetof(Self, value_slot_)
#define PROTO_OFFSET_ONEOF(group, constant) PROTO_OFFSET_VALUE
#define PROTO_MEMBER_HERE(type, name) [[maybe_unused]] type name##_{};
#define PROTO_MEMBER_RARE(type, name)
#define PROTO_MEMBER_VALUE(type, name)
#define PROTO_MEMBER_ONEOF(group, constant) PROTO_MEMBER_VALUE
#define PROTO_CASE_HERE 0 <
#define PROTO_CASE_RARE 0 <
#define PROTO_CASE_VALUE 0 <
#define PROTO_CASE_ONEOF(group, constant) constant ==

// ---- the row, and what all accessors have in common
// The row function names its return type: with `auto` the probe in HasRow would find it undeduced, and the table silently empty.

#define PROTO_ROW(kind_, member, name_, number_, where, doc_, ...)                                                                      \
 private:                                                                                                                               \
  PROTO_MEMBER_##where(member, name_)                                                                                                   \
                                                                                                                                        \
 public:                                                                                                                                \
  static_assert(PROTO_CASE_##where number_, "the constant of the oneof's case is not the field's number");                              \
  static constexpr PROTO_NS::Row RowFor(PROTO_NS::Number<number_>) {                                                                    \
    return {.number = number_, .kind = kind_, .place = PROTO_PLACE_##where,                                                             \
            .offset = static_cast<uint16_t>(PROTO_OFFSET_##where(name_)), .name = PROTO_NS::FieldName(#name_), .oneof = PROTO_GROUP_##where,                 \
            .doc = doc_, __VA_ARGS__};                                                                                                  \
  }                                                                                                                                     \
  static constexpr PROTO_NS::Location LocationFor(PROTO_NS::Number<number_>) {                                                          \
    return {number_, PROTO_PLACE_##where, static_cast<uint16_t>(PROTO_OFFSET_##where(name_))};                                          \
  }                                                                                                                                     \
  void clear_##name_() { PROTO_NS::Verbs::ClearField(*this, table().RowOf(number_)); }
#define PROTO_SINGULAR(name, number) \
  bool has_##name() const { return HasNumber(number); }
#define PROTO_LOCATION(number) LocationFor(PROTO_NS::Number<number>{})

// ---- numbers, enums and messages

#define FIELD(type, name, number, doc, ...) PROTO_FIELD(type, name, number, doc, PROTO_WHERE(__VA_ARGS__))
#define PROTO_FIELD(...) PROTO_FIELD_AT(__VA_ARGS__)
#define PROTO_FIELD_AT(type_, name, number_, doc, where)                                                                                \
  PROTO_ROW(PROTO_NS::KindOf<type_>(), PROTO_NS::MemberOf<type_>, name, number_, where, doc, .child = PROTO_NS::ChildTable<type_>(),    \
            .enumeration = PROTO_NS::EnumTableOf<type_>())                                                                              \
  static std::type_identity<type_> ChildFor(PROTO_NS::Number<number_>);                                                                 \
  PROTO_SINGULAR(name, number_)                                                                                                         \
  PROTO_NS::Read<type_> name() const { return PROTO_NS::Get<type_>(*this, PROTO_LOCATION(number_)); }                                   \
  const type_& ref_##name() const { return PROTO_NS::GetRef<type_>(*this, PROTO_LOCATION(number_)); }                                   \
  type_& ref_##name() { return PROTO_NS::Mutable<type_>(*this, table().RowOf(number_)); }                                               \
  void set_##name(PROTO_NS::Read<type_> value) { PROTO_NS::Set<type_>(*this, table().RowOf(number_), value); }                          \
  template <class T = type_>                                                                                                            \
    requires(PROTO_NS::kIsMessage<T>)                                                                                                  \
  T* mutable_##name() {                                                                                                                 \
    return &PROTO_NS::Mutable<T>(*this, table().RowOf(number_));                                                                        \
  }                                                                                                                                     \
  template <class T = type_>                                                                                                            \
    requires(PROTO_NS::kIsMessage<T>)                                                                                                  \
  PROTO_UTILS::Owned<T> release_##name() {                                                                                              \
    return PROTO_UTILS::Owned<T>(PROTO_NS::Verbs::ReleaseChild(*this, table().RowOf(number_)));                                         \
  }                                                                                                                                     \
  template <class T = type_>                                                                                                            \
    requires(PROTO_NS::kIsMessage<T>)                                                                                                  \
  void set_allocated_##name(PROTO_UTILS::Owned<T> value) {                                                                              \
    PROTO_NS::Adopt<T>(*this, table().RowOf(number_), std::move(value));                                                                \
  }

// ---- strings and bytes

#define FIELD_STR(name, number, doc, ...) PROTO_STRING(kString, false, name, number, doc, PROTO_WHERE(__VA_ARGS__))
#define FIELD_WORD(name, number, doc, ...) PROTO_STRING(kString, true, name, number, doc, PROTO_WHERE(__VA_ARGS__))
#define FIELD_BYTES(name, number, doc, ...) PROTO_STRING(kBytes, false, name, number, doc, PROTO_WHERE(__VA_ARGS__))
#define PROTO_STRING(...) PROTO_STRING_AT(__VA_ARGS__)
#define PROTO_STRING_AT(kind, word, name, number_, doc, where)                                                                          \
  PROTO_ROW(PROTO_NS::Kind::kind, PROTO_NS::StringHandle, name, number_, where, doc, .repeats = word)                                   \
  PROTO_SINGULAR(name, number_)                                                                                                         \
  std::string_view view_##name() const {                                                                                                \
    return has_##name() ? FindSlot(PROTO_LOCATION(number_))->string.view() : std::string_view();                                        \
  }                                                                                                                                     \
  const std::string& str_##name() const { return ref_##name().value(); }                                                                \
  const std::string& name() const { return ref_##name().value(); }                                                                      \
  const PROTO_UTILS::OptionalString& ref_##name() const { return PROTO_NS::Verbs::HoldString(*this, table().RowOf(number_)); }          \
  PROTO_UTILS::OptionalString& ref_##name() { return PROTO_NS::Verbs::HoldString(*this, table().RowOf(number_)); }                      \
  std::string* mutable_##name() { return PROTO_NS::Verbs::MutableString(*this, table().RowOf(number_)); }                               \
  void set_##name(std::string_view value) { PROTO_NS::Verbs::SetString(*this, table().RowOf(number_), value); }                         \
  void set_##name(const char* data, size_t size) { set_##name(std::string_view(data, size)); }

// ---- the bytes of a tensor

#define FIELD_PAYLOAD(name, number, doc, ...) PROTO_PAYLOAD(name, number, doc, PROTO_WHERE(__VA_ARGS__))
#define PROTO_PAYLOAD(...) PROTO_PAYLOAD_AT(__VA_ARGS__)
#define PROTO_PAYLOAD_AT(name, number_, doc, where)                                                                                     \
  PROTO_ROW(PROTO_NS::Kind::kPayload, PROTO_NS::PayloadSlot*, name, number_, where, doc)                                                \
  PROTO_SINGULAR(name, number_)                                                                                                         \
  const PROTO_UTILS::ByteSpan& name() const { return PROTO_NS::Verbs::Payload(*this, table().RowOf(number_)); }                         \
  const PROTO_UTILS::ByteSpan& ref_##name() const { return name(); }                                                                    \
  PROTO_UTILS::ByteSpan& ref_##name() { return PROTO_NS::Verbs::HoldPayload(*this, table().RowOf(number_)); }                           \
  PROTO_UTILS::ByteSpan* mutable_##name() {                                                                                             \
    return &PROTO_NS::Verbs::MutablePayload(*this, table().RowOf(number_));                                                             \
  }                                                                                                                                     \
  void set_##name(PROTO_UTILS::ByteSpan value) {                                                                                        \
    PROTO_NS::Verbs::SetPayload(*this, table().RowOf(number_), std::move(value));                                                       \
  }                                                                                                                                     \
  void set_##name(std::string_view bytes) { set_##name(bytes.data(), bytes.size()); }                                                   \
  void set_##name(const void* data, size_t size) {                                                                                      \
    PROTO_UTILS::ByteSpan span;                                                                                                         \
    span.assign(data, size);                                                                                                            \
    set_##name(std::move(span));                                                                                                        \
  }                                                                                                                                     \
  void set_##name##_with_deleter(const void* data, size_t size, PROTO_UTILS::Deleter deleter) {                                         \
    PROTO_UTILS::ByteSpan span;                                                                                                         \
    span.assign_with_deleter(data, size, std::move(deleter));                                                                           \
    set_##name(std::move(span));                                                                                                        \
  }                                                                                                                                     \
  void attach_##name##_deleter(PROTO_UTILS::Deleter deleter) { ref_##name().attach_deleter(std::move(deleter)); }                       \
  PROTO_UTILS::ByteSpan release_##name() {                                                                                              \
    PROTO_UTILS::ByteSpan taken(name());                                                                                                \
    clear_##name();                                                                                                                     \
    return taken;                                                                                                                       \
  }

// ---- lists

#define PROTO_LIST(list, name, number_)                                                                                                 \
  int name##_size() const { return static_cast<int>(PROTO_NS::Verbs::Count(*this, table().RowOf(number_))); }                           \
  bool has_##name() const { return name##_size() != 0; }                                                                                \
  const list name() const { return list(*this, table().RowOf(number_)); } /* NOLINT(readability-const-return-type): it is a view */     \
  const list ref_##name() const { return name(); }                         /* NOLINT(readability-const-return-type) */                  \
  list& ref_##name() { return list::Of(PROTO_NS::Verbs::Hold(*this, table().RowOf(number_))); }                                         \
  list* mutable_##name() { return &ref_##name(); }

#define FIELD_REPEATED(type, name, number, doc, ...) PROTO_REPEATED(false, type, name, number, doc, PROTO_WHERE(__VA_ARGS__))
#define FIELD_REPEATED_PACKED(type, name, number, doc, ...) PROTO_REPEATED(true, type, name, number, doc, PROTO_WHERE(__VA_ARGS__))
#define PROTO_REPEATED(...) PROTO_REPEATED_AT(__VA_ARGS__)
#define PROTO_REPEATED_AT(packed_, type_, name, number_, doc, where)                                                                    \
  static std::type_identity<type_> ChildFor(PROTO_NS::Number<number_>);                                                                 \
  PROTO_ROW(PROTO_NS::ListKindOf<type_>(), PROTO_NS::ListHandle, name, number_, where, doc, .child = PROTO_NS::ChildTable<type_>(),     \
            .packed = packed_)                                                                                                          \
  PROTO_LIST(PROTO_NS::ListOf<type_>, name, number_)                                                                                    \
  PROTO_NS::Read<type_> name(int index) const { return PROTO_NS::GetElement<type_>(*this, table().RowOf(number_), index); }             \
  template <class T = type_>                                                                                                            \
    requires(PROTO_NS::kIsMessage<T>)                                                                                                  \
  T* mutable_##name(int index) {                                                                                                        \
    return PROTO_NS::MutableElement<T>(*this, table().RowOf(number_), index);                                                           \
  }                                                                                                                                     \
  template <class T = type_>                                                                                                            \
    requires(PROTO_NS::kIsMessage<T>)                                                                                                  \
  T* add_##name() {                                                                                                                     \
    return PROTO_NS::AddElement<T>(*this, table().RowOf(number_));                                                                      \
  }                                                                                                                                     \
  template <class T = type_>                                                                                                            \
    requires(!PROTO_NS::kIsMessage<T>)                                                                                                  \
  void add_##name(std::type_identity_t<T> value) {                                                                                      \
    *PROTO_NS::AddElement<T>(*this, table().RowOf(number_)) = value;                                                                    \
  }                                                                                                                                     \
  template <class T = type_>                                                                                                            \
    requires(!PROTO_NS::kIsMessage<T>)                                                                                                  \
  void set_##name(int index, std::type_identity_t<T> value) {                                                                           \
    *PROTO_NS::MutableElement<T>(*this, table().RowOf(number_), index) = value;                                                         \
  }

#define FIELD_REPEATED_STR(type, name, number, doc, ...) PROTO_STRINGS(kStrings, type, name, number, doc, PROTO_WHERE(__VA_ARGS__))
#define FIELD_REPEATED_BYTES(name, number, doc, ...) \
  PROTO_STRINGS(kByteStrings, PROTO_UTILS::String, name, number, doc, PROTO_WHERE(__VA_ARGS__))
#define PROTO_STRINGS(...) PROTO_STRINGS_AT(__VA_ARGS__)
#define PROTO_STRINGS_AT(kind, type_, name, number_, doc, where)                                                                        \
  static_assert(std::is_same_v<type_, PROTO_UTILS::String>, "FIELD_REPEATED_STR takes utils::String");                                  \
  PROTO_ROW(PROTO_NS::Kind::kind, PROTO_NS::ListHandle, name, number_, where, doc)                                                      \
  PROTO_LIST(PROTO_UTILS::RepeatedStringField, name, number_)                                                                           \
  std::string_view view_##name(int index) const { return PROTO_NS::StringElement(*this, table().RowOf(number_), index); }               \
  const std::string& name(int index) const { return PROTO_NS::OwnStringElement(*this, table().RowOf(number_), index); }                 \
  std::string* mutable_##name(int index) { return ref_##name().Mutable(index); }                                                        \
  void set_##name(int index, std::string_view value) { PROTO_NS::SetStringElement(*this, table().RowOf(number_), index, value); }       \
  void add_##name(std::string_view value) { PROTO_NS::AddString(*this, table().RowOf(number_), value); }                                \
  std::string* add_##name() { return ref_##name().Add(); }

// ---- oneofs

// `case_type` is the enum that `group_case()` gives; its constants are the numbers of the members, which their lines check.
#define ONEOF_CASE(group, case_type, not_set, ...)                                                               \
  enum case_type : int { not_set = 0, __VA_ARGS__ };                                                             \
  case_type group##_case() const { return static_cast<case_type>(PROTO_NS::CaseOf(*this, table(), #group)); }    \
  void clear_##group() {                                                                                         \
    if (const int number = group##_case()) PROTO_NS::Verbs::ClearField(*this, table().RowOf(number));            \
  }
#define VALUE_SLOT()            \
 private:                       \
  [[maybe_unused]] PROTO_NS::Slot value_slot_{}; \
                                \
 public:

// ---- enums: `values(DO, prefix)` lists DO(prefix, NAME, number), from 0 without a gap

#define PROTO_ENUM_CONSTANT(prefix, name, number) name = number,
#define PROTO_ENUM_VALUE(prefix, name, number) {#name, number},
#define PROTO_ENUM_ALIAS(prefix, name, number) inline constexpr prefix prefix##_##name = prefix::name;
#define PROTO_ENUM(owner, name, values)                                                                                            \
  enum name : int { values(PROTO_ENUM_CONSTANT, name) };                                                                           \
  static constexpr PROTO_NS::EnumValue k##name##Values[] = {values(PROTO_ENUM_VALUE, name)};                                       \
  static constexpr PROTO_NS::EnumTable k##name##Table{#owner "." #name, k##name##Values};                                          \
  friend constexpr const PROTO_NS::EnumTable* DescribeEnum(name) { return &k##name##Table; }                                       \
  static bool name##_IsValid(int number) { return k##name##Table.Has(number); }                                                    \
  static std::string name##_Name(int number) { return PROTO_NS::EnumName(k##name##Table, number); }                                \
  static bool name##_Parse(std::string_view text, name* value) { return PROTO_NS::ParseEnum(k##name##Table, text, value); }
// The spellings at namespace level: TensorProto_DataType_FLOAT and TensorProto_DataType_Name().
#define PROTO_ENUM_ALIASES(owner, name, values)                                                       \
  using owner##_##name = owner::name;                                                                 \
  values(PROTO_ENUM_ALIAS, owner##_##name)                                                            \
  inline bool owner##_##name##_IsValid(int number) { return owner::name##_IsValid(number); }          \
  inline std::string owner##_##name##_Name(int number) { return owner::name##_Name(number); }         \
  inline bool owner##_##name##_Parse(std::string_view text, owner##_##name* value) { return owner::name##_Parse(text, value); }
// An enum of the namespace itself.
#define PROTO_NAMESPACE_ENUM(name, values)                                                                                        \
  enum name : int { values(PROTO_ENUM_CONSTANT, name) };                                                                          \
  inline constexpr PROTO_NS::EnumValue k##name##Values[] = {values(PROTO_ENUM_VALUE, name)};                                      \
  inline constexpr PROTO_NS::EnumTable k##name##Table{#name, k##name##Values};                                                    \
  constexpr const PROTO_NS::EnumTable* DescribeEnum(name) { return &k##name##Table; }                                             \
  inline bool name##_IsValid(int number) { return k##name##Table.Has(number); }                                                   \
  inline std::string name##_Name(int number) { return PROTO_NS::EnumName(k##name##Table, number); }                               \
  inline bool name##_Parse(std::string_view text, name* value) { return PROTO_NS::ParseEnum(k##name##Table, text, value); }

// ---- the class

#define BEGIN_PROTO(cls, doc) BEGIN_PROTO_NAMED(cls, #cls, doc)
// For nested messages, whose C++ name is Outer_Inner and whose name is "Outer.Inner".
#define BEGIN_PROTO_NAMED(cls, name_, doc_)                                                                 \
  class ONNX_LIGHT_API cls : public PROTO_NS::Message {                                                     \
   public:                                                                                                  \
    using Self = cls;                                                                                       \
    static constexpr std::string_view kName = name_;                                                        \
    static constexpr std::string_view kFullName = "onnx." name_;                                            \
    static constexpr std::string_view kDoc = doc_;                                                          \
    cls() {} /* NOLINT(modernize-use-equals-default): the bases are not to be zeroed twice */               \
    cls(const cls& other) : Message() { CopyFrom(other); }                                                  \
    cls(cls&& other) noexcept : Message() { PROTO_NS::Verbs::MoveValue(table(), *this, other); }            \
    cls& operator=(const cls& other) { /* NOLINT(bugprone-unhandled-self-assignment): CopyFrom handles it */ \
      CopyFrom(other);                                                                                      \
      return *this;                                                                                         \
    }                                                                                                       \
    cls& operator=(cls&& other) { /* NOLINT(performance-noexcept-move-constructor): into a part it copies */ \
      PROTO_NS::Verbs::MoveValue(table(), *this, other);                                                    \
      return *this;                                                                                         \
    }

// What every message can do. Parsing throws ParseError and then leaves the message as it was; it returns true, as ported code asks.
#define SERIALIZATION_METHOD()                                                                                                           \
  static const PROTO_NS::Table& table() { return PROTO_NS::TableOf<Self>(); }                                                            \
  static const Self& default_instance() {                                                                                                \
    static const Self kInstance;                                                                                                         \
    return kInstance;                                                                                                                    \
  }                                                                                                                                      \
  std::string GetTypeName() const { return std::string(kFullName); }                                                                     \
  bool ParseFromString(std::string_view bytes, const ::ONNX_LIGHT_NAMESPACE::ParseOptions& options = {}) {                               \
    PROTO_NS::Verbs::Parse(table(), *this, bytes, options);                                                                              \
    return true;                                                                                                                         \
  }                                                                                                                                      \
  bool ParseFromArray(const void* data, size_t size, const ::ONNX_LIGHT_NAMESPACE::ParseOptions& options = {}) {                         \
    return ParseFromString({static_cast<const char*>(data), size}, options);                                                             \
  }                                                                                                                                      \
  bool MergeFromString(std::string_view bytes, const ::ONNX_LIGHT_NAMESPACE::ParseOptions& options = {}) {                               \
    PROTO_NS::Verbs::ParseAndMerge(table(), *this, bytes, options);                                                                      \
    return true;                                                                                                                         \
  }                                                                                                                                      \
  bool ParseFromStream(PROTO_UTILS::BinaryStream& stream, const ::ONNX_LIGHT_NAMESPACE::ParseOptions& options = {}) {                    \
    PROTO_NS::ParseStream(table(), *this, stream, options);                                                                              \
    return true;                                                                                                                         \
  }                                                                                                                                      \
  bool ParseFromIstream(std::istream* in, const ::ONNX_LIGHT_NAMESPACE::ParseOptions& options = {}) {                                    \
    PROTO_NS::ParseIstream(table(), *this, *in, options);                                                                                \
    return true;                                                                                                                         \
  }                                                                                                                                      \
  std::string SerializeAsString(const ::ONNX_LIGHT_NAMESPACE::SerializeOptions& options = {}) const {                                    \
    return PROTO_NS::Verbs::Serialize(table(), *this, options);                                                                          \
  }                                                                                                                                      \
  bool SerializeToString(std::string* out, const ::ONNX_LIGHT_NAMESPACE::SerializeOptions& options = {}) const {                         \
    *out = SerializeAsString(options);                                                                                                   \
    return true;                                                                                                                         \
  }                                                                                                                                      \
  bool SerializeToString(std::string& out, const ::ONNX_LIGHT_NAMESPACE::SerializeOptions& options = {}) const {                         \
    return SerializeToString(&out, options);                                                                                             \
  }                                                                                                                                      \
  /* False, and nothing written, if `size` bytes are too few. */                                                                         \
  bool SerializeToArray(void* data, size_t size, const ::ONNX_LIGHT_NAMESPACE::SerializeOptions& options = {}) const {                   \
    return PROTO_NS::SerializeArray(table(), *this, data, size, options);                                                                \
  }                                                                                                                                      \
  bool SerializeToStream(PROTO_UTILS::BinaryWriteStream& stream, const ::ONNX_LIGHT_NAMESPACE::SerializeOptions& options = {}) const {   \
    PROTO_NS::SerializeStream(table(), *this, stream, options);                                                                          \
    return true;                                                                                                                         \
  }                                                                                                                                      \
  /* False if the stream fails. */                                                                                                       \
  bool SerializeToOstream(std::ostream* out, const ::ONNX_LIGHT_NAMESPACE::SerializeOptions& options = {}) const {                       \
    return PROTO_NS::SerializeOstream(table(), *this, *out, options);                                                                    \
  }                                                                                                                                      \
  size_t ByteSizeLong() const { return PROTO_NS::Verbs::Size(table(), *this); }                                                          \
  std::string DebugString() const { return PROTO_NS::Verbs::Text(table(), *this); }                                                      \
  void CopyFrom(const Self& other) { PROTO_NS::Verbs::Copy(table(), *this, other); }                                                     \
  void MergeFrom(const Self& other) { PROTO_NS::Verbs::Merge(table(), *this, other); }                                                   \
  void Clear() { PROTO_NS::Verbs::Clear(table(), *this); }                                                                               \
  void Swap(Self* other) { PROTO_NS::Verbs::Swap(table(), *this, *other); }                                                              \
  void DiscardUnknownFields() { PROTO_NS::Verbs::ClearUnknown(table(), *this); }                                                         \
  friend void swap(Self& a, Self& b) { a.Swap(&b); }                                                                                     \
  friend bool operator==(const Self& a, const Self& b) { return PROTO_NS::Verbs::Equal(table(), a, b); }

#define END_PROTO() \
  };
// clang-format on
