// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_BASE_TD
#define PREC_BASE_TD

include "dialects/Prec/PrecDialect.td"

class Prec_Op<string mnemonic, list<Trait> traits = []> : Op<Prec_Dialect, mnemonic, traits>;

#endif // PREC_BASE_TD
