#include "onnx_proto/external_data/reference.h"

#include <charconv>
#include <vector>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/tensor_size.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

[[noreturn]] void Fail(const TensorProto& tensor, const std::string& place, const std::string& rule) {
  throw ExternalDataError(NameOf(tensor, place) + ": " + rule);
}

bool IsKnownKey(std::string_view key) { return key == "location" || key == "offset" || key == "length" || key == "checksum"; }

// Decimal, with blanks around it and a plus as other readers allow.
uint64_t NumberOf(const TensorProto& tensor, const std::string& place, std::string_view key, std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const size_t first = text.find_first_not_of(kBlanks);
  std::string_view digits = first == std::string_view::npos ? std::string_view() : text.substr(first);
  digits = digits.substr(0, digits.find_last_not_of(kBlanks) + 1);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || end != digits.data() + digits.size() || error == std::errc::invalid_argument) {
    Fail(tensor, place, "its external " + std::string(key) + " has to be a number of bytes, " + Quoted(text) + " found");
  }
  if (error != std::errc() || number > INT64_MAX)
    Fail(tensor, place, "its external " + std::string(key) + " exceeds 63 bits: " + Quoted(text));
  return number;
}

void AddEntry(TensorProto& tensor, std::string_view key, std::string_view value) {
  StringStringEntryProto* entry = tensor.add_external_data();
  entry->set_key(key);
  entry->set_value(value);
}

}  // namespace

ExternalDataError::~ExternalDataError() = default;  // here, so that the type has one home

// Many of these are kept while a model is read, so a deep place is shown by its ends.
std::string NameOf(const TensorProto& tensor, const std::string& place) {
  constexpr size_t kEnd = 80;
  std::string name = "tensor " + Quoted(tensor.view_name());
  if (place.empty()) return name;
  if (place.size() <= 2 * kEnd) return name + " (" + place + ")";
  return name + " (" + place.substr(0, kEnd) + "…" + place.substr(place.size() - kEnd) + ")";
}

ExternalReference ExternalReference::Of(const TensorProto& tensor, const std::string& place) {
  ExternalReference reference;
  for (const StringStringEntryProto& entry : tensor.external_data()) {
    const std::string_view key = entry.view_key(), value = entry.view_value();
    if (key == "location") reference.location = value;
    else if (key == "offset") reference.offset = NumberOf(tensor, place, key, value);
    else if (key == "length") reference.length = NumberOf(tensor, place, key, value);
    else if (key == "checksum") reference.checksum = value;
  }
  if (reference.location.empty()) Fail(tensor, place, "it is external and names no location");
  return reference;
}

FileRange RangeOf(const TensorProto& tensor, const ExternalReference& reference, const std::string& place) {
  if (tensor.data_type() == TensorProto::STRING) Fail(tensor, place, "strings cannot be external");
  FileRange range{reference.offset.value_or(0), reference.length.value_or(0)};
  if (BitsPerElement(tensor.data_type()) != 0) {
    const std::optional<uint64_t> needed = PayloadSize(tensor);
    if (!needed) Fail(tensor, place, ShapeAndType(tensor) + " is no size");
    if (range.size != 0 && range.size != *needed) {
      Fail(tensor, place,
           ShapeAndType(tensor) + " takes " + std::to_string(*needed) + " bytes, its external length says " + std::to_string(range.size));
    }
    range.size = *needed;
  } else if (!reference.length) {
    Fail(tensor, place, "it has no external length, and " + ShapeAndType(tensor) + " does not give it");
  }
  if (range.size > INT64_MAX - range.offset) Fail(tensor, place, "its external offset and length exceed 63 bits together");
  return range;
}

void SetReference(TensorProto& tensor, std::string_view location, FileRange range, std::string_view checksum, const TensorProto* keys_of) {
  std::vector<std::pair<std::string, std::string>> kept;
  if (keys_of) {
    for (const StringStringEntryProto& entry : keys_of->external_data()) {
      if (!IsKnownKey(entry.view_key())) kept.emplace_back(entry.view_key(), entry.view_value());
    }
  }
  tensor.clear_external_data();
  AddEntry(tensor, "location", location);
  AddEntry(tensor, "offset", std::to_string(range.offset));
  AddEntry(tensor, "length", std::to_string(range.size));
  if (!checksum.empty()) AddEntry(tensor, "checksum", checksum);
  for (const auto& [key, value] : kept) AddEntry(tensor, key, value);
  tensor.set_data_location(TensorProto::EXTERNAL);
}

void DropReference(TensorProto& tensor) {
  tensor.clear_external_data();
  tensor.set_data_location(TensorProto::DEFAULT);
}

}  // namespace ONNX_LIGHT_NAMESPACE
