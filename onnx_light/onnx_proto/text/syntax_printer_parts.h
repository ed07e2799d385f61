// The templates of syntax_printer.h that several of its sources need.
#pragma once

#include <charconv>
#include <cmath>

#include "onnx_proto/text/numbers.h"
#include "onnx_proto/text/syntax_printer.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

// The fewest characters that read back as the same number.
template <class T>
void SyntaxPrinter::Real(T value) {
  char* const at = out_.Room(kNumberRoom);
  if (std::isfinite(value)) return out_.Advance(std::to_chars(at, at + kNumberRoom, value).ptr);
  if (std::isinf(value)) return out_.Put(value < 0 ? "-inf" : "inf");
  out_.Advance(PrintNan(at, value));
}

template <class Entries>
bool SyntaxPrinter::StringPairs(const Entries& entries) {
  bool whole = true;
  out_.Put('[');
  bool first = true;
  for (const StringStringEntryProto& entry : entries) {
    if (!first) out_.Put(", ");
    first = false;
    String(entry.view_key());
    out_.Put(": ");
    String(entry.view_value());
    whole &= entry.has_key() && entry.has_value();
  }
  out_.Put(']');
  return whole;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
