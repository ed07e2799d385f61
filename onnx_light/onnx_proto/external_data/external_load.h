// Reading the payloads of references in steps, for callers that do not hold the same locks all the time: collect what a message refers to,
// read it without a look at any message, put it into the tensors.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "onnx_proto/external_data/payload_source.h"

namespace ONNX_LIGHT_NAMESPACE {

class ONNX_LIGHT_API ExternalLoad {
 public:
  /// What the references are relative to.
  struct Place {
    enum Kind { kFolder, kModelFile };  // a link at the model's file leads to one more folder where weights may lie
    std::string path;
    Kind kind = kFolder;
    ModelFolder Open() const { return kind == kFolder ? ModelFolder::At(path) : ModelFolder::OfModel(path); }
  };
  /// The options outlive it, the message the steps that look at it.
  ExternalLoad(const proto::Table& table, proto::Message& message, Place place, const LoadOptions& options)
      : table_(table), message_(message), place_(std::move(place)), options_(options) {}

  /// Looks at the message: all references, or those of tensors with these names. `already` bytes count to the limit.
  /// Throws ExternalDataError (also for a name that no tensor has) and ParseError (limits).
  void Collect(const std::vector<std::string>& names, uint64_t already);
  /// Whoever lets go of locks here keeps these tensors, and says if they are others afterwards.
  std::vector<WantedPayload>& wanted() { return wanted_; }
  /// Looks at files alone. Throws FileError and ExternalDataError.
  void Read();
  /// All payloads take their places; a tensor that refers to something else by now is left as it is.
  void Put();

  void Run(const std::vector<std::string>& names, uint64_t already) {
    Collect(names, already);
    Read();
    Put();
  }

 private:
  // All payloads of one location.
  struct Source {
    std::string location;
    std::vector<WantedPayload*> wanted;
    std::vector<std::pair<std::string, std::string>> checksums;  // whose, which
  };

  void CheckLimits(const std::string& whose, uint64_t size, uint64_t& total) const;
  void ChoosePrimary();
  WeightsFile Open(const Source& source) const;
  void Read(Source& source);

  const proto::Table& table_;
  proto::Message& message_;
  const Place place_;
  const LoadOptions& options_;
  std::optional<ModelFolder> folder_;
  std::vector<WantedPayload> wanted_;
  std::vector<Source> sources_;
  std::set<std::string> all_locations_;  // of wanted tensors and others
  std::string primary_;                  // in the model
  std::string given_;                    // instead
};

}  // namespace ONNX_LIGHT_NAMESPACE
