// Messages as text: protobuf's text format and its JSON mapping, with the arguments that protobuf's Python has, and the ONNX syntax.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>

#include "onnx_proto/onnx_text.h"
#include "onnx_proto/stream.h"
#include "onnx_py/areas.h"
#include "onnx_py/callbacks.h"
#include "onnx_py/errors.h"
#include "onnx_py/gil.h"
#include "onnx_py/message_caster.h"
#include "onnx_py/message_face.h"

namespace nb = nanobind;

namespace ONNX_LIGHT_NAMESPACE::py {
namespace {

MessageFace& FaceWithSyntax(nb::handle message) {
  MessageFace& face = FaceFrom(message);
  if (!proto::TextForms::HasSyntax(*face.type->table)) throw nb::type_error("this message has no ONNX syntax");
  return face;
}

// UTF-8 of a str, or the bytes of a bytes object; both stay as long as `source`.
std::string_view TextFrom(nb::handle source) {
  if (PyBytes_Check(source.ptr())) return {PyBytes_AsString(source.ptr()), static_cast<size_t>(PyBytes_Size(source.ptr()))};
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_Check(source.ptr()) ? PyUnicode_AsUTF8AndSize(source.ptr(), &size) : nullptr;
  if (!text && PyErr_Occurred()) throw nb::python_error();
  if (!text) throw nb::type_error("the text has to be str or bytes");
  return {text, static_cast<size_t>(size)};
}

template <class Print>
nb::str Printed(const Print& print) {
  std::string text;
  print([&text](std::string_view piece) { text.append(piece); });
  return nb::str(text.data(), text.size());
}

// Prints a message into a file that appears whole or not at all; no more than some KiB of the text are held.
void PrintTo(nb::handle path, const Table& table, const Message& message, const std::string& format, const ProgressCallback& progress) {
  PyObject* bytes = nullptr;
  if (!PyUnicode_FSConverter(path.ptr(), &bytes)) throw nb::python_error();
  const nb::object name = nb::steal(bytes);
  const std::string file(PyBytes_AsString(bytes));
  const auto print = [&](const Message& what) {
    utils::FileWriteStream stream(file);
    stream.OnProgress(progress);
    const TextSink sink = [&stream](std::string_view piece) { stream.Write(piece); };
    if (format == "textproto") proto::TextForms::WriteText(table, what, sink, {.numbers = NumberStyle::kPython});
    else if (format == "json") proto::TextForms::WriteJson(table, what, sink, {.preserving_proto_field_name = true});
    else proto::TextForms::WriteSyntax(table, what, sink, {});
    stream.Close();
  };
  if (!progress) return print(message);
  const proto::NewRoot copy(table);  // what is called may do with the message what it likes
  Verbs::Copy(table, copy.message(), message);
  const GilReleased released(true);
  print(copy.message());
}

// The message becomes what `fill` makes of an empty one, or stays as it was.
template <class Fill>
void Replace(nb::handle message, const Fill& fill) {
  MessageFace& face = FaceFrom(message);
  const Table& table = *face.type->table;
  if (StandsAlone(*face.message)) {  // a new arena: reading again and again into one message does not make it grow
    const proto::NewRoot root(table);
    fill(table, root.message());
    return MoveFace(face, root.message());
  }
  const proto::Detached fresh(table, Verbs::New(table, face.message->arena()));
  fill(table, *fresh);
  Verbs::Move(table, *face.message, *fresh);
}

}  // namespace

void BindText(nb::module_& module) {
  nb::module_ text = module.def_submodule("text", "Messages as text.");
  text.def(
      "to_text_format",
      [](nb::handle message, bool as_utf8, bool as_one_line, bool use_short_repeated_primitives, bool python_numbers) {
        const MessageFace& face = FaceFrom(message);
        TextFormatOptions options;
        options.as_utf8 = as_utf8;
        options.as_one_line = as_one_line;
        options.use_short_repeated_primitives = use_short_repeated_primitives;
        options.numbers = python_numbers ? NumberStyle::kPython : NumberStyle::kShort;
        return Printed([&](const TextSink& sink) { proto::TextForms::WriteText(*face.type->table, *face.message, sink, options); });
      },
      nb::arg("message"), nb::arg("as_utf8") = true, nb::arg("as_one_line") = false, nb::arg("use_short_repeated_primitives") = false,
      nb::arg("python_numbers") = true,
      "The message in protobuf's text format, as google.protobuf.text_format.MessageToString gives it; with python_numbers=False as str() "
      "does.");
  text.def(
      "from_text_format",
      [](nb::handle source, nb::object message, bool allow_unknown_field) {
        Replace(message, [&](const Table& table, Message& fresh) {
          proto::TextForms::FillFromText(table, fresh, TextFrom(source), {.allow_unknown_field = allow_unknown_field});
        });
        return message;
      },
      nb::arg("text"), nb::arg("message"), nb::arg("allow_unknown_field") = false,
      "Replaces the message by what the text says and returns it; raises TextParseError and leaves it as it was if the text is no "
      "text format.");
  text.def(
      "to_json",
      [](nb::handle message, bool preserving_proto_field_name, std::optional<int> indent, bool sort_keys, bool use_integers_for_enums,
         std::optional<int> float_precision, bool ensure_ascii, bool always_print_fields_with_no_presence) {
        const MessageFace& face = FaceFrom(message);
        JsonOptions options;
        options.preserving_proto_field_name = preserving_proto_field_name;
        options.indent = indent;
        options.sort_keys = sort_keys;
        options.use_integers_for_enums = use_integers_for_enums;
        options.float_precision = float_precision;
        options.ensure_ascii = ensure_ascii;
        options.always_print_fields_with_no_presence = always_print_fields_with_no_presence;
        return Printed([&](const TextSink& sink) { proto::TextForms::WriteJson(*face.type->table, *face.message, sink, options); });
      },
      nb::arg("message"), nb::arg("preserving_proto_field_name") = false, nb::arg("indent").none() = 2, nb::arg("sort_keys") = false,
      nb::arg("use_integers_for_enums") = false, nb::arg("float_precision").none() = nb::none(), nb::arg("ensure_ascii") = true,
      nb::arg("always_print_fields_with_no_presence") = false,
      "The message as JSON, as google.protobuf.json_format.MessageToJson gives it.");
  text.def(
      "from_json",
      [](nb::handle source, nb::object message, bool ignore_unknown_fields) {
        Replace(message, [&](const Table& table, Message& fresh) {
          proto::TextForms::FillFromJson(table, fresh, TextFrom(source), {.ignore_unknown_fields = ignore_unknown_fields});
        });
        return message;
      },
      nb::arg("text"), nb::arg("message"), nb::arg("ignore_unknown_fields") = false,
      "Replaces the message by what the JSON says and returns it; raises JsonParseError and leaves it as it was if the text is not its "
      "JSON.");
  text.def(
      "write_file",
      [](nb::handle message, nb::handle path, const std::string& format, nb::object progress) {
        if (format != "textproto" && format != "json" && format != "onnxtxt") {
          throw nb::value_error("the format is textproto, json or onnxtxt");
        }
        const MessageFace& face = format == "onnxtxt" ? FaceWithSyntax(message) : FaceFrom(message);
        PrintTo(path, *face.type->table, *face.message, format, ProgressCallbackFrom(std::move(progress)));
      },
      nb::arg("message"), nb::arg("path"), nb::arg("format"), nb::arg("progress").none() = nb::none(),
      "Prints the message into a file piece by piece, as onnx.save does in this format. The file appears whole or not at all.");
  text.def(
      "to_syntax",
      [](nb::handle message, std::optional<size_t> elide_after) {
        const MessageFace& face = FaceWithSyntax(message);
        const SyntaxOptions options{.elide_after = elide_after};
        return Printed([&](const TextSink& sink) { proto::TextForms::WriteSyntax(*face.type->table, *face.message, sink, options); });
      },
      nb::arg("message"), nb::arg("elide_after").none() = nb::none(),
      "The message in the ONNX syntax; of lists with more than `elide_after` elements only so many, and such a text is not read again.");
  text.def(
      "from_syntax",
      [](nb::handle source, nb::object message) {
        FaceWithSyntax(message);
        Replace(message, [&](const Table& table, Message& fresh) { proto::TextForms::FillFromSyntax(table, fresh, TextFrom(source), {}); });
        return message;
      },
      nb::arg("text"), nb::arg("message"),
      "Replaces the message by what the text says and returns it; raises SyntaxParseError and leaves it as it was if the text is not the "
      "ONNX syntax.");
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
