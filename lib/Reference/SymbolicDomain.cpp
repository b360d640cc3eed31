// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Reference/SymbolicDomain.h"

#include "prec/Numerics/Arithmetic.h"
#include "prec/Numerics/SumTree.h"
#include "prec/Reference/BitsDomain.h"

#include <cstring>

using namespace prec;
using namespace prec::ref;
using mlir::arith::CmpFPredicate;
using num::Format;
using num::Ordering;
using num::Rounding;
using sym::FunctionId;
using sym::Node;
using sym::Op;

static const Node *nodesAt(const void *data) {
  return static_cast<const Node *>(data);
}

void SymbolicDomain::at(mlir::Operation *op) { current = op; }

bool SymbolicDomain::each(size_t n, void *out,
                          llvm::function_ref<Node(size_t)> f) {
  auto *to = static_cast<Node *>(out);
  for (size_t i = 0; i < n; ++i) {
    size_t before = graph.size();
    Node node = f(i);
    // An operand may be what is written to: it was read by now.
    to[i] = node;
    if (current)
      for (size_t made = before; made < graph.size(); ++made)
        locations.try_emplace(Node(made), current->getLoc());
  }
  return true;
}

std::optional<mlir::Location> SymbolicDomain::location(Node node) const {
  auto it = locations.find(node);
  if (it == locations.end())
    return std::nullopt;
  return it->second;
}

std::optional<Array> SymbolicDomain::input(const std::string &name,
                                           const Format &format,
                                           llvm::ArrayRef<int64_t> shape) {
  Element element;
  element.kind = Element::Kind::Float;
  element.width = format.width();
  element.format = &format;
  std::optional<Array> array = Array::make(*this, element, shape);
  if (!array)
    return std::nullopt;
  uint32_t tensor = graph.tensor(name, format.width());
  auto *out = static_cast<Node *>(array->mutableData());
  for (int64_t i = 0; i < array->size(); ++i)
    out[i] = graph.leaf(tensor, static_cast<uint64_t>(i));
  return array;
}

llvm::ArrayRef<Node> SymbolicDomain::nodes(const Array &array) {
  return {nodesAt(array.data()), static_cast<size_t>(array.size())};
}

void SymbolicDomain::fromBits(const Format &format, const uint64_t *bits,
                              size_t n, void *out) {
  each(n, out,
       [&](size_t i) { return graph.constant(bits[i], format.width()); });
}

bool SymbolicDomain::toBits(const Format &, const void *in, size_t n,
                            uint64_t *bits) {
  for (size_t i = 0; i < n; ++i) {
    Node node = nodesAt(in)[i];
    if (!graph.isConstant(node))
      return false;
    bits[i] = graph[node].bits;
  }
  return true;
}

void SymbolicDomain::undefined(const Format &format, size_t n, void *out) {
  each(n, out, [&](size_t) { return graph.undefined(format.width()); });
}

std::optional<FunctionId> prec::ref::functionOf(FloatUnary op) {
  switch (op) {
  case FloatUnary::Exp:
    return FunctionId::Exp;
  case FloatUnary::Exp2:
    return FunctionId::Exp2;
  case FloatUnary::Expm1:
    return FunctionId::Expm1;
  case FloatUnary::Log:
    return FunctionId::Log;
  case FloatUnary::Log2:
    return FunctionId::Log2;
  case FloatUnary::Log10:
    return FunctionId::Log10;
  case FloatUnary::Log1p:
    return FunctionId::Log1p;
  case FloatUnary::Tanh:
    return FunctionId::Tanh;
  case FloatUnary::Erf:
    return FunctionId::Erf;
  case FloatUnary::Sin:
    return FunctionId::Sin;
  case FloatUnary::Cos:
    return FunctionId::Cos;
  case FloatUnary::Rsqrt:
    return FunctionId::Rsqrt;
  default:
    return std::nullopt;
  }
}

/// What f64 functions and rarer operations are: the bits domain knows.
template <typename Run>
static Node opaque(sym::Graph &graph, const std::string &name,
                   const Format &format, Run run, Node a, Node b = 0) {
  return graph.opaque(
      "ref." + name + "." + format.name, format.width(),
      [run](uint64_t x, uint64_t y, uint64_t) {
        uint64_t out = 0;
        run(&x, &y, &out);
        return out;
      },
      a, b);
}

bool SymbolicDomain::unary(FloatUnary op, const Format &format, const void *a,
                           size_t n, void *out) {
  const Node *in = nodesAt(a);
  sym::FormatId id = sym::idOf(format);
  auto integral = [&](Rounding mode) {
    return each(n, out,
                [&](size_t i) { return graph.roundIntegral(id, in[i], mode); });
  };
  switch (op) {
  case FloatUnary::Neg:
    return each(n, out, [&](size_t i) { return graph.neg(in[i]); });
  case FloatUnary::Abs:
    return each(n, out, [&](size_t i) { return graph.abs(in[i]); });
  case FloatUnary::Ceil:
    return integral(Rounding::Upward);
  case FloatUnary::Floor:
    return integral(Rounding::Downward);
  case FloatUnary::Trunc:
    return integral(Rounding::TowardZero);
  case FloatUnary::RoundEven:
    return integral(Rounding::NearestEven);
  case FloatUnary::RoundAway:
    return integral(Rounding::NearestAway);
  case FloatUnary::Sqrt:
    return each(n, out, [&](size_t i) {
      return graph.arithmetic(Op::Sqrt, id, in[i]);
    });
  default:
    break;
  }
  std::optional<FunctionId> function = functionOf(op);
  if (!function || format != num::kF32)
    return false;
  return each(n, out,
              [&](size_t i) { return graph.function(*function, id, in[i]); });
}

bool SymbolicDomain::libdevice(FloatUnary op, const void *a, size_t n,
                               void *out) {
  std::optional<FunctionId> function = functionOf(op);
  bool known = function && library;
  return known &&
         each(n, out,
              [&](size_t i) {
                Node result = library(*function, nodesAt(a)[i]);
                known &= result != 0;
                return result;
              }) &&
         known;
}

bool SymbolicDomain::binary(FloatBinary op, const Format &format, const void *a,
                            const void *b, size_t n, void *out) {
  const Node *x = nodesAt(a), *y = nodesAt(b);
  sym::FormatId id = sym::idOf(format);
  auto arithmetic = [&](Op kind) {
    return each(n, out, [&](size_t i) {
      return graph.arithmetic(kind, id, x[i], y[i]);
    });
  };
  switch (op) {
  case FloatBinary::Add:
    return arithmetic(Op::Add);
  case FloatBinary::Sub:
    return arithmetic(Op::Sub);
  case FloatBinary::Mul:
    return arithmetic(Op::Mul);
  case FloatBinary::Div:
    return arithmetic(Op::Div);
  case FloatBinary::Minimum:
    return arithmetic(Op::Minimum);
  case FloatBinary::Maximum:
    return arithmetic(Op::Maximum);
  case FloatBinary::MinNum:
    return arithmetic(Op::MinNum);
  case FloatBinary::MaxNum:
    return arithmetic(Op::MaxNum);
  case FloatBinary::CopySign:
    return arithmetic(Op::CopySign);
  case FloatBinary::Rem:
  case FloatBinary::Pow:
  case FloatBinary::Atan2:
    break;
  }
  // One try tells whether the bits domain has the operation in this format.
  const Format *which = &format;
  auto run = [op, which](const uint64_t *p, const uint64_t *q, uint64_t *r) {
    return BitsDomain().binary(op, *which, p, q, 1, r);
  };
  uint64_t one = uint64_t(format.bias) << format.fracBits, result = 0;
  if (!run(&one, &one, &result))
    return false;
  std::string opName = op == FloatBinary::Rem   ? "rem"
                       : op == FloatBinary::Pow ? "pow"
                                                : "atan2";
  return each(n, out, [&](size_t i) {
    return opaque(graph, opName, format, run, x[i], y[i]);
  });
}

bool SymbolicDomain::fma(const Format &format, const void *a, const void *b,
                         const void *c, size_t n, void *out) {
  return each(n, out, [&](size_t i) {
    return graph.arithmetic(Op::Fma, sym::idOf(format), nodesAt(a)[i],
                            nodesAt(b)[i], nodesAt(c)[i]);
  });
}

bool SymbolicDomain::powi(const Format &format, const void *a,
                          const int64_t *exponents, size_t n, void *out) {
  const Format *which = &format;
  uint64_t one = uint64_t(format.bias) << format.fracBits, result = 0;
  int64_t first = 1;
  if (!BitsDomain().powi(format, &one, &first, 1, &result))
    return false;
  return each(n, out, [&](size_t i) {
    int64_t exponent = exponents[i];
    auto run = [exponent, which](const uint64_t *x, const uint64_t *,
                                 uint64_t *r) {
      BitsDomain().powi(*which, x, &exponent, 1, r);
    };
    return opaque(graph, "powi." + std::to_string(exponent), format, run,
                  nodesAt(a)[i]);
  });
}

bool SymbolicDomain::convert(const Format &from, const Format &to,
                             Rounding mode, bool saturate, const void *in,
                             size_t n, void *out) {
  return each(n, out, [&](size_t i) {
    return graph.convert(sym::idOf(from), sym::idOf(to), nodesAt(in)[i], mode,
                         saturate);
  });
}

bool SymbolicDomain::fromInteger(const Format &to, bool isUnsigned,
                                 const int64_t *in, size_t n, void *out) {
  return each(n, out, [&](size_t i) {
    uint64_t bits = isUnsigned
                        ? num::fromUnsigned(to, static_cast<uint64_t>(in[i]))
                        : num::fromSigned(to, in[i]);
    return graph.constant(bits, to.width());
  });
}

bool SymbolicDomain::toInteger(const Format &from, bool isUnsigned,
                               unsigned width, const void *in, size_t n,
                               int64_t *out) {
  std::vector<uint64_t> bits(n);
  if (!toBits(from, in, n, bits.data()))
    return false;
  unsigned bytes = BitsDomain().bytes(from);
  std::vector<char> packed(n * bytes);
  for (size_t i = 0; i < n; ++i)
    std::memcpy(&packed[i * bytes], &bits[i], bytes);
  return BitsDomain().toInteger(from, isUnsigned, width, packed.data(), n, out);
}

/// The orderings that a predicate accepts, a bit for each.
static unsigned acceptedBy(CmpFPredicate predicate) {
  constexpr unsigned less = 1u << unsigned(Ordering::Less);
  constexpr unsigned equal = 1u << unsigned(Ordering::Equal);
  constexpr unsigned greater = 1u << unsigned(Ordering::Greater);
  constexpr unsigned unordered = 1u << unsigned(Ordering::Unordered);
  switch (predicate) {
  case CmpFPredicate::AlwaysFalse:
    return 0;
  case CmpFPredicate::OEQ:
    return equal;
  case CmpFPredicate::OGT:
    return greater;
  case CmpFPredicate::OGE:
    return greater | equal;
  case CmpFPredicate::OLT:
    return less;
  case CmpFPredicate::OLE:
    return less | equal;
  case CmpFPredicate::ONE:
    return less | greater;
  case CmpFPredicate::ORD:
    return less | equal | greater;
  case CmpFPredicate::UEQ:
    return unordered | equal;
  case CmpFPredicate::UGT:
    return unordered | greater;
  case CmpFPredicate::UGE:
    return unordered | greater | equal;
  case CmpFPredicate::ULT:
    return unordered | less;
  case CmpFPredicate::ULE:
    return unordered | less | equal;
  case CmpFPredicate::UNE:
    return unordered | less | greater;
  case CmpFPredicate::UNO:
    return unordered;
  case CmpFPredicate::AlwaysTrue:
    return less | equal | greater | unordered;
  }
  return 0;
}

bool SymbolicDomain::compare(CmpFPredicate predicate, const Format &format,
                             const void *a, const void *b, size_t n,
                             void *bools) {
  unsigned accept = acceptedBy(predicate);
  return each(n, bools, [&](size_t i) {
    return graph.compare(sym::idOf(format), accept, nodesAt(a)[i],
                         nodesAt(b)[i]);
  });
}

bool SymbolicDomain::classify(FloatClass kind, const Format &format,
                              const void *a, size_t n, void *bools) {
  sym::FormatId id = sym::idOf(format);
  Node infinity = graph.constant(format.infOrNaN(), format.width());
  Node normal = graph.constant(format.minNormal(), format.width());
  return each(n, bools, [&](size_t i) {
    Node x = nodesAt(a)[i], magnitude = graph.abs(x);
    switch (kind) {
    case FloatClass::NaN:
      return graph.compare(id, acceptedBy(CmpFPredicate::UNO), x, x);
    case FloatClass::Infinite:
      return graph.compare(id, acceptedBy(CmpFPredicate::OEQ), magnitude,
                           infinity);
    case FloatClass::Finite:
      return graph.compare(id, acceptedBy(CmpFPredicate::OLT), magnitude,
                           infinity);
    case FloatClass::Normal:
      break;
    }
    return graph.logic(
        Op::And,
        graph.compare(id, acceptedBy(CmpFPredicate::OGE), magnitude, normal),
        graph.compare(id, acceptedBy(CmpFPredicate::OLT), magnitude, infinity));
  });
}

bool SymbolicDomain::sum(const num::SumOrder &order, const Format &format,
                         const void *in, size_t count, size_t stride,
                         void *out) {
  sym::FormatId id = sym::idOf(format);
  std::vector<Node> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = nodesAt(in)[i * stride];
  auto add = [&](Node a, Node b) {
    return graph.arithmetic(Op::Add, id, a, b);
  };
  num::SumTree<Node, decltype(add)> tree(
      order, graph.constant(0, format.width()), add);
  return each(1, out, [&](size_t) { return tree(values); });
}

void SymbolicDomain::fromBools(const uint8_t *in, size_t n, void *bools) {
  each(n, bools, [&](size_t i) { return graph.constant(in[i] & 1, 1); });
}

bool SymbolicDomain::toBools(const void *bools, size_t n, uint8_t *out) {
  for (size_t i = 0; i < n; ++i) {
    Node node = nodesAt(bools)[i];
    if (!graph.isConstant(node))
      return false;
    out[i] = static_cast<uint8_t>(graph[node].bits);
  }
  return true;
}

bool SymbolicDomain::logic(Logic op, const void *a, const void *b, size_t n,
                           void *bools) {
  Op kind = op == Logic::And ? Op::And : op == Logic::Or ? Op::Or : Op::Xor;
  return each(n, bools, [&](size_t i) {
    return graph.logic(kind, nodesAt(a)[i], nodesAt(b)[i]);
  });
}

bool SymbolicDomain::select(const void *condition, const Format *,
                            const void *a, const void *b, size_t n, void *out) {
  return each(n, out, [&](size_t i) {
    return graph.choice(nodesAt(condition)[i], nodesAt(a)[i], nodesAt(b)[i]);
  });
}
