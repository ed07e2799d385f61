// Models in files with their weights beside them (onnx_files.h); the keywords of load and save are put together in Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "onnx_proto/external_data/external_data_error.h"
#include "onnx_proto/external_data/external_load.h"
#include "onnx_proto/external_data/location.h"
#include "onnx_proto/external_data/neighbours.h"
#include "onnx_proto/external_data/save.h"
#include "onnx_proto/external_data/tensor_places.h"
#include "onnx_proto/onnx_files.h"
#include "onnx_proto/stream.h"
#include "onnx_py/areas.h"
#include "onnx_py/buffer.h"
#include "onnx_py/callbacks.h"
#include "onnx_py/gil.h"
#include "onnx_py/message_caster.h"
#include "onnx_py/message_face.h"
#include "onnx_py/path_from.h"
#include "onnx_py/quiet.h"

namespace nb = nanobind;

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

nb::object FaceOfTensor(const TensorProto& tensor) {
  PyObject* const face = FaceOf(FaceTypeFor<TensorProto>(), const_cast<TensorProto&>(tensor));
  if (!face) throw nb::python_error();
  return nb::steal(face);
}

LoadOptions LoadOptionsFrom(const ParseOptions& options, bool load_external_data, nb::handle location, bool verify_checksums) {
  LoadOptions all;
  static_cast<ParseOptions&>(all) = options;
  all.load_external_data = load_external_data;
  if (!location.is_none()) all.location = PathFrom(location);
  all.verify_checksums = verify_checksums;
  return all;
}

nb::object LoadModelFile(nb::handle path, const ParseOptions& options, bool load_external_data, nb::handle location,
                         bool verify_checksums) {
  const std::string name = PathFrom(path);
  const Quiet quiet(options);
  const LoadOptions all = LoadOptionsFrom(quiet.options(), load_external_data, location, verify_checksums);
  const proto::NewRoot root(ModelProto::table());
  {
    const GilReleased released(true);
    proto::LoadFresh(ModelProto::table(), root.message(), name, all);
  }
  PyObject* const face = FaceOf(FaceTypeFor<ModelProto>(), root.message());
  if (!face) throw nb::python_error();
  nb::object result = nb::steal(face);
  const Ref own_face = quiet.Call(ModelProto::table(), root.message());
  return result;
}

// Files are read while other threads run; they may take the message apart meanwhile, so its tensors are held.
void LoadExternalDataOf(nb::handle message, nb::handle folder, const ParseOptions& options, const std::vector<std::string>& names,
                        nb::handle location, bool verify_checksums, bool is_model_path) {
  const MessageFace& face = FaceFrom(message);
  const LoadOptions all = LoadOptionsFrom(options, true, location, verify_checksums);
  using Place = ExternalLoad::Place;
  const Place place{PathFrom(folder), is_model_path ? Place::kModelFile : Place::kFolder};
  ExternalLoad load(*face.type->table, *face.message, place, all);
  load.Collect(names, 0);
  std::vector<nb::object> tensors;
  for (const WantedPayload& one : load.wanted()) tensors.push_back(FaceOfTensor(*one.tensor));
  {
    const GilReleased released(true);
    load.Read();
  }
  // A face may stand for another message by now: one that was parsed or moved into its tensor.
  for (size_t i = 0; i < tensors.size(); ++i) {
    load.wanted()[i].tensor = static_cast<TensorProto*>(AsMessage(tensors[i].ptr()).message);
  }
  load.Put();
}

// Bytes that are no message of ours, as a file that appears whole or not at all.
void WriteBytes(nb::handle path, nb::handle data, nb::object progress) {
  const std::string name = PathFrom(path);
  const Buffer buffer(data.ptr());
  if (!buffer) throw nb::python_error();
  ProgressCallback callback = ProgressCallbackFrom(std::move(progress));
  const GilReleased released(true);
  utils::FileWriteStream file(name);
  file.OnProgress(std::move(callback));
  file.Write(buffer.bytes());
  file.Close();
}

struct SaveArguments {
  SaveOptions options;
  std::string path;
};
SaveArguments SaveArgumentsFrom(nb::handle path, const SerializeOptions& options, bool save_as_external_data, bool all_tensors_to_one_file,
                                nb::handle location, bool convert_attribute, bool durable, bool checksum, nb::handle base_dir,
                                nb::object progress) {
  SaveArguments all{SaveOptions(options), PathFrom(path)};
  all.options.save_as_external_data = save_as_external_data;
  all.options.all_tensors_to_one_file = all_tensors_to_one_file;
  if (!location.is_none()) all.options.location = PathFrom(location);
  all.options.convert_attribute = convert_attribute;
  all.options.durable = durable;
  all.options.checksum = checksum;
  if (!base_dir.is_none()) all.options.base_dir = PathFrom(base_dir);
  all.options.progress = ProgressCallbackFrom(std::move(progress));
  return all;
}

template <class... Arguments>
void SaveModelFile(Late<ModelProto> model, Arguments... arguments) {
  const SaveArguments all = SaveArgumentsFrom(arguments...);
  auto saver = std::make_unique<ModelSaver>(*model, all.path, all.options);
  const GilReleased released(true);  // the saver has taken what it needs of the model
  ModelSaver::Save(std::move(saver));
}

// Prints a model as `serialize(model)`, a callable of Python, gives its bytes.
ModelSaver::Print PrintBy(nb::object serialize) {
  return [serialize = SharedRef(std::move(serialize))](const ModelProto& model, const TextSink& sink) {
    const WithPython python;
    if (!python) throw SerializeError("the interpreter ends, which the format of the model needs");
    const nb::object copy = nb::cast(ModelProto(model));
    const nb::object data = OrStandStill([&] { return nb::borrow(serialize.get())(copy); });
    const Buffer buffer(data.ptr());
    if (!buffer) throw nb::python_error();
    const GilReleased released(true);
    sink(buffer.bytes());
  };
}

// Where no weights are to leave the file, and nobody waits for the disk, nothing is done.
template <class... Arguments>
bool SavePrinted(Late<ModelProto> model, nb::object serialize, Arguments... arguments) {
  const SaveArguments all = SaveArgumentsFrom(arguments...);
  if (!SavePlan::Needed(*model, all.options) && !all.options.durable) return false;
  auto saver = std::make_unique<ModelSaver>(*model, all.path, all.options, PrintBy(std::move(serialize)));
  const GilReleased released(true);
  ModelSaver::Save(std::move(saver));
  return true;
}

template <class... Arguments>
std::optional<ModelProto> SaveWeights(Late<ModelProto> model, Arguments... arguments) {
  const SaveArguments all = SaveArgumentsFrom(arguments...);
  if (!SavePlan::Needed(*model, all.options)) return std::nullopt;
  auto made = std::make_unique<ModelSaver>(*model, all.path, all.options);
  const GilReleased released(true);
  const std::unique_ptr<ModelSaver> saver = std::move(made);  // ends, with its lock, before the GIL is taken back
  saver->Lock();
  return saver->PublishWeights();
}
// One that takes `Before` and then what SaveArgumentsFrom takes.
template <class Result, class... Before>
using Saving = Result (*)(Late<ModelProto>, Before..., nb::handle, const SerializeOptions&, bool, bool, nb::handle, bool, bool, bool,
                          nb::handle, nb::object);

// What is listed of the tensors whose bytes lie in other files.
nb::list ListExternalDataOf(nb::handle message) {
  const MessageFace& face = FaceFrom(message);
  const std::vector<ExternalRange> ranges = proto::ListExternalData(*face.type->table, *face.message);
  std::vector<nb::object> tensors;  // all faces before the first tuple, which may run the garbage collector, and with it any code
  tensors.reserve(ranges.size());
  for (const ExternalRange& range : ranges) tensors.push_back(FaceOfTensor(*range.tensor));
  nb::list listed;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const ExternalRange& range = ranges[i];
    listed.append(nb::make_tuple(tensors[i], range.place, PathToPython(range.location), range.offset, range.size,
                                 nb::bytes(range.checksum.data(), range.checksum.size())));
  }
  return listed;
}

}  // namespace

void BindFiles(nb::module_& module) {
  nb::module_ files = module.def_submodule("files", "Models in files with their weights beside them.");
  files.def("load_model", &LoadModelFile, nb::arg("path"), nb::arg("options"), nb::arg("load_external_data") = true,
            nb::arg("location").none() = nb::none(), nb::arg("verify_checksums") = false,
            "The model in a file. Raises DecodeError, OSError and ExternalDataError.");
  const auto save = [&](const char* name, auto function, const char* doc, auto... before) {
    files.def(name, function, nb::arg("model"), before..., nb::arg("path"), nb::arg("options"), nb::arg("save_as_external_data") = false,
              nb::arg("all_tensors_to_one_file") = true, nb::arg("location").none() = nb::none(), nb::arg("convert_attribute") = false,
              nb::arg("durable") = false, nb::arg("checksum") = false, nb::arg("base_dir").none() = nb::none(),
              nb::arg("progress").none() = nb::none(), doc);
  };
  save("save_model", Saving<void>(&SaveModelFile),
       "Writes a model, which stays as it is. Raises EncodeError, OSError and ExternalDataError; what was there before then stays.");
  save(
      "save_printed", Saving<bool, nb::object>(&SavePrinted),
      "The same for a model that `serialize(model)` makes the bytes of, where weights are to lie in other files or `durable` is asked for. "
      "Else False, and nothing is done.",
      nb::arg("serialize"));
  save("save_weights", Saving<std::optional<ModelProto>>(&SaveWeights),
       "Writes the weights of a model that is to lie at `path`, and gives the model that refers to them, or None: none are to leave it.");
  files.def("write_bytes", &WriteBytes, nb::arg("path"), nb::arg("data"), nb::arg("progress").none() = nb::none(),
            "Writes bytes to a file, which appears whole or not at all. Raises OSError; what was there before then stays.");
  files.def("load_external_data", &LoadExternalDataOf, nb::arg("message"), nb::arg("folder"), nb::arg("options"),
            nb::arg("names") = std::vector<std::string>(), nb::arg("location").none() = nb::none(), nb::arg("verify_checksums") = false,
            nb::arg("is_model_path") = false,
            "Reads the payloads that lie in files of the folder: all, or those of the tensors with these names. All or nothing. Other "
            "threads run meanwhile; a tensor that they make refer to something else keeps that.");
  files.def(
      "call_for_payloads",
      [](ModelProto& model, nb::object callable) {
        ParseOptions options;
        options.raw_data_callback = RawDataCallbackFrom(std::move(callable));
        const Ref own_face = Quiet(options).Call(ModelProto::table(), model);
      },
      nb::arg("model"), nb::arg("callable"), "Calls as ParseOptions.raw_data_callback does, for every payload of a model.");
  files.def("list_external_data", &ListExternalDataOf, nb::arg("message"),
            "(tensor, place, location, offset, size, checksum) of every payload in another file. Reads no file.");
  files.def(
      "tensors",
      [](nb::handle message, bool initializers, bool attributes) {
        MessageFace& face = FaceFrom(message);
        nb::list tensors;
        for (TensorWalk walk(*face.type->table, *face.message); walk.Next();) {
          if (walk.is_initializer() ? initializers : attributes) tensors.append(FaceOfTensor(walk.tensor()));
        }
        return tensors;
      },
      nb::arg("message"), nb::arg("initializers") = true, nb::arg("attributes") = true,
      "Every tensor of a message: those in lists of (sparse) initializers, and all others.");
  files.def(
      "reader_of_weights",
      [](nb::handle path, nb::handle location) {
        const ModelFolder folder = ModelFolder::OfModel(PathFrom(path));
        return PathToPython(Neighbours(folder, "").ReaderOf(NormalLocation(PathFrom(location), "external data")));
      },
      nb::arg("path"), nb::arg("location"),
      "The name of a model that reads a file beside the model at `path`, that one included, or an empty text.");
  files.def(
      "remove_unread_weights",
      [](nb::handle path, const nb::list& locations) {
        std::vector<std::string> given;
        for (const nb::handle location : locations) given.push_back(PathFrom(location));
        const std::string model = PathFrom(path);
        std::vector<std::string> removed;
        {
          const GilReleased released(true);  // a saver that is waited for may tell its progress
          removed = RemoveUnreadWeights(model, given);
        }
        nb::list names;
        for (const std::string& location : removed) names.append(PathToPython(location));
        return names;
      },
      nb::arg("path"), nb::arg("locations"),
      "Removes those of these files beside the model at `path` that no model there reads any more, itself included; gives those.");
  files.def(
      "reference_of",
      [](const TensorProto& tensor) {
        const ExternalReference reference = ExternalReference::Of(tensor, "");
        const FileRange range = RangeOf(tensor, reference, "");
        return nb::make_tuple(NormalLocation(reference.location, NameOf(tensor, "")), range.offset, range.size);
      },
      nb::arg("tensor"), "(location, offset, size) of a tensor in another file, checked. Raises ExternalDataError.");
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
