// Whoever asks hears of every byte of a text that is read, and may end that; so may a signal, as long as one value is.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "onnx_proto/onnx_text.h"
#include "onnx_proto/stream/interrupt.h"
#include "onnx_proto/testing/sample.h"

namespace ONNX_LIGHT_NAMESPACE {
namespace {

struct Stop {};

constexpr size_t kBytes = size_t{3} << 19;  // of a payload: every text is longer

// Numbers one by one, a payload in one piece, names with and without escapes, what stands in a note of the syntax, empty messages.
std::vector<ModelProto> LargeModels() {
  std::vector<ModelProto> models(5);
  for (ModelProto& model : models) model.set_ir_version(10);
  TensorProto& numbers = *models[0].mutable_graph()->add_initializer();
  numbers.set_data_type(TensorProto::INT64);
  numbers.add_dims(kBytes / 8);
  for (size_t i = 0; i < kBytes / 8; ++i) numbers.add_int64_data(static_cast<int64_t>(i) + 1'000'000'000);
  TensorProto& payload = *models[1].mutable_graph()->add_initializer();
  payload.set_data_type(TensorProto::UINT8);
  payload.add_dims(kBytes);
  payload.set_raw_data(std::string(kBytes, '\xfe'));
  models[2].set_doc_string(std::string(kBytes, 'a') + '\n' + std::string(kBytes, '\n'));
  TensorProto& odd = *models[3].mutable_graph()->add_initializer();
  odd.set_data_type(TensorProto::FLOAT);  // and no shape that fits
  odd.set_raw_data(std::string(kBytes, '\x01'));
  for (size_t i = 0; i < kBytes / 8; ++i) models[4].mutable_graph()->add_node();
  return models;
}

struct FormOfText {
  const char* name;
  std::function<std::string(const ModelProto&)> print;
  std::function<void(std::string_view, ModelProto&, ProgressCallback)> read;
};

const std::vector<FormOfText>& Forms() {
  static const std::vector<FormOfText> forms{
      {"text format", [](const ModelProto& model) { return ToTextFormat(model); },
       [](std::string_view text, ModelProto& model, ProgressCallback progress) {
         FromTextFormat(text, model, {.progress = std::move(progress)});
       }},
      {"JSON", [](const ModelProto& model) { return ToJson(model); },
       [](std::string_view text, ModelProto& model, ProgressCallback progress) {
         FromJson(text, model, {.progress = std::move(progress)});
       }},
      {"syntax", [](const ModelProto& model) { return ToOnnxSyntax(model); },
       [](std::string_view text, ModelProto& model, ProgressCallback progress) {
         FromOnnxSyntax(text, model, {.progress = std::move(progress)});
       }},
  };
  return forms;
}

TEST(TextPace, EveryByteIsToldOnceAndTheReadMayEndAtAnyCall) {
  const std::vector<ModelProto> models = LargeModels();
  for (const FormOfText& form : Forms()) {
    for (size_t i = 0; i < models.size(); ++i) {
      SCOPED_TRACE(std::string(form.name) + " " + std::to_string(i));
      const std::string text = form.print(models[i]);
      uint64_t told = 0;
      ModelProto read;
      form.read(text, read, [&](uint64_t bytes) { told += bytes; });
      EXPECT_EQ(told, text.size());
      EXPECT_TRUE(read == models[i]);
      for (const bool at_once : {true, false}) {
        told = 0;
        ModelProto kept = testing_support::RichModel();
        EXPECT_THROW(form.read(text, kept,
                               [&](uint64_t bytes) {
                                 told += bytes;
                                 if (at_once || told == text.size()) throw Stop();
                               }),
                     Stop);
        EXPECT_EQ(kept, testing_support::RichModel());
        EXPECT_TRUE(!at_once || told < text.size());
      }
    }
  }
}

TEST(TextPace, ASignalIsAskedForAboutEveryMiB) {
  static size_t asked = 0;
  const std::vector<ModelProto> models = LargeModels();
  for (const FormOfText& form : Forms()) {
    for (size_t i = 0; i < models.size(); ++i) {
      SCOPED_TRACE(std::string(form.name) + " " + std::to_string(i));
      const std::string text = form.print(models[i]);
      asked = 0;
      utils::SetInterruptCheck([](bool) { ++asked; });
      ModelProto read;
      form.read(text, read, {});
      utils::SetInterruptCheck([](bool) { throw Stop(); });
      EXPECT_THROW(form.read(text, read, {}), Stop);
      utils::SetInterruptCheck(nullptr);
      EXPECT_GE(asked, text.size() >> 21);
      EXPECT_TRUE(read == models[i]);
    }
  }
}

TEST(TextPace, AShortTextIsToldToo) {
  const ModelProto model = testing_support::RichModel();
  for (const FormOfText& form : Forms()) {
    const std::string text = form.print(model);
    uint64_t told = 0;
    ModelProto read;
    form.read(text, read, [&](uint64_t bytes) { told += bytes; });
    EXPECT_EQ(told, text.size()) << form.name;
  }
}

}  // namespace
}  // namespace ONNX_LIGHT_NAMESPACE
