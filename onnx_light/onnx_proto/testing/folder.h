// What C++ tests of files share: a folder of their own, and the code of an error.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "onnx_proto/error.h"

namespace ONNX_LIGHT_NAMESPACE::testing_support {

// A new empty folder, which is the caller's to remove.
inline std::filesystem::path NewFolder() {
  // The six letters are what mkdtemp replaces.
  std::string name = (std::filesystem::temp_directory_path() / ("onnx_light_" + std::string(6, 'X'))).string();
  return mkdtemp(name.data());
}

class FolderTest : public testing::Test {
 protected:
  ~FolderTest() override { std::filesystem::remove_all(folder_); }
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  void Put(const std::string& name, std::string_view bytes) const { std::ofstream(Path(name), std::ios::binary) << bytes; }
  std::string Get(const std::string& name) const {
    std::ifstream in(Path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  size_t Files() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()));
  }
  const std::filesystem::path folder_ = NewFolder();
};

// The code of the FileError that it throws, or 0.
inline int CodeOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const FileError& error) {
    return error.code();
  }
  return 0;
}

// Bytes that differ from their neighbours, so that a shift is seen.
inline std::string Pattern(size_t size, uint32_t seed = 1) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>((seed = seed * 1664525 + 1013904223) >> 24);
  return bytes;
}

}  // namespace ONNX_LIGHT_NAMESPACE::testing_support
