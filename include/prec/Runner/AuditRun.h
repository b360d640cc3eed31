// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What prec-audit does, without its command line.
#ifndef PREC_RUNNER_AUDITRUN_H
#define PREC_RUNNER_AUDITRUN_H

#include "prec/Runner/Runner.h"

namespace prec {

struct AuditRunOptions {
  std::string kernel; ///< a .ptx file
  std::string launch; ///< its launch description
  /// An .mlir file with the contract, or a .ptx file with `againstLaunch`.
  std::string against, againstLaunch;
  std::string function; ///< of the contract; empty: the only public one
  /// The rounding profile that is applied to the contract; empty: none.
  std::string profile;
  /// NAME=17x4x64, or NAME=17x4x64xbf16 where nothing else gives the type.
  std::vector<std::string> shapes;
  /// Tensors for inputs that are not symbols: integers and scalars.
  std::vector<std::string> inputs;
  std::string effort = "normal"; ///< or "high"
  uint64_t seed = 1;
  unsigned tests = 20000;
  std::string report = "text"; ///< text, json or sarif
  std::string output = "-";
};

/// Audits and writes the report. Gives kDiffers when an output is refuted;
/// after exactly one error on stderr kBadInput.
ExitCode runAudit(const AuditRunOptions &options);

} // namespace prec

#endif // PREC_RUNNER_AUDITRUN_H
