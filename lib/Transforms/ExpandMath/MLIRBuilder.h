// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The builder of the expansions that emits operations.
#ifndef PREC_LIB_TRANSFORMS_EXPANDMATH_MLIRBUILDER_H
#define PREC_LIB_TRANSFORMS_EXPANDMATH_MLIRBUILDER_H

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

namespace prec {

enum class NumberKind { F32, F64, I32, I64, Bool };

class MLIRBuilder;

/// A value of the program that is built: scalar, or a vector of the shape the
/// builder was made for.
template <NumberKind K> struct Number {
  mlir::Value value;
  MLIRBuilder *builder;
};

/// The builder of MathExpansion.h that emits arith and math operations, without
/// fast-math flags, on scalars or vectors shaped like `shape`.
class MLIRBuilder {
public:
  using F32 = Number<NumberKind::F32>;
  using F64 = Number<NumberKind::F64>;
  using I32 = Number<NumberKind::I32>;
  using I64 = Number<NumberKind::I64>;
  using Bool = Number<NumberKind::Bool>;

  MLIRBuilder(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type shape)
      : b(loc, builder), shape(shape) {}

  F32 f32(float value) {
    return constant<NumberKind::F32>(b.getF32FloatAttr(value));
  }
  F64 f64(double value) {
    return constant<NumberKind::F64>(b.getF64FloatAttr(value));
  }
  I32 i32(uint32_t value) {
    return constant<NumberKind::I32>(
        b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  I64 i64(uint64_t value) {
    return constant<NumberKind::I64>(
        b.getI64IntegerAttr(static_cast<int64_t>(value)));
  }

  F64 fma(F64 x, F64 y, F64 z) {
    return make<NumberKind::F64, mlir::math::FmaOp>(x.value, y.value, z.value);
  }
  F32 fma(F32 x, F32 y, F32 z) {
    return make<NumberKind::F32, mlir::math::FmaOp>(x.value, y.value, z.value);
  }
  F32 sqrt(F32 x) { return make<NumberKind::F32, mlir::math::SqrtOp>(x.value); }
  template <NumberKind K>
  Number<K> select(Bool condition, Number<K> x, Number<K> y) {
    return make<K, mlir::arith::SelectOp>(condition.value, x.value, y.value);
  }

  F32 absolute(F32 x) {
    return make<NumberKind::F32, mlir::math::AbsFOp>(x.value);
  }
  F32 flipSign(F32 x, F32 y);
  F32 maximum(F32 x, F32 y) {
    return make<NumberKind::F32, mlir::arith::MaximumFOp>(x.value, y.value);
  }
  F32 minimumNumber(F32 x, F32 y) {
    return make<NumberKind::F32, mlir::arith::MinNumFOp>(x.value, y.value);
  }
  /// The sign of a 16-bit value and the lesser of its magnitude and `most`,
  /// which NaN has too: one instruction of a GPU.
  mlir::Value limit(mlir::Value x, float most) {
    mlir::Type narrow = mlir::getElementTypeOrSelf(x.getType());
    mlir::TypedAttr limit = b.getFloatAttr(narrow, most);
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(x.getType()))
      limit = mlir::DenseElementsAttr::get(vector,
                                           static_cast<mlir::Attribute>(limit));
    mlir::Value magnitude = mlir::arith::MinNumFOp::create(
        b, mlir::math::AbsFOp::create(b, x),
        mlir::arith::ConstantOp::create(b, limit));
    return mlir::math::CopySignOp::create(b, magnitude, x);
  }
  /// A 16-bit value in f64.
  F64 widen(mlir::Value x) {
    return make<NumberKind::F64, mlir::arith::ExtFOp>(type(NumberKind::F64), x);
  }
  F64 scaleByPowerOfTwo(F64 x, F64 shifted) {
    return float64(make<NumberKind::I64, mlir::arith::AddIOp>(
        bits(x).value, shiftLeft(bits(shifted), 52).value));
  }
  F32 approximateExp2(F32 x) {
    return make<NumberKind::F32, ApproximateOp>(HardwareFunction::exp2,
                                                x.value);
  }
  F32 approximateReciprocal(F32 x) {
    return make<NumberKind::F32, ApproximateOp>(HardwareFunction::reciprocal,
                                                x.value);
  }

  F64 extend(F32 x) {
    return make<NumberKind::F64, mlir::arith::ExtFOp>(type(NumberKind::F64),
                                                      x.value);
  }
  F32 truncate(F64 x) {
    return make<NumberKind::F32, mlir::arith::TruncFOp>(type(NumberKind::F32),
                                                        x.value);
  }
  I32 bits(F32 x) { return bitcast<NumberKind::I32>(x.value); }
  I64 bits(F64 x) { return bitcast<NumberKind::I64>(x.value); }
  F32 float32(I32 x) { return bitcast<NumberKind::F32>(x.value); }
  F64 float64(I64 x) { return bitcast<NumberKind::F64>(x.value); }

  I32 shiftLeft(I32 x, unsigned amount) { return shiftLeft(x, i32(amount)); }
  I32 shiftRight(I32 x, unsigned amount) { return shiftRight(x, i32(amount)); }
  I32 shiftLeft(I32 x, I32 amount) {
    return make<NumberKind::I32, mlir::arith::ShLIOp>(x.value, amount.value);
  }
  I32 shiftRight(I32 x, I32 amount) {
    return make<NumberKind::I32, mlir::arith::ShRUIOp>(x.value, amount.value);
  }
  I32 signMask(I32 x) {
    return make<NumberKind::I32, mlir::arith::ShRSIOp>(x.value, i32(31).value);
  }
  I32 multiplyHigh(I32 x, I32 y) {
    auto both = mlir::arith::MulUIExtendedOp::create(b, x.value, y.value);
    return {both.getHigh(), this};
  }
  I32 minimumSigned(I32 x, I32 y) {
    return make<NumberKind::I32, mlir::arith::MinSIOp>(x.value, y.value);
  }
  I32 minimumUnsigned(I32 x, I32 y) {
    return make<NumberKind::I32, mlir::arith::MinUIOp>(x.value, y.value);
  }
  I32 lookUp(const uint32_t (&table)[32], I32 place) {
    llvm::SmallVector<int32_t> words(std::begin(table), std::end(table));
    return make<NumberKind::I32, LookupOp>(place.value, words);
  }
  I64 shiftLeft(I64 x, unsigned amount) {
    return make<NumberKind::I64, mlir::arith::ShLIOp>(x.value,
                                                      i64(amount).value);
  }
  I64 shiftRight(I64 x, unsigned amount) {
    return make<NumberKind::I64, mlir::arith::ShRUIOp>(x.value,
                                                       i64(amount).value);
  }

  /// An operation whose result is a number of kind K.
  template <NumberKind K, typename OpTy, typename... Args>
  Number<K> make(Args &&...args) {
    return {OpTy::create(b, std::forward<Args>(args)...).getResult(), this};
  }

  F32 wrap(mlir::Value value) { return {value, this}; }

private:
  mlir::Type type(NumberKind kind) {
    mlir::Type element = kind == NumberKind::F32   ? mlir::Type(b.getF32Type())
                         : kind == NumberKind::F64 ? mlir::Type(b.getF64Type())
                         : kind == NumberKind::I32 ? mlir::Type(b.getI32Type())
                                                   : mlir::Type(b.getI64Type());
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(shape))
      return vector.clone(element);
    return element;
  }

  template <NumberKind K> Number<K> constant(mlir::TypedAttr value) {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(type(K)))
      value = mlir::DenseElementsAttr::get(vector,
                                           static_cast<mlir::Attribute>(value));
    return make<K, mlir::arith::ConstantOp>(value);
  }

  template <NumberKind K> Number<K> bitcast(mlir::Value value) {
    return make<K, mlir::arith::BitcastOp>(type(K), value);
  }

  mlir::ImplicitLocOpBuilder b;
  mlir::Type shape;
};

constexpr bool isFloat(NumberKind kind) {
  return kind == NumberKind::F32 || kind == NumberKind::F64;
}

template <NumberKind K> Number<K> operator+(Number<K> x, Number<K> y) {
  using OpTy =
      std::conditional_t<isFloat(K), mlir::arith::AddFOp, mlir::arith::AddIOp>;
  return x.builder->template make<K, OpTy>(x.value, y.value);
}
template <NumberKind K> Number<K> operator-(Number<K> x, Number<K> y) {
  using OpTy =
      std::conditional_t<isFloat(K), mlir::arith::SubFOp, mlir::arith::SubIOp>;
  return x.builder->template make<K, OpTy>(x.value, y.value);
}
template <NumberKind K> Number<K> operator-(Number<K> x) {
  static_assert(isFloat(K));
  return x.builder->template make<K, mlir::arith::NegFOp>(x.value);
}
template <NumberKind K> Number<K> operator*(Number<K> x, Number<K> y) {
  using OpTy =
      std::conditional_t<isFloat(K), mlir::arith::MulFOp, mlir::arith::MulIOp>;
  return x.builder->template make<K, OpTy>(x.value, y.value);
}
template <NumberKind K> Number<K> operator/(Number<K> x, Number<K> y) {
  static_assert(isFloat(K));
  return x.builder->template make<K, mlir::arith::DivFOp>(x.value, y.value);
}
template <NumberKind K> Number<K> operator&(Number<K> x, Number<K> y) {
  return x.builder->template make<K, mlir::arith::AndIOp>(x.value, y.value);
}
template <NumberKind K> Number<K> operator|(Number<K> x, Number<K> y) {
  return x.builder->template make<K, mlir::arith::OrIOp>(x.value, y.value);
}
template <NumberKind K> Number<K> operator^(Number<K> x, Number<K> y) {
  return x.builder->template make<K, mlir::arith::XOrIOp>(x.value, y.value);
}
template <NumberKind K> MLIRBuilder::Bool operator<(Number<K> x, Number<K> y) {
  static_assert(isFloat(K));
  return x.builder->template make<NumberKind::Bool, mlir::arith::CmpFOp>(
      mlir::arith::CmpFPredicate::OLT, x.value, y.value);
}
template <NumberKind K> MLIRBuilder::Bool operator==(Number<K> x, Number<K> y) {
  if constexpr (isFloat(K))
    return x.builder->template make<NumberKind::Bool, mlir::arith::CmpFOp>(
        mlir::arith::CmpFPredicate::OEQ, x.value, y.value);
  else
    return x.builder->template make<NumberKind::Bool, mlir::arith::CmpIOp>(
        mlir::arith::CmpIPredicate::eq, x.value, y.value);
}

inline MLIRBuilder::F32 MLIRBuilder::flipSign(F32 x, F32 y) {
  return float32(bits(x) ^ (bits(y) & i32(0x80000000)));
}

} // namespace prec

#endif // PREC_LIB_TRANSFORMS_EXPANDMATH_MLIRBUILDER_H
