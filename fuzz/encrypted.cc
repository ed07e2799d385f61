// Encrypted models: any bytes as a container, and containers of ours that were changed.
//
// Byte 0: format (two bits; 3: the rest is the container itself), whether the rest is what is sealed or the payload of a model, whether it
// is opened from a file as well, whether a limit holds, whether its parts are so small that there are many, and whether two threads open
// them; byte 1: size of chunks; byte 2: size of the pieces that are sealed, and opened; byte 3: how many edits follow, of four bytes each
// (what, where, where, with which byte); then the content.
//
// OpenSSL's key derivation and random bytes are replaced here, in front of the library's own: keys cost nothing, and a finding comes again.
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "check.h"
#include "onnx_proto/crypt/opener.h"
#include "onnx_proto/crypt/sealer.h"

namespace {
uint64_t random_state = 0;

uint64_t Mixed(uint64_t hash, std::string_view bytes) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}
}  // namespace

extern "C" {

int PKCS5_PBKDF2_HMAC(const char* pass, int passlen, const unsigned char* salt, int saltlen, int iter, const EVP_MD*, int keylen,
                      unsigned char* out) {
  uint64_t hash = Mixed(0xcbf29ce484222325, {pass, static_cast<size_t>(passlen)});
  hash = Mixed(hash, {reinterpret_cast<const char*>(salt), static_cast<size_t>(saltlen)});
  hash = Mixed(hash, std::to_string(iter));
  for (int i = 0; i < keylen; ++i) out[i] = static_cast<unsigned char>((hash = hash * 6364136223846793005 + 1442695040888963407) >> 56);
  return 1;
}

int RAND_bytes(unsigned char* to, int size) {
  for (int i = 0; i < size; ++i) to[i] = static_cast<unsigned char>((random_state = random_state * 6364136223846793005 + 1) >> 56);
  return 1;
}

}  // extern "C"

namespace ONNX_LIGHT_NAMESPACE::fuzz {
namespace {

constexpr std::string_view kKey = "key";
constexpr uint8_t kAsModel = 4, kFromFile = 8, kLimited = 16, kSmallParts = 32, kThreads = 64;
constexpr uint32_t kLimit = 100;
constexpr uint64_t kSmallPart = 80;

std::string PathOfContainer() {
  static const struct Folder {
    std::string name = (std::filesystem::temp_directory_path() / ("onnx_light_fuzz_" + std::string(6, 'X'))).string();
    Folder() { FUZZ_CHECK(mkdtemp(name.data())); }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(name, ignored);
    }
  } folder;
  return folder.name + "/container";
}

std::string Sealed(const EncryptionOptions& options, std::string_view plain, size_t piece) {
  crypt::Sealer sealer(options, kKey, plain.size());
  std::string blob = sealer.header();
  std::string out(sealer.RoomFor(piece), '\0');
  while (!plain.empty()) {
    blob.append(out.data(), sealer.Seal(plain.substr(0, piece), out.data()));
    plain.remove_prefix(std::min(piece, plain.size()));
  }
  blob.append(out.data(), sealer.Finish(out.data()));
  FUZZ_CHECK(blob.size() == sealer.sealed_size());
  return blob;
}

// As a file would be, read to the room that is offered.
class Copied final : public crypt::Ciphertext {
 public:
  explicit Copied(std::string_view bytes) : bytes_(bytes) {}
  std::string_view At(uint64_t at, size_t size, char* room) const override {
    FUZZ_CHECK(at <= bytes_.size() && size <= bytes_.size() - at);
    std::copy_n(bytes_.data() + at, size, room);
    return {room, size};
  }

 private:
  const std::string_view bytes_;
};

// What is in a container, if it is one.
std::optional<std::string> Opened(std::string_view blob, uint8_t flags, size_t piece) {
  std::string plain;
  try {
    const crypt::Header header = crypt::Header::Read(blob);
    blob.remove_prefix(header.size());
    const crypt::Opener opener(header, kKey, blob.size(),
                               flags & kSmallParts ? crypt::Opener::Sizes{.part = kSmallPart, .step = piece} : crypt::Opener::kUsual);
    FUZZ_CHECK(opener.room() <= blob.size() + crypt::kBlockSize);  // no header makes it ask for more than was given
    plain.resize(static_cast<size_t>(opener.room()));
    const size_t size = opener.Open(Copied(blob), plain.data(), flags & kThreads ? 2 : 1);
    FUZZ_CHECK(size <= plain.size() && size >= opener.least());
    plain.resize(size);
    return plain;
  } catch (const CryptError&) {
    FUZZ_CHECK(plain.find_first_not_of('\0') == std::string::npos);  // nothing is left
    return std::nullopt;
  }
}

enum class Outcome { kModel, kCryptError, kParseError };

template <class Load>
Outcome Loaded(ModelProto& model, Load load) {
  ModelProto before;
  before.set_producer_name("as it was");
  model = before;
  try {
    load(model);
    return Outcome::kModel;
  } catch (const CryptError&) {
    FUZZ_CHECK(model == before);
    return Outcome::kCryptError;
  } catch (const ParseError&) {
    FUZZ_CHECK(model == before);
    return Outcome::kParseError;
  }
}

// Opens a container in every way, and holds the results against each other and against a parse of what is in it.
Outcome Open(ModelProto& model, const std::string& blob, uint8_t flags, size_t piece) {
  ParseOptions options;
  if (flags & kLimited) options.max_total_size_bytes = kLimit;
  const Outcome outcome = Loaded(model, [&](ModelProto& to) { LoadEncryptedModelFromString(to, blob, kKey, options); });
  if (flags & kFromFile) {
    const std::string path = PathOfContainer();
    std::ofstream(path, std::ios::binary) << blob;
    ModelProto from_file;
    FUZZ_CHECK(Loaded(from_file, [&](ModelProto& to) { LoadEncryptedModel(to, path, kKey, options); }) == outcome);
    FUZZ_CHECK(from_file == model);
  }
  const std::optional<std::string> plain = Opened(blob, flags, piece);
  if (outcome == Outcome::kModel) {
    ModelProto parsed;
    FUZZ_CHECK(plain && parsed.ParseFromString(*plain) && parsed == model);
    if (flags & kLimited) FUZZ_CHECK(plain->size() <= kLimit);
  } else if (plain && blob.starts_with("ONNXGCM1")) {
    FUZZ_CHECK(outcome == Outcome::kParseError);  // it is what was sealed, and no model or too large a one
  }
  return outcome;
}

void Edit(std::string& blob, const uint8_t* edit) {
  const size_t at = blob.empty() ? 0 : (edit[1] | edit[2] << 8) % blob.size();
  switch (edit[0] % 4) {
    case 0:
      if (!blob.empty()) blob[at] = static_cast<char>(blob[at] ^ edit[3]);
      break;
    case 1: blob.resize(at); break;
    case 2: blob.insert(blob.begin() + static_cast<ptrdiff_t>(at), static_cast<char>(edit[3])); break;
    default: blob += blob.substr(at, edit[3]); break;  // a chunk twice
  }
}

void Run(const uint8_t* head, const uint8_t* edits, size_t count, std::string_view content) {
  random_state = 1;
  const size_t piece = size_t{1} + head[2];
  ModelProto model;
  if ((head[0] & 3) == 3) {
    Open(model, std::string(content), head[0], piece);
    return;
  }
  const EncryptionOptions options{
      .encryption = static_cast<Encryption>(head[0] & 3), .kdf_iterations = 1000, .chunk_size = uint32_t{16} + head[1]};
  std::string plain(content);
  if (head[0] & kAsModel) {
    ModelProto made;
    made.set_ir_version(10);
    made.mutable_graph()->add_initializer()->set_raw_data(content);
    plain = made.SerializeAsString();
    FUZZ_CHECK(Opened(SaveEncryptedModelToString(made, kKey, options), head[0], piece) == plain);
  }
  const std::string blob = Sealed(options, plain, piece);
  FUZZ_CHECK(Opened(blob, head[0], piece) == plain);
  std::string changed = blob;
  for (size_t i = 0; i < count; ++i) Edit(changed, edits + 4 * i);
  const Outcome outcome = Open(model, changed, head[0], piece);
  if (options.encryption == Encryption::kAes256Cbc) return;  // it cannot tell
  if (changed != blob) {                                     // where edits make the magic of another format, noise of that format
    const bool limited = head[0] & kLimited && outcome == Outcome::kParseError;
    if (changed.starts_with(blob.substr(0, 8))) FUZZ_CHECK(outcome == Outcome::kCryptError || limited);
    return;
  }
  const bool too_large = head[0] & kLimited && plain.size() > kLimit;
  ModelProto parsed;
  bool parses = true;
  try {
    parsed.ParseFromString(plain);
  } catch (const ParseError&) {
    parses = false;
  }
  FUZZ_CHECK(outcome == (parses && !too_large ? Outcome::kModel : Outcome::kParseError));
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kHead = 4;
  if (size < kHead) return 0;
  const size_t count = std::min<size_t>(data[3] % 8, (size - kHead) / 4);
  const uint8_t* const content = data + kHead + 4 * count;
  ONNX_LIGHT_NAMESPACE::fuzz::Run(data, data + kHead, count, {reinterpret_cast<const char*>(content), size - kHead - 4 * count});
  return 0;
}
