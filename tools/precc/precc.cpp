// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler: a model in, code out.
#include "prec/Compiler/Driver.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  prec::DriverOptions options;
  cl::OptionCategory category("precc options");
  cl::opt<std::string, true> input(
      cl::Positional, cl::Required, cl::value_desc("FILE"),
      cl::desc("<MLIR file, or - for standard input>"),
      cl::location(options.input), cl::cat(category));
  cl::opt<std::string, true> function(
      "function", cl::value_desc("NAME"),
      cl::desc("The function to compile (default: the only public one)"),
      cl::location(options.function), cl::cat(category));
  cl::opt<std::string, true> profile(
      "profile", cl::value_desc("NAME|FILE"),
      cl::desc("Round as this engine does (prec-opt --list-profiles)"),
      cl::location(options.profile), cl::cat(category));
  cl::opt<bool, true> promoteActivation(
      "promote-moe-activation",
      cl::desc("Compute experts' activations in f32 (prec-promote-moe)"),
      cl::location(options.promoteActivation), cl::cat(category));
  cl::opt<bool, true> promoteCombine(
      "promote-moe-combine",
      cl::desc("Combine experts' outputs in f32 (prec-promote-moe)"),
      cl::location(options.promoteCombine), cl::cat(category));
  cl::opt<std::string, true> target(
      "target", cl::value_desc("TARGET"),
      cl::desc("A GPU (sm_80, sm_90, sm_100, ...), host, or a processor that "
               "LLVM knows, such as x86-64-v3 (default: host)"),
      cl::location(options.target), cl::init("host"), cl::cat(category));
  cl::opt<std::string, true> f64(
      "f64", cl::value_desc("SPEED"),
      cl::desc("Take the GPU's f64 arithmetic to be fast or slow: slow, "
               "functions of f32 avoid it (default: of-chip)"),
      cl::location(options.f64), cl::init("of-chip"), cl::cat(category));
  cl::opt<std::string, true> emit(
      "emit", cl::value_desc("KIND"),
      cl::desc("ptx, cubin, fatbin, obj, llvm, mlir, header or meta (default: "
               "ptx for a GPU, obj for a processor)"),
      cl::location(options.emit), cl::cat(category));
  cl::opt<std::string, true> output(
      "o", cl::value_desc("FILE"),
      cl::desc("The output file (default: -, standard output)"),
      cl::location(options.output), cl::init("-"), cl::cat(category));
  cl::opt<bool, true> parallel(
      "parallel",
      cl::desc("Code for a processor whose outermost loops call "
               "prec_parallel_for (see --emit=header)"),
      cl::location(options.parallel), cl::cat(category));
  cl::opt<bool, true> dependentLaunch(
      "dependent-launch",
      cl::desc("Code for a GPU whose kernels may be launched while the one "
               "before still runs (sm_90 or newer)"),
      cl::location(options.dependentLaunch), cl::cat(category));
  cl::opt<bool, true> cacheHints(
      "cache-hints",
      cl::desc("Code for a GPU that loads what a kernel uses once, and stores "
               "its results, as first to leave the caches"),
      cl::location(options.cacheHints), cl::cat(category));
  cl::HideUnrelatedOptions(category);

  std::string errors;
  llvm::raw_string_ostream stream(errors);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Compiles a model to code that keeps every rounding\n",
          &stream)) {
    // "PROGRAM: What is wrong", one line each: the first says enough.
    llvm::errs() << "error: "
                 << llvm::StringRef(errors).split('\n').first.split(": ").second
                 << "\n";
    return 2;
  }
  return prec::runDriver(options);
}
