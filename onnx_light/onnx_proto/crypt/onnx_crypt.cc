// Models through the ciphers: what is written is never held twice, what is read becomes the block that large payloads share.
#include "onnx_proto/onnx_crypt.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "onnx_proto/crypt/seal_model.h"
#include "onnx_proto/crypt/sealer.h"
#include "onnx_proto/external_data/reference.h"
#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/storage/block_cache.h"
#include "onnx_proto/stream.h"
#include "onnx_proto/stream/file_descriptor.h"
#include "onnx_proto/thread_pool.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using crypt::Header;
using crypt::Opener;
using crypt::Sealer;

constexpr size_t kPiece = size_t{128} << 10;  // of plain bytes that go through a cipher at once: they stay in the nearer caches
constexpr size_t kPartsForThreads = 16;       // from here on a part is worth a thread

// A container is all there is of a model: references to files would lead nowhere.
void RequireSelfContained(const ModelProto& model) {
  for (TensorWalk walk(model); walk.Next();) {
    if (IsExternal(walk.tensor())) {
      throw SerializeError("the bytes of " + NameOf(walk.tensor(), walk.place()) +
                           " lie in another file; load them before the model is encrypted");
    }
  }
}

class SealingInto final : public utils::BinaryWriteStream {
 public:
  SealingInto(Sealer& sealer, char* out) : sealer_(sealer), out_(out) {}
  void Write(std::string_view bytes) override { out_ += sealer_.Seal(bytes, out_); }
  void Finish() { sealer_.Finish(out_); }

 private:
  Sealer& sealer_;
  char* out_;
};

// `out` has room for sealer.sealed_size() bytes, which are all written.
void SealInto(const ModelProto& model, Sealer& sealer, char* out) {
  std::copy(sealer.header().begin(), sealer.header().end(), out);
  SealingInto sealing(sealer, out + sealer.header().size());
  model.SerializeToStream(sealing);
  sealing.Finish();
}

class SealingStream final : public utils::BinaryWriteStream {
 public:
  SealingStream(Sealer& sealer, utils::BinaryWriteStream& target) : sealer_(sealer), target_(target), buffer_(sealer.RoomFor(kPiece)) {}
  void Write(std::string_view bytes) override {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kPiece))) Pass(sealer_.Seal(bytes.substr(0, kPiece), buffer_.data()));
  }
  void Abandon() override { target_.Abandon(); }
  void Finish() { Pass(sealer_.Finish(buffer_.data())); }

 private:
  void Pass(size_t size) {
    if (size) target_.Write({buffer_.data(), size});
  }
  Sealer& sealer_;
  utils::BinaryWriteStream& target_;
  std::vector<char> buffer_;
};

// The bytes of a model while they are decrypted, and the owner that large payloads share afterwards.
class Plain {
 public:
  explicit Plain(uint64_t room) {
    if (room > SIZE_MAX / 2) throw std::bad_alloc();
    owner_ = proto::PayloadOwner::NewBlock(static_cast<size_t>(room), &bytes_);
  }
  Plain(const Plain&) = delete;
  Plain& operator=(const Plain&) = delete;
  ~Plain() { owner_->LetGo(); }
  // `read` gives the ciphertext of a part, on whichever thread.
  template <class Read>
  void Fill(const Opener& opener, int32_t num_threads, Read read) {
    char* const out = reinterpret_cast<char*>(bytes_);
    utils::ThreadPool(opener.parts() < kPartsForThreads ? 1 : num_threads).ForEach(opener.parts(), [&](size_t index) {
      const Opener::Part part = opener.PartAt(index);
      const size_t size = read(part, [&](std::string_view sealed) { return opener.Open(index, sealed, out + part.opened_at); });
      if (index + 1 == opener.parts()) size_ = part.opened_at + size;
    });
  }
  proto::ParseSource source() const { return {.bytes = {reinterpret_cast<const char*>(bytes_), size_}, .owner = owner_}; }

 private:
  proto::PayloadOwner* owner_ = nullptr;
  uint8_t* bytes_ = nullptr;
  size_t size_ = 0;
};

// One padding in 256 passes by chance. What comes out then hardly ever parses, and if it does, then as fields that nobody knows: a model
// has its IR version or its graph. (Nothing at all is an empty model: 16 bytes of padding do not pass by chance.)
void RequireModel(const ModelProto& parsed, const proto::ParseSource& source) {
  if (!source.bytes.empty() && !parsed.has_ir_version() && !parsed.has_graph() && !parsed.unknown().empty()) {
    throw CryptError("the key is wrong, or the bytes were changed");
  }
}

void ParsePlain(ModelProto& model, const Header& header, const Plain& plain, const ParseOptions& options) {
  ModelProto parsed;
  try {
    proto::ParseInto(ModelProto::table(), parsed, plain.source(), options);
  } catch (const ParseError& error) {
    if (header.in_chunks()) throw;  // these are the very bytes that were encrypted: a limit, or no model
    throw CryptError(std::string("the key is wrong, or the bytes were changed: what comes out is no model (") + error.what() + ")");
  }
  if (!header.in_chunks()) RequireModel(parsed, plain.source());
  model = std::move(parsed);
}

template <class Act>
auto WithName(const std::string& path, Act act) {
  try {
    return act();
  } catch (const CryptError& error) {
    throw CryptError(path + ": " + error.what());
  }
}

}  // namespace

void crypt::SealModel(const ModelProto& model, std::string_view key, const EncryptionOptions& options,
                      const std::function<char*(uint64_t size)>& room) {
  RequireSelfContained(model);
  Sealer sealer(options, key, model.ByteSizeLong());
  SealInto(model, sealer, room(sealer.sealed_size()));
}

std::string SaveEncryptedModelToString(const ModelProto& model, std::string_view key, const EncryptionOptions& options) {
  RequireSelfContained(model);
  Sealer sealer(options, key, model.ByteSizeLong());
  const auto size = static_cast<size_t>(sealer.sealed_size());
  std::string blob;
  blob.reserve(size);
  proto::AdviseHugePages(blob.data(), size);
#if defined(__cpp_lib_string_resize_and_overwrite)
  std::exception_ptr failure;
  blob.resize_and_overwrite(size, [&](char* out, size_t) {
    try {
      SealInto(model, sealer, out);
    } catch (...) {  // which must not pass through here
      failure = std::current_exception();
    }
    return failure ? 0 : size;
  });
  if (failure) std::rethrow_exception(failure);
#else
  blob.resize(size);  // clears what is then written
  SealInto(model, sealer, blob.data());
#endif
  return blob;
}

void SaveEncryptedModel(const ModelProto& model, const std::string& path, std::string_view key, const EncryptionOptions& options) {
  RequireSelfContained(model);
  WithName(path, [&] {
    Sealer sealer(options, key, model.ByteSizeLong());
    utils::FileWriteStream file(path);
    file.Write(sealer.header());
    SealingStream sealing(sealer, file);
    model.SerializeToStream(sealing);
    sealing.Finish();
    file.Close();
  });
}

void LoadEncryptedModelFromString(ModelProto& model, std::string_view blob, std::string_view key, const ParseOptions& options) {
  const Header header = Header::Read(blob);
  blob.remove_prefix(header.size());
  Opener opener(header, key, blob.size());
  proto::CheckTotalSize(ModelProto::table(), opener.least(), options);  // before memory is asked for
  Plain plain(opener.room());
  plain.Fill(opener, options.num_threads,
             [&](const Opener::Part& part, auto open) { return open(blob.substr(static_cast<size_t>(part.at), part.size)); });
  ParsePlain(model, header, plain, options);
}

void LoadEncryptedModel(ModelProto& model, const std::string& path, std::string_view key, const ParseOptions& options) {
  const utils::FileDescriptor file = utils::OpenForReading(path);
  const utils::FileFacts facts = utils::FactsOf(file.get(), path);
  if (!facts.regular) {  // a pipe: nobody knows how much will come
    std::string blob;
    std::vector<char> piece(kPiece);
    while (const size_t size = utils::ReadSome(file.get(), path, piece.data(), piece.size())) {
      blob.append(piece.data(), size);
      proto::CheckTotalSize(ModelProto::table(), blob.size() / 2,
                            options);  // a container is at most twice as long as its model, and a header
    }
    return WithName(path, [&] { LoadEncryptedModelFromString(model, blob, key, options); });
  }
  WithName(path, [&] {
    char first[Header::kLongest];
    const size_t of_header = std::min<uint64_t>(facts.size, sizeof first);
    utils::ReadAt(file.get(), path, 0, first, of_header);
    const Header header = Header::Read({first, of_header});
    Opener opener(header, key, facts.size - header.size());
    proto::CheckTotalSize(ModelProto::table(), opener.least(), options);  // before memory is asked for
    Plain plain(opener.room());
    plain.Fill(opener, options.num_threads, [&](const Opener::Part& part, auto open) {
      const auto sealed = std::make_unique_for_overwrite<char[]>(part.size);
      utils::ReadAt(file.get(), path, header.size() + part.at, sealed.get(), part.size);
      return open(std::string_view(sealed.get(), part.size));
    });
    ParsePlain(model, header, plain, options);
  });
}

}  // namespace ONNX_LIGHT_NAMESPACE
