// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ExactSteps.h"

#include "LevelR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace prec;

Value prec::emitConstantLike(OpBuilder &b, Location loc, Value like,
                             TypedAttr scalar) {
  auto shaped = dyn_cast<ShapedType>(like.getType());
  if (!shaped)
    return arith::ConstantOp::create(b, loc, scalar);
  shaped = shaped.clone(scalar.getType());
  if (shaped.hasStaticShape())
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(shaped, scalar));
  SmallVector<Value> sizes;
  for (auto [dim, size] : llvm::enumerate(shaped.getShape()))
    if (ShapedType::isDynamic(size))
      sizes.push_back(tensor::DimOp::create(b, loc, like, dim));
  Value element = arith::ConstantOp::create(b, loc, scalar);
  return tensor::SplatOp::create(b, loc, element, shaped, sizes);
}

Value prec::emitRoundToOdd(OpBuilder &b, Location loc, Value nearest,
                           Value error) {
  Type bitsType = withElement(nearest.getType(), b.getI64Type());
  auto constant = [&](int64_t value) {
    return emitConstantLike(b, loc, nearest, b.getI64IntegerAttr(value));
  };
  Value zero = emitConstantLike(b, loc, nearest, b.getF64FloatAttr(0.0));
  // Ordered: the "error" of an infinity is NaN, and an infinity stays.
  Value inexact =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ONE, error, zero);
  Value bits = arith::BitcastOp::create(b, loc, bitsType, nearest);
  Value errorBits = arith::BitcastOp::create(b, loc, bitsType, error);
  Value last = arith::AndIOp::create(b, loc, bits, constant(1));
  Value even = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, last,
                                     constant(0));
  Value move = arith::AndIOp::create(b, loc, inexact, even);
  // Towards v: away from zero if the error has the value's sign.
  Value signs = arith::XOrIOp::create(b, loc, bits, errorBits);
  Value opposite = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                         signs, constant(0));
  Value step =
      arith::SelectOp::create(b, loc, opposite, constant(-1), constant(1));
  Value moved = arith::AddIOp::create(b, loc, bits, step);
  Value odd = arith::SelectOp::create(b, loc, move, moved, bits);
  return arith::BitcastOp::create(b, loc, nearest.getType(), odd);
}

Value prec::emitOddFma(OpBuilder &b, Location loc, Value a, Value b2, Value c) {
  // The product of two 16-bit values has at most 22 bits: exact. The sum's
  // error is exact too (Knuth's TwoSum).
  Value product = arith::MulFOp::create(b, loc, a, b2);
  Value sum = arith::AddFOp::create(b, loc, product, c);
  Value cPart = arith::SubFOp::create(b, loc, sum, product);
  Value productPart = arith::SubFOp::create(b, loc, sum, cPart);
  Value productError = arith::SubFOp::create(b, loc, product, productPart);
  Value cError = arith::SubFOp::create(b, loc, c, cPart);
  Value error = arith::AddFOp::create(b, loc, productError, cError);
  return emitRoundToOdd(b, loc, sum, error);
}

Value prec::emitOddIntToF64(OpBuilder &b, Location loc, Value integer,
                            bool isSigned) {
  Type doubleType = withElement(integer.getType(), b.getF64Type());
  auto convert = [&](Value value) -> Value {
    if (isSigned)
      return arith::SIToFPOp::create(b, loc, doubleType, value);
    return arith::UIToFPOp::create(b, loc, doubleType, value);
  };
  unsigned width =
      getElementTypeOrSelf(integer.getType()).getIntOrFloatBitWidth();
  if (width <= 53)
    return convert(integer);

  Type wideType = withElement(integer.getType(), b.getI64Type());
  auto constant = [&](int64_t value) {
    return emitConstantLike(b, loc, integer, b.getI64IntegerAttr(value));
  };
  if (width < 64)
    integer =
        isSigned
            ? arith::ExtSIOp::create(b, loc, wideType, integer).getResult()
            : arith::ExtUIOp::create(b, loc, wideType, integer).getResult();
  // An integer beyond 2^53 drops its last 11 bits into a sticky last bit; what
  // is left has at most 53 bits and is converted and scaled back exactly.
  const int64_t limit = int64_t(1) << 53;
  Value large;
  if (isSigned) {
    Value biased = arith::AddIOp::create(b, loc, integer, constant(limit));
    large = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, biased,
                                  constant(2 * limit));
  } else {
    large = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, integer,
                                  constant(limit));
  }
  Value dropped = arith::AndIOp::create(b, loc, integer, constant(0x7ff));
  Value inexact = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                        dropped, constant(0));
  Value sticky = arith::ExtUIOp::create(b, loc, wideType, inexact);
  Value shifted =
      isSigned
          ? arith::ShRSIOp::create(b, loc, integer, constant(11)).getResult()
          : arith::ShRUIOp::create(b, loc, integer, constant(11)).getResult();
  Value odd = arith::OrIOp::create(b, loc, shifted, sticky);
  Value kept = arith::SelectOp::create(b, loc, large, odd, integer);
  Value scale = arith::SelectOp::create(
      b, loc, large,
      emitConstantLike(b, loc, integer, b.getF64FloatAttr(2048.0)),
      emitConstantLike(b, loc, integer, b.getF64FloatAttr(1.0)));
  return arith::MulFOp::create(b, loc, convert(kept), scale);
}

Value prec::emitPower(OpBuilder &b, Location loc, Value base, unsigned power) {
  Value result = base;
  for (unsigned i = 1; i < power; ++i)
    result = arith::MulFOp::create(b, loc, result, base);
  return result;
}
