// Containers opened part by part: parts and steps that are small enough to have many of them.
#include "onnx_proto/crypt/opener.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "onnx_proto/crypt/sealer.h"
#include "onnx_proto/stream/interrupt.h"
#include "onnx_proto/testing/folder.h"

namespace ONNX_LIGHT_NAMESPACE::crypt {
namespace {

using testing_support::Pattern;

constexpr Encryption kAll[] = {Encryption::kAes256Cbc, Encryption::kAes256Gcm, Encryption::kChaCha20Poly1305};
constexpr Encryption kAuthenticated[] = {Encryption::kAes256Gcm, Encryption::kChaCha20Poly1305};
constexpr Opener::Sizes kSmall{.part = 256, .step = 48};

// In memory, or, as a file would be, read to the room that is offered; fails when it is asked for the byte at `fails_at`.
class Bytes final : public Ciphertext {
 public:
  struct Failure {};
  Bytes(std::string_view bytes, bool copies, uint64_t fails_at = UINT64_MAX) : bytes_(bytes), copies_(copies), fails_at_(fails_at) {}
  std::string_view At(uint64_t at, size_t size, char* room) const override {
    if (at <= fails_at_ && fails_at_ - at < size) throw Failure();
    if (!copies_) return bytes_.substr(at, size);
    std::memcpy(room, bytes_.data() + at, size);
    return {room, size};
  }

 private:
  const std::string_view bytes_;
  const bool copies_;
  const uint64_t fails_at_;
};

std::string Sealed(Encryption encryption, std::string_view plain, uint32_t chunk_size = 32) {
  Sealer sealer({.encryption = encryption, .kdf_iterations = 1000, .chunk_size = chunk_size}, "k", plain.size());
  std::string sealed(sealer.header() + std::string(sealer.RoomFor(plain.size()), '\0'));
  char* const begin = sealed.data() + sealer.header().size();
  char* const end = begin + sealer.Seal(plain, begin);
  EXPECT_EQ(sealer.header().size() + static_cast<size_t>(end + sealer.Finish(end) - begin), sealer.sealed_size());
  sealed.resize(sealer.sealed_size());
  return sealed;
}

// The same, part by part in the opposite order, each by a sealer of its own.
std::string SealedInParts(Encryption encryption, std::string_view plain, uint64_t size) {
  const Sealer whole({.encryption = encryption, .kdf_iterations = 1000, .chunk_size = 32}, "k", plain.size());
  std::string sealed = whole.header() + std::string(whole.RoomFor(plain.size()), '\0');
  const uint64_t step = whole.PartSize(size);
  for (uint64_t begin = (std::max<size_t>(plain.size(), 1) - 1) / step * step;; begin -= step) {
    Sealer part(whole, begin);
    char* const at = sealed.data() + part.begin();
    char* const end = at + part.Seal(plain.substr(begin, step), at);
    if (begin + step >= plain.size()) part.Finish(end);
    if (begin == 0) break;
  }
  sealed.resize(whole.sealed_size());
  return sealed;
}

class OpenerTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (!EncryptionAvailable()) GTEST_SKIP() << "built without OpenSSL";
  }
  static bool copies() { return GetParam(); }
  static void ExpectToOpen(std::string_view sealed, const std::string& plain) {
    const Header header = Header::Read(sealed);
    sealed.remove_prefix(header.size());
    const Opener opener(header, "k", sealed.size(), kSmall);
    for (const int32_t num_threads : {1, 2, 3}) {
      std::string opened(opener.room(), '\0');
      opened.resize(opener.Open(Bytes(sealed, copies()), opened.data(), num_threads));
      EXPECT_EQ(opened, plain) << header.chunk_size << " on " << num_threads;
    }
  }
  // What is left of a model after a failure of this type.
  template <class Failure>
  static std::string LeftAfter(std::string_view sealed, uint64_t fails_at = UINT64_MAX) {
    const Header header = Header::Read(sealed);
    sealed.remove_prefix(header.size());
    const Opener opener(header, "k", sealed.size(), kSmall);
    std::string left(opener.room(), '\0');
    EXPECT_THROW(opener.Open(Bytes(sealed, copies(), fails_at), left.data(), 3), Failure);
    return left;
  }
};

TEST_P(OpenerTest, PartsAndStepsEndWhereverTheModelDoesOnAnyNumberOfThreads) {
  for (const Encryption encryption : kAll) {
    for (const size_t size : {0, 1, 15, 16, 17, 32, 48, 255, 256, 257, 512, 4095, 4096, 4097, 5000}) {
      const std::string plain = Pattern(size);
      for (const uint32_t chunk_size : {32u, 100u, 256u, 1000u}) {  // many in a part, one, and more than a part
        ExpectToOpen(Sealed(encryption, plain, chunk_size), plain);
        if (encryption == Encryption::kAes256Cbc) break;  // has no chunks
      }
    }
  }
}

TEST_P(OpenerTest, WhatIsSealedInPartsOpensAsAWhole) {
  for (const Encryption encryption : kAll) {
    for (const size_t size : {0, 1, 31, 32, 33, 96, 97, 1000}) {
      const std::string plain = Pattern(size);
      for (const uint64_t part : {1, 32, 70, 5000}) ExpectToOpen(SealedInParts(encryption, plain, part), plain);
    }
  }
}

TEST_P(OpenerTest, AChangeInAnyPartIsFoundAndNothingOfTheModelIsLeft) {
  const std::string plain = Pattern(5000);
  for (const Encryption encryption : kAuthenticated) {
    const std::string sealed = Sealed(encryption, plain);
    for (size_t at = 48; at < sealed.size(); at += 47) {
      std::string changed = sealed;
      changed[at] = static_cast<char>(changed[at] ^ 1);
      const std::string left = LeftAfter<CryptError>(changed);
      EXPECT_EQ(left, std::string(left.size(), '\0')) << at;
    }
  }
}

TEST_P(OpenerTest, NothingOfTheModelIsLeftWhenItsFileFailsOnAnyThread) {
  for (const Encryption encryption : kAll) {
    const std::string sealed = Sealed(encryption, Pattern(5000));
    for (uint64_t at = 0; at < 5000; at += 499) {
      const std::string left = LeftAfter<Bytes::Failure>(sealed, at);
      EXPECT_EQ(left, std::string(left.size(), '\0')) << at;
    }
  }
}

TEST_P(OpenerTest, AnInterruptEndsItAndNothingOfTheModelIsLeft) {
  struct Stop {};
  static std::atomic<int> asked;
  for (const Encryption encryption : kAll) {
    const std::string sealed = Sealed(encryption, Pattern(5000));
    asked = 0;
    utils::SetInterruptCheck([](bool) {
      if (++asked == 5) throw Stop();
    });
    const std::string left = LeftAfter<Stop>(sealed);
    utils::SetInterruptCheck(nullptr);
    EXPECT_EQ(left, std::string(left.size(), '\0'));
  }
}

INSTANTIATE_TEST_SUITE_P(Sources, OpenerTest, testing::Bool(), [](const auto& named) { return named.param ? "Read" : "InMemory"; });

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE::crypt
