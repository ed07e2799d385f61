// Messages as text: protobuf's text format and its JSON mapping, with the arguments that protobuf's Python has, and the ONNX syntax.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <optional>
#include <string>

#include "onnx_proto/onnx_text.h"
#include "onnx_proto/stream.h"
#include "onnx_py/areas.h"
#include "onnx_py/buffer.h"
#include "onnx_py/callbacks.h"
#include "onnx_py/errors.h"
#include "onnx_py/gil.h"
#include "onnx_py/message_caster.h"
#include "onnx_py/message_face.h"
#include "onnx_py/path_from.h"
#include "onnx_py/print_apart.h"

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
nb::str Text(const MessageFace& face, const Print& print) {
  const Table& table = *face.type->table;
  const std::string text =
      Printed(table, *face.message, [&](const Message& message, const TextSink& sink) { print(table, message, sink); });
  return nb::str(text.data(), text.size());
}

// A form as onnx.save gives it.
class Form {
 public:
  explicit Form(const std::string& format) : format_(format) {
    if (format != "textproto" && format != "json" && format != "onnxtxt") {
      throw nb::value_error("the format is textproto, json or onnxtxt");
    }
  }
  MessageFace& Face(nb::handle message) const { return format_ == "onnxtxt" ? FaceWithSyntax(message) : FaceFrom(message); }
  void Print(const Table& table, const Message& message, const TextSink& sink) const {
    if (format_ == "textproto") proto::TextForms::WriteText(table, message, sink, {.numbers = NumberStyle::kPython});
    else if (format_ == "json") proto::TextForms::WriteJson(table, message, sink, {.preserving_proto_field_name = true});
    else proto::TextForms::WriteSyntax(table, message, sink, {});
  }

 private:
  const std::string& format_;
};

nb::bytes Encoded(nb::handle message, const std::string& format) {
  const Form form(format);
  const MessageFace& face = form.Face(message);
  const Table& table = *face.type->table;
  const std::string text = Printed(table, *face.message, [&](const Message& what, const TextSink& sink) { form.Print(table, what, sink); });
  Ref bytes = NewBytes(text.size());
  if (!bytes) throw nb::python_error();
  {
    const GilReleased released(text.size() >= kWorthReleasing);
    std::copy(text.begin(), text.end(), BytesToFill(bytes));
  }
  return nb::steal<nb::bytes>(bytes.Take());
}

// Into a file that appears whole or not at all, or a pipe that another thread may have to read; some KiB of the text are held.
void WriteFile(nb::handle message, nb::handle path, const std::string& format, nb::object progress) {
  const Form form(format);
  const MessageFace& face = form.Face(message);
  const Table& table = *face.type->table;
  const std::string file = PathFrom(path);
  const ProgressCallback callback = ProgressCallbackFrom(std::move(progress));
  PrintApart(table, *face.message, [&](const Message& what) {
    utils::FileWriteStream stream(file);
    stream.OnProgress(callback);
    form.Print(table, what, [&stream](std::string_view piece) { stream.Write(piece); });
    stream.Close();
  });
}

// To a callable that takes bytes, about a MiB at a time.
void WritePieces(nb::handle message, const std::string& format, const nb::callable& write) {
  const Form form(format);
  const MessageFace& face = form.Face(message);
  const Table& table = *face.type->table;
  PrintApart(table, *face.message, [&](const Message& what) {
    constexpr size_t kPiece = size_t{1} << 20;
    std::string piece;
    const auto hand_over = [&] {
      const GilTaken taken;
      OrStandStill([&] { return write(nb::bytes(piece.data(), piece.size())); });
      piece.clear();
    };
    form.Print(table, what, [&](std::string_view more) {
      piece.append(more);
      if (piece.size() < kPiece) return;
      utils::CheckInterrupt();
      hand_over();
    });
    if (!piece.empty()) hand_over();
  });
}

// The message becomes what `fill` makes of an empty one and the text, or stays as it was. A large text is read while other threads run:
// nobody can write into it.
template <class Fill>
void Replace(nb::handle message, nb::handle source, nb::object progress, const Fill& fill) {
  MessageFace& face = FaceFrom(message);
  const Table& table = *face.type->table;
  const std::string_view text = TextFrom(source);
  const ProgressCallback callback = ProgressCallbackFrom(std::move(progress));
  const bool apart = callback || text.size() >= kWorthReleasing;
  if (!apart && !StandsAlone(*face.message)) {
    const proto::Detached fresh(table, Verbs::New(table, face.message->arena()));
    fill(table, *fresh, text, callback);
    return Verbs::Move(table, *face.message, *fresh);
  }
  const proto::NewRoot root(table);  // a new arena: reading again and again into one message does not make it grow
  {
    const GilReleased released(apart);
    fill(table, root.message(), text, callback);
  }
  if (StandsAlone(*face.message)) MoveFace(face, root.message());
  else Verbs::Copy(table, *face.message, root.message());
}

}  // namespace

void BindText(nb::module_& module) {
  nb::module_ forms = module.def_submodule("text", "Messages as text.");
  forms.def(
      "to_text_format",
      [](nb::handle message, bool as_utf8, bool as_one_line, bool use_short_repeated_primitives, bool python_numbers) {
        TextFormatOptions options;
        options.as_utf8 = as_utf8;
        options.as_one_line = as_one_line;
        options.use_short_repeated_primitives = use_short_repeated_primitives;
        options.numbers = python_numbers ? NumberStyle::kPython : NumberStyle::kShort;
        return Text(FaceFrom(message), [&](const Table& table, const Message& what, const TextSink& sink) {
          proto::TextForms::WriteText(table, what, sink, options);
        });
      },
      nb::arg("message"), nb::arg("as_utf8") = true, nb::arg("as_one_line") = false, nb::arg("use_short_repeated_primitives") = false,
      nb::arg("python_numbers") = true,
      "The message in protobuf's text format, as google.protobuf.text_format.MessageToString gives it; with python_numbers=False as str() "
      "does.");
  forms.def(
      "from_text_format",
      [](nb::handle source, nb::object message, bool allow_unknown_field, nb::object progress) {
        Replace(message, source, std::move(progress),
                [&](const Table& table, Message& fresh, std::string_view text, const ProgressCallback& callback) {
                  proto::TextForms::FillFromText(table, fresh, text, {.allow_unknown_field = allow_unknown_field, .progress = callback});
                });
        return message;
      },
      nb::arg("text"), nb::arg("message"), nb::arg("allow_unknown_field") = false, nb::arg("progress").none() = nb::none(),
      "Replaces the message by what the text says and returns it; raises TextParseError and leaves it as it was if the text is no "
      "text format.");
  forms.def(
      "to_json",
      [](nb::handle message, bool preserving_proto_field_name, std::optional<int> indent, bool sort_keys, bool use_integers_for_enums,
         std::optional<int> float_precision, bool ensure_ascii, bool always_print_fields_with_no_presence) {
        JsonOptions options;
        options.preserving_proto_field_name = preserving_proto_field_name;
        options.indent = indent;
        options.sort_keys = sort_keys;
        options.use_integers_for_enums = use_integers_for_enums;
        options.float_precision = float_precision;
        options.ensure_ascii = ensure_ascii;
        options.always_print_fields_with_no_presence = always_print_fields_with_no_presence;
        return Text(FaceFrom(message), [&](const Table& table, const Message& what, const TextSink& sink) {
          proto::TextForms::WriteJson(table, what, sink, options);
        });
      },
      nb::arg("message"), nb::arg("preserving_proto_field_name") = false, nb::arg("indent").none() = 2, nb::arg("sort_keys") = false,
      nb::arg("use_integers_for_enums") = false, nb::arg("float_precision").none() = nb::none(), nb::arg("ensure_ascii") = true,
      nb::arg("always_print_fields_with_no_presence") = false,
      "The message as JSON, as google.protobuf.json_format.MessageToJson gives it.");
  forms.def(
      "from_json",
      [](nb::handle source, nb::object message, bool ignore_unknown_fields, nb::object progress) {
        Replace(message, source, std::move(progress),
                [&](const Table& table, Message& fresh, std::string_view text, const ProgressCallback& callback) {
                  proto::TextForms::FillFromJson(table, fresh, text,
                                                 {.ignore_unknown_fields = ignore_unknown_fields, .progress = callback});
                });
        return message;
      },
      nb::arg("text"), nb::arg("message"), nb::arg("ignore_unknown_fields") = false, nb::arg("progress").none() = nb::none(),
      "Replaces the message by what the JSON says and returns it; raises JsonParseError and leaves it as it was if the text is not its "
      "JSON.");
  forms.def("encode", &Encoded, nb::arg("message"), nb::arg("format"), "The bytes of the file that onnx.save writes in this format.");
  forms.def("write_file", &WriteFile, nb::arg("message"), nb::arg("path"), nb::arg("format"), nb::arg("progress").none() = nb::none(),
            "Prints the message into a file piece by piece, as onnx.save does in this format. The file appears whole or not at all.");
  forms.def("write_pieces", &WritePieces, nb::arg("message"), nb::arg("format"), nb::arg("write"),
            "Calls `write` with one piece after another of what write_file writes.");
  forms.def(
      "to_syntax",
      [](nb::handle message, std::optional<size_t> elide_after) {
        const SyntaxOptions options{.elide_after = elide_after};
        return Text(FaceWithSyntax(message), [&](const Table& table, const Message& what, const TextSink& sink) {
          proto::TextForms::WriteSyntax(table, what, sink, options);
        });
      },
      nb::arg("message"), nb::arg("elide_after").none() = nb::none(),
      "The message in the ONNX syntax; of lists with more than `elide_after` elements only so many, and such a text is not read again.");
  forms.def(
      "from_syntax",
      [](nb::handle source, nb::object message, nb::object progress) {
        FaceWithSyntax(message);
        Replace(message, source, std::move(progress),
                [](const Table& table, Message& fresh, std::string_view text, const ProgressCallback& callback) {
                  proto::TextForms::FillFromSyntax(table, fresh, text, {.progress = callback});
                });
        return message;
      },
      nb::arg("text"), nb::arg("message"), nb::arg("progress").none() = nb::none(),
      "Replaces the message by what the text says and returns it; raises SyntaxParseError and leaves it as it was if the text is not the "
      "ONNX syntax.");
}

}  // namespace ONNX_LIGHT_NAMESPACE::py
