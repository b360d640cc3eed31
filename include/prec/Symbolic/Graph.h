// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Values as expressions: a hash-consed graph over the bits of input elements.
/// Equal expressions are one node, so comparing two programs begins with
/// comparing two numbers.
///
/// A node is a bit vector of 1 to 64 bits. Operations on floats name their
/// format and rounding; operations that have no name here are opaque, but can
/// be evaluated. Everything that is built is equal, bit for bit, to what was
/// asked for (NaN being equal to NaN): constants are folded, packing and
/// unpacking of bits is simplified, operands that commute are put in order.
#ifndef PREC_SYMBOLIC_GRAPH_H
#define PREC_SYMBOLIC_GRAPH_H

#include "prec/Numerics/Rounding.h"

#include <array>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace prec::sym {

/// Index of a node; 0 is none. Operands have smaller indices than their users.
using Node = uint32_t;

enum class FormatId : uint8_t {
  None,
  BF16,
  F16,
  F32,
  F64,
  F8E4M3FN,
  F8E5M2,
  TF32
};
/// The format, or null for None.
const num::Format *formatOf(FormatId id);
FormatId idOf(const num::Format &format);

enum class Op : uint8_t {
  Constant,  ///< `bits`
  Leaf,      ///< element `bits` of input tensor `index`
  Undefined, ///< memory that was never written

  // In `format`, rounded by `rounding`.
  Add,
  Sub,
  Mul,
  Div,
  Fma,
  Sqrt,
  // In `format`; the first two give NaN if an operand is NaN.
  Minimum,
  Maximum,
  MinNum,
  MaxNum,
  // On the sign bit, the top one: the same in every format.
  Neg,
  Abs,
  CopySign, ///< the magnitude of a with the sign of b
  // Modifiers of results: subnormals to zero; to [0, 1] with NaN to 0; negative
  // numbers to 0.
  Flush,
  Saturate,
  Relu,
  Convert,       ///< from `format` to `to` by `rounding`; `saturate` if index 1
  RoundIntegral, ///< to an integral value, in `format`
  FromInteger,   ///< to `format`; index 1: signed
  ToInteger,     ///< from `format`, nearest in range; index 1: signed
  Function,      ///< of mathematics, correctly rounded: `index` is a FunctionId
  Compare,       ///< 1 bit: whether `index` has the bit of the num::Ordering

  // On bits.
  Concat,  ///< a above b
  Extract, ///< `width` bits of a from bit `index` on
  And,
  Or,
  Xor,
  Not,
  Equal,  ///< 1 bit: whether a and b have the same bits
  Choice, ///< b if the bit a is set, else c
  Opaque  ///< `index`: see Graph::opaque
};

enum class FunctionId : uint8_t {
  Exp,
  Exp2,
  Expm1,
  Log,
  Log2,
  Log10,
  Log1p,
  Tanh,
  Erf,
  Sin,
  Cos,
  Rsqrt
};
const char *name(FunctionId id);
const char *name(Op op);

/// What an instruction's definition leaves open.
enum Flag : uint8_t {
  NoFlags = 0,
  Approximate = 1,  ///< the result is only near this value
  Contractible = 2, ///< may be fused with its user or operand: not rounded then
  // Which approximate division it is, else that of limited range.
  Reciprocal = 4, ///< of 1 by the divisor
  FullRange = 8,
};

struct Expr {
  Op op = Op::Constant;
  FormatId format = FormatId::None, to = FormatId::None;
  num::Rounding rounding = num::Rounding::NearestEven;
  uint8_t flags = NoFlags;
  uint8_t width = 0; ///< bits of the value
  uint32_t index = 0;
  uint64_t bits = 0;
  std::array<Node, 3> operands{0, 0, 0};

  bool operator==(const Expr &o) const {
    return op == o.op && format == o.format && to == o.to &&
           rounding == o.rounding && flags == o.flags && width == o.width &&
           index == o.index && bits == o.bits && operands == o.operands;
  }
};

class Graph {
public:
  Graph();

  const Expr &operator[](Node n) const { return nodes[n]; }
  size_t size() const { return nodes.size(); }
  bool isConstant(Node n) const { return nodes[n].op == Op::Constant; }
  unsigned width(Node n) const { return nodes[n].width; }

  /// An input tensor; its elements have `width` bits.
  uint32_t tensor(const std::string &name, unsigned width);
  const std::string &tensorName(uint32_t tensor) const {
    return tensors[tensor].first;
  }
  size_t tensorCount() const { return tensors.size(); }

  Node leaf(uint32_t tensor, uint64_t element);
  Node constant(uint64_t bits, unsigned width);
  Node undefined(unsigned width);

  /// The operations of Op on numbers of one format, Add to MaxNum and CopySign.
  Node arithmetic(Op op, FormatId format, Node a, Node b = 0, Node c = 0,
                  num::Rounding rounding = num::Rounding::NearestEven,
                  uint8_t flags = NoFlags);
  Node neg(Node a);
  Node abs(Node a);
  /// Flush, Saturate or Relu.
  Node modify(Op op, FormatId format, Node a);
  Node convert(FormatId from, FormatId to, Node a,
               num::Rounding rounding = num::Rounding::NearestEven,
               bool saturate = false);
  Node roundIntegral(FormatId format, Node a, num::Rounding rounding);
  Node fromInteger(FormatId to, bool isSigned, Node a,
                   num::Rounding rounding = num::Rounding::NearestEven);
  Node toInteger(FormatId from, bool isSigned, unsigned width, Node a,
                 num::Rounding rounding = num::Rounding::TowardZero);
  Node function(FunctionId function, FormatId format, Node a,
                uint8_t flags = NoFlags);
  /// `accept`: a bit for each num::Ordering.
  Node compare(FormatId format, unsigned accept, Node a, Node b);

  Node concat(Node high, Node low);
  Node extract(Node a, unsigned low, unsigned width);
  /// And, Or, Xor.
  Node logic(Op op, Node a, Node b);
  Node logicalNot(Node a);
  Node equal(Node a, Node b);
  Node shiftLeft(Node a, unsigned by);
  Node shiftRight(Node a, unsigned by, bool arithmetic);
  Node choice(Node condition, Node a, Node b);
  /// An operation that only its name tells from others: one name, one function.
  using Evaluate = std::function<uint64_t(uint64_t, uint64_t, uint64_t)>;
  Node opaque(const std::string &name, unsigned width, Evaluate evaluate,
              Node a, Node b = 0, Node c = 0);
  const std::string &opaqueName(uint32_t index) const {
    return opaques[index].first;
  }

  /// The value of a node from the values of its operands; not for leaves.
  uint64_t apply(const Expr &expr, uint64_t a, uint64_t b, uint64_t c) const;

  /// An expression in text, operands inside; `depth` levels of it.
  std::string text(Node n, unsigned depth = 12) const;

private:
  Node make(Expr expr);

  void grow();

  std::vector<Expr> nodes;
  /// Open addressing over the nodes: 0 is a free place.
  std::vector<Node> table;
  std::vector<std::pair<std::string, unsigned>> tensors;
  std::unordered_map<std::string, uint32_t> tensorIndex;
  std::vector<std::pair<std::string, Evaluate>> opaques;
  std::unordered_map<std::string, uint32_t> opaqueIndex;
};

/// The roots and all nodes that they depend on, operands before their users.
std::vector<Node> reachable(const Graph &graph, const std::vector<Node> &roots);

/// Evaluates some nodes of a graph for many inputs: what they need is found
/// once.
class Evaluator {
public:
  Evaluator(const Graph &graph, const std::vector<Node> &roots);

  /// The leaves that the roots depend on, each once.
  const std::vector<Node> &leaves() const { return leafNodes; }
  /// Values of the roots, given those of the leaves in the order of `leaves`.
  std::vector<uint64_t> operator()(const std::vector<uint64_t> &leafValues);
  /// Whether an undefined value decided a result of the last evaluation.
  /// Undefined values evaluate to 0.
  bool usesUndefined() const { return undefined; }

private:
  const Graph &graph;
  std::vector<Node> roots, order, leafNodes;
  std::unordered_map<Node, uint32_t> place;
  std::vector<std::array<uint32_t, 3>> operandPlaces;
  std::vector<uint64_t> values;
  bool undefined = false;
};

} // namespace prec::sym

#endif // PREC_SYMBOLIC_GRAPH_H
