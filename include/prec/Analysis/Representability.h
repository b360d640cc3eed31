// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the floating-point numbers are like that each SSA value can be.
#ifndef PREC_ANALYSIS_REPRESENTABILITY_H
#define PREC_ANALYSIS_REPRESENTABILITY_H

#include "prec/Numerics/Representation.h"

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/StringRef.h"

namespace prec {

/// On an arith.truncf: whoever made it knows that its NaNs are short, which
/// integers that made its operand's bits do not show.
inline constexpr llvm::StringLiteral kShortNaNName = "prec.short_nan";

/// A forward data-flow analysis of everything under an operation: scalars,
/// vectors and tensors, whose elements share one set. An integer of 32 or 64
/// bits stands for the float with its bits, so that sets survive bit
/// manipulation. What comes from outside (arguments, memory, operations that
/// are not known) can be every number of its type.
///
/// A NaN that an operation makes of numbers counts as short: true on processors
/// whose default NaN is (x86 and Arm; not NVIDIA's GPUs) and in LLVM's
/// semantics for them.
class Representability {
public:
  /// Runs the analysis. It says nothing about values that are made later.
  explicit Representability(mlir::Operation *root);

  /// What `value` can be; for a value that the analysis has not seen, or that
  /// is never computed, all numbers of its type. Nothing for a value that is
  /// neither a float nor a container of floats.
  std::optional<num::Representation> of(mlir::Value value) const;

private:
  mlir::DataFlowSolver solver;
};

} // namespace prec

#endif // PREC_ANALYSIS_REPRESENTABILITY_H
