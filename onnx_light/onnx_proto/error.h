// What can go wrong with messages and bytes: one type a kind. The text says place, rule and value.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "onnx_proto/export.h"

namespace ONNX_LIGHT_NAMESPACE {

/// The root of everything this library throws on its own account (besides std::bad_alloc and std::out_of_range).
class ONNX_LIGHT_EXCEPTION Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what) : std::runtime_error(what) {}
  ~Error() override;
};

/// Bytes that are not the message they should be. The target of the parse is as it was before.
class ONNX_LIGHT_EXCEPTION ParseError : public Error {
 public:
  using Error::Error;
  ~ParseError() override;
};

/// Text that is not the message it should be, and where it stops being one. Lines and columns count from 1; a column is a character.
class ONNX_LIGHT_EXCEPTION SyntaxError : public ParseError {
 public:
  SyntaxError(const std::string& what, uint64_t line, uint64_t column) : ParseError(what), line_(line), column_(column) {}
  ~SyntaxError() override;
  uint64_t line() const { return line_; }
  uint64_t column() const { return column_; }

 private:
  uint64_t line_;
  uint64_t column_;
};

/// Not protobuf text format.
class ONNX_LIGHT_EXCEPTION TextParseError : public SyntaxError {
 public:
  using SyntaxError::SyntaxError;
  ~TextParseError() override;
};

/// Not the JSON of a protobuf message.
class ONNX_LIGHT_EXCEPTION JsonParseError : public SyntaxError {
 public:
  using SyntaxError::SyntaxError;
  ~JsonParseError() override;
};

/// Not the ONNX syntax.
class ONNX_LIGHT_EXCEPTION OnnxSyntaxError : public SyntaxError {
 public:
  using SyntaxError::SyntaxError;
  ~OnnxSyntaxError() override;
};

/// A message that cannot be written: nested too deep, or larger than a limit allows. Nothing has been written.
class ONNX_LIGHT_EXCEPTION SerializeError : public Error {
 public:
  using Error::Error;
  ~SerializeError() override;
};

/// Bytes that are not an encrypted model made with this key, or options that no encryption has.
class ONNX_LIGHT_EXCEPTION CryptError : public Error {
 public:
  using Error::Error;
  ~CryptError() override;
};

/// This build can neither encrypt nor decrypt.
class ONNX_LIGHT_EXCEPTION CryptUnavailable : public Error {
 public:
  using Error::Error;
  ~CryptUnavailable() override;
};

/// A message nested deeper than a verb other than parse and serialise (copy, compare, print) follows.
class ONNX_LIGHT_EXCEPTION NestingError : public Error {
 public:
  using Error::Error;
  ~NestingError() override;
};

/// A message that breaks a rule of ONNX, whatever its operators are.
class ONNX_LIGHT_EXCEPTION ValidationError : public Error {
 public:
  using Error::Error;
  ~ValidationError() override;
};

/// A file that cannot be opened, read or written. `code` is the errno of the call that failed; `what` is "path: problem".
class ONNX_LIGHT_EXCEPTION FileError : public Error {
 public:
  FileError(const std::string& path, const std::string& problem, int error_code)
      : Error(path + ": " + problem), code_(error_code), path_(path) {}
  /// Of a stream whose file has no name.
  FileError(const std::string& problem, int error_code) : Error(problem), code_(error_code) {}
  ~FileError() override;
  int code() const { return code_; }
  const std::string& path() const { return path_; }  ///< as the caller spelt it; empty if there is none
  std::string problem() const { return std::string(what() + (path_.empty() ? 0 : path_.size() + 2)); }

 private:
  int code_;
  std::string path_;
};

}  // namespace ONNX_LIGHT_NAMESPACE
