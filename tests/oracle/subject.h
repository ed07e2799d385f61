// Any one of our messages behind one face, so that a test or a tool can be written once for all 33 types.
// A subject owns its message. Parsing returns false where ours throws a ParseError; any other exception escapes and fails the test.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace oracle {

class Subject {
 public:
  virtual ~Subject() = default;

  // Both replace the content; on failure it must be what it was, which the tests hold. The second may keep views of `bytes`, which must
  // outlive the subject.
  virtual bool Parse(std::string_view bytes) = 0;
  virtual bool ParseBorrowing(std::string_view bytes) = 0;
  // As Parse, with another limit to the messages and groups below the outermost.
  virtual bool ParseWithin(std::string_view bytes, int max_depth) = 0;
  // The text of the last exception that made a parse return false.
  const std::string& error() const { return error_; }

  virtual std::string Serialize() const = 0;
  virtual size_t ByteSize() const = 0;
  virtual std::string Text() const = 0;
  virtual std::string TypeName() const = 0;

  // The other subject must be of the same type.
  virtual void CopyFrom(const Subject& other) = 0;
  virtual void MergeFrom(const Subject& other) = 0;
  virtual void Swap(Subject& other) = 0;
  virtual bool Equals(const Subject& other) const = 0;
  virtual void Clear() = 0;

 protected:
  std::string error_;
};

// `type` is the full name in protobuf, such as "onnx.TypeProto.Tensor". Null for a name that is not ONNX's.
std::unique_ptr<Subject> MakeSubject(std::string_view type);

// Four messages of one type where messages can be: two inside one model, one inside another model, and one by itself. (Messages that no
// model holds stand by themselves instead.)
std::vector<std::unique_ptr<Subject>> MakeSubjectsApart(const std::string& type);

// The full names of all messages, in the order of message_types.inc.
const std::vector<std::string>& TypeNames();

}  // namespace oracle
