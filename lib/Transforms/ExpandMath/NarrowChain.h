// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one 16-bit number goes through on its way to 16-bit results, as a
// program that can be run on all 65,536 inputs.
#ifndef PREC_LIB_TRANSFORMS_EXPANDMATH_NARROWCHAIN_H
#define PREC_LIB_TRANSFORMS_EXPANDMATH_NARROWCHAIN_H

#include "prec/Numerics/MathFunction.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace prec {

/// One step. Operands are earlier nodes.
struct ChainNode {
  enum Kind : uint64_t {
    InputBF16,
    InputF16,
    Constant, // f32 bits
    Add,
    Sub,
    Mul,
    Div,
    Neg,
    Abs,
    Sqrt,
    Fma,
    Maximum,
    Minimum,
    Less, // 1 or 0, with the node's operands in either order
    LessEqual,
    Equal,
    Not,
    Select,
    Function,
    ToBF16, // results: bits
    ToF16,
  };
  Kind kind;
  unsigned operands[3] = {0, 0, 0};
  /// Constant: the bits. Function: which.
  uint32_t bits = 0;
  num::MathFunction function = num::MathFunction::Exp;
  int power = 0;
  /// Function: the sequence of NarrowFunctions that computes it; none: it is
  /// correctly rounded.
  std::optional<unsigned> sequence = std::nullopt;
};

/// Nodes in the order they are computed in.
using Chain = std::vector<ChainNode>;

/// The number of the cheapest sequence of NarrowFunctions for node `function`
/// of `chain` with which every result has the bits (NaN being equal to NaN)
/// that correctly rounded functions everywhere give, on all 65,536 inputs;
/// nothing where there is none.
std::optional<unsigned> chooseSequence(Chain chain, unsigned function);

} // namespace prec

#endif // PREC_LIB_TRANSFORMS_EXPANDMATH_NARROWCHAIN_H
