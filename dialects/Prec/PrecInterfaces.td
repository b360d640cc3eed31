// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_INTERFACES_TD
#define PREC_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Prec_RoundingPointOpInterface : OpInterface<"RoundingPointOpInterface"> {
  let cppNamespace = "::prec";
  let description = [{
    A composite operation whose formula has *named rounding points*. A point that
    is on is one `prec.round` at level R; a point that is off is simply absent.

    Every such operation carries one optional attribute `points`, a dictionary from
    point names to `true` or `false`. A name it does not hold has the operation's
    default. The last rounding of most formulas, `result`, is no switch: it is there
    exactly when the result's element type is narrower than f32.
  }];
  let methods = [
    StaticInterfaceMethod<
      "The points of this operation, in the order of its formula.",
      "::llvm::ArrayRef<::prec::RoundingPoint>", "getRoundingPoints">,
    InterfaceMethod<
      "The `points` attribute; null when every point has its default.",
      "::mlir::DictionaryAttr", "getPointSettings", (ins), "",
      /*defaultImplementation=*/"return $_op.getPointsAttr();">,
    InterfaceMethod<
      "Replaces the `points` attribute; null removes it.",
      "void", "setPointSettings", (ins "::mlir::DictionaryAttr":$settings), "",
      /*defaultImplementation=*/[{
        if (settings)
          $_op.setPointsAttr(settings);
        else
          $_op.removePointsAttr();
      }]>,
    InterfaceMethod<
      "The format that every point but `result` rounds to.",
      "::mlir::Type", "getPointFormat", (ins), "",
      /*defaultImplementation=*/
      "return ::mlir::getElementTypeOrSelf($_op->getOperand(0).getType());">,
    StaticInterfaceMethod<
      "The attributes other than `points` by which engines differ, and which a profile may set: "
      "the order of a sum, say. Unless said otherwise, all of them.",
      "::llvm::SmallVector<::llvm::StringRef>", "getRuleNames", (ins), "",
      /*defaultImplementation=*/
      "return ::prec::detail::getRuleNames(ConcreteOp::getAttributeNames());">,
    StaticInterfaceMethod<
      "The names of the operands, in the order of `operandSegmentSizes`, for rules that ask whether "
      "one is there.",
      "::llvm::ArrayRef<::llvm::StringRef>", "getOperandNames", (ins), "",
      /*defaultImplementation=*/"return {};">,
    InterfaceMethod<
      "Whether the operation's sums are along contiguous rows, the last dimension.",
      "bool", "isAlongRows", (ins), "", /*defaultImplementation=*/"return true;">
  ];
  let extraClassDeclaration = [{
    /// Whether the formula rounds at the point `name`, which this operation
    /// must have.
    bool isPointOn(::llvm::StringRef name);
    /// Switches one point; the setting is dropped when it is the default.
    void setPoint(::llvm::StringRef name, bool on);
    /// Whether the operand `name`, one of `getOperandNames`, is there.
    bool hasOperand(::llvm::StringRef name);
  }];
  let verify = "return ::prec::detail::verifyRoundingPoints($_op);";
}

#endif // PREC_INTERFACES_TD
