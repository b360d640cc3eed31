// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the engines that run kernels by a launch description share.
#ifndef PREC_LIB_RUNNER_LAUNCHENGINE_H
#define PREC_LIB_RUNNER_LAUNCHENGINE_H

#include "prec/Runner/Engine.h"

namespace prec {

/// The tensors of one run, by name.
struct LaunchTensors {
  std::map<std::string, const io::Tensor *> inputs;
  std::map<std::string, io::Tensor *> outputs;
  launch::Scalars scalars;
  launch::Sizes sizes; ///< values of the description's dims
};

/// Empty when the sizes fulfil all `guards` of the description, else what does
/// not hold.
std::string checkGuards(const launch::Description &description,
                        const launch::Sizes &sizes);

class LaunchEngine : public Engine {
public:
  explicit LaunchEngine(Kernels kernels) : kernels(std::move(kernels)) {}

  mlir::FailureOr<std::vector<io::Tensor>>
  run(llvm::ArrayRef<io::Tensor> inputs) override;

protected:
  /// Runs all kernels; the outputs have their memory. Emits its errors.
  virtual mlir::LogicalResult launch(const LaunchTensors &tensors) = 0;

  /// The inputs' part of a run.
  mlir::FailureOr<LaunchTensors> bind(llvm::ArrayRef<io::Tensor> inputs);

  mlir::InFlightDiagnostic error() { return emitError(kernels.location); }

  Kernels kernels;

private:
  mlir::FailureOr<std::vector<io::Tensor>>
  makeOutputs(llvm::ArrayRef<io::Tensor> inputs, const launch::Sizes &sizes);
};

} // namespace prec

#endif // PREC_LIB_RUNNER_LAUNCHENGINE_H
