// How the Python tests talk to the programs built for them: fields, each a 32-bit little-endian length and so many bytes.
#pragma once

#include <iostream>
#include <string>

namespace records {

// False at the end of the input.
inline bool Read(std::string* field) {
  unsigned char length[4];
  if (!std::cin.read(reinterpret_cast<char*>(length), sizeof length)) return false;
  field->resize(length[0] | length[1] << 8 | length[2] << 16 | static_cast<size_t>(length[3]) << 24);
  return static_cast<bool>(std::cin.read(field->data(), static_cast<std::streamsize>(field->size())));
}

inline void Write(const std::string& field) {
  for (int shift = 0; shift < 32; shift += 8) std::cout.put(static_cast<char>(field.size() >> shift));
  std::cout << field;
}

}  // namespace records
