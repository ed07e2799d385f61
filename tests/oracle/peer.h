// libprotobuf's own messages, made from protoc's code for the .proto files of the `onnx` package. They are what ours are compared with.
#pragma once

#include <google/protobuf/message.h>

#include <memory>
#include <string>
#include <string_view>

namespace oracle {

// An empty libprotobuf message of the full name `type`, which must be one of ONNX's.
std::unique_ptr<google::protobuf::Message> MakePeer(const std::string& type);

// libprotobuf's reading of `bytes`; null where it refuses them. Says nothing on stderr.
std::unique_ptr<google::protobuf::Message> ReadPeer(const std::string& type, std::string_view bytes);

// libprotobuf's text of the message, brought to what protobuf's Python (upb) prints, which is the form we promise:
// unknown fields are left out, valid UTF-8 in strings stands as it is, and denormal floats are printed as short as others.
std::string PeerText(const google::protobuf::Message& message);

}  // namespace oracle
