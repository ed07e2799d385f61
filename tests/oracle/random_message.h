// Random messages through libprotobuf's reflection: every field kind at its extremes, presence of every kind, unknown fields of every wire
// type. The same engine state gives the same message, so a failing case is named by its type and seed.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>
#include <random>
#include <string>

namespace oracle {

using Engine = std::mt19937_64;

// A number below `bound`, which must not be 0.
uint64_t Below(Engine& engine, uint64_t bound);
bool OneIn(Engine& engine, uint64_t n);

// Integers that tell encodings apart: 0, ±1, the ends of the varint lengths and of 32 and 64 bits, and any.
uint64_t AnyInteger(Engine& engine);
// Text with what printers and parsers trip on: NUL, quotes, escapes, UTF-8 of every length. `valid` leaves out bytes that are not UTF-8.
std::string AnyText(Engine& engine, bool valid);
std::string AnyBytes(Engine& engine);

struct Kinds {
  bool unknown_fields = true;  // unknown numbers, known numbers with another wire type, unknown enum numbers
  bool invalid_utf8 = true;    // in string fields; bytes fields hold any bytes always
};

// Fills an empty message. `messages` is how many submessages it may have in all; nesting ends with them.
void Randomize(google::protobuf::Message* message, Engine& engine, int messages, const Kinds& kinds = {});

}  // namespace oracle
