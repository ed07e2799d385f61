// Messages from wire bytes and back. A parse that fails leaves the message as it was.

#include <nanobind/nanobind.h>

#include <optional>
#include <vector>

#include "onnx_proto/external_data/save.h"
#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/stream.h"
#include "onnx_proto/verbs/parse_source.h"
#include "onnx_proto/verbs/write.h"
#include "onnx_py/buffer.h"
#include "onnx_py/errors.h"
#include "onnx_py/gil.h"
#include "onnx_py/message_caster.h"
#include "onnx_py/message_face.h"
#include "onnx_py/quiet.h"

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

// The arguments of a call `f(first, options=None)`; false with an exception set.
template <class Options>
bool TakeArguments(const char* name, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords, const Options*& options) {
  static const Options defaults;
  options = &defaults;
  PyObject* given = count == 2 ? arguments[1] : nullptr;
  const Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
  const bool only_options =
      named == 0 || (named == 1 && !given && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(keywords, 0), "options") == 0);
  if (count < 1 || count > 2 || !only_options) {
    PyErr_Format(PyExc_TypeError, "%s() takes one argument and options", name);
    return false;
  }
  if (named == 1) given = arguments[count];
  if (!given || given == Py_None) return true;
  if (!nanobind::isinstance<Options>(given)) {
    const Ref type(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(given)), "__name__"));
    if (type) PyErr_Format(PyExc_TypeError, "%s(): options are expected, %S found", name, type.get());
    return false;
  }
  if (!nanobind::inst_ready(given)) {  // made by a derived class, which did not let ours do its part
    PyErr_Format(PyExc_TypeError, "%s(): the options have not been initialized: call super().__init__()", name);
    return false;
  }
  options = nanobind::inst_ptr<Options>(given);
  return true;
}
PyCFunction WithOptions(PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function));
}

// The bytes of a Python object, kept by the payloads that borrow them where the options say so.
class BufferSource {
 public:
  BufferSource(const Buffer& buffer, PyObject* object, const ParseOptions& options) : source_{.bytes = buffer.bytes()} {
    if (!options.no_copy) return;
    owner_ = PayloadOwner::NewToken(ShareBuffer(object, source_.bytes));
    source_.owner = owner_;
    source_.owned = false;
    source_.lends = buffer.immutable() ? proto::ParseSource::Lends::kAll : proto::ParseSource::Lends::kPayloads;
  }
  BufferSource(const BufferSource&) = delete;
  BufferSource& operator=(const BufferSource&) = delete;
  ~BufferSource() {
    if (owner_) owner_->LetGo();
  }
  const proto::ParseSource& get() const { return source_; }

 private:
  using PayloadOwner = proto::PayloadOwner;
  proto::ParseSource source_;
  PayloadOwner* owner_ = nullptr;
};

Ref ParseRoot(const proto::NewRoot& root, const Table& table, PyObject* data, const Buffer& buffer, const ParseOptions& options) {
  const Quiet quiet(options);
  {
    const BufferSource source(buffer, data, options);
    const GilReleased released(buffer.immutable() && buffer.bytes().size() >= kWorthReleasing);
    proto::ParseFresh(table, root.message(), source.get(), quiet.options(), true);
  }
  return quiet.Call(table, root.message());
}

// What has been parsed, after the callables: that of the root's face, if it has one, which they may have made stand for another message.
const Message& Parsed(const proto::NewRoot& root, const Ref& root_face) {
  return root_face ? *AsMessage(root_face.get()).message : root.message();
}

PyObject* Parse(PyObject* self, PyObject* data, const Buffer& buffer, const ParseOptions& options) {
  MessageFace& face = AsMessage(self);
  const Table& table = *face.type->table;
  return Guard([&] {
    const bool alone = StandsAlone(*face.message);
    if (alone || options.raw_data_callback) {  // the callable may change what is around the message: it sees one that stands alone
      const proto::NewRoot root(table, proto::ExpectedArena(buffer.bytes().size()));
      const Ref root_face = ParseRoot(root, table, data, buffer, options);
      if (alone && !root_face) MoveFace(face, root.message());
      else Verbs::Copy(table, *face.message, Parsed(root, root_face));
    } else {
      const BufferSource source(buffer, data, options);
      proto::ParseInto(table, *face.message, source.get(), options);
    }
    return PyLong_FromSize_t(buffer.bytes().size());
  });
}

PyObject* ParseFromString(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
  const ParseOptions* options = nullptr;
  if (!TakeArguments("ParseFromString", arguments, count, keywords, options)) return nullptr;
  const Buffer buffer(arguments[0]);
  return buffer ? Parse(self, arguments[0], buffer, *options) : nullptr;
}

// Nothing is set, and nobody but this face holds anything of the arena.
bool IsFresh(const Table& table, Message& message) {
  return StandsAlone(message) && message.arena()->HangsOnOneFace() && Verbs::Size(table, message) == 0;
}

PyObject* MergeFromString(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
  const ParseOptions* options = nullptr;
  if (!TakeArguments("MergeFromString", arguments, count, keywords, options)) return nullptr;
  const Buffer buffer(arguments[0]);
  if (!buffer) return nullptr;
  const Table& table = *AsMessage(self).type->table;
  if (IsFresh(table, *AsMessage(self).message)) return Parse(self, arguments[0], buffer, *options);
  return Guard([&] {
    if (options->no_copy || options->raw_data_callback) {
      const proto::NewRoot root(table, proto::ExpectedArena(buffer.bytes().size()));
      const Ref root_face = ParseRoot(root, table, arguments[0], buffer, *options);
      Verbs::Merge(table, *AsMessage(self).message, Parsed(root, root_face));
    } else {
      Verbs::ParseAndMerge(table, *AsMessage(self).message, buffer.bytes(), *options);
    }
    return PyLong_FromSize_t(buffer.bytes().size());
  });
}

PyObject* FromString(PyObject* type, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
  const ParseOptions* options = nullptr;
  if (!TakeArguments("FromString", arguments, count, keywords, options)) return nullptr;
  const Buffer buffer(arguments[0]);
  if (!buffer) return nullptr;
  FaceType& face_type = *FaceTypeOf(reinterpret_cast<PyTypeObject*>(type));
  return Guard([&] {
    const proto::NewRoot root(*face_type.table, proto::ExpectedArena(buffer.bytes().size()));
    Ref root_face = ParseRoot(root, *face_type.table, arguments[0], buffer, *options);
    return root_face ? root_face.Take() : FaceOf(face_type, root.message());
  });
}

// Payloads that are written while other threads run: they may be replaced meanwhile, but do not go.
class PayloadsHeld {
 public:
  explicit PayloadsHeld(std::vector<proto::OutPart> parts) : parts_(std::move(parts)) {
    for (const proto::OutPart& part : parts_) {
      if (part.owner) part.owner->Hold();
    }
  }
  PayloadsHeld(const PayloadsHeld&) = delete;
  PayloadsHeld& operator=(const PayloadsHeld&) = delete;
  ~PayloadsHeld() {
    for (const proto::OutPart& part : parts_) {
      if (part.owner) part.owner->LetGo();
    }
  }
  const std::vector<proto::OutPart>& parts() const { return parts_; }

 private:
  const std::vector<proto::OutPart> parts_;
};

PyObject* SerializeToString(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char deterministic[] = "deterministic", with_options[] = "options";
  static char* names[] = {deterministic, with_options, nullptr};
  PyObject* ignored = nullptr;  // what is written never depends on chance
  PyObject* given = nullptr;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|OO", names, &ignored, &given)) return nullptr;
  if (ignored && !given && nanobind::isinstance<SerializeOptions>(ignored)) std::swap(ignored, given);
  if (ignored && PyObject_IsTrue(ignored) < 0) return nullptr;
  const SerializeOptions* options = nullptr;
  PyObject* const both[] = {self, given ? given : Py_None};
  if (!TakeArguments("SerializeToString", both, 2, nullptr, options)) return nullptr;
  return Guard([&] {
    proto::Writer writer(*options);
    proto::WriteMessage(writer, *AsMessage(self).type->table, *AsMessage(self).message, *options);
    Ref bytes = NewBytes(writer.size());
    if (!bytes) return bytes.Take();
    char* const out = BytesToFill(bytes);
    if (writer.size() < kWorthReleasing) {
      writer.CopyTo(out);
    } else {
      const PayloadsHeld held(writer.Parts());
      const GilReleased released(true);
      writer.CopyTo(out);
    }
    return bytes.Take();
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

PyObject* ParseFromFile(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
  const ParseOptions* options = nullptr;
  if (!TakeArguments("ParseFromFile", arguments, count, keywords, options)) return nullptr;
  const Ref name = PathFrom(arguments[0]);
  if (!name) return nullptr;
  MessageFace& face = AsMessage(self);
  return Guard([&] {
    const Table& table = *face.type->table;
    const Quiet quiet(*options);
    std::optional<proto::NewRoot> root;
    {
      const std::string path(PyBytes_AsString(name.get()), static_cast<size_t>(PyBytes_Size(name.get())));
      const GilReleased released(true);
      utils::FileStream stream(path);
      const proto::ParseSource source = stream.Source(table, quiet.options());
      root.emplace(table, proto::ExpectedArena(source));
      proto::ParseFresh(table, root->message(), source, quiet.options(), true);
    }
    const Ref root_face = quiet.Call(table, root->message());
    if (StandsAlone(*face.message) && !root_face) MoveFace(face, root->message());
    else Verbs::Copy(table, *face.message, Parsed(*root, root_face));
    return None();
  });
}

// Weights go to another file beside it.
void SaveWithWeights(const ModelProto& model, const std::string& path, const SerializeOptions& options, PyObject* location) {
  SaveOptions all(options);
  all.save_as_external_data = true;
  all.location = {PyBytes_AsString(location), static_cast<size_t>(PyBytes_Size(location))};
  auto saver = std::make_unique<ModelSaver>(model, path, all);
  const GilReleased released(true);  // the saver has taken what it needs
  ModelSaver::Save(std::move(saver));
}

PyObject* SerializeToFile(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static char path_name[] = "", options_name[] = "options", location_name[] = "location";
  static char* names[] = {path_name, options_name, location_name, nullptr};
  PyObject* given[] = {nullptr, Py_None};
  PyObject* location = Py_None;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|OO:SerializeToFile", names, &given[0], &given[1], &location)) return nullptr;
  const SerializeOptions* options = nullptr;
  if (!TakeArguments("SerializeToFile", given, 2, nullptr, options)) return nullptr;
  const Ref name = PathFrom(given[0]);
  if (!name) return nullptr;
  if (location != Py_None) {
    if (AsMessage(self).type->table != &ModelProto::table()) {
      PyErr_SetString(PyExc_TypeError, "SerializeToFile(): weights beside the file are those of a model");
      return nullptr;
    }
    const Ref where = PathFrom(location);
    if (!where) return nullptr;
    return Guard([&] {
      const std::string path(PyBytes_AsString(name.get()), static_cast<size_t>(PyBytes_Size(name.get())));
      SaveWithWeights(static_cast<const ModelProto&>(*AsMessage(self).message), path, *options, where.get());
      return None();
    });
  }
  return Guard([&] {
    proto::Writer writer(*options);
    proto::WriteMessage(writer, *AsMessage(self).type->table, *AsMessage(self).message, *options);
    const PayloadsHeld held(writer.Parts());
    const std::string path(PyBytes_AsString(name.get()), static_cast<size_t>(PyBytes_Size(name.get())));
    {
      const GilReleased released(true);
      utils::FileWriteStream stream(path);
      stream.WriteParts(held.parts());
      stream.Close();
    }
    return None();
  });
}

}  // namespace

PyMethodDef bytes_methods[] = {
    {"ParseFromString", WithOptions(ParseFromString), METH_FASTCALL | METH_KEYWORDS,
     "ParseFromString($self, data, /, options=None)\n--\n\nBecomes the message that the bytes hold. Returns their number.\n\nWith "
     "options.no_copy payloads share the buffer, which is kept and cannot be resized as long as they live.\n\nRaises DecodeError, and is "
     "as it was."},
    {"MergeFromString", WithOptions(MergeFromString), METH_FASTCALL | METH_KEYWORDS,
     "MergeFromString($self, data, /, options=None)\n--\n\nMerges the message that the bytes hold. Returns their number.\n\nRaises "
     "DecodeError, and is as it was."},
    {"FromString", WithOptions(FromString), METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "FromString($type, data, /, options=None)\n--\n\nThe message that the bytes hold.\n\nRaises DecodeError."},
    {"SerializeToString", WithKeywords(SerializeToString), METH_VARARGS | METH_KEYWORDS,
     "SerializeToString($self, deterministic=False, options=None)\n--\n\nThe message in wire bytes.\n\nRaises EncodeError if it is nested "
     "too deep or larger than the options allow."},
    {"SerializePartialToString", WithKeywords(SerializeToString), METH_VARARGS | METH_KEYWORDS,
     "SerializePartialToString($self, deterministic=False, options=None)\n--\n\nThe same as SerializeToString."},
    {"ByteSize", ByteSize, METH_NOARGS, "ByteSize($self, /)\n--\n\nHow many bytes SerializeToString gives."},
    {"SerializeSize", ByteSize, METH_NOARGS, "SerializeSize($self, /)\n--\n\nThe same as ByteSize."},
    {"ParseFromFile", WithOptions(ParseFromFile), METH_FASTCALL | METH_KEYWORDS,
     "ParseFromFile($self, path, /, options=None)\n--\n\nBecomes the message that the file holds. Other threads run meanwhile."},
    {"SerializeToFile", WithKeywords(SerializeToFile), METH_VARARGS | METH_KEYWORDS,
     "SerializeToFile($self, path, /, options=None, location=None)\n--\n\nWrites the message to a file, which appears whole or not at all. "
     "Payloads of a model's initializers go to `location` beside it, if there is one: those of at least options.raw_data_threshold bytes. "
     "Other threads "
     "run meanwhile."},
    {}};

}  // namespace ONNX_LIGHT_NAMESPACE::py
