// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs chains: with the numbers the machine gives, or with bounds.
#ifndef PREC_LIB_TRANSFORMS_EXPANDMATH_CHAINEVALUATION_H
#define PREC_LIB_TRANSFORMS_EXPANDMATH_CHAINEVALUATION_H

#include "Interval.h"
#include "NarrowChain.h"

#include <array>

namespace prec {

/// Inputs at a time: values of a chain stay in the cache, and a plan that is
/// wrong is found out early.
constexpr unsigned kChainBlock = 1024;

template <typename T> using ChainBlock = std::array<T, kChainBlock>;

/// The values of all nodes for `inputs`, at most a block of them; `exact`: with
/// correctly rounded functions, whatever the nodes say. No node is approximate.
/// `outcome`: how many units in the last place an approximate reciprocal is off
/// the correctly rounded one. Nodes before `first` are there already.
void evaluate(const Chain &chain, bool exact,
              const std::vector<uint16_t> &inputs,
              std::vector<ChainBlock<float>> &values, int outcome = 0,
              unsigned first = 0);

/// Outcomes are from -kMaxOutcome to kMaxOutcome: the ISA says 1 ulp, older
/// editions a relative error of 2^-23.
constexpr int kMaxOutcome = 2;

/// The bounds of all nodes. Results of 16 bits are points or open.
void evaluate(const Chain &chain, const std::vector<uint16_t> &inputs,
              std::vector<ChainBlock<Interval>> &values);

/// The format of a node that is a result.
const num::Format *resultFormat(const ChainNode &node);

} // namespace prec

#endif // PREC_LIB_TRANSFORMS_EXPANDMATH_CHAINEVALUATION_H
