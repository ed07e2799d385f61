// The doors to the ONNX syntax, by table: which messages have one.
#include <stdexcept>

#include "onnx_proto/text/store.h"
#include "onnx_proto/text/syntax_parser.h"
#include "onnx_proto/text/syntax_printer.h"
#include "onnx_proto/text/text_forms.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

// Calls `act` with the message as what it is; false if it has no syntax.
template <class Base, class Act, class... Messages>
bool VisitOneOf(const Table& table, Base& message, const Act& act, std::type_identity<Messages>...) {
  const auto visit = [&]<class M>(std::type_identity<M>) {
    if (&table != &M::table()) return false;
    act(static_cast<std::conditional_t<std::is_const_v<Base>, const M&, M&>>(message));
    return true;
  };
  return (visit(std::type_identity<Messages>()) || ...);
}

template <class Base, class Act>
bool Visit(const Table& table, Base& message, const Act& act) {
  return VisitOneOf(table, message, act, std::type_identity<ModelProto>(), std::type_identity<GraphProto>(),
                    std::type_identity<FunctionProto>(), std::type_identity<NodeProto>(), std::type_identity<AttributeProto>(),
                    std::type_identity<TypeProto>(), std::type_identity<TensorProto>(), std::type_identity<ValueInfoProto>());
}

[[noreturn]] void HasNone(const Table& table) { throw std::invalid_argument(std::string(table.name) + " has no ONNX syntax"); }

}  // namespace

bool TextForms::HasSyntax(const Table& table) {
  return Visit(table, static_cast<const Message&>(ModelProto::default_instance()), [](const auto&) {});
}

void TextForms::WriteSyntax(const Table& table, const Message& message, const TextSink& sink, const SyntaxOptions& options) {
  TextOut out(sink);
  SyntaxPrinter printer(out, options);
  if (!Visit(table, message, [&](const auto& one) { printer.Print(one); })) HasNone(table);
  out.Flush();
}

void TextForms::FillFromSyntax(const Table& table, Message& fresh, std::string_view text, const SyntaxParseOptions& options) {
  SyntaxParser parser(text, options);
  if (!Visit(table, fresh, [&](auto& one) { parser.Read(one); })) HasNone(table);
}

void TextForms::ReadSyntax(const Table& table, Message& message, std::string_view text, const SyntaxParseOptions& options) {
  if (!HasSyntax(table)) HasNone(table);
  ReplaceMessage(table, message, text.size(), [&](Message& fresh) { FillFromSyntax(table, fresh, text, options); });
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
