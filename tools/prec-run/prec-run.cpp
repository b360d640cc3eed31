// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a function of an MLIR file on tensors from files.
#include "prec/Runner/Runner.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace llvm;

static cl::OptionCategory category("prec-run options");
static cl::opt<std::string> file(cl::Positional, cl::Required,
                                 cl::desc("FILE (MLIR or .ptx)"),
                                 cl::cat(category));
static cl::opt<std::string> function("function", cl::value_desc("NAME"),
                                     cl::desc("The function to run"),
                                     cl::cat(category));
static cl::opt<std::string>
    profile("profile", cl::value_desc("NAME|FILE"), cl::cat(category),
            cl::desc("Round as this engine does (prec-opt --list-profiles)"));
static cl::opt<bool> promoteActivation(
    "promote-moe-activation", cl::cat(category),
    cl::desc("Compute experts' activations in f32 (prec-promote-moe)"));
static cl::opt<bool> promoteCombine(
    "promote-moe-combine", cl::cat(category),
    cl::desc("Combine experts' outputs in f32 (prec-promote-moe)"));
static cl::opt<std::string>
    compareProfile("compare-profile", cl::value_desc("NAME|FILE"),
                   cl::cat(category),
                   cl::desc("Print how the results differ from this "
                            "profile's, and where that begins"));
static cl::opt<std::string>
    engine("engine", cl::init("reference"), cl::value_desc("ENGINE"),
           cl::desc("reference (default), host, ptx or cuda"),
           cl::cat(category));
static cl::opt<std::string>
    chip("chip", cl::value_desc("sm_NN"),
         cl::desc("The GPU that the ptx engine compiles for (sm_90)"),
         cl::cat(category));
static cl::opt<std::string>
    cpu("cpu", cl::init("host"), cl::value_desc("NAME"),
        cl::desc("The processor that the host engine compiles for (host: this "
                 "one), as LLVM names it, such as x86-64-v3"),
        cl::cat(category));
static cl::opt<std::string>
    launchFile("launch", cl::value_desc("FILE"), cl::cat(category),
               cl::desc("The launch description of a .ptx FILE"));
static cl::list<std::string>
    inputs("in", cl::value_desc("FILE"), cl::cat(category),
           cl::desc("Arguments: X.safetensors, NAME=X.npy, or X.npy in order"));
static cl::list<std::string>
    outputs("out", cl::value_desc("FILE"), cl::cat(category),
            cl::desc("Where results are written, named in the same way"));
static cl::list<std::string>
    expected("expect", cl::value_desc("FILE"), cl::cat(category),
             cl::desc("Results to compare with, bit for bit"));
static cl::opt<bool>
    check("check", cl::cat(category),
          cl::desc("Compare with the reference evaluator, bit for bit"));
static cl::opt<bool> print("print", cl::cat(category),
                           cl::desc("Print the results' bits"));
static cl::opt<uint64_t>
    randomSeed("random", cl::value_desc("SEED"), cl::cat(category),
               cl::desc("Random values for arguments without a file"));
static cl::list<std::string>
    shapes("shape", cl::value_desc("NAME=4x64"), cl::cat(category),
           cl::desc("Shape of a random argument with dynamic dimensions"));
static cl::list<std::string>
    offsets("offset", cl::value_desc("NAME=N"), cl::cat(category),
            cl::desc("Let the memory of a tensor start N elements behind an "
                     "aligned address (ptx and cuda engines)"));
static cl::opt<std::string>
    counters("counters", cl::ValueOptional, cl::value_desc("text|json"),
             cl::desc("Print what the ptx engine executed: instructions by "
                      "class, bytes, sectors, bank conflicts"),
             cl::cat(category));
static cl::opt<unsigned>
    timedRuns("time", cl::value_desc("N"), cl::cat(category),
              cl::desc("Print the shortest time of N more runs, and of a "
                       "memcpy with the same traffic"));

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  // LLVM's link-time optimizer has an option of this name.
  if (cl::Option *other = cl::getRegisteredOptions().lookup("threads"))
    other->removeArgument();
  cl::opt<unsigned> threads(
      "threads", cl::init(1), cl::value_desc("N"), cl::cat(category),
      cl::desc("Threads of the host engine (1); the bits do not depend on it"));
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Runs a function on tensors from files.\n", &errs()))
    return prec::kBadInput;
  prec::RunOptions options;
  options.file = file;
  options.function = function;
  options.profile = profile;
  options.promoteActivation = promoteActivation;
  options.promoteCombine = promoteCombine;
  options.compareProfile = compareProfile;
  options.engine = engine;
  options.chip = chip;
  options.cpu = cpu;
  options.launch = launchFile;
  options.inputs = inputs;
  options.outputs = outputs;
  options.expected = expected;
  options.check = check;
  options.print = print;
  if (randomSeed.getNumOccurrences())
    options.random = randomSeed;
  options.shapes = shapes;
  options.offsets = offsets;
  if (counters.getNumOccurrences())
    options.counters = counters.empty() ? "text" : counters.getValue();
  options.threads = threads;
  options.timedRuns = timedRuns;
  return prec::run(options, outs());
}
