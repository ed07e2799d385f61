// The string types that fields show: RefString (a view), String (an owned std::string), OptionalString (a field that may be unset).
//
// They are interfaces: inside a message a string is a 16-byte handle, and becomes one of these when somebody asks for a reference.
#pragma once

#include <cstring>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "onnx_proto/storage/field_home.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

/// A view of bytes that somebody else keeps alive. Not terminated by NUL.
class RefString {
 public:
  RefString() = default;
  RefString(const char* data, size_t size) : view_(data, size) {}
  RefString(std::string_view view) : view_(view) {}  // NOLINT(google-explicit-constructor)
  const char* data() const { return view_.data(); }
  size_t size() const { return view_.size(); }
  bool empty() const { return view_.empty(); }
  char operator[](size_t index) const { return view_[index]; }
  std::string as_string() const { return std::string(view_); }
  operator std::string_view() const { return view_; }  // NOLINT(google-explicit-constructor)
  friend bool operator==(RefString a, std::string_view b) { return a.view_ == b; }
  friend ONNX_LIGHT_API std::ostream& operator<<(std::ostream& out, RefString text);

 private:
  std::string_view view_;
};

/// An owned string: a std::string with the few helpers that ported code asks for.
class String : public std::string {
 public:
  using std::string::string;
  String() = default;
  String(const std::string& text) : std::string(text) {}                 // NOLINT(google-explicit-constructor)
  String(std::string&& text) noexcept : std::string(std::move(text)) {}  // NOLINT(google-explicit-constructor)
  String(std::string_view text) : std::string(text) {}                   // NOLINT(google-explicit-constructor)
  String(RefString text) : std::string(std::string_view(text)) {}        // NOLINT(google-explicit-constructor)
  using std::string::operator=;
  String& operator=(RefString text) {
    assign(text.data(), text.size());
    return *this;
  }
  const std::string& as_string() const { return *this; }
};

/// A string that may be unset, like std::optional<std::string>; reading an unset one gives an empty string.
///
/// A message hands out references to its own (`ref_name()`): setting those makes the field present, `reset()` makes it absent. They
/// live until the field is cleared with its message; a copy is a value of its own.
class ONNX_LIGHT_API OptionalString {
 public:
  OptionalString() = default;
  OptionalString(std::nullopt_t) {}                                                    // NOLINT(google-explicit-constructor)
  OptionalString(std::string_view text) : value_(text), has_value_(true) {}            // NOLINT(google-explicit-constructor)
  OptionalString(const char* text) : OptionalString(std::string_view(text)) {}         // NOLINT(google-explicit-constructor)
  OptionalString(const std::string& text) : OptionalString(std::string_view(text)) {}  // NOLINT(google-explicit-constructor)
  OptionalString(const OptionalString& other) : value_(other.value()), has_value_(other.has_value()) {}
  OptionalString& operator=(const OptionalString& other);
  OptionalString& operator=(std::string_view text);
  OptionalString& operator=(const char* text) { return *this = std::string_view(text); }
  OptionalString& operator=(const std::string& text) { return *this = std::string_view(text); }
  OptionalString& operator=(RefString text) { return *this = std::string_view(text); }
  OptionalString& operator=(std::nullopt_t) {
    reset();
    return *this;
  }

  bool has_value() const { return home_.known() ? home_.present() : has_value_; }
  explicit operator bool() const { return has_value(); }
  bool null() const { return !has_value(); }
  const std::string& value() const { return value_; }
  const std::string& operator*() const { return value_; }
  const std::string* operator->() const { return &value_; }
  std::string value_or(std::string_view other) const { return std::string(has_value() ? std::string_view(value_) : other); }
  operator const std::string&() const { return value_; }                  // NOLINT(google-explicit-constructor)
  operator std::string_view() const { return std::string_view(value_); }  // NOLINT(google-explicit-constructor)
  const char* c_str() const { return value_.c_str(); }
  const char* data() const { return value_.data(); }
  size_t size() const { return value_.size(); }
  bool empty() const { return value_.empty(); }
  /// Makes the value present, empty if it was absent, and gives it for writing.
  std::string& mutable_ref();
  void reset();

  friend bool operator==(const OptionalString& a, std::string_view b) { return a.has_value() && a.value_ == b; }
  friend bool operator==(const OptionalString& a, const char* b) { return a == std::string_view(b); }
  friend bool operator==(const OptionalString& a, const std::string& b) { return a == std::string_view(b); }
  friend bool operator==(const OptionalString& a, const OptionalString& b) {
    return a.has_value() == b.has_value() && a.value_ == b.value_;
  }
  friend ONNX_LIGHT_API std::ostream& operator<<(std::ostream& out, const OptionalString& text);

 protected:
  String value_;  // empty while absent
  bool has_value_ = false;
  proto::FieldHome home_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::utils
