// Every message of ONNX: of onnx.proto at IR version 14, of onnx-data and of onnx-operators.
//
// Accessors come in two styles from one line a field: protoc's (`x() has_x() set_x() mutable_x() add_x() x_size() clear_x()`) and the
// library's own (`ref_x() str_x() view_x()`). Const access never changes a message and is safe from any number of threads; everything
// else is as safe as an int. References to lists, strings and payloads of a message last until it is overwritten, moved from or ends.
// Messages are values: copying is deep but shares payloads, moving is cheap.
#pragma once

#include "onnx_proto/messages/data.h"
#include "onnx_proto/messages/operators.h"

// DO(type) for every message type, each after those it is made of, as far as they are not made of each other.
// clang-format off
#define ONNX_LIGHT_MESSAGES(DO)                                                                       \
  ONNX_LIGHT_BASIC_MESSAGES(DO)                                                                       \
  ONNX_LIGHT_TENSOR_MESSAGES(DO)                                                                      \
  ONNX_LIGHT_TYPE_MESSAGES(DO)                                                                        \
  ONNX_LIGHT_DEVICE_MESSAGES(DO)                                                                      \
  ONNX_LIGHT_GRAPH_MESSAGES(DO)                                                                       \
  ONNX_LIGHT_MODEL_MESSAGES(DO)                                                                       \
  ONNX_LIGHT_DATA_MESSAGES(DO)                                                                        \
  ONNX_LIGHT_OPERATORS_MESSAGES(DO)
// clang-format on

#include "onnx_proto/fields/undeclare.h"
