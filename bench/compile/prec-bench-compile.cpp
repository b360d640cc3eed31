// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// usage: prec-bench-compile RUNS FILE FUNCTION ...
//
// The shortest wall time of RUNS compilations to PTX for sm_90 in this process,
// after one that warms it up, a line for each FILE and FUNCTION: parsing, the
// passes, and LLVM. results.md records it.
#include "prec/Compiler/Compiler.h"
#include "prec/Pipelines/Register.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace mlir;

namespace {
struct Seconds {
  double parse = 0, passes = 0, code = 0;
  double total() const { return parse + passes + code; }
};
} // namespace

/// One compilation; fails after an error.
static FailureOr<Seconds> compile(MLIRContext &context, StringRef file,
                                  StringRef name) {
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  auto lap = [&] {
    auto now = Clock::now();
    double seconds = std::chrono::duration<double>(now - start).count();
    start = now;
    return seconds;
  };
  Seconds seconds;
  auto module = parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    return failure();
  FailureOr<func::FuncOp> function = prec::selectFunction(*module, name);
  if (failed(function))
    return failure();
  FailureOr<prec::GPUTarget> target =
      prec::findGPUTarget("sm_90", module->getLoc());
  FailureOr<prec::Program> program = prec::Program::create(*function);
  seconds.parse = lap();
  if (failed(program) || failed(prec::lowerToGPU(*program, *target)))
    return failure();
  seconds.passes = lap();
  if (failed(prec::translateToPTX(prec::getKernels(*program), *target)))
    return failure();
  seconds.code = lap();
  return seconds;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  unsigned runs = 0;
  if (argc < 4 || argc % 2 != 0 || StringRef(argv[1]).getAsInteger(10, runs) ||
      runs == 0) {
    llvm::errs() << "usage: prec-bench-compile RUNS FILE FUNCTION ...\n";
    return 2;
  }
  DialectRegistry registry;
  prec::registerDialects(registry);
  MLIRContext context(registry);
  for (int i = 2; i < argc; i += 2) {
    std::optional<Seconds> best;
    for (unsigned run = 0; run <= runs; ++run) {
      FailureOr<Seconds> seconds = compile(context, argv[i], argv[i + 1]);
      if (failed(seconds))
        return 1;
      if (run > 0 && (!best || seconds->total() < best->total()))
        best = *seconds;
    }
    llvm::outs() << llvm::formatv("{0} {1:f4} {2:f4} {3:f4} {4:f4}\n",
                                  argv[i + 1], best->total(), best->parse,
                                  best->passes, best->code);
    llvm::outs().flush();
  }
  return 0;
}
