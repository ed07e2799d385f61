// Encrypted models: what comes back, what is refused, and what it costs in sizes.
#include "onnx_proto/onnx_crypt.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <random>

#include "onnx_proto/crypt/container.h"
#include "onnx_proto/stream.h"
#include "onnx_proto/stream/interrupt.h"
#include "onnx_proto/testing/folder.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

constexpr Encryption kAll[] = {Encryption::kAes256Cbc, Encryption::kAes256Gcm, Encryption::kChaCha20Poly1305};
constexpr Encryption kAuthenticated[] = {Encryption::kAes256Gcm, Encryption::kChaCha20Poly1305};

EncryptionOptions Quick(Encryption encryption, uint32_t chunk_size = 64) {
  return {.encryption = encryption, .kdf_iterations = 1000, .chunk_size = chunk_size};
}

ModelProto Model(size_t payload) {
  ModelProto model;
  model.set_ir_version(10);
  model.set_producer_name("tests");
  TensorProto& tensor = *model.mutable_graph()->add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(TensorProto::UINT8);
  tensor.add_dims(static_cast<int64_t>(payload));
  std::string bytes(payload, '\0');
  for (size_t i = 0; i < payload; ++i) bytes[i] = static_cast<char>(i * 7 + i / 256);
  tensor.set_raw_data(bytes);
  return model;
}

// A model that takes exactly so many bytes.
ModelProto ModelOf(size_t size) {
  ModelProto model = Model(size - 3000);
  model.set_doc_string(std::string(1000, 'd'));
  model.set_doc_string(std::string(1000 + size - model.ByteSizeLong(), 'd'));
  EXPECT_EQ(model.ByteSizeLong(), size);
  return model;
}

class Encrypted : public testing_support::FolderTest {
 protected:
  void SetUp() override {
    if (!EncryptionAvailable()) GTEST_SKIP() << "built without OpenSSL";
  }
  const std::string path_ = Path("m.onnxc");
};

TEST_F(Encrypted, ModelsOfAllSizesComeBackFromStringsAndFiles) {
  for (const Encryption encryption : kAll) {
    for (const size_t payload : {size_t{0}, size_t{1}, size_t{40}, size_t{64}, size_t{1000}, size_t{3} << 20}) {
      const ModelProto model = Model(payload);
      const EncryptionOptions options = Quick(encryption, payload > 5000 ? 1 << 16 : 64);
      ModelProto read;
      const std::string sealed = SaveEncryptedModelToString(model, "secret", options);
      EXPECT_TRUE(BeginsEncrypted(sealed));
      EXPECT_FALSE(BeginsEncrypted(sealed.substr(1)) || BeginsEncrypted(sealed.substr(0, 7)));
      LoadEncryptedModelFromString(read, sealed, "secret");
      EXPECT_EQ(read, model);
      SaveEncryptedModel(model, path_, "secret", options);
      ModelProto from_file;
      LoadEncryptedModel(from_file, path_, "secret");
      EXPECT_EQ(from_file, model);
    }
  }
}

// A part is 2 MiB of the model: it ends with one, has one byte or block more, and chunks may be larger than it.
TEST_F(Encrypted, PartsEndWhereverTheModelDoes) {
  constexpr size_t kPart = size_t{2} << 20;
  for (const Encryption encryption : kAll) {
    for (const uint32_t chunk : {1000u, 1u << 20, 1u << 24}) {
      for (const size_t plain : {kPart - 1, kPart, kPart + 1, 2 * kPart}) {
        const ModelProto model = ModelOf(plain);
        ModelProto read;
        LoadEncryptedModelFromString(read, SaveEncryptedModelToString(model, "k", Quick(encryption, chunk)), "k");
        EXPECT_TRUE(read == model) << plain << " in chunks of " << chunk;
      }
      if (encryption == Encryption::kAes256Cbc) break;  // has no chunks
    }
  }
}

TEST_F(Encrypted, PartsAreOpenedOnSeveralThreadsAndAChangeIsFoundInEach) {
  const ModelProto model = Model((size_t{33} << 20) + 5);
  ParseOptions options;
  options.num_threads = 3;
  for (const Encryption encryption : kAll) {
    std::string blob = SaveEncryptedModelToString(model, "k", Quick(encryption, 1 << 20));
    ModelProto read;
    LoadEncryptedModelFromString(read, blob, "k", options);
    EXPECT_TRUE(read == model);
    SaveEncryptedModel(model, path_, "k", Quick(encryption, 1 << 20));
    ModelProto from_file;
    LoadEncryptedModel(from_file, path_, "k", options);
    EXPECT_TRUE(from_file == model);
    if (encryption == Encryption::kAes256Cbc) continue;  // nobody notices
    for (const size_t at : {size_t{48}, blob.size() / 2, blob.size() - 1}) {
      blob[at] = static_cast<char>(blob[at] ^ 1);
      EXPECT_THROW(LoadEncryptedModelFromString(read, blob, "k", options), CryptError) << at;
      blob[at] = static_cast<char>(blob[at] ^ 1);
    }
    EXPECT_TRUE(read == model);
  }
}

// From 32 MiB on parts of 4 MiB are encrypted side by side.
TEST_F(Encrypted, PartsOfAStringAreEncryptedOnAnyNumberOfThreads) {
  ModelProto model = ModelOf((size_t{33} << 20) + 7);
  for (size_t i = 0; i < 40; ++i) *model.mutable_graph()->add_initializer() = Model(100'000 + i).graph().initializer(0);
  for (const Encryption encryption : kAuthenticated) {
    for (const int32_t num_threads : {1, 2, 5}) {
      EncryptionOptions options = Quick(encryption, 100'000);
      options.num_threads = num_threads;
      ModelProto read;
      LoadEncryptedModelFromString(read, SaveEncryptedModelToString(model, "k", options), "k");
      EXPECT_TRUE(read == model) << "on " << num_threads;
    }
  }
}

// 512 KiB of the model are encrypted while those before them are written.
TEST_F(Encrypted, PiecesOfAFileEndWhereverTheModelDoesOnAnyNumberOfThreads) {
  constexpr size_t kPiece = size_t{512} << 10;
  for (const Encryption encryption : kAll) {
    for (const size_t plain : {kPiece - 1, kPiece, kPiece + 1, 4 * kPiece - 7}) {
      const ModelProto model = ModelOf(plain);
      for (const int32_t num_threads : {1, 2, 5}) {
        EncryptionOptions options = Quick(encryption, 1 << 18);
        options.num_threads = num_threads;
        SaveEncryptedModel(model, path_, "k", options);
        ModelProto read;
        LoadEncryptedModel(read, path_, "k");
        EXPECT_TRUE(read == model) << plain << " on " << num_threads;
      }
    }
  }
}

TEST_F(Encrypted, ManyPayloadsAreGatheredIntoPieces) {
  ModelProto model = Model(1);
  for (size_t i = 0; i < 200; ++i) *model.mutable_graph()->add_initializer() = Model(16000 + i * 10).graph().initializer(0);
  for (const Encryption encryption : kAll) {
    for (const uint32_t chunk_size : {100u, 100'000u, 16u << 20}) {
      for (const int32_t num_threads : {1, 2}) {
        EncryptionOptions options = Quick(encryption, chunk_size);
        options.num_threads = num_threads;
        SaveEncryptedModel(model, path_, "k", options);
        ModelProto read;
        LoadEncryptedModel(read, path_, "k");
        EXPECT_TRUE(read == model) << chunk_size;
      }
      if (encryption == Encryption::kAes256Cbc) break;  // has no chunks
    }
  }
}

TEST_F(Encrypted, AFullDiskIsAnErrorOnWhicheverThreadItIsMet) {
  const ModelProto model = Model(size_t{3} << 20);
  for (const int32_t num_threads : {1, 2}) {
    EncryptionOptions options = Quick(Encryption::kAes256Gcm, 1 << 16);
    options.num_threads = num_threads;
    EXPECT_EQ(testing_support::CodeOf([&] { SaveEncryptedModel(model, "/dev/full", "k", options); }), ENOSPC);
  }
}

TEST_F(Encrypted, AnInterruptedSaveLeavesTheOldFileAndAnInterruptedLoadTheOldModel) {
  struct Stop {};
  const ModelProto old = Model(30), large = Model(size_t{20} << 20);
  for (const Encryption encryption : kAuthenticated) {
    EncryptionOptions options = Quick(encryption, 1 << 18);
    options.num_threads = 2;
    const std::string blob = SaveEncryptedModelToString(large, "k", options);
    SaveEncryptedModel(old, path_, "k", options);
    Put("large", blob);
    ModelProto read = old;
    utils::SetInterruptCheck([](bool) { throw Stop(); });
    EXPECT_THROW(SaveEncryptedModel(large, path_, "k", options), Stop);
    EXPECT_THROW(SaveEncryptedModelToString(large, "k", options), Stop);
    EXPECT_THROW(LoadEncryptedModel(read, Path("large"), "k"), Stop);
    EXPECT_THROW(LoadEncryptedModelFromString(read, blob, "k"), Stop);
    utils::SetInterruptCheck(nullptr);
    EXPECT_EQ(read, old);
    LoadEncryptedModel(read, path_, "k");
    EXPECT_EQ(read, old);
    EXPECT_EQ(Files(), 2U);
  }
}

TEST_F(Encrypted, PayloadsOfAMappedFileAreEncryptedAndOnesThatAreGoneAreAnError) {
  const ModelProto model = Model(size_t{3} << 20);
  Put("m.onnx", model.SerializeAsString());
  ParseOptions mapped;
  mapped.no_copy = true;
  mapped.file_load_mode = FileLoadMode::MMAP;
  utils::FileStream stream(Path("m.onnx"));
  ModelProto borrowing;
  borrowing.ParseFromStream(stream, mapped);
  for (const Encryption encryption : kAuthenticated) {
    ModelProto read;
    LoadEncryptedModelFromString(read, SaveEncryptedModelToString(borrowing, "k", Quick(encryption, 1 << 16)), "k");
    EXPECT_TRUE(read == model);
  }
  std::filesystem::resize_file(Path("m.onnx"), 5000);
  EXPECT_THROW(SaveEncryptedModelToString(borrowing, "k"), FileError);
  EXPECT_THROW(SaveEncryptedModel(borrowing, path_, "k"), FileError);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(Encrypted, AFileThatIsShortenedWhileItIsReadIsAnErrorAndNothingIsGiven) {
  const ModelProto before = Model(3);
  SaveEncryptedModel(Model(size_t{3} << 20), path_, "k", Quick(Encryption::kAes256Gcm, 1 << 16));
  static std::string path;
  path = path_;
  utils::SetInterruptCheck([](bool) { std::filesystem::resize_file(path, 100'000); });
  ModelProto read = before;
  EXPECT_THROW(LoadEncryptedModel(read, path_, "k"), FileError);
  utils::SetInterruptCheck(nullptr);
  EXPECT_EQ(read, before);
}

TEST_F(Encrypted, AnEmptyModelAndOneWithoutAGraphComeBack) {
  ModelProto producer;
  producer.set_producer_name("p");
  for (const Encryption encryption : kAll) {
    for (const ModelProto& model : {ModelProto(), producer}) {
      ModelProto read = Model(3);
      LoadEncryptedModelFromString(read, SaveEncryptedModelToString(model, "", Quick(encryption)), "");
      EXPECT_EQ(read, model);
    }
  }
}

// The last chunk is full, has one byte, or is the only one: each boundary once.
TEST_F(Encrypted, ChunksEndWhereverTheModelDoes) {
  for (const Encryption encryption : kAuthenticated) {
    for (size_t payload = 0; payload < 80; ++payload) {
      const ModelProto model = Model(payload);
      const std::string blob = SaveEncryptedModelToString(model, "k", Quick(encryption, 32));
      const size_t plain = model.ByteSizeLong();
      EXPECT_EQ(blob.size(), 48 + plain + (plain + 31) / 32 * 16);
      ModelProto read;
      LoadEncryptedModelFromString(read, blob, "k");
      EXPECT_EQ(read, model);
    }
  }
}

TEST_F(Encrypted, TheCommonFormatIsMagicSaltIvAndPaddedBlocks) {
  const ModelProto model = Model(100);
  const std::string blob = SaveEncryptedModelToString(model, "k");
  EXPECT_EQ(blob.substr(0, 8), "ONNXCRY1");
  EXPECT_EQ(blob.size(), 40 + (model.ByteSizeLong() / 16 + 1) * 16);
  EXPECT_NE(blob, SaveEncryptedModelToString(model, "k"));  // salt and IV are new each time
}

TEST_F(Encrypted, EveryChangedByteAndEveryCutOfAnAuthenticatedModelIsFound) {
  for (const Encryption encryption : kAuthenticated) {
    const std::string blob = SaveEncryptedModelToString(Model(200), "k", Quick(encryption));
    const ModelProto before = Model(1);
    ModelProto read = before;
    for (size_t i = 0; i < blob.size(); ++i) {
      std::string changed = blob;
      changed[i] = static_cast<char>(changed[i] ^ (1 << i % 8));
      if (i >= 12 && i < 16) changed[i] = static_cast<char>(blob[i] ^ (i == 12 ? 1 : 0x40));  // rounds: a small number, or far too many
      EXPECT_THROW(LoadEncryptedModelFromString(read, changed, "k"), CryptError) << i;
      EXPECT_THROW(LoadEncryptedModelFromString(read, blob.substr(0, i), "k"), CryptError) << i;
    }
    EXPECT_THROW(LoadEncryptedModelFromString(read, blob + '\0', "k"), CryptError);
    EXPECT_EQ(read, before);
  }
}

TEST_F(Encrypted, ChunksInAnotherOrderTwiceOrLeftOutAreFound) {
  constexpr size_t kHeader = 48, kChunk = 64 + 16;
  for (const Encryption encryption : kAuthenticated) {
    const std::string blob = SaveEncryptedModelToString(Model(400), "k", Quick(encryption));
    ASSERT_GT(blob.size(), kHeader + 4 * kChunk);
    const std::string header = blob.substr(0, kHeader), body = blob.substr(kHeader);
    const auto chunk = [&](size_t i) { return body.substr(i * kChunk, kChunk); };
    const std::string rest = body.substr(2 * kChunk);
    ModelProto read;
    for (const std::string& other : {chunk(1) + chunk(0) + rest, chunk(0) + chunk(0) + rest, chunk(0) + rest,
                                     chunk(0) + chunk(1) + chunk(1) + rest, chunk(0), chunk(0) + chunk(1)}) {
      EXPECT_THROW(LoadEncryptedModelFromString(read, header + other, "k"), CryptError);
    }
  }
}

TEST_F(Encrypted, WrongKeysAreRefused) {
  for (const Encryption encryption : kAuthenticated) {
    const std::string blob = SaveEncryptedModelToString(Model(200), "right", Quick(encryption));
    ModelProto read;
    for (int i = 0; i < 2000; ++i) EXPECT_THROW(LoadEncryptedModelFromString(read, blob, "wrong" + std::to_string(i)), CryptError);
  }
  const std::string blob = SaveEncryptedModelToString(Model(200), "right");
  ModelProto read;
  for (const char* key : {"", "Right", "right ", "wrong"}) EXPECT_THROW(LoadEncryptedModelFromString(read, blob, key), CryptError);
}

// A wrong key gives noise, and a wrong byte of the ciphertext gives a block of it: as good, and without the cost of deriving a key.
TEST_F(Encrypted, NoiseWhosePaddingPassesByChanceIsNoModel) {
  std::mt19937 random(7);
  const std::string blob = SaveEncryptedModelToString(Model(200), "k");
  const crypt::Header header = crypt::Header::Read(blob);
  const crypt::SecretKey key("k", header.salt, header.iterations);
  int passed = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string noise(blob.size() - 40, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    crypt::Cipher cipher(Encryption::kAes256Cbc, crypt::Cipher::Direction::kDecrypt, key);
    cipher.Start(header.iv);
    std::string plain(noise.size() + 16, '\0');
    size_t size = cipher.Update(noise, plain.data()), last = 0;
    if (!cipher.FinishBlocks(plain.data() + size, last)) continue;
    ++passed;
    ModelProto read;
    EXPECT_THROW(LoadEncryptedModelFromString(read, blob.substr(0, 40) + noise, "k"), CryptError);
    if (passed == 20) break;
  }
  EXPECT_EQ(passed, 20);
}

TEST_F(Encrypted, WhatIsNoContainerIsRefused) {
  ModelProto read;
  for (const std::string& foreign :
       {std::string(), std::string("ONNXCRY1"), std::string("ONNXGCM1"), std::string(100, 'x'), Model(100).SerializeAsString(),
        "ONNXCRY1" + std::string(32, 's'), "ONNXCRY1" + std::string(47, 's')}) {
    EXPECT_THROW(LoadEncryptedModelFromString(read, foreign, "k"), CryptError);
    Put("m.onnxc", foreign);
    EXPECT_THROW(LoadEncryptedModel(read, path_, "k"), CryptError);
  }
  EXPECT_THROW(LoadEncryptedModel(read, Path("none"), "k"), FileError);
}

TEST_F(Encrypted, OptionsOutOfRangeAreRefusedAndNothingIsWritten) {
  for (const EncryptionOptions& options :
       {EncryptionOptions{Encryption::kAes256Gcm, 999}, EncryptionOptions{Encryption::kAes256Gcm, 10'000'001},
        EncryptionOptions{Encryption::kAes256Gcm, 1000, 15}, EncryptionOptions{Encryption::kAes256Gcm, 1000, (16 << 20) + 1}}) {
    EXPECT_THROW(SaveEncryptedModel(Model(3), path_, "k", options), CryptError);
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(Encrypted, WeightsInOtherFilesHaveToBeLoadedFirst) {
  ModelProto model = Model(3);
  model.mutable_graph()->mutable_initializer(0)->set_data_location(TensorProto::EXTERNAL);
  EXPECT_THROW(SaveEncryptedModelToString(model, "k"), SerializeError);
}

TEST_F(Encrypted, AModelBeyondTheLimitIsRefusedBeforeItIsDecrypted) {
  ParseOptions limited;
  const ModelProto model = Model(1000);
  for (const Encryption encryption : kAll) {
    const std::string blob = SaveEncryptedModelToString(model, "k", Quick(encryption));
    ModelProto read;
    limited.max_total_size_bytes = static_cast<int64_t>(model.ByteSizeLong());
    LoadEncryptedModelFromString(read, blob, "k", limited);
    EXPECT_EQ(read, model);
    limited.max_total_size_bytes = 900;
    EXPECT_THROW(LoadEncryptedModelFromString(read, blob, "k", limited), ParseError);
  }
}

TEST_F(Encrypted, AFailedSaveLeavesTheOldFile) {
  SaveEncryptedModel(Model(30), path_, "k", Quick(Encryption::kAes256Gcm));
  ModelProto deep;
  NodeProto* node = deep.mutable_graph()->add_node();
  for (int i = 0; i < 500; ++i) node = node->add_attribute()->mutable_g()->add_node();
  EXPECT_THROW(SaveEncryptedModel(deep, path_, "k", Quick(Encryption::kAes256Gcm)), Error);
  ModelProto read;
  LoadEncryptedModel(read, path_, "k");
  EXPECT_EQ(read, Model(30));
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
