// Words that repeat: operators, domains, names of attributes. Python gets the same str again and again, without a copy and without a hash
// to compute. Not Python's own interning: from 3.13 on interned strings may live for ever, and a model's words should not.
#include <array>

#include "onnx_py/values.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

constexpr size_t kLongest = 64;

struct Word {
  PyObject* object = nullptr;
  std::string_view text;  // the object's own bytes
};
std::array<Word, 1024> words;

size_t PlaceOf(std::string_view text) {
  size_t hash = text.size();
  for (const char c : text) hash = hash * 31 + static_cast<unsigned char>(c);
  return (hash ^ hash >> 10) % words.size();
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
