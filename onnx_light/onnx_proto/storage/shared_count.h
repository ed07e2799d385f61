// A number of owners that threads share.
//
// As std::atomic would do it, without the header: that costs each file that includes onnx.h a tenth of a second.
#pragma once

#include <cstdint>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

class SharedCount {
 public:
  constexpr explicit SharedCount(uint32_t count) : count_(count) {}
  SharedCount(const SharedCount&) = delete;
  SharedCount& operator=(const SharedCount&) = delete;

  void Add(uint32_t more = 1) { __atomic_fetch_add(&count_, more, __ATOMIC_RELAXED); }
  // True for whoever drops the last ones: what the others did before they dropped theirs is then seen.
  bool Drop(uint32_t less = 1) { return __atomic_fetch_sub(&count_, less, __ATOMIC_ACQ_REL) == less; }
  // Whether there is one, the caller's own: nobody else can add to it meanwhile.
  bool IsOne() const { return __atomic_load_n(&count_, __ATOMIC_ACQUIRE) == 1; }

 private:
  uint32_t count_;
};

}  // namespace ONNX_LIGHT_NAMESPACE::proto
