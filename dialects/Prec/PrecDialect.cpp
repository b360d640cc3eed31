// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Prec/Prec.h"

#include "dialects/Prec/Inlining.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace prec;

#include "dialects/Prec/PrecDialect.cpp.inc"
#include "dialects/Prec/PrecEnums.cpp.inc"

void PrecDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/Prec/PrecOps.cpp.inc"
      >();
  addInterfaces<InlineAll>();
}

/// Called by folders whose result is a constant.
Operation *PrecDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

const num::Format *prec::formatOf(Type type) {
  return llvm::TypeSwitch<Type, const num::Format *>(type)
      .Case([](BFloat16Type) { return &num::kBF16; })
      .Case([](Float16Type) { return &num::kF16; })
      .Case([](Float32Type) { return &num::kF32; })
      .Case([](Float64Type) { return &num::kF64; })
      .Case([](Float8E4M3FNType) { return &num::kF8E4M3FN; })
      .Case([](Float8E5M2Type) { return &num::kF8E5M2; })
      .Default(nullptr);
}

num::Rounding prec::numericsMode(RoundingMode mode) {
  switch (mode) {
  case RoundingMode::nearest_even:
    return num::Rounding::NearestEven;
  case RoundingMode::toward_zero:
    return num::Rounding::TowardZero;
  case RoundingMode::upward:
    return num::Rounding::Upward;
  case RoundingMode::downward:
    return num::Rounding::Downward;
  case RoundingMode::nearest_away:
    return num::Rounding::NearestAway;
  }
  llvm_unreachable("unknown rounding mode");
}
