// Messages from wire bytes and back. A parse that fails leaves the message as it was.

#include "onnx_proto/stream.h"
#include "onnx_proto/verbs/parse_source.h"
#include "onnx_proto/verbs/write.h"
#include "onnx_py/errors.h"
#include "onnx_py/gil.h"
#include "onnx_py/message_face.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

// Bytes of a Python object, which cannot be resized as long as this lives.
class Buffer {
 public:
  explicit Buffer(PyObject* source) {
    immutable_ = PyBytes_CheckExact(source);
    if (PyObject_GetBuffer(source, &buffer_, PyBUF_SIMPLE) == 0) {
      held_ = true;
    } else if (PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_BufferError)) {
      PyErr_Clear();
      const Ref type(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(source)), "__name__"));
      if (type) PyErr_Format(PyExc_TypeError, "expected bytes, %S found", type.get());
    }
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (held_) PyBuffer_Release(&buffer_);
  }
  explicit operator bool() const { return held_; }
  std::string_view bytes() const { return {static_cast<const char*>(buffer_.buf), static_cast<size_t>(buffer_.len)}; }
  // Nobody can write into them, whoever runs.
  bool immutable() const { return immutable_; }

 private:
  Py_buffer buffer_{};
  bool held_ = false;
  bool immutable_ = false;
};

constexpr size_t kWorthReleasing = size_t{64} << 10;

void ParseRoot(const proto::NewRoot& root, const Table& table, const Buffer& source) {
  const GilReleased released(source.immutable() && source.bytes().size() >= kWorthReleasing);
  proto::ParseFresh(table, root.message(), {source.bytes()}, ParseOptions(), true);
}

PyObject* Parse(PyObject* self, const Buffer& source) {
  MessageFace& face = AsMessage(self);
  const Table& table = *face.type->table;
  return Guard([&] {
    if (StandsAlone(*face.message)) {
      const proto::NewRoot root(table, proto::ExpectedArena(source.bytes().size()));
      ParseRoot(root, table, source);
      MoveFace(face, root.message());
    } else {
      Verbs::Parse(table, *face.message, source.bytes(), ParseOptions());
    }
    return PyLong_FromSize_t(source.bytes().size());
  });
}

PyObject* ParseFromString(PyObject* self, PyObject* data) {
  const Buffer source(data);
  return source ? Parse(self, source) : nullptr;
}

// Nothing is set, and nobody but this face holds anything of the arena.
bool IsFresh(const Table& table, Message& message) {
  return StandsAlone(message) && message.arena()->HangsOnOneFace() && Verbs::Size(table, message) == 0;
}

PyObject* MergeFromString(PyObject* self, PyObject* data) {
  const Buffer source(data);
  if (!source) return nullptr;
  const Table& table = *AsMessage(self).type->table;
  if (IsFresh(table, *AsMessage(self).message)) return Parse(self, source);
  return Guard([&] {
    Verbs::ParseAndMerge(table, *AsMessage(self).message, source.bytes(), ParseOptions());
    return PyLong_FromSize_t(source.bytes().size());
  });
}

PyObject* FromString(PyObject* type, PyObject* data) {
  const Buffer source(data);
  if (!source) return nullptr;
  FaceType& face_type = *FaceTypeOf(reinterpret_cast<PyTypeObject*>(type));
  return Guard([&] {
    const proto::NewRoot root(*face_type.table, proto::ExpectedArena(source.bytes().size()));
    ParseRoot(root, *face_type.table, source);
    return FaceOf(face_type, root.message());
  });
}

PyObject* SerializeToString(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char deterministic[] = "deterministic";
  static char* names[] = {deterministic, nullptr};
  int ignored = 0;  // what is written never depends on chance
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|p", names, &ignored)) return nullptr;
  return Guard([&] {
    const SerializeOptions options;
    proto::Writer writer(options);
    proto::WriteMessage(writer, *AsMessage(self).type->table, *AsMessage(self).message, options);
    PyObject* const bytes = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(writer.size()));
    if (bytes) writer.CopyTo(PyBytes_AsString(bytes));
    return bytes;
  });
}

PyObject* ByteSize(PyObject* self, PyObject*) {
  return Guard([&] { return PyLong_FromSize_t(Verbs::Size(*AsMessage(self).type->table, *AsMessage(self).message)); });
}

// The file's name, as the system spells it.
Ref PathFrom(PyObject* path) {
  PyObject* bytes = nullptr;
  return PyUnicode_FSConverter(path, &bytes) ? Ref(bytes) : Ref();
}

PyObject* ParseFromFile(PyObject* self, PyObject* path) {
  const Ref name = PathFrom(path);
  if (!name) return nullptr;
  MessageFace& face = AsMessage(self);
  return Guard([&] {
    const Table& table = *face.type->table;
    utils::FileStream stream{std::string(PyBytes_AsString(name.get()))};
    const proto::NewRoot root(table, proto::ExpectedArena(stream.size()));
    {
      const GilReleased released(true);
      proto::ParseFresh(table, root.message(), stream.Source(), ParseOptions(), true);
    }
    if (StandsAlone(*face.message)) MoveFace(face, root.message());
    else Verbs::Copy(table, *face.message, root.message());
    return None();
  });
}

PyObject* SerializeToFile(PyObject* self, PyObject* path) {
  const Ref name = PathFrom(path);
  if (!name) return nullptr;
  return Guard([&] {
    utils::FileWriteStream stream{std::string(PyBytes_AsString(name.get()))};
    proto::SerializeStream(*AsMessage(self).type->table, *AsMessage(self).message, stream, SerializeOptions());
    stream.Close();
    return None();
  });
}

}  // namespace

PyMethodDef bytes_methods[] = {
    {"ParseFromString", ParseFromString, METH_O,
     "ParseFromString($self, data, /)\n--\n\nBecomes the message that the bytes hold. Returns their number.\n\nRaises DecodeError, and is "
     "as it was."},
    {"MergeFromString", MergeFromString, METH_O,
     "MergeFromString($self, data, /)\n--\n\nMerges the message that the bytes hold. Returns their number.\n\nRaises DecodeError, and is "
     "as it was."},
    {"FromString", FromString, METH_O | METH_CLASS,
     "FromString($type, data, /)\n--\n\nThe message that the bytes hold.\n\nRaises DecodeError."},
    {"SerializeToString", WithKeywords(SerializeToString), METH_VARARGS | METH_KEYWORDS,
     "SerializeToString($self, deterministic=False)\n--\n\nThe message in wire bytes.\n\nRaises EncodeError if it is nested too deep."},
    {"SerializePartialToString", WithKeywords(SerializeToString), METH_VARARGS | METH_KEYWORDS,
     "SerializePartialToString($self, deterministic=False)\n--\n\nThe same as SerializeToString."},
    {"ByteSize", ByteSize, METH_NOARGS, "ByteSize($self, /)\n--\n\nHow many bytes SerializeToString gives."},
    {"SerializeSize", ByteSize, METH_NOARGS, "SerializeSize($self, /)\n--\n\nThe same as ByteSize."},
    {"ParseFromFile", ParseFromFile, METH_O, "ParseFromFile($self, path, /)\n--\n\nBecomes the message that the file holds."},
    {"SerializeToFile", SerializeToFile, METH_O, "SerializeToFile($self, path, /)\n--\n\nWrites the message to a file."},
    {}};

}  // namespace ONNX_LIGHT_NAMESPACE::py
