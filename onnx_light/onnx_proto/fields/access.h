// What the accessors of a FIELD line do, behind their names.
#pragma once

#include "onnx_proto/fields/declare.h"
#include "onnx_proto/fields/owned.h"
#include "onnx_proto/fields/repeated_field.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

// How a singular field lies in its object, and how it is read.
template <class T>
using MemberOf = std::conditional_t<kIsMessage<T>, Message*, T>;
template <class T>
using Read = std::conditional_t<kIsMessage<T>, const T&, T>;

template <class T>
inline Read<T> Get(const Message& message, const Location& at) {
  if constexpr (kIsMessage<T>) {
    return message.HasNumber(at.number) ? static_cast<const T&>(*message.FindSlot(at)->child) : T::default_instance();
  } else {
    return message.HasNumber(at.number) ? *static_cast<const T*>(message.Find(at)) : T{};
  }
}
template <class T>
inline const T& GetRef(const Message& message, const Location& at) {
  static const MemberOf<T> kAbsent{};
  if constexpr (kIsMessage<T>) return Get<T>(message, at);
  else return message.HasNumber(at.number) ? *static_cast<const T*>(message.Find(at)) : kAbsent;
}
template <class T>
inline T& Mutable(Message& message, const Row& row) {
  if constexpr (kIsMessage<T>) return static_cast<T&>(*Verbs::Child(message, row));
  else return *static_cast<T*>(Verbs::Present(message, row));
}
template <class T>
inline void Set(Message& message, const Row& row, Read<T> value) {
  if constexpr (kIsMessage<T>) Verbs::SetChild(message, row, value);
  else Mutable<T>(message, row) = value;
}
template <class T>
inline void Adopt(Message& message, const Row& row, utils::Owned<T> value) {
  if (value) Verbs::SetChild(message, row, *value);
  else Verbs::ClearField(message, row);
}

// An element of a list, checked.
ONNX_LIGHT_API void* CheckedElement(const Message& message, const Row& row, int index);
template <class T>
inline Read<T> GetElement(const Message& message, const Row& row, int index) {
  void* const at = CheckedElement(message, row, index);
  if constexpr (kIsMessage<T>) return static_cast<const T&>(*static_cast<const Message*>(at));
  else return *static_cast<const T*>(at);
}
template <class T>
inline T* MutableElement(Message& message, const Row& row, int index) {
  void* const at = CheckedElement(message, row, index);
  message.Touch();
  if constexpr (kIsMessage<T>) return static_cast<T*>(static_cast<Message*>(at));
  else return static_cast<T*>(at);
}
template <class T>
inline T* AddElement(Message& message, const Row& row) {
  void* const at = Verbs::Append(message, row);
  if constexpr (kIsMessage<T>) return static_cast<T*>(static_cast<Message*>(at));
  else return static_cast<T*>(at);
}
// ---- enums and oneofs

// Empty if the enum has no such number, as protobuf's own.
ONNX_LIGHT_API std::string EnumName(const EnumTable& table, int number);
// -1 if the enum has no such name.
ONNX_LIGHT_API int EnumNumber(const EnumTable& table, std::string_view name);
template <class E>
bool ParseEnum(const EnumTable& table, std::string_view name, E* value) {
  const int number = EnumNumber(table, name);
  if (number < 0) return false;
  *value = static_cast<E>(number);
  return true;
}
// The number of the member of the group that is set, or 0.
ONNX_LIGHT_API int CaseOf(const Message& message, const Table& table, std::string_view group);

// ---- elements of lists of strings

ONNX_LIGHT_API std::string_view StringElement(const Message& message, const Row& row, int index);
ONNX_LIGHT_API const utils::String& OwnStringElement(const Message& message, const Row& row, int index);
ONNX_LIGHT_API void SetStringElement(Message& message, const Row& row, int index, std::string_view value);
ONNX_LIGHT_API void AddString(Message& message, const Row& row, std::string_view value);

}  // namespace ONNX_LIGHT_NAMESPACE::proto
