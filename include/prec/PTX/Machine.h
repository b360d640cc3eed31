// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs PTX on the CPU: whole launches, bit for bit, with a memory checker and
/// exact counters.
#ifndef PREC_PTX_MACHINE_H
#define PREC_PTX_MACHINE_H

#include "prec/Launch/Description.h"
#include "prec/PTX/Counters.h"
#include "prec/PTX/Module.h"

namespace prec::ptx {

/// A tensor in the caller's memory: contiguous, row-major, little-endian.
struct TensorRef {
  void *data = nullptr;
  /// Element type as in launch descriptions: bf16, f32, i32, ...
  std::string type;
  std::vector<int64_t> shape;
  /// Elements * bytes of an element; 0 if the type is not known.
  uint64_t bytes() const;
};

struct RunOptions {
  /// Reports races between threads that no barrier orders.
  bool checkRaces = true;
  /// Counts sectors and bank conflicts too (instructions always count).
  bool countMemory = true;
  /// Approximate instructions are correctly rounded (0), or give the lower end
  /// of what the ISA allows (1), the upper end (2), or anything within, by this
  /// seed.
  uint64_t outcome = 0;
  /// Bytes behind a multiple of 256 at which a tensor's memory starts, by name;
  /// 0 for others.
  std::map<std::string, uint64_t> offsets;
  /// Instructions that one warp may execute.
  uint64_t instructionBudget = uint64_t(1) << 26;
};

/// What a run found out besides the results.
struct RunReport {
  struct Kernel {
    std::string entry;
    Counters counters;
  };
  std::vector<Kernel> kernels;
  /// What all kernels together read and wrote of each tensor.
  std::vector<TensorCounters> tensors;
  /// A line for each executed instruction whose bits the ISA does not define:
  /// it was evaluated correctly rounded. "12: ex2.approx.ftz.f32".
  std::vector<std::string> approximations;
  /// Multiplies and adds without a rounding: the assembler may fuse them.
  std::vector<std::string> contractible;
  /// Sums whose order the ISA leaves open: float atomics and mma.
  std::vector<std::string> unordered;
};

/// Runs every kernel of `description`. `inputs` and `outputs` are tensors by
/// name; an output has the caller's memory for its elements, of which those
/// that the kernels do not write stay as they are. A tensor that is neither is
/// one of the description's temporaries. On failure returns nothing and sets
/// `error` (line 0: not about a line).
std::optional<RunReport> run(const Module &module,
                             const launch::Description &description,
                             const std::map<std::string, TensorRef> &inputs,
                             const std::map<std::string, TensorRef> &outputs,
                             const launch::Scalars &scalars,
                             const RunOptions &options, Diagnostic &error);

} // namespace prec::ptx

#endif // PREC_PTX_MACHINE_H
