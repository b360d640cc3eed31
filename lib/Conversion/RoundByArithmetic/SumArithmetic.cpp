// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SumArithmetic.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace prec;

std::optional<std::pair<Value, vector::BroadcastOp>>
SumArithmetic::factors(arith::MulFOp product, scf::ForOp loop,
                       const Representability &facts) const {
  if (!llvm::all_of(product->getOperands(), [&](Value factor) {
        return facts.of(factor)->fits(format);
      }))
    return std::nullopt;
  for (unsigned i : {0, 1})
    if (auto w = product->getOperand(i).getDefiningOp<vector::BroadcastOp>();
        w && w.getSourceType().isF32() &&
        loop.isDefinedOutsideOfLoop(w.getSource()))
      return std::pair(product->getOperand(1 - i), w);
  return std::nullopt;
}

Value SumArithmetic::times(ImplicitLocOpBuilder &b, vector::BroadcastOp w,
                           float factor, scf::ForOp loop) {
  Value scalar = w.getSource();
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(loop);
    scalar = arith::MulFOp::create(b, scalar, f32Constant(b, scalar, factor));
  }
  return vector::BroadcastOp::create(b, w.getType(), scalar);
}

Value SumArithmetic::roundSum(ImplicitLocOpBuilder &b, Value u, float c) {
  Value rest = arith::MulFOp::create(b, u, f32Constant(b, u, c - 1));
  return math::FmaOp::create(b, u, f32Constant(b, u, c),
                             arith::NegFOp::create(b, rest));
}

Value prec::f32Constant(ImplicitLocOpBuilder &b, Value like, float value) {
  Attribute number = b.getF32FloatAttr(value);
  if (auto type = dyn_cast<VectorType>(like.getType()))
    return arith::ConstantOp::create(b, DenseElementsAttr::get(type, number));
  return arith::ConstantOp::create(b, cast<TypedAttr>(number));
}
