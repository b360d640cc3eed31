// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What prec-run does, without its command line.
#ifndef PREC_RUNNER_RUNNER_H
#define PREC_RUNNER_RUNNER_H

#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace prec {

struct RunOptions {
  std::string file;     ///< MLIR, or PTX (*.ptx)
  std::string function; ///< empty: the only public one
  /// An engine's rounding profile, by name or file; empty: none.
  std::string profile;
  /// Experts' activations and combinations in f32 (prec-promote-moe), after the
  /// profile.
  bool promoteActivation = false, promoteCombine = false;
  /// A profile to compare all this with; empty: none.
  std::string compareProfile;
  std::string engine = "reference";
  std::string launch;       ///< the launch description of PTX
  std::string chip;         ///< what the ptx engine compiles for, or sm_90
  std::string cpu = "host"; ///< what the host engine compiles for
  std::vector<std::string> inputs, outputs, expected;
  bool check = false;
  bool print = false;
  /// Arguments without a file get random values; `shapes`: NAME=4x64.
  std::optional<uint64_t> random;
  std::vector<std::string> shapes;
  /// NAME=ELEMENTS: where the engines for GPUs let a tensor's memory start,
  /// behind an aligned address.
  std::vector<std::string> offsets;
  /// Prints what the ptx engine counted: text or json; empty: nothing.
  std::string counters;
  /// Of the host engine.
  unsigned threads = 1;
  /// Runs to time; 0: none.
  unsigned timedRuns = 0;
};

enum ExitCode { kHolds = 0, kDiffers = 1, kBadInput = 2 };

/// Runs and compares as the options say. Results go to `os`, errors to stderr.
ExitCode run(const RunOptions &options, llvm::raw_ostream &os);

} // namespace prec

#endif // PREC_RUNNER_RUNNER_H
