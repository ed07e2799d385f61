// The tables in tests/data: lines of fields parted by tabs; blank lines and lines that start with # say nothing to the program.
// The same files are read by the Python tests, which hold them against `onnx` itself.
#pragma once

#include <string>
#include <vector>

namespace oracle {

// Every line of tests/data/`name` that holds data, split at tabs. Throws std::runtime_error where the file cannot be read or is empty.
std::vector<std::vector<std::string>> ReadTable(const std::string& name);

}  // namespace oracle
