// Streams over memory, and the doors between messages and streams.
#include <istream>
#include <ostream>

#include "onnx_proto/stream.h"
#include "onnx_proto/verbs/write.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

BinaryStream::~BinaryStream() = default;
BinaryWriteStream::~BinaryWriteStream() = default;
StringStream::~StringStream() = default;
StringWriteStream::~StringWriteStream() = default;

void BinaryWriteStream::WriteParts(std::span<const proto::OutPart> parts) {
  for (const proto::OutPart& part : parts) Write(part.CheckedBytes());
}

}  // namespace ONNX_LIGHT_NAMESPACE::utils

namespace ONNX_LIGHT_NAMESPACE::proto {

void ParseStream(const Table& table, Message& message, utils::BinaryStream& stream, const ParseOptions& options) {
  const ParseSource source = stream.Source(table, options);
  if (!stream.completes()) return ParseInto(table, message, source, options);
  ParseOptions structure = options;
  structure.raw_data_callback = nullptr;  // once all payloads are there
  NewRoot root(table, ExpectedArena(source));
  ParseFresh(table, root.message(), source, structure, true);
  stream.Complete(table, root.message(), options);
  RunRawDataCallback(table, root.message(), options.raw_data_callback);
  if (message.is_value() || !message.arena_or_null()) Verbs::TakeRoot(table, message, root.Take());
  else Verbs::Copy(table, message, root.message());
}

void ParseIstream(const Table& table, Message& message, std::istream& in, const ParseOptions& options) {
  std::string bytes;
  char piece[1 << 16];
  while (in.read(piece, sizeof piece) || in.gcount() > 0) {
    bytes.append(piece, static_cast<size_t>(in.gcount()));
    CheckTotalSize(table, bytes.size(), options);
  }
  if (in.bad() || !in.eof()) throw FileError("the stream failed after " + std::to_string(bytes.size()) + " bytes", 0);  // or was never open
  ParseInto(table, message, ParseSource{.bytes = bytes, .lends = ParseSource::Lends::kNothing}, options);
}

void SerializeStream(const Table& table, const Message& message, utils::BinaryWriteStream& stream, const SerializeOptions& options) {
  try {
    if (stream.WriteMessage(table, message, options)) return;
    Writer writer(options);
    WriteMessage(writer, table, message, options);
    stream.WriteParts(writer.Parts());
  } catch (...) {
    stream.Abandon();
    throw;
  }
}

bool SerializeOstream(const Table& table, const Message& message, std::ostream& out, const SerializeOptions& options) {
  Writer writer(options);
  WriteMessage(writer, table, message, options);
  writer.ForEachPart([&](std::string_view part) { out.write(part.data(), static_cast<std::streamsize>(part.size())); });
  return out.good();
}

bool SerializeArray(const Table& table, const Message& message, void* data, size_t size, const SerializeOptions& options) {
  Writer writer(options);
  WriteMessage(writer, table, message, options);
  if (writer.size() > size) return false;
  writer.CopyTo(static_cast<char*>(data));
  return true;
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
