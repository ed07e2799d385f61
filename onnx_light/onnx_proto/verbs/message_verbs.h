// The verbs that are instantiated per message type, behind one name each, so that every type is compiled once (messages/*.cc).
#pragma once

#include "onnx_proto/fields/message.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

template <class T>
struct MessageVerbs {
  static void Parse(Parser& parser, Message& message, const char* begin, const char* end);
  static void Write(Writer& writer, const Message& message);
  static void Clone(Cloner& cloner, Message& fresh, const Message& from);
  static bool Equal(const Message& a, const Message& b, int depth);
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
