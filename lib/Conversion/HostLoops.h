// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of host functions.
#ifndef PREC_LIB_CONVERSION_HOSTLOOPS_H
#define PREC_LIB_CONVERSION_HOSTLOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace prec {

/// Makes one loop of neighbouring outermost loops over the same rows that read
/// the same memory, and of which neither touches what the other writes: a row
/// is in the cache when it is read again.
void fuseRowLoops(mlir::func::FuncOp func);

/// Moves what is computed from elements to right behind the last of them, so
/// that the terms of a short sum do not all wait in registers for the first
/// addition.
void computeEarly(mlir::func::FuncOp func);

/// Whether no memory that `loop` writes is read in it.
bool readsNothingItWrites(mlir::scf::ForOp loop);

/// The iterations of a loop from 0 by 1; 0 where they are not known.
int64_t iterationsOf(mlir::scf::ForOp loop);

/// Whether operations may change places with those of another iteration: they
/// only read or only write, as the memory itself says.
bool isMovable(mlir::Operation &op);

/// Uses the same value for equal indices of a block.
void joinIndices(mlir::Block &block);

/// Puts what a block writes and fetches ahead, each once, behind all that it
/// loads, which it must not write: so that equal loads are one.
void sinkWrites(mlir::Block &block);

/// Makes loops of half as many iterations of those whose first half chooses one
/// thing and whose second half another, where no iteration depends on another:
/// what both halves compute is computed once.
void joinHalves(mlir::func::FuncOp func);

/// Whether `op` is a function that takes many operations.
bool isFunction(mlir::Operation &op);

/// Moves steps of a loop into those of a sum before it that computes the same
/// functions of the same elements, so that they are computed once. The loop
/// keeps the steps of which the sum's loops have none, and goes if they have
/// all.
void joinSums(mlir::func::FuncOp func);

/// Writes out `elements`, a loop in `rows`, if it computes functions that the
/// body around it computes too, in vectors of the same width: the same ones of
/// the same elements are computed once. `rows` must not write what it reads.
/// Gives whether it did.
bool shareFunctions(mlir::scf::ForOp rows, mlir::scf::ForOp elements);

/// Computes two short rows side by side where their elements wait for a root of
/// a sum: one waits while the other is computed.
void pairRows(mlir::func::FuncOp func);

/// Computes the numbers that the elements of short rows wait for one iteration
/// ahead. Iterations then depend on each other.
void computeAhead(mlir::func::FuncOp func);

/// Makes each outermost loop whose iterations do not depend on each other one
/// of those from prec.parallel.begin to prec.parallel.end: from 0 on, as it
/// was.
void markParallelLoops(mlir::func::FuncOp func);

} // namespace prec

#endif // PREC_LIB_CONVERSION_HOSTLOOPS_H
