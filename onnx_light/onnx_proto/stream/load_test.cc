// Loading files in every mode: the same messages, the same errors, and payloads that are owned by whom the options say.
#include <gtest/gtest.h>

#include <cerrno>
#include <random>
#include <thread>
#include <vector>

#include "onnx_proto/onnx_helper.h"
#include "onnx_proto/stream/indexed_file.h"
#include "onnx_proto/stream/interrupt.h"
#include "onnx_proto/testing/folder.h"
#include "onnx_proto/testing/sample.h"
#include "onnx_proto/testing/tensor_everywhere.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

using proto::ParseSource;
using testing_support::CodeOf;
using testing_support::ErrorOf;
using testing_support::Pattern;
using testing_support::RichModel;
using testing_support::TensorEverywhere;

// Payloads of every class of size: of their own, in slabs, in the structure, none.
ModelProto WithPayloads(std::initializer_list<size_t> sizes) {
  ModelProto model = RichModel();
  uint32_t seed = 1;
  for (const size_t size : sizes) {
    TensorProto* const tensor = model.mutable_graph()->add_initializer();
    tensor->set_name("weights of " + std::to_string(size) + " bytes, which no small string holds");
    tensor->set_data_type(TensorProto::UINT8);
    tensor->add_dims(static_cast<int64_t>(size));
    tensor->set_raw_data(Pattern(size, seed++));
  }
  return model;
}
ModelProto MediumModel() { return WithPayloads({5 << 20, 40000, 700000, 20000, 0, 5000, 300, 1 << 20}); }

class LoadTest : public testing_support::FolderTest {
 protected:
  ModelProto Load(const std::string& name, const ParseOptions& options = {}) const {
    utils::FileStream stream(Path(name));
    ModelProto model;
    ParseProtoFromStream(model, stream, options);
    return model;
  }
};

TEST_F(LoadTest, EveryModeAndNumberOfThreadsGivesTheSameModel) {
  const ModelProto model = MediumModel();
  Put("m", model.SerializeAsString());
  for (const FileLoadMode mode : {FileLoadMode::AUTO, FileLoadMode::MMAP, FileLoadMode::IFSTREAM}) {
    for (const bool no_copy : {false, true}) {
      for (const int threads : {1, 2, 4, -1}) {
        ParseOptions options;
        options.file_load_mode = mode;
        options.no_copy = no_copy;
        options.num_threads = threads;
        options.min_parallel_block_size = 64 << 10;
        const ModelProto loaded = Load("m", options);
        EXPECT_EQ(loaded, model);
        for (const TensorProto& tensor : loaded.graph().initializer()) {
          if (tensor.raw_data().empty()) continue;
          const bool is_slice = mode == FileLoadMode::MMAP && no_copy;
          EXPECT_EQ(tensor.raw_data().is_borrowed(), is_slice) << tensor.name();
          EXPECT_NE(tensor.raw_data().owner(), nullptr) << tensor.name();  // the stream is gone
        }
      }
    }
  }
}

TEST_F(LoadTest, PayloadsThatAreReadOnTheirOwnLieWhereVectorCodeWantsThemAndNobodyElseDoes) {
  Put("m", WithPayloads({5 << 20, 20000, 30001, 6 << 20, 16384}).SerializeAsString());
  ModelProto model = Load("m");
  for (int i = 1; i < 6; ++i) {
    TensorProto& tensor = *model.mutable_graph()->mutable_initializer(i);
    const auto at = reinterpret_cast<uintptr_t>(tensor.raw_data().data());
    EXPECT_EQ(at % 64, 0u);
    if (tensor.raw_data().size() > (4u << 20)) {
      EXPECT_EQ(at % (2 << 20), 0u);
      EXPECT_EQ(tensor.mutable_raw_data()->mutable_data(), reinterpret_cast<uint8_t*>(at));  // alone in its block: written in place
    }
  }
  EXPECT_EQ(model.graph().initializer(3).raw_data().view(), Pattern(30001, 3));
}

TEST_F(LoadTest, NamesOfAMappedModelAreItsOwn) {
  Put("m", MediumModel().SerializeAsString());
  ParseOptions options;
  options.no_copy = true;
  options.file_load_mode = FileLoadMode::MMAP;
  utils::FileStream stream(Path("m"));
  const std::string_view bytes = stream.Source(ModelProto::table(), options).bytes;
  ModelProto model;
  ParseProtoFromStream(model, stream, options);
  for (const TensorProto& tensor : model.graph().initializer()) {
    EXPECT_FALSE(tensor.view_name().data() >= bytes.data() && tensor.view_name().data() < bytes.data() + bytes.size());
    EXPECT_TRUE(tensor.raw_data().empty() || (tensor.raw_data().view().data() > bytes.data()));
  }
}

TEST_F(LoadTest, AMappedModelOutlivesTheNameOfItsFile) {
  const ModelProto expected = MediumModel();
  Put("m", expected.SerializeAsString());
  ParseOptions options;
  options.no_copy = true;
  options.file_load_mode = FileLoadMode::MMAP;
  ModelProto model = Load("m", options);
  {
    utils::FileWriteStream out(Path("m"));  // replaces the file by a new one: the old one stays as it is mapped
    SerializeModelProtoToStream(RichModel(), out);
  }
  EXPECT_EQ(model, expected);
  utils::FileWriteStream out(Path("copy"));
  SerializeModelProtoToStream(model, out);
  out.Close();
  EXPECT_EQ(Load("copy"), expected);
  EXPECT_TRUE(model.graph().initializer(1).raw_data().is_borrowed());  // saving changed nothing
}

TEST_F(LoadTest, AMappedPayloadWhoseFileWasShortenedIsAnErrorWhereverItIsCopied) {
  Put("m", MediumModel().SerializeAsString());
  ParseOptions options;
  options.no_copy = true;
  options.file_load_mode = FileLoadMode::MMAP;
  ModelProto model = Load("m", options);
  const ModelProto same = model;
  std::filesystem::resize_file(Path("m"), 100000);
  EXPECT_THROW(model.SerializeAsString(), FileError);
  EXPECT_THROW(model.DebugString(), FileError);
  EXPECT_THROW((void)(model == same), FileError);
  EXPECT_THROW(ConsolidateTensorsToBuffer(model), FileError);
  EXPECT_THROW(model.mutable_graph()->mutable_initializer(1)->mutable_raw_data()->mutable_data(), FileError);
  EXPECT_THROW(model.mutable_graph()->mutable_initializer(1)->mutable_raw_data()->resize(6 << 20), FileError);
  utils::FileWriteStream out(Path("copy"));
  EXPECT_THROW(SerializeModelProtoToStream(model, out), FileError);
  EXPECT_EQ(ReleaseWeights(model), (5u << 20) + 40000 + 700000 + 20000 + 5000 + 300 + (1 << 20) + 8);
  EXPECT_EQ(model.graph().initializer(1).name(), same.graph().initializer(1).name());
  EXPECT_FALSE(model.graph().initializer(1).has_raw_data());
}

TEST_F(LoadTest, AFileThatIsShortenedBeforeItIsReadIsAnError) {
  Put("m", MediumModel().SerializeAsString());
  for (const FileLoadMode mode : {FileLoadMode::AUTO, FileLoadMode::MMAP}) {
    utils::FileStream stream(Path("m"));
    std::filesystem::resize_file(Path("m"), std::filesystem::file_size(Path("m")) - 200000);
    ParseOptions options;
    options.file_load_mode = mode;
    options.no_copy = true;
    ModelProto model = RichModel();
    EXPECT_ANY_THROW(ParseProtoFromStream(model, stream, options));
    EXPECT_EQ(model, RichModel());
  }
}

// What the parser makes of a file whose payloads are read on their own is what it makes of the same bytes in memory.
class IndexTest : public LoadTest {
 protected:
  // Gives the model, or the text of the error.
  std::pair<ModelProto, std::string> Indexed(const std::string& bytes, const ParseOptions& options = {}) const {
    const std::string path = Path("indexed");
    Put("indexed", bytes);
    ModelProto model;
    const std::string error = ErrorOf([&] {
      const utils::FileDescriptor file = utils::OpenForReading(path);
      proto::IndexedFile indexed(file.get(), path, bytes.size(), ModelProto::table(), options);
      proto::ParseInto(ModelProto::table(), model, {.bytes = indexed.bytes(), .lends = ParseSource::Lends::kNothing, .payloads = &indexed},
                       options);
    });
    return {model, error};
  }
  std::pair<ModelProto, std::string> InMemory(const std::string& bytes, const ParseOptions& options = {}) const {
    ModelProto model;
    const std::string error = ErrorOf([&] { model.ParseFromString(bytes, options); });
    return {model, error};
  }
};

TEST_F(IndexTest, EveryPlaceOfATensorIsFound) {
  const ModelProto model = TensorEverywhere(20000);
  const std::string bytes = model.SerializeAsString();
  Put("m", bytes);
  const utils::FileDescriptor file = utils::OpenForReading(Path("m"));
  proto::IndexedFile indexed(file.get(), Path("m"), bytes.size(), ModelProto::table(), ParseOptions());
  EXPECT_EQ(indexed.payload_bytes(), 20000 * testing_support::PlacesOfTensorEverywhere().size());
  EXPECT_EQ(Indexed(bytes).first, model);
}

TEST_F(IndexTest, AFileThatEndsAnywhereIsTheSameErrorAsTheSameBytes) {
  const std::string bytes = TensorEverywhere(17000).SerializeAsString();
  std::mt19937 random(1);
  for (int i = 0; i < 150; ++i) {
    const std::string cut = bytes.substr(0, random() % bytes.size());
    EXPECT_EQ(Indexed(cut), InMemory(cut)) << cut.size();
  }
}

TEST_F(IndexTest, ChangedBytesAreTheSameErrorOrTheSameModel) {
  const std::string bytes = WithPayloads({17000, 30000, 17000}).SerializeAsString();
  const size_t first = bytes.find("weights of"), structure = first + 100;
  std::mt19937 random(2);
  for (int i = 0; i < 400; ++i) {
    std::string changed = bytes;
    size_t at = random() % structure;
    if (i % 2) at = bytes.rfind("weights of") - 20 + random() % 100;  // near the last payload
    changed[at] = static_cast<char>(random());
    EXPECT_EQ(Indexed(changed), InMemory(changed)) << at;
  }
}

TEST_F(IndexTest, UnusualBytesAreTheSameMessage) {
  const std::string large(20000, 'L'), other(20000, 'O');
  const auto field = [](int number, const std::string& bytes) {
    std::string out(1, static_cast<char>(number << 3 | 2));
    size_t size = bytes.size();
    for (; size >= 0x80; size >>= 7) out += static_cast<char>(size | 0x80);
    return out + static_cast<char>(size) + bytes;
  };
  const std::string tensor = field(8, "twice") + field(9, large) + field(9, other);  // the last one counts
  const std::string graph = field(5, tensor) + field(5, field(9, large)) + field(3, large);
  const std::string group = "\x7b" + field(9, large) + "\x7c";  // a group is an unknown field, whatever is in it
  for (const std::string& bytes : {field(7, graph), field(7, graph) + field(7, graph), field(7, field(5, tensor + group)),
                                   field(7, field(5, group + tensor)), field(7, graph) + field(13, large), field(7, field(9, large)),
                                   field(7, field(5, field(8, large) + field(9, large))), std::string()}) {
    EXPECT_EQ(Indexed(bytes), InMemory(bytes));
    ParseOptions options;
    options.max_tensor_size_bytes = 100;
    EXPECT_EQ(Indexed(bytes, options), InMemory(bytes, options));
    options.skip_raw_data = true;
    options.max_tensor_size_bytes = -1;
    EXPECT_EQ(Indexed(bytes, options), InMemory(bytes, options));
    options.max_recursion_depth = 1;
    EXPECT_EQ(Indexed(bytes, options), InMemory(bytes, options));
  }
}

TEST_F(LoadTest, AnOpenFileIsReadFromItsBeginningAlsoAfterAnAttemptThatWasInterrupted) {
  const ModelProto expected = MediumModel();
  Put("m", expected.SerializeAsString());
  struct Stop {};
  for (const FileLoadMode mode : {FileLoadMode::AUTO, FileLoadMode::IFSTREAM}) {
    ParseOptions options;
    options.file_load_mode = mode;
    utils::FileDescriptor file = utils::OpenForReading(Path("m"));
    char first[100];
    utils::ReadSome(file.get(), "m", first, sizeof first);
    utils::FileStream stream(std::move(file), "m");
    ModelProto model;
    utils::SetInterruptCheck([](bool) { throw Stop(); });
    EXPECT_THROW(ParseProtoFromStream(model, stream, options), Stop);
    utils::SetInterruptCheck(nullptr);
    ParseProtoFromStream(model, stream, options);
    EXPECT_EQ(model, expected);
  }
}

TEST_F(LoadTest, AFileThatIsNoModelIsReadUpToTheFaultOnly) {
  static size_t reads = 0;   // of a MiB and more
  Put("m", "\x08\x01\x0f");  // a version, and a tag that no field has
  std::filesystem::resize_file(Path("m"), uintmax_t{2} << 30);
  utils::SetInterruptCheck([](bool) { ++reads; });
  EXPECT_EQ(ErrorOf([&] { Load("m"); }), "ParseError: ModelProto.ir_version: wire type 7 does not exist at offset 3");
  utils::SetInterruptCheck(nullptr);
  EXPECT_LT(reads, 3u);
}

// ---- files that are larger than the memory that a load may take

// A model with one tensor of `size` bytes, all zero, of which the file system stores nothing.
void PutSparse(const std::string& path, uint64_t size) {
  const auto varint = [](uint64_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
    return out + static_cast<char>(value);
  };
  const std::string name = "\x42\x05large";
  const std::string head = name + "\x4a" + varint(size);
  const std::string graph_head = "\x2a" + varint(head.size() + size) + head;
  const std::string bytes = "\x08\x0a\x3a" + varint(graph_head.size() + size) + graph_head;
  std::ofstream(path, std::ios::binary) << bytes;
  std::filesystem::resize_file(path, bytes.size() + size);
}

uint64_t AvailableMemory() {
  std::ifstream facts("/proc/meminfo");
  for (std::string line; std::getline(facts, line);) {
    if (line.rfind("MemAvailable:", 0) == 0) return std::stoull(line.substr(13)) << 10;
  }
  return 0;
}

class SparseFileTest : public LoadTest {
 protected:
  void SetUp() override {
    try {
      PutSparse(Path("m"), kSize);
    } catch (const std::filesystem::filesystem_error&) {
      GTEST_SKIP() << "the file system has no files of " << kSize << " bytes";
    }
  }
  static constexpr uint64_t kSize = (uint64_t{4} << 30) + 5;
};

TEST_F(SparseFileTest, IsMappedWithoutBeingRead) {
  ParseOptions options;
  options.no_copy = true;
  options.file_load_mode = FileLoadMode::MMAP;
  const ModelProto model = Load("m", options);
  const utils::ByteSpan& raw = model.graph().initializer(0).raw_data();
  EXPECT_EQ(raw.size(), kSize);
  EXPECT_EQ(raw[kSize - 1], 0);
  EXPECT_EQ(model.ByteSizeLong(), std::filesystem::file_size(Path("m")));
}

TEST_F(SparseFileTest, LimitsCountBeforeAnythingIsAllocated) {
  ParseOptions options;
  options.max_tensor_size_bytes = 1 << 20;
  EXPECT_EQ(ErrorOf([&] { Load("m", options); }),
            "ParseError: ModelProto.graph.initializer[0].raw_data: a payload of 4294967301 bytes, 1048576 are allowed at offset 27");
  options = {};
  options.max_total_size_bytes = 1 << 20;
  EXPECT_THROW(Load("m", options), ParseError);
  options = {};
  options.skip_raw_data = true;
  const ModelProto model = Load("m", options);
  EXPECT_EQ(model.graph().initializer(0).name(), "large");
  EXPECT_FALSE(model.graph().initializer(0).has_raw_data());
}

TEST_F(SparseFileTest, IsLoadedAndSavedWhereThereIsMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "takes minutes under a sanitizer";
#endif
  if (AvailableMemory() < (uint64_t{10} << 30)) GTEST_SKIP() << "10 GiB of memory are needed";
  ParseOptions options;
  options.num_threads = 2;
  const ModelProto model = Load("m", options);
  const utils::ByteSpan& raw = model.graph().initializer(0).raw_data();
  ASSERT_EQ(raw.size(), kSize);
  EXPECT_FALSE(raw.is_borrowed());
  EXPECT_EQ(raw[0] + raw[kSize - 1] + raw[uint64_t{3} << 30], 0);
  // Written to where it costs nothing, and counted.
  struct Counter : utils::BinaryWriteStream {
    void Write(std::string_view bytes) override { size += bytes.size(); }
    uint64_t size = 0;
  } counter;
  SerializeModelProtoToStream(model, counter);
  EXPECT_EQ(counter.size, std::filesystem::file_size(Path("m")));
  utils::FileWriteStream out("/dev/null");
  SerializeModelProtoToStream(model, out);
  out.Close();
}

TEST_F(LoadTest, ManyThreadsMayLoadAndSaveAtOnce) {
  const ModelProto expected = MediumModel();
  Put("m", expected.SerializeAsString());
  ParseOptions options;  // one object for all
  options.num_threads = 3;
  options.min_parallel_block_size = 64 << 10;
  options.file_load_mode = FileLoadMode::MMAP;
  options.no_copy = true;
  const ModelProto shared = Load("m", options);
  options.no_copy = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      const ModelProto loaded = Load("m", options);
      EXPECT_EQ(loaded, shared);
      const ModelProto copy = shared;
      utils::FileWriteStream out(Path("copy" + std::to_string(i)));
      SerializeModelProtoToStream(copy, out);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Load("copy2"), expected);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
