// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one 16-bit number goes through on its way to 16-bit or f32 results, as a
// program that can be run on all 65,536 inputs.
#ifndef PREC_LIB_TRANSFORMS_EXPANDMATH_NARROWCHAIN_H
#define PREC_LIB_TRANSFORMS_EXPANDMATH_NARROWCHAIN_H

#include "prec/Numerics/MathFunction.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace prec {

/// How a function or a division of a chain is computed.
struct Choice {
  enum Kind : uint32_t {
    /// A function: sequence number `index` of NarrowFunctions.
    Sequence,
    /// By approximate instructions, as ApproximateFunctions does in the form
    /// `index`; a function with `scale` and `offset`, a division with `scale`
    /// for a quarter.
    Approximate,
    /// With the bits of the correctly rounded operation, by ExactFunctions in
    /// the form `index`; on Exp, on 1 + it (a quarter of that), on quotients.
    Exact,
  };
  Kind kind;
  unsigned index = 0;
  float scale = 0, offset = 0;
  /// For bounds of all tunings at once: units in the last place that the scale,
  /// and how much the offset, may differ.
  int scaleRange = 0;
  float offsetRange = 0;
  /// For bounds of all forms of an approximate division at once.
  bool anyForm = false;
};

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
  /// Function, Div, and Add of 1 in an exact or scaled quotient: how it is
  /// computed; none: it is correctly rounded.
  std::optional<Choice> choice = std::nullopt;
};

/// Nodes in the order they are computed in.
using Chain = std::vector<ChainNode>;

/// What `node` rounds is to be `value` where the input is `input`: a result
/// that approximate instructions leave undecided.
struct Exception {
  unsigned node;
  float input, value;
};

/// How the nodes of a chain are computed.
struct Plan {
  std::vector<std::pair<unsigned, Choice>> choices;
  std::vector<Exception> exceptions;
};

/// The cheapest plan found for node `function` of `chain` with which every
/// result has the bits (NaN being equal to NaN) that correctly rounded
/// functions everywhere give, on all 65,536 inputs; nothing where there is
/// none. `divisions` are nodes that may be approximated together with the
/// function; with `approximate` only.
std::optional<Plan> choosePlan(Chain chain, unsigned function,
                               const std::vector<unsigned> &divisions,
                               bool approximate);

/// The shortest way found to compute node `function` of `chain`, and quotients
/// by 1 plus it, with which all results and the values of the nodes `exits`
/// have the bits (NaN being equal to NaN) of correctly rounded operations, on
/// all 65,536 inputs and whatever the approximate instruction gives. Without
/// `approximate` it is the function alone, in the form Limited.
std::optional<Plan> chooseExactPlan(Chain chain, unsigned function,
                                    const std::vector<unsigned> &exits,
                                    bool approximate);

/// Bound of chooseClose: numbers, subnormal ones too, are at most
/// 2^-kCloseBits of themselves from the right ones.
inline constexpr int kCloseBits = 21;

/// The cheapest sequence for node `function` with which node `result` of
/// `chain` is close to what correctly rounded functions give, on all 65,536
/// inputs; NaN, infinities, zeros and signs are the same. Nothing where there is
/// none.
std::optional<Choice> chooseClose(Chain chain, unsigned function,
                                  unsigned result);

/// A result within bounds of the right one, by approximate instructions.
struct CloseApproximation {
  /// The ways to compute the function and the divisions.
  std::vector<std::pair<unsigned, Choice>> choices;
  /// What multiplies the result to be surely below; 1: it is in the choices.
  float bias = 1;
  /// Times this, products with the biased result are surely above.
  float widen = 1;
  /// The magnitude of inputs up to which that holds.
  float most = 0;
};

/// Bounds of the other factors of a guarded product, and of the product: no
/// step under- or overflows.
inline constexpr unsigned kMaxProducts = 2;
inline constexpr float kMostFactor = 0x1p40f, kLeastProduct = 0x1p-40f;

/// An approximation of node `function` of `chain`, and of the nodes
/// `divisions`, with which `products` multiplications of the biased node
/// `result` with factors of at most kMostFactor give magnitudes not above those
/// that correctly rounded functions give, and not below once widened, for
/// products from kLeastProduct on. Nothing where that holds for few inputs.
std::optional<CloseApproximation>
approximateClosely(Chain chain, unsigned function,
                   const std::vector<unsigned> &divisions, unsigned result,
                   unsigned products);

} // namespace prec

#endif // PREC_LIB_TRANSFORMS_EXPANDMATH_NARROWCHAIN_H
