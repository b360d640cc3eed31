// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs a function, or kernels, on tensors.
#ifndef PREC_RUNNER_ENGINE_H
#define PREC_RUNNER_ENGINE_H

#include "prec/Launch/Description.h"
#include "prec/Runner/Ports.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace prec {

/// The shortest times of several runs, in seconds.
struct Timing {
  double run = 0;
  /// Of a copy that reads and writes as many bytes as the tensors have, in the
  /// memory that the engine works in.
  double copy = 0;
};

/// A function, made ready to run.
class Engine {
public:
  virtual ~Engine();

  /// Runs on one tensor per argument, in order, each of the argument's type;
  /// gives one per result. Errors are emitted as diagnostics.
  virtual mlir::FailureOr<std::vector<io::Tensor>>
  run(llvm::ArrayRef<io::Tensor> inputs) = 0;

  /// What the last run executed, kernel by kernel and for each element of the
  /// results, as text or as JSON; empty from engines that do not count.
  virtual std::string counters(bool json) const;

  /// Times `runs` calls after a successful run() on the same inputs. Where the
  /// engine can, without making the results' memory.
  virtual Timing time(llvm::ArrayRef<io::Tensor> inputs,
                      llvm::ArrayRef<io::Tensor> outputs, unsigned runs);
};

using EngineOr = mlir::FailureOr<std::unique_ptr<Engine>>;

/// The reference evaluator. Composite operations (nn.*) are first decomposed by
/// prec-make-rounding-explicit; everything else is evaluated as it stands.
EngineOr createReferenceEngine(mlir::func::FuncOp function);

/// The reference evaluator's results on one tensor per argument, and what each
/// `prec.observe` of floats saw, in the order in which they were reached.
struct Observed {
  std::vector<io::Tensor> results;
  std::vector<std::pair<std::string, io::Tensor>> values;
};
mlir::FailureOr<Observed> observeReference(mlir::func::FuncOp function,
                                           llvm::ArrayRef<io::Tensor> inputs);

/// Code for the processor `cpu` ("host": this one, or a name of LLVM's), which
/// this one must be able to run.
EngineOr createHostEngine(mlir::func::FuncOp function,
                          llvm::StringRef cpu = "host", unsigned threads = 1);

/// The shapes of the results, by evaluating the function without its floats.
/// The function is at level M or R without composite operations.
mlir::FailureOr<std::vector<std::vector<int64_t>>>
resultShapes(mlir::func::FuncOp function, llvm::ArrayRef<io::Tensor> inputs);

/// PTX with how it is launched.
struct Kernels {
  std::string ptx;
  launch::Description description;
  Ports ports;
  /// For errors: the file of the PTX, or the function it was made from.
  mlir::Location location;
  /// The results' shapes; if not set, the description says them.
  std::function<mlir::FailureOr<std::vector<std::vector<int64_t>>>(
      llvm::ArrayRef<io::Tensor>)>
      shapes;
  /// Elements behind an aligned address at which a tensor's memory starts, by
  /// name; 0 for others.
  std::map<std::string, uint64_t> offsets;
};

/// Compiles a function to PTX for `chip` (sm_90, ...).
mlir::FailureOr<Kernels> compileKernels(mlir::func::FuncOp function,
                                        llvm::StringRef chip);

/// Kernels from a .ptx file and a launch description. Their tensors have the
/// types and shapes of the files; the results' are the description's, or, if it
/// has none, those of the tensors in the files `expected`.
llvm::Expected<Kernels> readKernels(const std::string &ptxFile,
                                    const std::string &launchFile,
                                    llvm::ArrayRef<std::string> expected,
                                    mlir::MLIRContext &context);

/// Runs kernels on this processor, by evaluating their PTX.
EngineOr createPTXEngine(Kernels kernels);

/// Runs kernels on a CUDA device.
EngineOr createCUDAEngine(Kernels kernels);

/// The newest target that the first CUDA device can run; an error without one.
llvm::Expected<std::string> findCUDAChip();

} // namespace prec

#endif // PREC_RUNNER_ENGINE_H
