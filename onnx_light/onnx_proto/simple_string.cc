#include "onnx_proto/simple_string.h"

#include <ostream>

namespace ONNX_LIGHT_NAMESPACE::utils {

std::ostream& operator<<(std::ostream& out, RefString text) { return out << text.view_; }
std::ostream& operator<<(std::ostream& out, const OptionalString& text) { return out << text.value_; }

OptionalString& OptionalString::operator=(const OptionalString& other) {
  if (this == &other) return *this;
  if (!other.has_value()) {
    reset();
  } else {
    *this = std::string_view(other.value_);
  }
  return *this;
}

OptionalString& OptionalString::operator=(std::string_view text) {
  value_.assign(text);  // std::string allows its own characters
  has_value_ = true;
  home_.Announce();
  return *this;
}

std::string& OptionalString::mutable_ref() {
  has_value_ = true;
  home_.Announce();
  return value_;
}

void OptionalString::reset() {
  value_.clear();
  has_value_ = false;
  if (home_.known()) home_.MakeAbsent();
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils
