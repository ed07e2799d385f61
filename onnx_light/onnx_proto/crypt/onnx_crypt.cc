// Models through the ciphers: what is written is never held twice, what is read becomes the block that large payloads share.
#include "onnx_proto/onnx_crypt.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "onnx_proto/crypt/opener.h"
#include "onnx_proto/crypt/seal_model.h"
#include "onnx_proto/crypt/sealer.h"
#include "onnx_proto/external_data/reference.h"
#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/storage/block_cache.h"
#include "onnx_proto/stream.h"
#include "onnx_proto/stream/file_descriptor.h"
#include "onnx_proto/stream/interrupt.h"
#include "onnx_proto/stream/progress.h"
#include "onnx_proto/thread_pool.h"
#include "onnx_proto/verbs/write.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using crypt::Header;
using crypt::Opener;
using crypt::Sealer;

constexpr size_t kPiece = size_t{512} << 10;  // of plain bytes that go through a cipher at once
constexpr size_t kPart = size_t{4} << 20;     // of plain bytes that a thread encrypts in memory by itself
constexpr size_t kPartsForThreads = 8;        // from here on a part is worth a thread

// A container is all there is of a model: references to files would lead nowhere.
void RequireSelfContained(const ModelProto& model) {
  for (TensorWalk walk(model); walk.Next();) {
    if (IsExternal(walk.tensor())) {
      throw SerializeError("the bytes of " + NameOf(walk.tensor(), walk.place()) +
                           " lie in another file; load them before the model is encrypted");
    }
  }
}

// A piece of a model that had to be copied, wiped in the end.
struct PlainPiece {
  PlainPiece() = default;
  PlainPiece(const PlainPiece&) = delete;
  PlainPiece& operator=(const PlainPiece&) = delete;
  ~PlainPiece() {
    if (bytes) crypt::Wipe(bytes.get(), kPiece);
  }
  std::unique_ptr<char[]> bytes;
};

// A model's bytes in order. Payloads are not copied, but those of mapped files: their memory is gone if somebody shortens the file.
class ModelBytes {
 public:
  explicit ModelBytes(const ModelProto& model) : writer_(options_) {
    RequireSelfContained(model);
    proto::WriteMessage(writer_, ModelProto::table(), model, options_);
    parts_ = writer_.Parts();
    ends_.reserve(parts_.size());
    for (const proto::OutPart& part : parts_) ends_.push_back((ends_.empty() ? 0 : ends_.back()) + part.bytes.size());
  }
  uint64_t size() const { return writer_.size(); }
  // `take` gets the bytes from `begin` to `end`, up to kPiece at a time; each piece stays until it returns.
  template <class Take>
  void ForEachPiece(uint64_t begin, uint64_t end, Take take) const {
    PlainPiece copied;
    utils::InterruptPace pace;
    for (auto i = static_cast<size_t>(std::ranges::upper_bound(ends_, begin) - ends_.begin()); begin < end; ++i) {
      const proto::OutPart& part = parts_[i];
      const proto::Mapping* const mapping = part.mapping();
      if (mapping && !copied.bytes) copied.bytes = std::make_unique_for_overwrite<char[]>(kPiece);
      for (const uint64_t stop = std::min(end, ends_[i]); begin < stop;) {
        const auto at = static_cast<size_t>(begin - (ends_[i] - part.bytes.size()));
        const std::string_view piece = part.bytes.substr(at, static_cast<size_t>(std::min<uint64_t>(kPiece, stop - begin)));
        begin += piece.size();
        if (mapping) mapping->Copy(piece, copied.bytes.get());
        take(mapping ? std::string_view(copied.bytes.get(), piece.size()) : piece);
        pace.Moved(piece.size());
      }
    }
  }

 private:
  const SerializeOptions options_;
  proto::Writer writer_;
  std::vector<proto::OutPart> parts_;
  std::vector<uint64_t> ends_;  // of each part
};

// `out` has room for sealer.sealed_size() bytes, which are all written.
void SealInto(const ModelBytes& model, const Sealer& sealer, char* out, int32_t num_threads) {
  std::ranges::copy(sealer.header(), out);
  const uint64_t part_size = sealer.PartSize(kPart);
  const auto parts = static_cast<size_t>(std::max<uint64_t>(1, (model.size() + part_size - 1) / part_size));
  utils::ThreadPool(parts < kPartsForThreads ? 1 : num_threads).ForEach(parts, [&](size_t i) {
    utils::CheckInterrupt();
    const uint64_t begin = i * part_size, end = std::min(model.size(), begin + part_size);
    Sealer part(sealer, begin);
    char* at = out + part.begin();
    model.ForEachPiece(begin, end, [&](std::string_view piece) { at += part.Seal(piece, at); });
    if (end == model.size()) part.Finish(at);
  });
}

// Two buffers: one is written, on another thread if that is allowed, while the other one is filled.
class WriteBehind {
 public:
  WriteBehind(utils::BinaryWriteStream& target, size_t room, int32_t num_threads)
      : target_(target),
        buffers_{std::make_unique_for_overwrite<char[]>(room), std::make_unique_for_overwrite<char[]>(room)},
        pool_(std::min(utils::ThreadCount(num_threads), 2)) {}
  char* buffer() const { return buffers_[filled_].get(); }
  // Of what buffer() begins with; the write before is over then.
  void Write(size_t size) {
    pool_.Wait();
    pool_.Submit([this, bytes = std::string_view(buffer(), size)] { target_.Write(bytes); });
    filled_ ^= 1;
  }
  void Finish() { pool_.Wait(); }

 private:
  utils::BinaryWriteStream& target_;
  const std::unique_ptr<char[]> buffers_[2];
  size_t filled_ = 0;
  utils::ThreadPool pool_;  // ends first: with what it writes
};

void SealTo(utils::BinaryWriteStream& target, const ModelBytes& model, Sealer& sealer, int32_t num_threads) {
  target.Write(sealer.header());
  // A piece may follow on almost as many bytes of smaller ones.
  WriteBehind behind(target, sealer.RoomFor(2 * kPiece), num_threads);
  size_t plain = 0, sealed = 0;
  model.ForEachPiece(0, model.size(), [&](std::string_view piece) {
    sealed += sealer.Seal(piece, behind.buffer() + sealed);
    if ((plain += piece.size()) < kPiece) return;
    behind.Write(sealed);
    plain = sealed = 0;
  });
  behind.Write(sealed + sealer.Finish(behind.buffer() + sealed));
  behind.Finish();
}

// The bytes of a model while they are decrypted, and the owner that large payloads share afterwards.
class Plain {
 public:
  explicit Plain(uint64_t room) {
    if (room > SIZE_MAX / 2) throw std::bad_alloc();
    owner_ = proto::PayloadOwner::NewBlock(static_cast<size_t>(room), &bytes_);
  }
  Plain(const Plain&) = delete;
  Plain& operator=(const Plain&) = delete;
  ~Plain() {
    if (owner_->alone()) crypt::Wipe(bytes_, size_);  // no model has any of it
    owner_->LetGo();
  }
  void Fill(const Opener& opener, const crypt::Ciphertext& sealed, int32_t num_threads) {
    size_ = opener.Open(sealed, reinterpret_cast<char*>(bytes_), num_threads);
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
  const ModelBytes bytes(model);
  const Sealer sealer(options, key, bytes.size());
  SealInto(bytes, sealer, room(sealer.sealed_size()), options.num_threads);
}

void crypt::SealModelTo(utils::BinaryWriteStream& target, const ModelProto& model, std::string_view key, const EncryptionOptions& options) {
  const ModelBytes bytes(model);
  Sealer sealer(options, key, bytes.size());
  SealTo(target, bytes, sealer, 1);
}

std::string SaveEncryptedModelToString(const ModelProto& model, std::string_view key, const EncryptionOptions& options) {
  const ModelBytes bytes(model);
  const Sealer sealer(options, key, bytes.size());
  const auto size = static_cast<size_t>(sealer.sealed_size());
  std::string blob;
  blob.reserve(size);
  proto::AdviseHugePages(blob.data(), size);
#if defined(__cpp_lib_string_resize_and_overwrite)
  std::exception_ptr failure;
  blob.resize_and_overwrite(size, [&](char* out, size_t) {
    try {
      SealInto(bytes, sealer, out, options.num_threads);
    } catch (...) {  // which must not pass through here
      failure = std::current_exception();
    }
    return failure ? 0 : size;
  });
  if (failure) std::rethrow_exception(failure);
#else
  blob.resize(size);  // clears what is then written
  SealInto(bytes, sealer, blob.data(), options.num_threads);
#endif
  return blob;
}

void SaveEncryptedModel(const ModelProto& model, const std::string& path, std::string_view key, const EncryptionOptions& options) {
  WithName(path, [&] {
    const ModelBytes bytes(model);
    Sealer sealer(options, key, bytes.size());
    utils::FileWriteStream file(path);
    file.OnProgress(options.progress);
    SealTo(file, bytes, sealer, file.direct() ? 1 : options.num_threads);
    file.Close();
  });
}

namespace {

class InMemory final : public crypt::Ciphertext {
 public:
  explicit InMemory(std::string_view bytes) : bytes_(bytes) {}
  std::string_view At(uint64_t at, size_t size, char*) const override { return bytes_.substr(static_cast<size_t>(at), size); }

 private:
  const std::string_view bytes_;
};

class InFile final : public crypt::Ciphertext {
 public:
  InFile(int descriptor, const std::string& path, uint64_t begins, utils::Progress& progress)
      : descriptor_(descriptor), path_(path), begins_(begins), progress_(progress) {}
  std::string_view At(uint64_t at, size_t size, char* room) const override {
    utils::ReadAt(descriptor_, path_, begins_ + at, room, size);
    progress_.Add(size);
    return {room, size};
  }

 private:
  const int descriptor_;
  const std::string& path_;
  const uint64_t begins_;
  utils::Progress& progress_;
};

void LoadFrom(ModelProto& model, const Header& header, const crypt::Ciphertext& sealed, uint64_t size, std::string_view key,
              const ParseOptions& options) {
  const Opener opener(header, key, size);
  proto::CheckTotalSize(ModelProto::table(), opener.least(), options);  // before memory is asked for
  Plain plain(opener.room());
  plain.Fill(opener, sealed, options.num_threads);
  ParsePlain(model, header, plain, options);
}

}  // namespace

void LoadEncryptedModelFromString(ModelProto& model, std::string_view blob, std::string_view key, const ParseOptions& options) {
  const Header header = Header::Read(blob);
  blob.remove_prefix(header.size());
  LoadFrom(model, header, InMemory(blob), blob.size(), key, options);
}

void LoadEncryptedModel(ModelProto& model, const std::string& path, std::string_view key, const ParseOptions& options,
                        const ProgressCallback& progress) {
  const utils::FileDescriptor file = utils::OpenForReading(path);
  const utils::FileFacts facts = utils::FactsOf(file.get(), path);
  utils::Progress told(progress);
  if (!facts.regular) {  // a pipe: nobody knows how much will come
    std::string blob;
    std::vector<char> piece(kPiece);
    while (const size_t size = utils::ReadSome(file.get(), path, piece.data(), piece.size())) {
      blob.append(piece.data(), size);
      proto::CheckTotalSize(ModelProto::table(), blob.size() / 2, options);  // at most twice as long as its model, and a header
      told.Add(size);
    }
    told.Flush();
    return WithName(path, [&] { LoadEncryptedModelFromString(model, blob, key, options); });
  }
  WithName(path, [&] {
    char first[Header::kLongest];
    const size_t of_header = std::min<uint64_t>(facts.size, sizeof first);
    utils::ReadAt(file.get(), path, 0, first, of_header);
    const Header header = Header::Read({first, of_header});
    ModelProto loaded;
    LoadFrom(loaded, header, InFile(file.get(), path, header.size(), told), facts.size - header.size(), key, options);
    told.Flush();
    model = std::move(loaded);
  });
}

}  // namespace ONNX_LIGHT_NAMESPACE
