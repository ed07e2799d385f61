// Words that repeat: operators, domains, names of attributes. Python gets the same str again and again, without a copy and without a hash
// to compute. Not Python's own interning: from 3.13 on interned strings may live for ever, and a model's words should not.
#include <array>
#include <cstring>

#include "onnx_py/values.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

constexpr size_t kLongest = 64;

struct Word {
  PyObject* object = nullptr;
  std::string_view text;  // the object's own bytes
};
std::array<Word, 1024> words;  // as PlaceOf says

uint64_t Load(const char* from, size_t size) {
  uint64_t word = 0;
  std::memcpy(&word, from, size);
  return word;
}

// From both ends and the middle: a word differs there from most others.
size_t PlaceOf(std::string_view text) {
  const char* const chars = text.data();
  const size_t size = text.size();
  uint64_t hash = size;
  if (size >= 8) hash += Load(chars, 8) ^ Load(chars + size - 8, 8) * 3 ^ Load(chars + size / 2 - 4, 8) * 5;
  else if (size >= 4) hash += Load(chars, 4) | Load(chars + size - 4, 4) << 32;
  else if (size > 0) hash += Load(chars, 1) | Load(chars + size / 2, 1) << 8 | Load(chars + size - 1, 1) << 16;
  return (hash + 1) * 0x9e3779b97f4a7c15u >> 54;
}

}  // namespace

PyObject* WordToPython(std::string_view text) {
  if (text.size() > kLongest) return TextToPython(text);
  Word& word = words[PlaceOf(text)];
  if (word.object && word.text == text) return Py_NewRef(word.object);
  PyObject* const made = TextToPython(text);
  Py_ssize_t size = 0;
  const char* const chars = made && PyUnicode_Check(made) ? PyUnicode_AsUTF8AndSize(made, &size) : nullptr;
  if (!chars) return made;
  const Ref before(std::exchange(word, Word{Py_NewRef(made), {chars, static_cast<size_t>(size)}}).object);
  return made;
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
