// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Report.h"

#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace prec;

InFlightDiagnostic Report::cannot(Location loc, StringRef what) {
  ++refusals;
  InFlightDiagnostic diagnostic = errors ? emitError(loc) : emitWarning(loc);
  return std::move(diagnostic << "cannot promote this " << what << " to f32: ");
}

void Report::cannotQuantized(Location loc, StringRef what,
                             Operation *quantization) {
  InFlightDiagnostic diagnostic = cannot(loc, what);
  diagnostic << "its result is quantized to "
             << getElementTypeOrSelf(quantization->getResult(0).getType());
  diagnostic.attachNote(quantization->getLoc()) << "quantized here";
}

static remark::RemarkOpts options(StringRef name) {
  return remark::RemarkOpts::name(name).category("prec-promote-moe");
}

void Report::promoted(Location loc, StringRef what, StringRef how) {
  done.insert(what);
  if (auto remark = remark::passed(loc, options("promoted")))
    remark << remark::metric("what", what) << remark::metric("how", how);
}

void Report::leftAlone(Location loc, StringRef what, StringRef why) {
  if (auto remark = remark::missed(loc, options("left-alone")))
    remark << remark::metric("what", what) << remark::metric("why", why);
}

void Report::alone(Location loc, StringRef what, StringRef missing) {
  if (auto remark = remark::analysis(loc, options("alone")))
    remark << remark::metric("what", what)
           << remark::metric("missing", missing);
}
