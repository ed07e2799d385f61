// The small things that the printer puts together: names, strings, numbers, notes.
#include <charconv>
#include <cmath>

#include "onnx_proto/text/numbers.h"
#include "onnx_proto/text/syntax_printer_parts.h"
#include "onnx_proto/text/text_escape.h"
#include "onnx_proto/text/text_forms.h"
#include "onnx_proto/text/utf8.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

void SyntaxPrinter::Enter() {
  if (depth_ >= kMaxDepth) throw NestingError("the message is nested deeper than 400 messages");
  ++depth_;
}

uint32_t SyntaxPrinter::Given(const Table& table, const Message& message) {
  uint32_t given = message.has_bits();
  for (const Row& row : table.rows) {
    if (IsList(row.kind) && Verbs::Count(message, row)) given |= row.bit();
  }
  return given;
}

void SyntaxPrinter::Name(std::string_view name) {
  if (IsIdentifier(name)) out_.Put(name);
  else String(name);
}

void SyntaxPrinter::NameNoType(std::string_view name) {
  if (IsIdentifier(name) && FindTypeWord(name) == TypeWord::kNone && FindRealWord(name) == RealWord::kNone) out_.Put(name);
  else String(name);
}

// Quotes and backslashes get a backslash; what is not UTF-8, or has a zero that ends the string for others, is a b"…".
void SyntaxPrinter::String(std::string_view text) {
  if (!IsUtf8(text) || text.find('\0') != std::string_view::npos) {
    out_.Put('b');
    return PutQuoted(out_, text, false);
  }
  out_.Put('"');
  for (;;) {
    const size_t size = text.find_first_of("\"\\");
    out_.Put(text.substr(0, size));
    if (size == std::string_view::npos) break;
    out_.Put('\\');
    out_.Put(text[size]);
    text.remove_prefix(size + 1);
  }
  out_.Put('"');
}

void SyntaxPrinter::Integer(int64_t value) { out_.Advance(PrintNumber(out_.Room(kNumberRoom), value)); }
void SyntaxPrinter::Integer(uint64_t value) { out_.Advance(PrintNumber(out_.Room(kNumberRoom), value)); }

void SyntaxPrinter::PutNote(NoteKind kind, const Table& table, const Message& message, uint32_t fields, uint32_t absent,
                            std::string_view word, bool line_ends) {
  out_.Put(kind == NoteKind::kComment ? " #@{" : "@{");
  out_.Put(word);
  bool first = word.empty();
  for (const Row& row : table.rows) {
    if (!(absent & row.bit())) continue;
    if (!first) out_.Put(' ');
    first = false;
    out_.Put('-');
    out_.Put(row.name);
  }
  if (fields) {
    if (!first) out_.Put(' ');
    TextForms::WriteTextLine(table, message, fields, depth_, out_);
  }
  out_.Put('}');
  if (kind == NoteKind::kComment && !line_ends) {
    out_.Put('\n');
    Indent();
  }
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
