// Lets the Python tests ask the C++ messages and borrow the C++ generator. Everything travels as 32-bit little-endian lengths followed by
// bytes.
//
//   oracle_tool serve            answers on stdout what stdin asks, record by record, until it ends:
//     read,  type, bytes, ""     -> "ok" or "error"; the bytes written or the error's text; the text printed; ByteSizeLong in decimal
//     merge, type, one, other    -> "ok"; the bytes of one.MergeFrom(other)
//     equal, type, one, other    -> "ok"; "1" or "0"
//   oracle_tool fields           prints our field rows, oracle_tool enums our enums, as lines of text
//   oracle_tool corpus SEED N    prints N records (type, valid bytes, the same after up to four edits of the wire), over all types in turn
#include <google/protobuf/descriptor.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#include "field_dump.h"
#include "peer.h"
#include "random_message.h"
#include "records.h"
#include "subject.h"
#include "wire_mutation.h"

namespace oracle {
namespace {

using records::Read;
using records::Write;

std::unique_ptr<Subject> Parsed(const std::string& type, const std::string& bytes) {
  auto message = MakeSubject(type);
  if (message == nullptr) throw std::runtime_error("no such message: " + type);
  if (!message->Parse(bytes)) throw std::runtime_error(message->error());
  return message;
}

void Answer(const std::string& verb, const std::string& type, const std::string& one, const std::string& other) {
  const auto message = MakeSubject(type);
  if (verb == "read") {
    const bool read = message->Parse(one);
    Write(read ? "ok" : "error");
    Write(read ? message->Serialize() : message->error());
    Write(read ? message->Text() : "");
    Write(read ? std::to_string(message->ByteSize()) : "");
  } else if (verb == "merge") {
    const auto target = Parsed(type, one);
    target->MergeFrom(*Parsed(type, other));
    Write("ok");
    Write(target->Serialize());
  } else if (verb == "equal") {
    Write("ok");
    Write(Parsed(type, one)->Equals(*Parsed(type, other)) ? "1" : "0");
  } else {
    throw std::runtime_error("no such verb: " + verb);
  }
}

int Serve() {
  for (std::string verb, type, one, other; Read(&verb) && Read(&type) && Read(&one) && Read(&other);) Answer(verb, type, one, other);
  return 0;
}

int Dump(void (*dump)(std::ostream&)) {
  dump(std::cout);
  return 0;
}

int Corpus(uint64_t seed, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    Engine engine(seed + i);
    const std::string& type = TypeNames()[i % TypeNames().size()];
    const auto message = MakePeer(type);
    Randomize(message.get(), engine, static_cast<int>(Below(engine, 8)));
    const std::string valid = message->SerializeAsString();
    std::string edited = valid;
    for (uint64_t edits = Below(engine, 5); edits > 0; --edits) edited = Mutated(edited, message->GetDescriptor(), engine);
    Write(type);
    Write(valid);
    Write(edited);
  }
  return 0;
}

}  // namespace
}  // namespace oracle

int main(int count, char** arguments) {
  std::ios::sync_with_stdio(false);
  const std::string mode = count > 1 ? arguments[1] : "";
  try {
    if (mode == "serve" && count == 2) return oracle::Serve();
    if (mode == "fields" && count == 2) return oracle::Dump(oracle::DumpFields);
    if (mode == "enums" && count == 2) return oracle::Dump(oracle::DumpEnums);
    if (mode == "corpus" && count == 4)
      return oracle::Corpus(std::strtoull(arguments[2], nullptr, 10), std::strtoull(arguments[3], nullptr, 10));
  } catch (const std::exception& error) {
    std::cerr << "oracle_tool: " << error.what() << '\n';
    return 1;
  }
  std::cerr << "usage: oracle_tool serve | fields | enums | corpus SEED COUNT\n";
  return 2;
}
