// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What loads and stores say to the caches of a GPU.
#ifndef PREC_LIB_TARGET_PTX_CACHEHINTS_H
#define PREC_LIB_TARGET_PTX_CACHEHINTS_H

#include "llvm/IR/Module.h"

namespace prec {

/// Makes nontemporal loads and stores of global memory `ld.global.cs` and
/// `st.global.cs` ("likely accessed once", PTX ISA, cache operators), for
/// LLVM's code generator for PTX drops the mark. Accesses that PTX cannot do at
/// once, which LLVM would take apart, stay as they are.
void writeCacheHints(llvm::Module &module);

} // namespace prec

#endif // PREC_LIB_TARGET_PTX_CACHEHINTS_H
