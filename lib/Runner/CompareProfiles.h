// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function under two rounding profiles.
#ifndef LIB_RUNNER_COMPAREPROFILES_H
#define LIB_RUNNER_COMPAREPROFILES_H

#include "prec/Runner/Engine.h"
#include "prec/Runner/Runner.h"

namespace prec {

/// Makes `function` and its module round as `options` say: the profile, then
/// the promotion.
mlir::LogicalResult applyRounding(mlir::func::FuncOp function,
                                  const RunOptions &options);

/// Evaluates `function` as `options` say (without a profile: as it is written)
/// and under `options.compareProfile`; prints for each result and each
/// prec.observe in how many elements they differ, and the first rounding point
/// at which they do. Gives kDiffers if a result differs.
ExitCode compareProfiles(mlir::func::FuncOp function,
                         llvm::ArrayRef<io::Tensor> inputs,
                         const RunOptions &options, llvm::raw_ostream &os);

} // namespace prec

#endif // LIB_RUNNER_COMPAREPROFILES_H
