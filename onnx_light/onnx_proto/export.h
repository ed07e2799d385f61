// What leaves the library, and under which namespace.
//
// Libraries are compiled with hidden visibility. ONNX_LIGHT_API marks what a user may call; ONNX_LIGHT_EXCEPTION marks exception classes,
// which stay visible even in a static library: thrown inside a shared object that contains it, one is caught as the same type outside.
#pragma once

#ifndef ONNX_LIGHT_NAMESPACE
#define ONNX_LIGHT_NAMESPACE onnx_light
#endif

#if defined(_WIN32)
#if defined(ONNX_LIGHT_BUILDS_SHARED)
#define ONNX_LIGHT_API __declspec(dllexport)
#elif defined(ONNX_LIGHT_USES_SHARED)
#define ONNX_LIGHT_API __declspec(dllimport)
#else
#define ONNX_LIGHT_API
#endif
#define ONNX_LIGHT_EXCEPTION ONNX_LIGHT_API
#else
// Inside a static library nothing is exported: what a shared object of the user's exports is the user's decision.
#if defined(ONNX_LIGHT_BUILDS_STATIC)
#define ONNX_LIGHT_API
#else
#define ONNX_LIGHT_API __attribute__((visibility("default")))
#endif
#define ONNX_LIGHT_EXCEPTION __attribute__((visibility("default")))
#endif
