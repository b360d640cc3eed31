// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parallel.h"
#include "Timing.h"

#include "prec/Compiler/Compiler.h"
#include "prec/Pipelines/Pipelines.h"
#include "prec/Runner/Engine.h"
#include "prec/Target/Host/HostTarget.h"

#include "mlir/Pass/PassManager.h"

#include <cstring>

using namespace mlir;
using namespace prec;

namespace {

class HostEngine final : public Engine {
public:
  HostEngine(OwningOpRef<ModuleOp> shapes, func::FuncOp function, Ports ports,
             std::string symbol, unsigned threads, std::unique_ptr<HostJIT> jit)
      : shapes(std::move(shapes)), function(function), ports(std::move(ports)),
        symbol(std::move(symbol)), threads(threads), jit(std::move(jit)) {}

  FailureOr<std::vector<io::Tensor>> run(ArrayRef<io::Tensor> inputs) override {
    FailureOr<std::vector<std::vector<int64_t>>> resultDims =
        resultShapes(function, inputs);
    if (failed(resultDims))
      return failure();
    std::vector<io::Tensor> outputs;
    for (auto [port, shape] : llvm::zip_equal(ports.results, *resultDims)) {
      io::Tensor &tensor = outputs.emplace_back();
      tensor.dtype = *port.dtype;
      tensor.shape = shape;
      if (!allocate(tensor))
        return function.emitError("result '") << port.name << "' is too large";
    }
    ThreadsScope scope(threads);
    llvm::Expected<int> status = jit->call(symbol, slots(inputs, outputs));
    if (!status)
      return function.emitError() << llvm::toString(status.takeError());
    if (*status != 0)
      return function.emitError()
             << "run-time check failed: " << jit->message(symbol, *status);
    return outputs;
  }

  Timing time(ArrayRef<io::Tensor> inputs, ArrayRef<io::Tensor> outputs,
              unsigned runs) override {
    // Into the results of the last run: only the call is timed.
    std::vector<io::Tensor> scratch(outputs.begin(), outputs.end());
    std::vector<HostJIT::Slot> call = slots(inputs, scratch);
    ThreadsScope scope(threads);
    double time = shortest(
        runs, [&] { llvm::consumeError(jit->call(symbol, call).takeError()); });
    return {time, timeHostCopy(traffic(inputs, outputs), runs)};
  }

private:
  /// Pointers in argument order, then results, then the dynamic dimensions.
  std::vector<HostJIT::Slot> slots(ArrayRef<io::Tensor> inputs,
                                   ArrayRef<io::Tensor> outputs) {
    std::vector<HostJIT::Slot> slots, sizes;
    for (auto [type, port, tensor] : llvm::zip_equal(
             function.getArgumentTypes(), ports.arguments, inputs)) {
      if (!isa<ShapedType>(type)) {
        HostJIT::Slot value = 0;
        std::memcpy(&value, tensor.bytes.data(), tensor.bytes.size());
        slots.push_back(value);
        continue;
      }
      slots.push_back(HostJIT::slot(tensor.bytes.data()));
      for (auto [declared, actual] : llvm::zip_equal(port.shape, tensor.shape))
        if (declared == Port::kAny)
          sizes.push_back(HostJIT::slot(actual));
    }
    for (const io::Tensor &tensor : outputs)
      slots.push_back(HostJIT::slot(tensor.bytes.data()));
    slots.insert(slots.end(), sizes.begin(), sizes.end());
    return slots;
  }

  OwningOpRef<ModuleOp> shapes; ///< of `function`
  func::FuncOp function;        ///< at level R, for the results' shapes
  Ports ports;
  std::string symbol; ///< its name in the compiled code
  unsigned threads;
  std::unique_ptr<HostJIT> jit;
};

} // namespace

FailureOr<std::unique_ptr<Engine>>
prec::createHostEngine(func::FuncOp function, StringRef cpu, unsigned threads) {
  FailureOr<Ports> ports = Ports::of(function);
  if (failed(ports))
    return failure();
  FailureOr<Program> program = Program::create(function);
  if (failed(program))
    return failure();
  PassManager toRounded(function.getContext());
  buildToRounded(toRounded);
  if (failed(toRounded.run(*program->module)))
    return failure();
  OwningOpRef<ModuleOp> shapes = program->module->clone();
  auto rounded = shapes->lookupSymbol<func::FuncOp>(function.getNameAttr());
  if (failed(lowerToHost(*program, cpu, threads > 1)))
    return failure();
  FailureOr<std::unique_ptr<HostJIT>> jit = HostJIT::compile(
      *program->module, cpu, threads > 1 ? parallelFor : nullptr);
  if (failed(jit))
    return failure();
  return std::unique_ptr<Engine>(std::make_unique<HostEngine>(
      std::move(shapes), rounded, std::move(*ports), program->signature.symbol,
      threads, std::move(*jit)));
}
