// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_LIB_CONVERSION_ROUNDBYARITHMETIC_ROWSUMS_H
#define PREC_LIB_CONVERSION_ROUNDBYARITHMETIC_ROWSUMS_H

#include "prec/Analysis/Representability.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace prec {

class SumArithmetic;

/// Rounds, in a loop whose results are sums of rounded products, rounded after
/// each term, by `arithmetic`. Another loop stays as it is.
void roundRowSums(mlir::scf::ForOp loop, const Representability &facts,
                  SumArithmetic &arithmetic);

} // namespace prec

#endif
