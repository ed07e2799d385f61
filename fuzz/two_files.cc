// A model and a weights file in a folder with hostile company: what is read stays in the folder, and what was loaded can be saved.
//
// Byte 0: how it is loaded; byte 1: how it is saved; bytes 2 and 3: how many bytes the model has, low byte first; the model; the weights.
// With the top bit of byte 0 the model's bytes are a recipe, so that a mutation meets the metadata and not only the lengths around it:
// lines "type,dim,dim|location|offset|length|checksum|name", each a reference (one that begins with @ lies in an attribute).
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>

#include "check.h"
#include "onnx_proto/external_data/raw_bytes.h"
#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/onnx_files.h"
#include "onnx_proto/onnx_helper.h"

namespace ONNX_LIGHT_NAMESPACE::fuzz {
namespace {

namespace fs = std::filesystem;

std::string Get(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void Put(const fs::path& path, std::string_view bytes) { std::ofstream(path, std::ios::binary) << bytes; }
std::set<std::string> NamesIn(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

// The folders of one run: a model's, where one saves to, and a file outside of both that links of every kind lead to.
class Place {
 public:
  Place() {
    std::string name = (fs::canonical(fs::temp_directory_path()) / ("onnx_light_fuzz_" + std::string(6, 'X'))).string();
    root = mkdtemp(name.data());
    model = root / "model";
    out = root / "out";
    for (const fs::path& folder : {model, out, model / "sub", model / "folder"}) fs::create_directory(folder);
    Put(root / "outside", "these bytes are nobody's business");
    Put(model / "sub" / "v", "0123456789abcdefghijklmnopqrstuvwxyz");
    fs::create_symlink("..", model / "sub" / "up");
    fs::create_symlink("w", model / "inner");
    fs::create_symlink("../outside", model / "outer");
    fs::create_symlink("..", model / "parent");
    fs::create_hard_link(root / "outside", model / "hard");
    FUZZ_CHECK(mkfifo((model / "pipe").c_str(), 0600) == 0);
    Put(model / "w", "");
    Put(model / "m", "");
    company_ = NamesIn(model);
  }
  ~Place() {
    std::error_code ignored;
    fs::remove_all(root, ignored);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  void CheckNothingElseWasWritten() const {
    FUZZ_CHECK((NamesIn(root) == std::set<std::string>{"model", "out", "outside"}));
    FUZZ_CHECK(NamesIn(model) == company_);
    for (const std::string& name : NamesIn(out)) FUZZ_CHECK(!name.starts_with("."));  // a save has no hidden file left
  }
  void ClearOut() const {
    for (const auto& entry : fs::directory_iterator(out)) fs::remove_all(entry.path());
  }

  fs::path root, model, out;

 private:
  std::set<std::string> company_;
};

std::string_view Cut(std::string_view& text, char at) {
  const size_t end = std::min(text.find(at), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

int64_t Number(std::string_view text) {
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string Made(std::string_view recipe) {
  ModelProto model;
  model.set_ir_version(10);
  while (!recipe.empty()) {
    std::string_view line = Cut(recipe, '\n');
    TensorProto* tensor = nullptr;
    if (line.starts_with('@')) {
      line.remove_prefix(1);
      tensor = model.mutable_graph()->add_node()->add_attribute()->mutable_t();
    } else {
      tensor = model.mutable_graph()->add_initializer();
    }
    tensor->set_data_location(TensorProto::EXTERNAL);
    std::string_view shape = Cut(line, '|');
    tensor->set_data_type(static_cast<int32_t>(Number(Cut(shape, ','))));
    while (!shape.empty()) tensor->add_dims(Number(Cut(shape, ',')));
    for (const char* key : {"location", "offset", "length", "checksum"}) {
      const std::string_view value = Cut(line, '|');
      if (value.empty()) continue;
      StringStringEntryProto* entry = tensor->add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    }
    tensor->set_name(line);
  }
  return model.SerializeAsString();
}

LoadOptions LoadOptionsOf(uint8_t flags) {
  LoadOptions options;
  options.no_copy = flags & 1;
  if (flags & 2) options.file_load_mode = FileLoadMode::MMAP;
  if (flags & 4) options.num_threads = 2;
  options.verify_checksums = flags & 8;
  if (flags & 16) options.max_tensor_size_bytes = 64;
  if (flags & 32) options.location = "w";
  return options;
}

SaveOptions SaveOptionsOf(uint8_t flags) {
  constexpr int64_t kAlignments[] = {0, 1, 64, 4096};
  SaveOptions options;
  options.save_as_external_data = flags & 1;
  options.all_tensors_to_one_file = flags & 2;
  options.convert_attribute = flags & 4;
  options.checksum = flags & 8;
  options.alignment = kAlignments[flags >> 4 & 3];
  if (flags & 64) options.max_external_file_size = 100;
  options.raw_data_threshold = flags & 128 ? 16 : 0;
  return options;
}

bool Loads(ModelProto& model, const fs::path& path, const LoadOptions& options) {
  const ModelProto before = model;
  try {
    LoadModel(model, path, options);
    return true;
  } catch (const Error&) {
    FUZZ_CHECK(model == before);
    return false;
  }
}

bool Hydrates(ModelProto& model, const fs::path& folder, const LoadOptions& options) {
  const ModelProto before = model;
  try {
    LoadExternalData(model, folder, options);
    return true;
  } catch (const Error&) {
    FUZZ_CHECK(model == before);
    return false;
  }
}

// Every payload is what its reference says of a file in the folder.
void CheckPayloads(const Place& place, const ModelProto& structure, const ModelProto& loaded, const LoadOptions& options) {
  const std::vector<ExternalRange> ranges = ListExternalData(structure);
  auto range = ranges.begin();
  TensorWalk walk(loaded);
  for (TensorWalk other(structure); other.Next();) {
    FUZZ_CHECK(walk.Next());
    if (range == ranges.end() || range->tensor != &other.tensor()) continue;
    std::error_code error;
    const fs::path real = fs::canonical(place.model / range->location, error);
    FUZZ_CHECK(!error && real.native().starts_with(place.model.native() + "/"));
    FUZZ_CHECK(!fs::equivalent(real, place.root / "outside"));
    const std::string content = Get(real);
    FUZZ_CHECK(range->offset <= content.size() && range->size <= content.size() - range->offset);
    const utils::ByteSpan& payload = walk.tensor().raw_data();
    FUZZ_CHECK(payload.size() == range->size);
    FUZZ_CHECK(
        std::equal(payload.data(), payload.data() + payload.size(), reinterpret_cast<const uint8_t*>(content.data()) + range->offset));
    if (options.max_tensor_size_bytes >= 0) FUZZ_CHECK(range->size <= static_cast<uint64_t>(options.max_tensor_size_bytes));
    ++range;
  }
  FUZZ_CHECK(!walk.Next() && range == ranges.end());
}

// Without the choice of where elements are kept.
ModelProto Normal(ModelProto model) {
  for (MutableTensorWalk walk(model); walk.Next();) {
    TensorProto& tensor = walk.tensor();
    tensor.clear_external_data();
    tensor.clear_data_location();
    if (const std::optional<utils::ByteSpan> bytes = RawBytesOf(tensor)) {
      const std::string copy(reinterpret_cast<const char*>(bytes->data()), bytes->size());
      ClearElements(tensor);
      if (!copy.empty()) tensor.set_raw_data(copy);
    }
  }
  return model;
}

void SaveAndReload(const Place& place, const ModelProto& loaded, const SaveOptions& saving, uint8_t load_flags) {
  const fs::path path = place.out / "s";
  LoadOptions options = LoadOptionsOf(load_flags & 7);
  options.verify_checksums = saving.checksum;
  const ModelProto before = loaded;
  for (int i = 0; i < 2; ++i) {  // the second time over the files that it is mapped from
    ModelProto again;
    if (i == 0) {
      SaveModel(loaded, path, saving);
      FUZZ_CHECK(loaded == before);
    } else {
      LoadModel(again, path, options);
      SaveModel(again, path, saving);
    }
    LoadModel(again, path, options);
    FUZZ_CHECK(saving.save_as_external_data ? Normal(again) == Normal(loaded) : again == loaded);
  }
  place.CheckNothingElseWasWritten();
  place.ClearOut();
}

void Run(const Place& place, const uint8_t* head, std::string_view model, std::string_view weights) {
  const std::string bytes = head[0] & 128 ? Made(model) : std::string(model);
  const fs::path path = place.model / "m";
  Put(path, bytes);
  Put(place.model / "w", weights);
  const LoadOptions options = LoadOptionsOf(head[0]);
  LoadOptions structural = options;
  structural.load_external_data = false;

  ModelProto structure;
  if (!Loads(structure, path, structural)) {
    ModelProto none;
    FUZZ_CHECK(!Loads(none, path, options));
    return;
  }
  ModelProto streamed;
  try {
    utils::TwoFilesStream stream(path, place.model / "w");
    streamed.ParseFromStream(stream, options);
  } catch (const Error&) {
    FUZZ_CHECK(streamed == ModelProto());
  }
  ModelProto loaded, hydrated = structure;
  const bool loads = Loads(loaded, path, options);
  FUZZ_CHECK(Hydrates(hydrated, place.model, options) == loads);
  if (!loads) return;
  FUZZ_CHECK(hydrated == loaded);
  if (options.location.empty()) CheckPayloads(place, structure, loaded, options);
  SaveAndReload(place, loaded, SaveOptionsOf(head[1]), head[0]);
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const ONNX_LIGHT_NAMESPACE::fuzz::Place place;
  constexpr size_t kHead = 4;
  if (size < kHead) return 0;
  std::string_view rest(reinterpret_cast<const char*>(data) + kHead, size - kHead);
  const size_t model = std::min<size_t>(rest.size(), data[2] | data[3] << 8);
  ONNX_LIGHT_NAMESPACE::fuzz::Run(place, data, rest.substr(0, model), rest.substr(model));
  return 0;
}
