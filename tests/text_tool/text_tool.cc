// Lets the Python tests ask the text forms in C++. Everything travels as 32-bit little-endian lengths followed by bytes.
//
//   text_tool                     answers on stdout what stdin asks, record by record, until it ends:
//     verb, type, options, data   -> "ok" or "error"; the answer or the error's text
//
// The verbs: `to_text` and `to_json` print the message whose wire bytes `data` is; `from_text` and `from_json` give the wire bytes of the
// message that `data` describes. The options are words with blanks between, named as Python's arguments are ("indent=0 sort_keys").
//
//   text_tool time VERB OPTIONS FILE ROUNDS   prints the fewest microseconds of processor time of one call; the message is a ModelProto
#include <algorithm>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

#include "onnx_proto/onnx_text.h"
#include "records.h"

namespace onnx_light {
namespace {

struct Words {
  explicit Words(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      if (word == "preserving_proto_field_name") json.preserving_proto_field_name = true;
      else if (word == "sort_keys") json.sort_keys = true;
      else if (word == "use_integers_for_enums") json.use_integers_for_enums = true;
      else if (word == "ensure_ascii=False") json.ensure_ascii = false;
      else if (word == "always_print_fields_with_no_presence") json.always_print_fields_with_no_presence = true;
      else if (word == "indent=None") json.indent.reset();
      else if (word.starts_with("indent=")) json.indent = std::stoi(word.substr(7));
      else if (word.starts_with("float_precision=")) json.float_precision = std::stoi(word.substr(16));
      else if (word == "ignore_unknown_fields") json_parse.ignore_unknown_fields = true;
      else if (word == "python") text_format.numbers = NumberStyle::kPython;
      else if (word == "as_one_line") text_format.as_one_line = true;
      else if (word == "use_short_repeated_primitives") text_format.use_short_repeated_primitives = true;
      else if (word == "as_utf8=False") text_format.as_utf8 = false;
      else if (word == "allow_unknown_field") text_parse.allow_unknown_field = true;
      else throw std::runtime_error("no such option: " + word);
    }
  }
  JsonOptions json;
  JsonParseOptions json_parse;
  TextFormatOptions text_format;
  TextFormatParseOptions text_parse;
};

template <class M>
std::string Do(const std::string& verb, const Words& words, const std::string& data) {
  M message;
  if (verb.starts_with("to_")) message.ParseFromString(data);
  if (verb == "to_text") return ToTextFormat(message, words.text_format);
  if (verb == "to_json") return ToJson(message, words.json);
  if (verb == "from_text") FromTextFormat(data, message, words.text_parse);
  else if (verb == "from_json") FromJson(data, message, words.json_parse);
  else throw std::runtime_error("no such verb: " + verb);
  return message.SerializeAsString();
}

std::string Answer(const std::string& verb, const std::string& type, const std::string& options, const std::string& data) {
#define ONNX_LIGHT_ONE(message) \
  if (type == message::table().full_name) return Do<message>(verb, Words(options), data);
  ONNX_LIGHT_MESSAGES(ONNX_LIGHT_ONE)
#undef ONNX_LIGHT_ONE
  throw std::runtime_error("no such message: " + type);
}

template <class Act>
void Time(int rounds, Act act) {
  int64_t best = INT64_MAX;
  for (int i = 0; i < rounds; ++i) {
    const std::clock_t start = std::clock();
    act();
    best = std::min<int64_t>(best, std::clock() - start);
  }
  std::cout << best << '\n';
}

int TimeModel(const std::string& verb, const Words& words, const std::string& data, int rounds) {
  ModelProto model;
  if (verb.starts_with("to_")) model.ParseFromString(data);
  size_t size = 0;
  Time(rounds, [&] {
    if (verb == "to_text") size += ToTextFormat(model, words.text_format).size();
    if (verb == "to_json") size += ToJson(model, words.json).size();
    if (verb == "from_text") FromTextFormat(data, model, words.text_parse);
    if (verb == "from_json") FromJson(data, model, words.json_parse);
  });
  return size > 0 || model.has_graph() ? 0 : 1;
}

using records::Read;
using records::Write;

int Serve() {
  for (std::string verb, type, options, data; Read(&verb) && Read(&type) && Read(&options) && Read(&data);) {
    std::string answer;
    bool good = true;
    try {
      answer = Answer(verb, type, options, data);
    } catch (const Error& error) {
      answer = error.what();
      good = false;
    }
    Write(good ? "ok" : "error");
    Write(answer);
  }
  return 0;
}

}  // namespace
}  // namespace onnx_light

int main(int count, char** arguments) {
  std::ios::sync_with_stdio(false);
  try {
    if (count == 6 && std::string(arguments[1]) == "time") {
      std::ifstream file(arguments[4], std::ios::binary);
      const std::string data{std::istreambuf_iterator<char>(file), {}};
      return onnx_light::TimeModel(arguments[2], onnx_light::Words(arguments[3]), data, std::stoi(arguments[5]));
    }
    if (count == 1) return onnx_light::Serve();
  } catch (const std::exception& error) {
    std::cerr << "text_tool: " << error.what() << '\n';
    return 1;
  }
  std::cerr << "usage: text_tool [time VERB OPTIONS FILE ROUNDS]\n";
  return 2;
}
