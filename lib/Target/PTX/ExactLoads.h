// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads that read nothing but what is used.
#ifndef PREC_LIB_TARGET_PTX_EXACTLOADS_H
#define PREC_LIB_TARGET_PTX_EXACTLOADS_H

namespace llvm {
class Pass;
} // namespace llvm

namespace prec {

/// A pass of code generation that splits masked loads with a constant mask into
/// loads of what the mask has. LLVM's load vectorizer makes one of three
/// neighbouring elements, say, and its code generator for PTX then reads four:
/// the fourth may lie behind the end of a tensor, or be shared memory that
/// nothing was written to.
llvm::Pass *createExactLoadsPass();

} // namespace prec

#endif // PREC_LIB_TARGET_PTX_EXACTLOADS_H
