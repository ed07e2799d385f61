#include "onnx_proto/error.h"

namespace ONNX_LIGHT_NAMESPACE {

// Defined here so that each type has one home, and catching works across shared objects.
Error::~Error() = default;
ParseError::~ParseError() = default;
SyntaxError::~SyntaxError() = default;
TextParseError::~TextParseError() = default;
JsonParseError::~JsonParseError() = default;
OnnxSyntaxError::~OnnxSyntaxError() = default;
SerializeError::~SerializeError() = default;
CryptError::~CryptError() = default;
CryptUnavailable::~CryptUnavailable() = default;
NestingError::~NestingError() = default;
ValidationError::~ValidationError() = default;
FileError::~FileError() = default;

}  // namespace ONNX_LIGHT_NAMESPACE
