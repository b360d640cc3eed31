// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `precc` does with its arguments.
#ifndef PREC_COMPILER_DRIVER_H
#define PREC_COMPILER_DRIVER_H

#include <string>

namespace prec {

struct DriverOptions {
  std::string input;
  /// Empty: the only public function of the module.
  std::string function;
  /// An engine's rounding profile, by name or file; empty: none.
  std::string profile;
  /// Experts' activations, or their combinations, in f32 whatever the profile
  /// says.
  bool promoteActivation = false, promoteCombine = false;
  /// A GPU (sm_90), "host", or a processor that LLVM knows.
  std::string target = "host";
  /// Whether the functions of f32 may be computed in f64 on a GPU: fast (yes),
  /// slow (seldom) or of-chip (as the chip's f64 is).
  std::string f64 = "of-chip";
  /// ptx, cubin, fatbin, obj, llvm, mlir, header or meta; empty: ptx for a GPU,
  /// obj for a processor.
  std::string emit;
  /// A file, or "-" for standard output.
  std::string output = "-";
  /// Of a processor: outermost loops go through prec_parallel_for.
  bool parallel = false;
  /// Of a GPU: kernels may be launched while the one before still runs.
  bool dependentLaunch = false;
  /// Of a GPU: accesses of what a kernel uses once say so to the caches.
  bool cacheHints = false;
};

/// Compiles one function of a file and writes one output. Gives the exit code:
/// 0, or 2 after exactly one error on standard error. A failing run leaves the
/// output file as it was.
int runDriver(const DriverOptions &options);

} // namespace prec

#endif // PREC_COMPILER_DRIVER_H
