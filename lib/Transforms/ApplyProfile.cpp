// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Transforms/Passes.h"
#include "prec/Transforms/Profiles.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

namespace prec {
#define GEN_PASS_DEF_APPLYPROFILEPASS
#include "prec/Transforms/Passes.h.inc"
} // namespace prec

using namespace mlir;
using namespace prec;

/// Writes into `op` what the rules that match it say, later ones first. What
/// `op` says already stays, unless `force`.
static void applyRules(RoundingPointOpInterface op, ArrayRef<ProfileRule> rules,
                       bool force) {
  NamedAttrList settings, points;
  for (const ProfileRule &rule : rules) {
    if (!rule.matches(op))
      continue;
    for (NamedAttribute setting : rule.settings) {
      if (setting.getName() != "points") {
        settings.set(setting.getName(), setting.getValue());
        continue;
      }
      for (NamedAttribute point : cast<DictionaryAttr>(setting.getValue()))
        points.set(point.getName(), point.getValue());
    }
  }

  for (NamedAttribute setting : settings) {
    std::optional<Attribute> said = op->getInherentAttr(setting.getName());
    if (force || !said || !*said)
      op->setAttr(setting.getName(), setting.getValue());
  }
  NamedAttrList all(op.getPointSettings());
  for (NamedAttribute point : points)
    if (force || !all.get(point.getName()))
      all.set(point.getName(), point.getValue());
  if (!all.empty())
    op.setPointSettings(all.getDictionary(op->getContext()));
}

namespace {
struct ApplyProfile : prec::impl::ApplyProfilePassBase<ApplyProfile> {
  using ApplyProfilePassBase::ApplyProfilePassBase;

  void runOnOperation() override {
    Operation *root = getOperation();
    if (profile.empty()) {
      root->emitError("expected a profile: its name or its file");
      return signalPassFailure();
    }
    FailureOr<ProfileRules> rules = readProfile(profile, root);
    if (failed(rules))
      return signalPassFailure();

    // A rule may be right and still contradict what an operation says itself.
    ScopedDiagnosticHandler note(&getContext(), [&](Diagnostic &diagnostic) {
      diagnostic.attachNote() << "with what profile '" << profile << "' says";
      return failure(); // on to the next handler
    });
    WalkResult result = root->walk([&](RoundingPointOpInterface op) {
      auto found = rules->find(op->getName().getStringRef());
      if (found == rules->end())
        return WalkResult::advance();
      applyRules(op, found->second, force);
      return WalkResult(verify(op, /*verifyRecursively=*/false));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
