// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MOE_BASE_TD
#define MOE_BASE_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/MoE/MoEDialect.td"
include "dialects/MoE/MoEAttrs.td"
include "dialects/NN/NNAttrs.td"
include "dialects/Prec/PrecAttrs.td"
include "dialects/Prec/PrecInterfaces.td"

// C1: the element types.
def MoE_Tensor : RankedTensorOf<[BF16, F16, F32]>;
def MoE_Indices : RankedTensorOf<[I32, I64]>;

/// `pointList` is the C++ initializer of the operation's points, `rules` the
/// attributes by which engines differ.
class MoE_Op<string mnemonic, string pointList, list<string> rules, list<Trait> traits = []>
    : Op<MoE_Dialect, mnemonic,
         !listconcat([Pure, DeclareOpInterfaceMethods<
                                Prec_RoundingPointOpInterface, ["getPointFormat", "getRuleNames"]>],
                     traits)> {
  let hasVerifier = 1;
  // C3: the narrow type among the first operand's and the first result's.
  let extraClassDefinition = [{
    ::llvm::ArrayRef<::prec::RoundingPoint> $cppClass::getRoundingPoints() {
      using Default = ::prec::RoundingPoint::Default;
      static constexpr ::prec::RoundingPoint points[] = }] # pointList # [{;
      return points;
    }
    ::llvm::SmallVector<::llvm::StringRef> $cppClass::getRuleNames() {
      return }] # "{\"" # !interleave(rules, "\", \"") # "\"};" # [{
    }
    ::mlir::Type $cppClass::getPointFormat() {
      ::mlir::Type result = ::mlir::getElementTypeOrSelf((*this)->getResult(0));
      return result.isF32() ? ::mlir::getElementTypeOrSelf((*this)->getOperand(0))
                            : result;
    }
  }];
}

#endif // MOE_BASE_TD
