// The judgement all proofs share: what we make of some bytes against what libprotobuf makes of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace oracle {

// True when both refuse `bytes`, or both read the same message: same bytes when written, the size announced, the same text; read as an
// owner and as a borrower. A refused message must leave its target as it was.
//
// Protobuf's Python (upb), which is what `onnx` uses, decides where it differs from libprotobuf, and then only our own consistency is asked
// here (tests/test_wire_upb.py asks upb): tags beyond 32 bits are refused, lengths may take ten bytes, unknown enum numbers are cut to 32
// bits. Unknown fields we keep as they came, as upb does, where libprotobuf writes them anew: they are compared as libprotobuf would write
// them.
testing::AssertionResult ReadsLikeLibprotobuf(const std::string& type, std::string_view bytes);

// How many of the calls so far were left to upb. A proof that leaves much to upb proves little, and says so.
size_t LeftToUpb();

std::string Hex(std::string_view bytes);
std::string Unhex(std::string_view hex);

// ONNX_LIGHT_ORACLE_ROUNDS (default 1) times `rounds`: how often a random test tries.
uint64_t Rounds(uint64_t rounds);

}  // namespace oracle
