// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates expressions in exact arithmetic: MPFR computes each operation, and
// the result is rounded once to the format. Nothing of the numerics library's
// arithmetic takes part, so it judges identities on its own.
#ifndef PREC_TEST_UNIT_AUDIT_REALEVALUATOR_H
#define PREC_TEST_UNIT_AUDIT_REALEVALUATOR_H

#include "../Numerics/Oracle.h"
#include "prec/Symbolic/Graph.h"

#include <gtest/gtest.h>
#include <unordered_map>

/// The values of nodes for the bits of some leaves.
class RealEvaluator {
  using Node = prec::sym::Node;
  using Op = prec::sym::Op;
  using Format = prec::num::Format;

public:
  explicit RealEvaluator(const prec::sym::Graph &graph)
      : graph(graph), a(precision), b(precision), c(precision),
        result(precision) {}

  /// Begins anew: nothing is known but the leaves that are set from here on.
  void clear() { known.clear(); }
  void set(Node leaf, uint64_t bits) { known[leaf] = bits; }

  uint64_t operator()(Node n) {
    if (auto it = known.find(n); it != known.end())
      return it->second;
    const prec::sym::Expr e = graph[n];
    uint64_t in[3] = {0, 0, 0};
    for (unsigned k = 0; k < 3; ++k)
      if (e.operands[k])
        in[k] = (*this)(e.operands[k]);
    return known[n] = value(e, in[0], in[1], in[2]);
  }

private:
  // A sum of an f32 product and an f32 number: from 2^256 down to 2^-298.
  static constexpr mpfr_prec_t precision = 640;

  static bool isNaN(const Format &f, uint64_t bits) {
    const uint64_t size = bits & (f.signMask() - 1);
    return f.hasInf ? size > f.expMask() : size == f.absMask();
  }

  uint64_t value(const prec::sym::Expr &e, uint64_t x, uint64_t y, uint64_t z) {
    static const Format none = prec::num::kF32;
    const Format &f = e.format == prec::sym::FormatId::None
                          ? none
                          : *prec::sym::formatOf(e.format);
    switch (e.op) {
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Fma:
      return arithmetic(e, f, x, y, z);
    case Op::Minimum:
    case Op::Maximum:
    case Op::MinNum:
    case Op::MaxNum:
      return extremum(e.op, f, x, y);
    case Op::Neg:
      return x ^ uint64_t(1) << (e.width - 1);
    case Op::Abs:
      return x & ~(uint64_t(1) << (e.width - 1));
    case Op::Flush:
      return (x & f.absMask()) < f.minNormal() ? x & f.signMask() : x;
    case Op::Saturate: {
      if (isNaN(f, x) || x & f.signMask())
        return 0;
      return std::min(x, uint64_t(f.bias) << f.fracBits);
    }
    case Op::Convert: {
      const Format &to = *prec::sym::formatOf(e.to);
      if (isNaN(f, x))
        return to.quietNaN();
      prec::num::test::setBits(a, f, x);
      return prec::num::test::roundReal(a, to, e.rounding, e.index != 0);
    }
    case Op::Compare:
      return e.index >> ordering(f, x, y) & 1;
    default:
      // Bits: concatenations, selections and what a test defines itself.
      EXPECT_TRUE(e.op == Op::Constant || e.op >= Op::Concat)
          << prec::sym::name(e.op);
      return graph.apply(e, x, y, z);
    }
  }

  uint64_t arithmetic(const prec::sym::Expr &e, const Format &f, uint64_t x,
                      uint64_t y, uint64_t z) {
    if (isNaN(f, x) || isNaN(f, y) || (e.op == Op::Fma && isNaN(f, z)))
      return f.quietNaN();
    prec::num::test::setBits(a, f, x);
    prec::num::test::setBits(b, f, y);
    // The mode decides the sign of a difference that is zero; all else is
    // exact, or, of a quotient, further from a tie than the precision.
    const mpfr_rnd_t mode =
        e.rounding == prec::num::Rounding::Downward ? MPFR_RNDD : MPFR_RNDN;
    if (e.op == Op::Add)
      mpfr_add(result, a, b, mode);
    else if (e.op == Op::Sub)
      mpfr_sub(result, a, b, mode);
    else if (e.op == Op::Mul)
      mpfr_mul(result, a, b, mode);
    else if (e.op == Op::Div)
      mpfr_div(result, a, b, mode);
    else {
      prec::num::test::setBits(c, f, z);
      mpfr_fma(result, a, b, c, mode);
    }
    return prec::num::test::roundReal(result, f, e.rounding);
  }

  /// 0 less, 1 equal, 2 greater, 3 unordered.
  unsigned ordering(const Format &f, uint64_t x, uint64_t y) {
    if (isNaN(f, x) || isNaN(f, y))
      return 3;
    prec::num::test::setBits(a, f, x);
    prec::num::test::setBits(b, f, y);
    const int order = mpfr_cmp(a, b);
    return order < 0 ? 0 : order == 0 ? 1 : 2;
  }

  uint64_t extremum(Op op, const Format &f, uint64_t x, uint64_t y) {
    const bool max = op == Op::Maximum || op == Op::MaxNum;
    const bool number = op == Op::MinNum || op == Op::MaxNum;
    if (isNaN(f, x) || isNaN(f, y)) {
      if (!number || (isNaN(f, x) && isNaN(f, y)))
        return f.quietNaN();
      return isNaN(f, x) ? y : x;
    }
    unsigned order = ordering(f, x, y);
    if (order == 1) // zeros: -0 is the smaller one
      order = x & f.signMask() ? 0 : 2;
    return (order == 2) == max ? x : y;
  }

  const prec::sym::Graph &graph;
  prec::num::test::Real a, b, c, result;
  std::unordered_map<Node, uint64_t> known;
};

#endif // PREC_TEST_UNIT_AUDIT_REALEVALUATOR_H
