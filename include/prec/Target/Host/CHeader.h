// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C headers: what a program includes to call or launch the compiled code.
#ifndef PREC_TARGET_HOST_CHEADER_H
#define PREC_TARGET_HOST_CHEADER_H

#include "prec/Launch/Description.h"
#include "prec/Target/Common/Signature.h"

namespace prec {

/// The header of a host object file: the function's prototype. `checks` are the
/// messages of its statuses 1, 2, ... With `parallel`, also that of the
/// function that its loops call.
std::string writeHostHeader(const Signature &signature,
                            llvm::ArrayRef<std::string> checks,
                            bool parallel = false);

/// The header of kernels: for each kernel its entry name, grid and block as a
/// function of the sizes, and a struct of its parameters; the number of
/// elements of each temporary as a function of the sizes.
std::string writeLaunchHeader(const Signature &signature,
                              const launch::Description &description);

} // namespace prec

#endif // PREC_TARGET_HOST_CHEADER_H
