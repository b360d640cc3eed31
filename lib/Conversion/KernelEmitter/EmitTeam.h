// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long reductions that the threads of a team carry out together.
#ifndef PREC_LIB_CONVERSION_KERNELEMITTER_EMITTEAM_H
#define PREC_LIB_CONVERSION_KERNELEMITTER_EMITTEAM_H

#include "KernelEmitter.h"

namespace prec {

/// An element of a long reduction that is the same for all threads of the team:
/// each thread gets it. Gives a null value, having emitted nothing, where
/// something is missing.
mlir::FailureOr<mlir::Value>
emitTeamReduction(KernelEmitter &emitter, const Demand &demand,
                  const Expansion &expansion,
                  llvm::SmallVectorImpl<Demand> &missing);

} // namespace prec

#endif // PREC_LIB_CONVERSION_KERNELEMITTER_EMITTEAM_H
