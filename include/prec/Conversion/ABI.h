// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `prec-finalize-abi` and those who call the compiled code agree on.
#ifndef PREC_CONVERSION_ABI_H
#define PREC_CONVERSION_ABI_H

#include "llvm/ADT/StringRef.h"

namespace prec {

/// Attribute of a compiled host function: an array of strings, the message of
/// status k at position k - 1.
inline constexpr llvm::StringLiteral kChecksAttrName = "prec.checks";

/// Functions that stand for the first iteration of a parallel loop,
/// begin(count), and for the end of its iterations, end(begin, count). What
/// runs these stands between end and done(begin), and gives no values.
inline constexpr llvm::StringLiteral kParallelBeginName = "prec.parallel.begin";
inline constexpr llvm::StringLiteral kParallelEndName = "prec.parallel.end";
inline constexpr llvm::StringLiteral kParallelDoneName = "prec.parallel.done";

/// Attribute of a gpu.func: an i64, the bytes that the memory it gets starts at
/// a multiple of; 0 if that is no more than an element.
inline constexpr llvm::StringLiteral kAlignmentAttrName = "prec.alignment";

/// Attribute of a gpu.func, a unit: it may be launched while the kernel before
/// it still runs, for which it waits before it touches memory.
inline constexpr llvm::StringLiteral kDependentLaunchAttrName =
    "prec.dependent_launch";

/// Attribute of a loop that upstream's conversions hand on to its branches:
/// what LLVM is to do with it.
inline constexpr llvm::StringLiteral kLoopAttrName = "llvm.loop_annotation";

/// A function that stands for the knowledge that a kernel's results have so
/// many bytes.
inline constexpr llvm::StringLiteral kResultBytesName = "prec.result.bytes";

} // namespace prec

#endif // PREC_CONVERSION_ABI_H
