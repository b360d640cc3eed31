// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What prec-promote-moe says: an error or a warning where it cannot promote,
// a remark for what it did and for what it left alone.
#ifndef LIB_TRANSFORMS_PROMOTEMOE_REPORT_H
#define LIB_TRANSFORMS_PROMOTEMOE_REPORT_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringSet.h"

namespace prec {

class Report {
public:
  explicit Report(bool errors) : errors(errors) {}

  /// `what` ("activation") at `loc` cannot be promoted. The caller appends why.
  mlir::InFlightDiagnostic cannot(mlir::Location loc, llvm::StringRef what);
  /// The same, because `quantization` makes 8 bits or fewer of its result.
  void cannotQuantized(mlir::Location loc, llvm::StringRef what,
                       mlir::Operation *quantization);
  /// A remark: `what` was promoted, `how`.
  void promoted(mlir::Location loc, llvm::StringRef what, llvm::StringRef how);
  /// A remark: `what` was left as it is, and `why`.
  void leftAlone(mlir::Location loc, llvm::StringRef what, llvm::StringRef why);

  /// Whether a `what` was promoted.
  bool hasPromoted(llvm::StringRef what) const { return done.contains(what); }
  /// A remark: one of forward and gradient was promoted, the other is not
  /// there.
  void alone(mlir::Location loc, llvm::StringRef what, llvm::StringRef missing);

  bool failed() const { return errors && refusals; }

private:
  bool errors;
  unsigned refusals = 0;
  llvm::StringSet<> done;
};

} // namespace prec

#endif // LIB_TRANSFORMS_PROMOTEMOE_REPORT_H
