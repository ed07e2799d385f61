// Where a value that somebody holds by reference belongs: the message and field whose presence it announces.
#pragma once

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class Message;
struct Row;

// A copy or move of the value around it belongs nowhere: hence copying and assigning leave this untouched.
class FieldHome {
 public:
  FieldHome() = default;
  FieldHome(Message* message, const Row* row) : message_(message), row_(row) {}
  FieldHome(const FieldHome&) noexcept {}
  FieldHome& operator=(const FieldHome&) noexcept { return *this; }  // NOLINT(bugprone-unhandled-self-assignment)

  void MoveTo(Message* message, const Row* row) {
    message_ = message;
    row_ = row;
  }
  bool known() const { return message_ != nullptr; }
  // The field becomes present (and every pending message above it, and no other member of its oneof).
  void Announce() const {
    if (message_) MakePresent();
  }
  bool present() const;
  // Only the presence ends; the value stays where it is.
  void MakeAbsent() const;

 private:
  void MakePresent() const;

  Message* message_ = nullptr;
  const Row* row_ = nullptr;
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
