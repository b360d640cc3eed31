// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Engines' rounding profiles: where they are found, and what their rules say.
#ifndef PREC_TRANSFORMS_PROFILES_H
#define PREC_TRANSFORMS_PROFILES_H

#include "dialects/Prec/Prec.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace prec {

/// One prec.rule, with attributes of the program's context.
struct ProfileRule {
  llvm::SmallVector<mlir::Type> types; ///< empty: all
  std::optional<Along> along;
  mlir::DictionaryAttr where; ///< null: nothing
  mlir::DictionaryAttr settings;

  /// Whether the rule, which is about operations of this name, holds for `op`.
  bool matches(RoundingPointOpInterface op) const;
};

/// The rules of a profile and of those it extends, by operation, in the order
/// in which they override each other.
using ProfileRules = llvm::StringMap<std::vector<ProfileRule>>;

/// Reads a profile: a symbol of `root`, else an installed profile, or, if
/// `name` has a slash or ends in .mlir, the profile of a file (which, if it
/// holds several, is the one that no other of them extends). Rules of
/// operations that the context does not know are left out. Gives no rules after
/// one error.
mlir::FailureOr<ProfileRules> readProfile(llvm::StringRef name,
                                          mlir::Operation *root);

/// Prints a line for each installed profile, sorted: its name and its summary.
/// `registry` has the dialects that profiles speak of. An unreadable one is an
/// error on stderr; gives whether there was none.
bool listProfiles(const mlir::DialectRegistry &registry, llvm::raw_ostream &os);

} // namespace prec

#endif // PREC_TRANSFORMS_PROFILES_H
