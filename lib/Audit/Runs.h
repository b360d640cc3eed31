// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Two programs compared by their values on many inputs: where symbols cannot
/// be followed.
#ifndef PREC_LIB_AUDIT_RUNS_H
#define PREC_LIB_AUDIT_RUNS_H

#include "Inputs.h"

namespace prec::audit {

/// Every output is tested or refuted; `reason` says why not more. On failure
/// returns nothing and says why.
std::optional<Report> runTests(Program &expected, Program &actual,
                               const std::vector<TensorInfo> &inputs,
                               const std::vector<TensorInfo> &outputs,
                               const Values &fixed, Inputs &maker,
                               const Options &options,
                               const std::string &reason, std::string &error);

} // namespace prec::audit

#endif // PREC_LIB_AUDIT_RUNS_H
