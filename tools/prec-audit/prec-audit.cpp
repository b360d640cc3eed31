// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges a PTX kernel against a contract, or against another kernel.
#include "prec/Runner/AuditRun.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace llvm;

static cl::OptionCategory category("prec-audit options");
static cl::opt<std::string> kernel(cl::Positional, cl::Required,
                                   cl::desc("KERNEL.ptx"), cl::cat(category));
static cl::opt<std::string> launch("launch", cl::value_desc("FILE"),
                                   cl::desc("The kernel's launch description"),
                                   cl::cat(category));
static cl::opt<std::string>
    against("against", cl::value_desc("FILE"), cl::cat(category),
            cl::desc("The contract (.mlir), or another kernel (.ptx)"));
static cl::opt<std::string>
    againstLaunch("against-launch", cl::value_desc("FILE"), cl::cat(category),
                  cl::desc("The other kernel's launch description"));
static cl::opt<std::string> function("function", cl::value_desc("NAME"),
                                     cl::desc("The contract's function"),
                                     cl::cat(category));
static cl::opt<std::string>
    profile("profile", cl::value_desc("NAME|FILE"), cl::cat(category),
            cl::desc("The engine that the contract rounds as (prec-opt "
                     "--list-profiles)"));
static cl::list<std::string>
    shapes("shape", cl::value_desc("NAME=4x64[xTYPE]"), cl::cat(category),
           cl::desc("Shape of an input (with its type, against a kernel)"));
static cl::list<std::string>
    inputs("in", cl::value_desc("FILE"), cl::cat(category),
           cl::desc("Values of integer inputs and scalars, as in prec-run"));
static cl::opt<std::string>
    effort("effort", cl::init("normal"), cl::value_desc("EFFORT"),
           cl::desc("normal (default), or high: try all pairs of 16-bit "
                    "values"),
           cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::init(1), cl::value_desc("N"),
                              cl::desc("Of the inputs tried (default 1)"),
                              cl::cat(category));
static cl::opt<unsigned>
    tests("tests", cl::init(20000), cl::value_desc("N"), cl::cat(category),
          cl::desc("Inputs that one form is tried on (default 20000)"));
static cl::opt<std::string> report("report", cl::init("text"),
                                   cl::value_desc("FORM"),
                                   cl::desc("text (default), json or sarif"),
                                   cl::cat(category));
static cl::opt<std::string> output("o", cl::init("-"), cl::value_desc("FILE"),
                                   cl::desc("Where the report is written"),
                                   cl::cat(category));

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
#ifdef __GLIBC__
  // Tables of 65,536 values come and go: to give their pages back each time
  // takes longer than what is done with them.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Judges a PTX kernel: exit code 0 if every output is proven or "
          "tested, 1 if one is refuted, 2 for bad input.\n",
          &errs()))
    return prec::kBadInput;
  prec::AuditRunOptions options;
  options.kernel = kernel;
  options.launch = launch;
  options.against = against;
  options.againstLaunch = againstLaunch;
  options.function = function;
  options.profile = profile;
  options.shapes = shapes;
  options.inputs = inputs;
  options.effort = effort;
  options.seed = seed;
  options.tests = tests;
  options.report = report;
  options.output = output;
  return prec::runAudit(options);
}
