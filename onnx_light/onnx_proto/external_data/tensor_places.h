// The one walk over every place a tensor can be: initializers, sparse initializers, attributes and lists of them, graphs in attributes at
// any depth, functions and their default attributes, training graphs, and the values of sequences, maps and optionals.
//
// Which fields lead to a tensor is read from the rows, so a new field is walked by itself. The order is that of the fields' numbers, which
// is the order in a file. Nothing recurses: a model may be nested as deep as it likes.
#pragma once

#include <string>
#include <vector>

#include "onnx_proto/onnx.h"

namespace ONNX_LIGHT_NAMESPACE {

namespace proto {
struct Ways;
}  // namespace proto

/// Whether messages of this type can hold a tensor, at any depth, or are one.
ONNX_LIGHT_API bool LeadsToTensors(const proto::Table& table);

/// Gives the tensors of a message one after the other. What the tensors hold may be changed meanwhile, what leads to them may not.
///
///   for (TensorWalk walk(model); walk.Next();) Use(walk.tensor());
class ONNX_LIGHT_API TensorWalk {
 public:
  template <class M>
  explicit TensorWalk(const M& root) : TensorWalk(M::table(), root) {}
  TensorWalk(const proto::Table& table, const proto::Message& root);

  /// Goes to the next tensor; false at the end.
  bool Next();
  const TensorProto& tensor() const { return *tensor_; }
  /// The graph that holds the tensor, directly or by its nodes; null where none does.
  const GraphProto* graph() const;
  /// True for a tensor in a graph's list of (sparse) initializers, at any depth; false for one in an attribute or elsewhere.
  bool is_initializer() const;
  /// Where the tensor is: "graph.node[3].attribute[0].t". Counts are those of the lists, from 0.
  std::string place() const;

 private:
  // The fields of a message on the way, and how far the walk has got in it.
  struct Level {
    const proto::Table* table;
    const proto::Ways* ways;
    const proto::Message* message;
    size_t way = 0;    // which of the table's ways to tensors is looked at
    size_t index = 0;  // the element that comes next in it
  };
  bool GoDown();

  std::vector<Level> levels_;
  const TensorProto* tensor_ = nullptr;
};

/// The same, for tensors that are to be changed.
class MutableTensorWalk {
 public:
  template <class M>
  explicit MutableTensorWalk(M& root) : walk_(root) {}
  MutableTensorWalk(const proto::Table& table, proto::Message& root) : walk_(table, root) {}
  bool Next() { return walk_.Next(); }
  TensorProto& tensor() const { return const_cast<TensorProto&>(walk_.tensor()); }  // the root was not const
  GraphProto* graph() const { return const_cast<GraphProto*>(walk_.graph()); }
  bool is_initializer() const { return walk_.is_initializer(); }
  std::string place() const { return walk_.place(); }

 private:
  TensorWalk walk_;
};

}  // namespace ONNX_LIGHT_NAMESPACE
