// Our own field and enum tables as text, in the form of tests/data/onnx_fields.txt and onnx_enums.txt.
#pragma once

#include <ostream>

namespace oracle {

// One line a field: message, name, number, type, label, packed or -, oneof or -.
void DumpFields(std::ostream& out);
// One line a member of an enum that some field has: enum, member, number.
void DumpEnums(std::ostream& out);

}  // namespace oracle
