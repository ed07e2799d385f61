// Notes: what the syntax has no words for, in text format, behind the thing it belongs to. "@{…}" may go over lines; "#@{…}" is a comment
// to other readers of the syntax, and ends on its line.
#include <cstring>

#include "onnx_proto/text/syntax_parser.h"
#include "onnx_proto/text/text_forms.h"

namespace ONNX_LIGHT_NAMESPACE::proto {
namespace {

constexpr std::string_view kTextPrefix = "TextParseError: ";

}  // namespace

bool SyntaxParser::AtNote() { return Peek() == kNote || AtValueNote(); }

SyntaxParser::OpenedNote SyntaxParser::OpenNote() {
  const bool is_comment = *at() == '#';
  return {at() + (is_comment ? 3 : 2), is_comment};
}

bool SyntaxParser::TakeNoteWord(OpenedNote& note, std::string_view word) {
  const std::string_view rest(note.body, static_cast<size_t>(end() - note.body));
  if (!rest.starts_with(word) || (rest.size() > word.size() && IsWordPart(rest[word.size()]))) return false;
  note.body += word.size();
  return true;
}

void SyntaxParser::ReadNote(const Table& table, Message& message, const OpenedNote& note) {
  std::string_view part(note.body, static_cast<size_t>(end() - note.body));
  if (note.is_comment) part = part.substr(0, part.find('\n'));
  const char* stop = nullptr;
  try {
    stop = TextForms::AmendFromText(table, message, text(), part, max_depth_ - depth_, pace());
  } catch (const TextParseError& error) {
    throw OnnxSyntaxError("OnnxSyntaxError: " + std::string(error.what()).substr(kTextPrefix.size()), error.line(), error.column());
  }
  if (note.is_comment) {
    for (; stop < part.data() + part.size(); ++stop) {
      if (*stop != ' ' && *stop != '\t' && *stop != '\r') Fail(stop, "the line ends with '}'");
    }
  }
  GoTo(stop);
}

// Strings and comments are told from braces; whether the rest is text format shows when it is read.
const char* SyntaxParser::PutNoteOff() {
  if (!AtNote()) return nullptr;
  const char* const start = at();
  const OpenedNote note = OpenNote();
  int open = 1;
  const char* p = note.body;
  char quote = '\0';
  for (; open > 0; ++p) {
    if (p == end() || (note.is_comment && *p == '\n')) Fail(note.body, "the note does not end");
    if (quote) {
      if (*p == '\\' && p + 1 < end()) ++p;
      else if (*p == quote) quote = '\0';
    } else if (*p == '"' || *p == '\'') {
      quote = *p;
    } else if (*p == '#') {
      while (p + 1 < end() && p[1] != '\n') ++p;
    } else if (*p == '{') {
      ++open;
    } else if (*p == '}') {
      --open;
    }
  }
  GoTo(p);
  return start;
}

void SyntaxParser::TakeDomainNote() {
  if (Peek() != kNote) return;
  OpenedNote note = OpenNote();
  constexpr std::string_view kWords = "domain: absent}";
  if (!std::string_view(note.body, static_cast<size_t>(end() - note.body)).starts_with(kWords)) return;
  no_domain_ = true;
  GoTo(note.body + kWords.size());
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
