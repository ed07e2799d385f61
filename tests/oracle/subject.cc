#include "subject.h"

#include "inside_model.h"
#include "onnx_proto/onnx.h"

namespace oracle {
namespace {

template <typename T>
class SubjectOf final : public Subject {
 public:
  SubjectOf() : owner_(std::make_shared<T>()), message_(*static_cast<T*>(owner_.get())) {}
  SubjectOf(std::shared_ptr<void> owner, T& message) : owner_(std::move(owner)), message_(message) {}

  bool Parse(std::string_view bytes) override {
    return Guarded([&] { message_.ParseFromString(bytes); });
  }

  bool ParseBorrowing(std::string_view bytes) override {
    onnx_light::ParseOptions options;
    options.no_copy = true;
    return Guarded([&] { message_.ParseFromString(bytes, options); });
  }

  bool ParseWithin(std::string_view bytes, int max_depth) override {
    onnx_light::ParseOptions options;
    options.max_recursion_depth = max_depth;
    return Guarded([&] { message_.ParseFromString(bytes, options); });
  }

  std::string Serialize() const override { return message_.SerializeAsString(); }
  size_t ByteSize() const override { return message_.ByteSizeLong(); }
  std::string Text() const override { return message_.DebugString(); }
  std::string TypeName() const override { return std::string(message_.GetTypeName()); }

  void CopyFrom(const Subject& other) override { message_.CopyFrom(Same(other)); }
  void MergeFrom(const Subject& other) override { message_.MergeFrom(Same(other)); }
  void Swap(Subject& other) override { message_.Swap(&const_cast<T&>(Same(other))); }
  bool Equals(const Subject& other) const override { return message_ == Same(other); }
  void Clear() override { message_.Clear(); }

 private:
  static const T& Same(const Subject& other) { return dynamic_cast<const SubjectOf&>(other).message_; }

  template <typename Action>
  bool Guarded(Action action) {
    try {
      action();
      return true;
    } catch (const onnx_light::ParseError& error) {
      error_ = error.what();
    }
    return false;
  }

  std::shared_ptr<void> owner_;
  T& message_;
};

template <typename T>
std::unique_ptr<Subject> SubjectInside(const std::shared_ptr<onnx_light::ModelProto>& model) {
  T* const message = InsideModel<T>::Add(*model);
  if (message == nullptr) return std::make_unique<SubjectOf<T>>();
  return std::make_unique<SubjectOf<T>>(model, *message);
}

template <typename T>
std::vector<std::unique_ptr<Subject>> SubjectsApart() {
  const auto one = std::make_shared<onnx_light::ModelProto>();
  const auto other = std::make_shared<onnx_light::ModelProto>();
  std::vector<std::unique_ptr<Subject>> subjects;
  subjects.push_back(SubjectInside<T>(one));
  subjects.push_back(SubjectInside<T>(one));
  subjects.push_back(SubjectInside<T>(other));
  subjects.push_back(std::make_unique<SubjectOf<T>>());
  return subjects;
}

}  // namespace

std::unique_ptr<Subject> MakeSubject(std::string_view type) {
#define MESSAGE(cpp, name) \
  if (type == "onnx." name) return std::make_unique<SubjectOf<onnx_light::cpp>>();
#include "message_types.inc"
#undef MESSAGE
  return nullptr;
}

std::vector<std::unique_ptr<Subject>> MakeSubjectsApart(const std::string& type) {
#define MESSAGE(cpp, name) \
  if (type == "onnx." name) return SubjectsApart<onnx_light::cpp>();
#include "message_types.inc"
#undef MESSAGE
  return {};
}

const std::vector<std::string>& TypeNames() {
  static const std::vector<std::string> names = {
#define MESSAGE(cpp, name) "onnx." name,
#include "message_types.inc"
#undef MESSAGE
  };
  return names;
}

}  // namespace oracle
