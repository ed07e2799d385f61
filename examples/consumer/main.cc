// A program of somebody else's that uses the C++ library: builds a small model (or reads the file it is given), writes it to bytes,
// reads it back, and prints what is in it.
//
//     consumer [model.onnx]
//
// tools/check_consumers.py builds it against an install (find_package, pkg-config) and against the sources (FetchContent).
#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <string>

#include "onnx_helper.h"
#include "onnx_lib/version.h"
#include "onnx_proto/onnx.h"

namespace {

onnx_light::ModelProto BuildModel() {
  onnx_light::ModelProto model;
  model.set_ir_version(*onnx_light::LowestIrVersionFor("", 21));
  model.set_producer_name("consumer");
  model.add_opset_import()->set_version(21);
  onnx_light::GraphProto* graph = model.mutable_graph();
  graph->set_name("double_it");
  onnx_light::NodeProto* node = graph->add_node();
  node->set_op_type("Add");
  node->add_input("x");
  node->add_input("x");
  node->add_output("y");
  return model;
}

// From a file, with the large weights side by side in one block.
onnx_light::ModelProto ReadModel(const char* path) {
  onnx_light::ModelProto model;
  onnx_light::utils::FileStream stream(path);
  onnx_light::ParseOptions options;
  options.num_threads = -1;
  uint64_t weights = 0;
  options.raw_data_callback = [&weights](onnx_light::TensorProto& tensor, onnx_light::GraphProto*) -> std::function<void()> {
    weights += tensor.ref_raw_data().size();
    return {};
  };
  onnx_light::ParseProtoFromStream(model, stream, options);
  onnx_light::TensorBufferOptions buffer_options;
  buffer_options.alignment = 64;
  buffer_options.raw_data_threshold = 1024;
  const auto buffer = onnx_light::ConsolidateTensorsToBuffer(model, buffer_options);
  std::cout << weights << " bytes of weights" << (buffer ? ", the large ones in one block" : "") << "\n";
  return model;
}

// An error that is thrown inside the library must be caught outside as what it is, also across a shared library.
bool CutBytesAreAParseError(const std::string& bytes) {
  try {
    onnx_light::ModelProto cut;
    cut.ParseFromString(bytes.substr(0, bytes.size() - 1));
  } catch (const onnx_light::ParseError& error) {
    std::cout << "cut short: " << error.what() << "\n";
    return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const onnx_light::ModelProto model = argc > 1 ? ReadModel(argv[1]) : BuildModel();
    const std::string bytes = model.SerializeAsString();
    onnx_light::ModelProto again;
    again.ParseFromString(bytes);
    if (!(again == model) || again.ByteSizeLong() != bytes.size() || !CutBytesAreAParseError(bytes)) return 1;
    std::cout << "graph " << std::string(again.graph().name()) << ": IR " << again.ir_version() << ", " << again.graph().node_size()
              << " nodes, " << bytes.size() << " bytes\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
