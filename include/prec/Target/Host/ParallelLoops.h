// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of host code that run on several threads.
#ifndef PREC_TARGET_HOST_PARALLELLOOPS_H
#define PREC_TARGET_HOST_PARALLELLOOPS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

#include <cstdint>

namespace prec {

/// The function that a compiled parallel loop calls, by its C name:
///   void prec_parallel_for(void (*body)(void *data, int64_t begin, int64_t
///   end),
///                          void *data, int64_t count);
/// It calls `body` for ranges that cover 0 to count, each number once, on
/// whatever threads it likes, and returns when all are done.
using ParallelFor = void(void (*body)(void *, int64_t, int64_t), void *data,
                         int64_t count);
inline constexpr llvm::StringLiteral kParallelForName = "prec_parallel_for";

/// Makes what stands between prec.parallel.end and prec.parallel.done a
/// function of the range of iterations from prec.parallel.begin to that end,
/// which prec_parallel_for calls. With `define`, the module gets a weak
/// definition of prec_parallel_for that runs all iterations in the calling
/// thread.
void outlineParallelLoops(llvm::Module &module, bool define);

} // namespace prec

#endif // PREC_TARGET_HOST_PARALLELLOOPS_H
