// Lists that models, graphs and functions have in common: the templates of syntax_parser.h that several of its sources need.
#pragma once

#include "onnx_proto/text/syntax_parser.h"

namespace ONNX_LIGHT_NAMESPACE::proto {

// "key": "value" and so on up to ']'. At least one. `add` gives the next entry.
template <class Entries>
void SyntaxParser::StringPairs(const Entries& add) {
  const Deeper deeper(*this);
  do {
    StringStringEntryProto& entry = add();
    entry.set_key(String("a key in quotes"));
    Need(':');
    entry.set_value(String("a text in quotes"));
  } while (Take(','));
  Need(']');
}

template <class Owner>
void SyntaxParser::Nodes(Owner& owner) {
  Need('{');
  while (!Take('}')) Node(*owner.add_node());
}

}  // namespace ONNX_LIGHT_NAMESPACE::proto
