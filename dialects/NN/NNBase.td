// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NN_BASE_TD
#define NN_BASE_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/NN/NNDialect.td"
include "dialects/NN/NNAttrs.td"
include "dialects/Prec/PrecAttrs.td"
include "dialects/Prec/PrecInterfaces.td"

// C1: the element types. f64 has no rounding contract here.
def NN_Tensor : RankedTensorOf<[BF16, F16, F32]>;

/// `pointList` is the C++ initializer of the operation's points.
class NN_Op<string mnemonic, string pointList, list<Trait> traits = []>
    : Op<NN_Dialect, mnemonic,
         !listconcat([Pure, DeclareOpInterfaceMethods<Prec_RoundingPointOpInterface,
                                                      ["getRuleNames"]>], traits)> {
  let extraClassDefinition = [{
    ::llvm::ArrayRef<::prec::RoundingPoint> $cppClass::getRoundingPoints() {
      using Default = ::prec::RoundingPoint::Default;
      static constexpr ::prec::RoundingPoint points[] = }] # pointList # [{;
      return points;
    }
    ::llvm::SmallVector<::llvm::StringRef> $cppClass::getRuleNames() {
      return ::prec::nn::selectRules(getAttributeNames());
    }
  }];
}

#endif // NN_BASE_TD
