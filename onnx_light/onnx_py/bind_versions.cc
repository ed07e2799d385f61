// Versions: of this package, and which release of ONNX brought which.
#include "onnx_lib/version.h"
#include "onnx_py/areas.h"

namespace nb = nanobind;

namespace ONNX_LIGHT_NAMESPACE::py {

void BindVersions(nb::module_& module) {
  module.attr("__version__") = ONNX_LIGHT_PACKAGE_VERSION;
  // (release, IR version, opsets of ai.onnx, ai.onnx.ml and ai.onnx.preview.training or 0), oldest first
  module.def("releases", [] {
    nb::list all;
    for (const Release& release : Releases()) {
      all.append(nb::make_tuple(nb::str(release.name.data(), release.name.size()), release.ir_version, release.onnx_opset, release.ml_opset,
                                release.training_opset));
    }
    return all;
  });
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
