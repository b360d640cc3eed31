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
  void fromBits(const num::Format &format, const uint64_t *bits, size_t n,
                void *out) override;
  bool toBits(const num::Format &format, const void *in, size_t n,
              uint64_t *bits) override;
  void undefined(const num::Format &format, size_t n, void *out) override;
  bool unary(FloatUnary op, const num::Format &format, const void *a, size_t n,
             void *out) override;
  bool libdevice(FloatUnary op, const void *a, size_t n, void *out) override;
  bool binary(FloatBinary op, const num::Format &format, const void *a,
              const void *b, size_t n, void *out) override;
  bool fma(const num::Format &format, const void *a, const void *b,
           const void *c, size_t n, void *out) override;
  bool powi(const num::Format &format, const void *a, const int64_t *exponents,
            size_t n, void *out) override;
  bool convert(const num::Format &from, const num::Format &to,
               num::Rounding mode, bool saturate, const void *in, size_t n,
               void *out) override;
  bool fromInteger(const num::Format &to, bool isUnsigned, const int64_t *in,
                   size_t n, void *out) override;
  bool toInteger(const num::Format &from, bool isUnsigned, unsigned width,
                 const void *in, size_t n, int64_t *out) override;
  bool compare(mlir::arith::CmpFPredicate predicate, const num::Format &format,
               const void *a, const void *b, size_t n, void *bools) override;
  bool classify(FloatClass kind, const num::Format &format, const void *a,
                size_t n, void *bools) override;
  bool sum(const num::SumOrder &order, const num::Format &format,
           const void *in, size_t count, size_t stride, void *out) override;
  void fromBools(const uint8_t *in, size_t n, void *bools) override;
  bool toBools(const void *bools, size_t n, uint8_t *out) override;
  bool logic(Logic op, const void *a, const void *b, size_t n,
             void *bools) override;
  bool select(const void *condition, const num::Format *format, const void *a,
              const void *b, size_t n, void *out) override;

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
