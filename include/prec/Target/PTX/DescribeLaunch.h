// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launch description of compiled kernels.
#ifndef PREC_TARGET_PTX_DESCRIBELAUNCH_H
#define PREC_TARGET_PTX_DESCRIBELAUNCH_H

#include "prec/Launch/Description.h"
#include "prec/Target/Common/Signature.h"

namespace prec {

/// Reads the launches of `host`, as `convert-kernels-to-gpu` leaves it: a
/// straight line of gpu.launch_func, memref.alloc of temporaries, index
/// arithmetic on sizes and cf.assert. Its arguments are those of `signature`,
/// then the results, then the sizes. Emits an error at an operation that a
/// launch description cannot express.
///
/// Beyond the format's own keys: `guards` of the whole, a list of comparisons
/// `{"left", "is", "right", "message"}` that must hold before a launch, and
/// `alignment` of each kernel, the bytes that its pointers must be aligned to.
mlir::FailureOr<launch::Description> describeLaunch(mlir::func::FuncOp host,
                                                    const Signature &signature,
                                                    llvm::StringRef target);

/// Types and shapes of the results of `function`, which is at level R, as
/// expressions over the sizes of `signature`; nothing if a size depends on
/// data.
std::vector<launch::Buffer> describeResults(mlir::func::FuncOp function,
                                            const Signature &signature);

} // namespace prec

#endif // PREC_TARGET_PTX_DESCRIBELAUNCH_H
