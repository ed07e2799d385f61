// What can go wrong with weights that lie outside a model's file.
#pragma once

#include <string>

#include "onnx_proto/error.h"

namespace ONNX_LIGHT_NAMESPACE {

/// Weights outside a model's file that are not what their tensor says, lie where they may not lie, or are not there. Nothing has been
/// changed. `code` is the errno of the call that failed (ENOENT: there is no such file), or 0.
class ONNX_LIGHT_EXCEPTION ExternalDataError : public ValidationError {
 public:
  explicit ExternalDataError(const std::string& what, int error_code = 0) : ValidationError(what), code_(error_code) {}
  ~ExternalDataError() override;
  int code() const { return code_; }

 private:
  int code_;
};

}  // namespace ONNX_LIGHT_NAMESPACE
