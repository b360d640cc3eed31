// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates a function operation by operation, in the order of the text, each
// exactly as it says: the judge of everything that this compiler generates.
#ifndef PREC_REFERENCE_EVALUATOR_H
#define PREC_REFERENCE_EVALUATOR_H

#include "prec/Reference/Array.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

#include <string>

namespace prec::ref {

/// The values of `prec.observe`, by name, in the order in which the operations
/// were reached. One in the body of a linalg operation gives an array over the
/// operation's whole iteration space.
using Observations = llvm::MapVector<std::string, std::vector<Array>,
                                     std::map<std::string, unsigned>>;

/// Evaluates `function` on `arguments`. Level R, and level M as far as arith,
/// math, linalg and tensor operations go: an operation on a 16-bit type is the
/// f32 operation on its widened operands and one rounding of the result.
/// Composite operations (nn.*) have no evaluation of their own.
///
/// An argument of another type or shape, an operation that has no evaluation, a
/// false cf.assert, an index out of bounds and the like are one error at the
/// operation's location.
mlir::FailureOr<llvm::SmallVector<Array>>
evaluate(mlir::func::FuncOp function, llvm::ArrayRef<Array> arguments,
         FloatDomain &domain, Observations *observations = nullptr);

} // namespace prec::ref

#endif // PREC_REFERENCE_EVALUATOR_H
