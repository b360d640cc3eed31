// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The domain of expressions: each float is a node of a graph.
#ifndef PREC_REFERENCE_SYMBOLICDOMAIN_H
#define PREC_REFERENCE_SYMBOLICDOMAIN_H

#include "prec/Reference/Array.h"
#include "prec/Symbolic/Graph.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"

namespace prec::ref {

/// The graph's name of a function, if it has one.
std::optional<sym::FunctionId> functionOf(FloatUnary op);

/// Floats and the truth values made from them are nodes of `graph`; equal
/// expressions are equal nodes. Their bits are known where they are constant.
class SymbolicDomain final : public FloatDomain {
public:
  explicit SymbolicDomain(sym::Graph &graph) : graph(graph) {}

  /// CUDA's own functions: what `library` makes of one, 0 if it does not know
  /// it.
  using Library = std::function<sym::Node(sym::FunctionId, sym::Node)>;
  void setLibdevice(Library library) { this->library = std::move(library); }

  /// A tensor whose elements are leaves, named `name` in the graph; nothing
  /// when memory does not suffice.
  std::optional<Array> input(const std::string &name, const num::Format &format,
                             llvm::ArrayRef<int64_t> shape);
  /// The nodes of a float array.
  static llvm::ArrayRef<sym::Node> nodes(const Array &array);
  /// Where the first operation that gave this node stands; nothing for leaves
  /// and for what the graph made on its own.
  std::optional<mlir::Location> location(sym::Node node) const;

  void at(mlir::Operation *op) override;
  llvm::StringRef name() const override { return "symbolic"; }
  unsigned bytes(const num::Format &) const override {
    return sizeof(sym::Node);
  }
  unsigned boolBytes() const override { return sizeof(sym::Node); }
#include "prec/Reference/FloatDomainOverrides.inc"
  bool libdevice(FloatUnary op, const void *a, size_t n, void *out) override;

private:
  /// Writes f(i) for each of n elements and notes where new nodes came from.
  bool each(size_t n, void *out, llvm::function_ref<sym::Node(size_t)> f);

  sym::Graph &graph;
  Library library;
  mlir::Operation *current = nullptr;
  llvm::DenseMap<sym::Node, mlir::Location> locations;
};

} // namespace prec::ref

#endif // PREC_REFERENCE_SYMBOLICDOMAIN_H
