#include "onnx_proto/external_data/tensor_places.h"

#include <algorithm>
#include <unordered_map>

namespace ONNX_LIGHT_NAMESPACE {
namespace proto {

// The fields of a message type that lead to tensors, by themselves or through other messages.
struct Ways {
  std::vector<const Row*> rows;
  bool inside = false;  // one of them lies in the object itself
  // Most attributes lead nowhere: a look at what they store is enough.
  bool MayLeadOn(const Message& message) const {
    return inside || std::any_of(rows.begin(), rows.end(), [&](const Row* row) { return message.Find(*row) != nullptr; });
  }
};

}  // namespace proto

namespace {

using proto::IsList;
using proto::Message;
using proto::Row;
using proto::Table;
using proto::Verbs;

using proto::Ways;

// For each message type the fields that lead to tensors, by themselves or through other messages.
class AllWays {
 public:
  AllWays() {
    const Table& tensor = TensorProto::table();
    bool found = true;
    while (found) {  // until no type is added: types refer to each other
      found = false;
      for (const Table* table : proto::AllTables()) {
        Ways ways;
        for (const Row& row : table->rows) {
          if (!row.child || (&row.child() != &tensor && !ways_.contains(&row.child()))) continue;
          ways.rows.push_back(&row);
          ways.inside |= row.place == proto::Place::kHere;
        }
        if (ways.rows.size() > From(*table).rows.size()) {
          ways_[table] = std::move(ways);
          found = true;
        }
      }
    }
  }
  const Ways& From(const Table& table) const {
    static const Ways kNone;
    const auto found = ways_.find(&table);
    return found == ways_.end() ? kNone : found->second;
  }

 private:
  std::unordered_map<const Table*, Ways> ways_;
};

const Ways& WaysFrom(const Table& table) {
  static const AllWays kWays;
  return kWays.From(table);
}

// The element `index` of a field, counting a single message as a list of one; null past the end.
const Message* ElementAt(const Message& message, const Row& row, size_t index) {
  if (IsList(row.kind)) {
    const void* list = message.Find(row);
    if (!list) return nullptr;
    const proto::ListHandle& items = Verbs::Items(list);
    return index < items.count ? static_cast<const Message*>(Verbs::Element(items, row, index)) : nullptr;
  }
  return index == 0 && message.Has(row) ? message.FindSlot(row)->child : nullptr;
}

}  // namespace

bool LeadsToTensors(const Table& table) { return &table == &TensorProto::table() || !WaysFrom(table).rows.empty(); }

TensorWalk::TensorWalk(const Table& table, const Message& root) { levels_.push_back({&table, &WaysFrom(table), &root}); }

// One step from the deepest level: down to a child, or to the end of the level. True at a tensor.
bool TensorWalk::GoDown() {
  Level& level = levels_.back();
  for (; level.way < level.ways->rows.size(); ++level.way, level.index = 0) {
    const Row& row = *level.ways->rows[level.way];
    const Table& table = row.child();
    if (&table == &TensorProto::table()) {
      tensor_ = static_cast<const TensorProto*>(ElementAt(*level.message, row, level.index));
      if (!tensor_) continue;
      ++level.index;
      return true;
    }
    const Ways& onward = WaysFrom(table);
    while (const Message* child = ElementAt(*level.message, row, level.index)) {
      ++level.index;
      if (!onward.MayLeadOn(*child)) continue;
      levels_.push_back({&table, &onward, child});  // `level` is no more
      return false;
    }
  }
  levels_.pop_back();
  return false;
}

bool TensorWalk::Next() {
  if (!tensor_ && !levels_.empty() && levels_.back().table == &TensorProto::table()) {  // the root is a tensor
    tensor_ = static_cast<const TensorProto*>(levels_.back().message);
    return true;
  }
  while (!levels_.empty()) {
    if (GoDown()) return true;
  }
  return false;
}

const GraphProto* TensorWalk::graph() const {
  const auto found = std::find_if(levels_.rbegin(), levels_.rend(), [](const Level& level) { return level.table == &GraphProto::table(); });
  return found == levels_.rend() ? nullptr : static_cast<const GraphProto*>(found->message);
}

bool TensorWalk::is_initializer() const {
  if (levels_.empty()) return false;
  const bool sparse = levels_.back().table == &SparseTensorProto::table();
  return levels_.size() > (sparse ? 1u : 0u) && levels_[levels_.size() - (sparse ? 2 : 1)].table == &GraphProto::table();
}

std::string TensorWalk::place() const {
  std::string place;
  for (const Level& level : levels_) {
    if (level.way >= level.ways->rows.size()) break;  // the root is a tensor
    const Row& row = *level.ways->rows[level.way];
    if (!place.empty()) place += '.';
    place += row.name;
    if (IsList(row.kind)) place += '[' + std::to_string(level.index - 1) + ']';
  }
  return place;
}

}  // namespace ONNX_LIGHT_NAMESPACE
