// The acts on a whole model, written once for every library that has protoc's accessors: so all of them do the same job.
//
// `Root` owns one model: a default-made one is empty, model() is it, and the destructor gives everything back.
#pragma once

#include <optional>
#include <stdexcept>
#include <utility>

#include "../region.h"

namespace bench {

template <class Root>
class OnMessages : public Region {
 public:
  explicit OnMessages(Input& input) : bytes_(input.bytes()) {}

 protected:
  const std::string& bytes() const { return bytes_; }
  void Parse(std::optional<Root>& root) const {
    root.emplace();
    if (!root->model().ParseFromString(bytes_)) throw std::runtime_error("the model cannot be parsed");
  }
  Outcome Found(const Root& root) const {
    const auto& graph = std::as_const(root).model().graph();
    return {static_cast<uint64_t>(graph.node_size()) + static_cast<uint64_t>(graph.initializer_size()), bytes_.size()};
  }
  Outcome CheckedBytes(const Root& root) const {
    if (root.model().SerializeAsString() != bytes_) throw std::runtime_error("the model does not serialise to the bytes it came from");
    return Found(root);
  }

 private:
  const std::string& bytes_;
};

template <class Root>
class ParseModel : public OnMessages<Root> {
 public:
  using OnMessages<Root>::OnMessages;
  void Prepare() override { root_.emplace(); }
  void Act() override {
    if (!root_->model().ParseFromString(this->bytes())) throw std::runtime_error("the model cannot be parsed");
  }
  Outcome Check() override { return this->CheckedBytes(*root_); }
  void Undo() override { root_.reset(); }

 protected:
  std::optional<Root> root_;
};

template <class Root>
class SerialiseModel : public OnMessages<Root> {
 public:
  using OnMessages<Root>::OnMessages;
  // Parsed once: serialising leaves the model as it is, sizes that a library caches are computed again by each call.
  void Prepare() override {
    if (!root_) this->Parse(root_);
  }
  void Act() override { text_ = root_->model().SerializeAsString(); }
  Outcome Check() override {
    if (text_ != this->bytes()) throw std::runtime_error("the model does not serialise to the bytes it came from");
    return this->Found(*root_);
  }
  void Undo() override { text_ = std::string(); }

 private:
  std::optional<Root> root_;
  std::string text_;
};

template <class Root>
class DestroyModel : public OnMessages<Root> {
 public:
  using OnMessages<Root>::OnMessages;
  void Prepare() override {
    this->Parse(root_);
    found_ = this->Found(*root_);
  }
  void Act() override { root_.reset(); }
  Outcome Check() override { return found_; }

 private:
  std::optional<Root> root_;
  Outcome found_;
};

template <class Root>
class CopyModel : public OnMessages<Root> {
 public:
  using OnMessages<Root>::OnMessages;
  void Prepare() override {
    if (!root_) this->Parse(root_);
    copy_.emplace();
  }
  void Act() override { copy_->model().CopyFrom(root_->model()); }
  Outcome Check() override { return this->CheckedBytes(*copy_); }
  void Undo() override { copy_.reset(); }

 private:
  std::optional<Root> root_, copy_;
};

template <class Root>
class CompareModels : public OnMessages<Root> {
 public:
  using OnMessages<Root>::OnMessages;
  void Prepare() override {
    if (root_) return;
    this->Parse(root_);
    this->Parse(other_);
  }
  void Act() override { equal_ = root_->model() == other_->model(); }
  Outcome Check() override {
    if (!equal_) throw std::runtime_error("two models from the same bytes are not equal");
    return this->Found(*root_);
  }

 private:
  std::optional<Root> root_, other_;
  bool equal_ = false;
};

}  // namespace bench
