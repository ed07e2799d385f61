// Printing while other threads run.
#pragma once

#include <string>

#include "onnx_proto/onnx_text.h"
#include "onnx_proto/stream/interrupt.h"
#include "onnx_py/face.h"
#include "onnx_py/gil.h"

namespace ONNX_LIGHT_NAMESPACE::py {

// Calls `print` without the GIL, with a copy of the message, which shares payloads: others may do with the message what they like
// meanwhile.
template <class Print>
void PrintApart(const Table& table, const Message& message, const Print& print) {
  const proto::NewRoot copy(table);
  Verbs::Copy(table, copy.message(), message);
  const GilReleased released(true);
  print(static_cast<const Message&>(copy.message()));
}

// All of it in memory; `print` gets the message and a sink. Most texts are short: a text that turns out to be long is begun anew, apart.
template <class Print>
std::string Printed(const Table& table, const Message& message, const Print& print) {
  struct Long {};
  std::string text;
  try {
    print(message, TextSink([&text](std::string_view piece) {
            if (text.size() + piece.size() > kWorthReleasing) throw Long();
            text.append(piece);
          }));
    return text;
  } catch (const Long&) {
    text.clear();
  }
  PrintApart(table, message, [&](const Message& copy) {
    utils::InterruptPace pace;
    print(copy, TextSink([&](std::string_view piece) {
            text.append(piece);
            pace.Moved(piece.size());
          }));
  });
  return text;
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
