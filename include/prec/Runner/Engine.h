// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs a function on tensors.
#ifndef PREC_RUNNER_ENGINE_H
#define PREC_RUNNER_ENGINE_H

#include "prec/Runner/Ports.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace prec {

/// A function, made ready to run.
class Engine {
public:
  virtual ~Engine();

  /// Runs on one tensor per argument, in order, each of the argument's type;
  /// gives one per result. Errors are emitted as diagnostics.
  virtual mlir::FailureOr<std::vector<io::Tensor>>
  run(llvm::ArrayRef<io::Tensor> inputs) = 0;

  /// The shortest time of `runs` calls in seconds, after a successful run() on
  /// the same inputs. Where the engine can, without making the results' memory.
  virtual double time(llvm::ArrayRef<io::Tensor> inputs, unsigned runs);
};

/// The reference evaluator. Composite operations (nn.*) are first decomposed by
/// prec-make-rounding-explicit; everything else is evaluated as it stands.
mlir::FailureOr<std::unique_ptr<Engine>>
createReferenceEngine(mlir::func::FuncOp function);

/// Code for this processor, compiled by prec-to-host.
mlir::FailureOr<std::unique_ptr<Engine>>
createHostEngine(mlir::func::FuncOp function);

/// The shapes of the results, by evaluating the function without its floats.
/// The function is at level M or R without composite operations.
mlir::FailureOr<std::vector<std::vector<int64_t>>>
resultShapes(mlir::func::FuncOp function, llvm::ArrayRef<io::Tensor> inputs);

} // namespace prec

#endif // PREC_RUNNER_ENGINE_H
