// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CompareProfiles.h"

#include "dialects/Prec/Prec.h"
#include "prec/Compiler/Compiler.h"
#include "prec/Runner/Compare.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace prec;

namespace {

/// The operation that an observation's name begins with.
using Observers = llvm::StringMap<RoundingPointOpInterface>;

} // namespace

/// Asks for the values at every rounding point of the module, under the names
/// "#0.point", "#1.point", ...
static Observers observePoints(ModuleOp module) {
  Observers observers;
  module->walk([&](RoundingPointOpInterface op) {
    std::string name = "#" + std::to_string(observers.size());
    op->setAttr(kObserveAttrName, StringAttr::get(op->getContext(), name));
    observers[name] = op;
  });
  return observers;
}

LogicalResult prec::applyRounding(func::FuncOp function,
                                  const RunOptions &options) {
  if (failed(
          applyProfile(function->getParentOfType<ModuleOp>(), options.profile)))
    return failure();
  return promoteMoE(function, options.promoteActivation,
                    options.promoteCombine);
}

static FailureOr<Observed>
runUnder(func::FuncOp function, ArrayRef<io::Tensor> inputs,
         llvm::function_ref<LogicalResult(func::FuncOp)> apply) {
  OwningOpRef<ModuleOp> module =
      cast<ModuleOp>(function->getParentOfType<ModuleOp>()->clone());
  auto copy = module->lookupSymbol<func::FuncOp>(function.getNameAttr());
  if (failed(apply(copy)))
    return failure();
  return observeReference(copy, inputs);
}

/// Prints "nn.silu 'result' at model.mlir:3:8".
static void printPlace(RoundingPointOpInterface op, StringRef point,
                       raw_ostream &os) {
  os << op->getName() << " '" << point << "'";
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    os << " at " << place.getFilename().getValue() << ":" << place.getLine()
       << ":" << place.getColumn();
}

/// Compares what was observed, in the order of `a`: prints every prec.observe
/// of the program, then the first rounding point that has another value in `b`.
/// A point that only one of the two formulas has is no difference.
static void compareObserved(const Observed &a, const Observed &b,
                            const Observers &observers,
                            const CompareWords &words, raw_ostream &os) {
  // The same name may be observed several times: in the order of the calls.
  llvm::StringMap<std::vector<const io::Tensor *>> others;
  for (const auto &[name, tensor] : b.values)
    others[name].push_back(&tensor);
  llvm::StringMap<size_t> seen;
  std::string first;
  for (const auto &[name, tensor] : a.values) {
    size_t call = seen[name]++;
    auto other = others.find(name);
    if (other == others.end() || call >= other->second.size())
      continue;
    const io::Tensor &right = *other->second[call];
    auto [prefix, point] = StringRef(name).split('.');
    auto op = observers.find(prefix);
    if (op == observers.end()) {
      compareTensors("observed " + name, tensor, right, os, words);
      continue;
    }
    if (!first.empty() || right.shape != tensor.shape)
      continue;
    if (std::optional<uint64_t> i = firstDifference(tensor, right)) {
      llvm::raw_string_ostream text(first);
      printPlace(op->second, point, text);
      text << ", ";
      printDifference(*i, tensor, right, words, text);
    }
  }
  if (!first.empty())
    os << "first difference: " << first << "\n";
}

ExitCode prec::compareProfiles(func::FuncOp function,
                               ArrayRef<io::Tensor> inputs,
                               const RunOptions &options, raw_ostream &os) {
  FailureOr<Ports> ports = Ports::of(function);
  if (failed(ports))
    return kBadInput;
  Observers observers = observePoints(function->getParentOfType<ModuleOp>());
  FailureOr<Observed> a = runUnder(function, inputs, [&](func::FuncOp copy) {
    return applyRounding(copy, options);
  });
  if (failed(a))
    return kBadInput;
  FailureOr<Observed> b = runUnder(function, inputs, [&](func::FuncOp copy) {
    return applyProfile(copy->getParentOfType<ModuleOp>(),
                        options.compareProfile);
  });
  if (failed(b))
    return kBadInput;

  std::string first = options.profile;
  if (options.promoteActivation || options.promoteCombine)
    first += first.empty() ? "promoted" : " promoted";
  if (first.empty())
    first = "as written";
  CompareWords words{first, options.compareProfile, "differ"};
  uint64_t differing = 0;
  for (auto [port, left, right] :
       llvm::zip_equal(ports->results, a->results, b->results))
    differing += compareTensors(port.name, left, right, os, words);
  compareObserved(*a, *b, observers, words, os);
  return differing ? kDiffers : kHolds;
}
