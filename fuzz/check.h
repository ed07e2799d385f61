// What the fuzz targets share: a check that ends the run, that what is refused changes nothing, and the choice of a message type by one
// byte.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "onnx_proto/error.h"
#include "onnx_proto/onnx.h"

#define FUZZ_CHECK(condition)                                                      \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                \
    }                                                                              \
  } while (false)

namespace ONNX_LIGHT_NAMESPACE::fuzz {

// Reads once more what was refused, into a message that has something: it keeps that, and gets nothing else.
template <class T, class Read>
void CheckRefusedChangesNothing(Read read) {
  T message;
  message.ParseFromString(std::string_view("\xa2\x06\x01x", 4));  // a field that no type knows
  const T before(message);
  bool refused = false;
  try {
    read(message);
  } catch (const Error&) {
    refused = true;
  }
  FUZZ_CHECK(refused && message == before);
}

// Calls `visit.operator()<T>()` with the message type that `choice` stands for; the order is that of onnx.h, as fuzz/seeds.py knows it.
template <class Visit>
void WithMessageType(unsigned choice, Visit visit) {
  constexpr unsigned kTypes = 0
#define ONNX_LIGHT_FUZZ_ONE(type) +1
      ONNX_LIGHT_MESSAGES(ONNX_LIGHT_FUZZ_ONE);
#undef ONNX_LIGHT_FUZZ_ONE
  choice %= kTypes;
  unsigned index = 0;
#define ONNX_LIGHT_FUZZ_TYPE(type) \
  if (index++ == choice) return visit.template operator()<type>();
  ONNX_LIGHT_MESSAGES(ONNX_LIGHT_FUZZ_TYPE)
#undef ONNX_LIGHT_FUZZ_TYPE
}

}  // namespace ONNX_LIGHT_NAMESPACE::fuzz
