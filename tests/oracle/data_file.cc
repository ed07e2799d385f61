#include "data_file.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace oracle {

std::vector<std::vector<std::string>> ReadTable(const std::string& name) {
  const std::string path = std::string(ONNX_LIGHT_TEST_DATA) + "/" + name;
  std::ifstream file(path);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> row;
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, '\t');) row.push_back(field);
    rows.push_back(row);
  }
  if (rows.empty()) throw std::runtime_error(path + ": no data");
  return rows;
}

}  // namespace oracle
