// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the decompositions of nn operations are written with.
#ifndef LIB_TRANSFORMS_DECOMPOSENNBUILDER_H
#define LIB_TRANSFORMS_DECOMPOSENNBUILDER_H

#include "dialects/NN/NN.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

namespace prec::nn {

/// Writes the scalar f32 (or f64) steps of one operation's formula into the
/// body of a linalg.generic.
class Formula {
public:
  /// `math` chooses the implementation of the functions; null is the default.
  Formula(mlir::OpBuilder &builder, mlir::Location loc,
          RoundingPointOpInterface op, MathAttr math = {})
      : builder(builder), loc(loc), op(op), math(math) {}

  mlir::Type f32() { return builder.getF32Type(); }
  /// Where the next step is written.
  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() { return loc; }

  mlir::Value constant(double value, mlir::Type type);
  mlir::Value constant(double value) { return constant(value, f32()); }
  mlir::Value constant(const llvm::APFloat &value);

  /// The value in the wider `type`; exact, nothing if it has that type.
  mlir::Value widen(mlir::Value value, mlir::Type type);
  mlir::Value widen(mlir::Value value) { return widen(value, f32()); }
  /// An f64 value rounded to f32; nothing for an f32 value.
  mlir::Value toF32(mlir::Value value);

  /// The rounding point `name`: `value` rounded to the format of the points,
  /// in the type it had. `value` itself when the point is off or the format is
  /// f32.
  mlir::Value round(llvm::StringRef name, mlir::Value value);
  /// The point `result`: `value` in the element type of the result with this
  /// number. A value that the step before rounded to that type is not rounded
  /// again.
  mlir::Value result(mlir::Value value, unsigned number = 0);

  mlir::Value add(mlir::Value a, mlir::Value b) {
    return mlir::arith::AddFOp::create(builder, loc, a, b);
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return mlir::arith::SubFOp::create(builder, loc, a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return mlir::arith::MulFOp::create(builder, loc, a, b);
  }
  mlir::Value div(mlir::Value a, mlir::Value b) {
    return mlir::arith::DivFOp::create(builder, loc, a, b);
  }
  mlir::Value neg(mlir::Value a) {
    return mlir::arith::NegFOp::create(builder, loc, a);
  }
  mlir::Value max(mlir::Value a, mlir::Value b) {
    return mlir::arith::MaximumFOp::create(builder, loc, a, b);
  }
  mlir::Value min(mlir::Value a, mlir::Value b) {
    return mlir::arith::MinimumFOp::create(builder, loc, a, b);
  }
  mlir::Value sqrt(mlir::Value a) {
    return mlir::math::SqrtOp::create(builder, loc, a);
  }
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c) {
    return mlir::math::FmaOp::create(builder, loc, a, b, c);
  }
  /// `yes` where `a` compares so with `b`, else `no`.
  mlir::Value select(mlir::arith::CmpFPredicate predicate, mlir::Value a,
                     mlir::Value b, mlir::Value yes, mlir::Value no);
  mlir::Value selectGreater(mlir::Value a, mlir::Value b, mlir::Value yes,
                            mlir::Value no) {
    return select(mlir::arith::CmpFPredicate::OGT, a, b, yes, no);
  }

  /// A function of the math dialect, in the implementation chosen.
  template <typename FunctionOp> mlir::Value call(mlir::Value a) {
    auto function = FunctionOp::create(builder, loc, a);
    if (math && math.getKind() != MathKind::correctly_rounded)
      function->setAttr("prec.math", math);
    return function;
  }

  /// 1 + exp(-a)
  mlir::Value onePlusExpOfMinus(mlir::Value a) {
    return add(call<mlir::math::ExpOp>(neg(a)), constant(1.0));
  }
  /// 1 / (1 + exp(-a))
  mlir::Value sigmoid(mlir::Value a) {
    return div(constant(1.0), onePlusExpOfMinus(a));
  }
  mlir::Value gelu(Approximation approximation, mlir::Value a);
  /// The derivative of gelu at x.
  mlir::Value geluSlope(Approximation approximation, mlir::Value x);
  /// The gradient of silu at x, g that of its value.
  mlir::Value siluGradient(MultiplyAdd rule, mlir::Value g, mlir::Value x);

  /// 1 / R_sqrt(sqrt(a)) or rsqrt(a).
  mlir::Value reciprocalSqrt(RsqrtRule rule, mlir::Value a);

  /// a / b or a * (1 / b).
  mlir::Value divide(Divide rule, mlir::Value a, mlir::Value b);

  /// The extent `size` of a dimension as a number of `type`.
  mlir::Value number(mlir::OpFoldResult size, mlir::Type type);

private:
  /// Where the operation asks for it, a prec.observe of the value at a point.
  mlir::Value observe(llvm::StringRef name, mlir::Value value);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  RoundingPointOpInterface op;
  MathAttr math;
};

/// What one decomposition builds tensors with, at the place of its operation.
class TensorBuilder {
public:
  TensorBuilder(mlir::OpBuilder &builder, RoundingPointOpInterface op,
                MathAttr math = {})
      : builder(builder), loc(op->getLoc()), op(op), math(math) {}

  using Body = llvm::function_ref<mlir::Value(Formula &, mlir::ValueRange)>;

  /// An input of a linalg.generic and how it is indexed.
  struct Input {
    mlir::Value tensor;
    mlir::AffineMap map;
  };

  mlir::Location getLoc() { return loc; }

  llvm::SmallVector<mlir::OpFoldResult> sizes(mlir::Value tensor);

  /// A linalg.generic over the dimensions of the maps; those that the output
  /// lacks are reduced. `body` makes the output's next element of the inputs'
  /// elements and, last, the output's own.
  mlir::Value generic(llvm::ArrayRef<Input> inputs, Input output, Body body);

  /// `extent` places of the last dimension, `stride` apart, `start` the first.
  mlir::Value sliceOfLast(mlir::Value tensor, int64_t start, int64_t extent,
                          int64_t stride = 1);

  /// A tensor whose elements are all `value`.
  mlir::Value filled(llvm::ArrayRef<mlir::OpFoldResult> sizes,
                     mlir::TypedAttr value);

  /// A tensor of `elementType` and `sizes`; each element is what `body` makes
  /// of the inputs' elements.
  mlir::Value elementwise(llvm::ArrayRef<Input> inputs,
                          llvm::ArrayRef<mlir::OpFoldResult> sizes,
                          mlir::Type elementType, Body body);

  /// The largest element of `tensor` along `dimension`, in f32; NaN if there is
  /// one.
  mlir::Value maximum(mlir::Value tensor, int64_t dimension);

  /// The sum of `tensor`, of f32 or f64 elements, along `dimension`.
  mlir::Value sum(mlir::Value tensor, int64_t dimension, OrderAttr order);

  /// The sum over the first `outer` dimensions, taken as one; `tensor` itself
  /// if that is 0.
  mlir::Value sumOverOuter(mlir::Value tensor, int64_t outer, OrderAttr order);

  /// The tensor with its elements widened to `type`; itself if they have it.
  mlir::Value widen(mlir::Value tensor, mlir::Type type);

  mlir::AffineMap identityMap(int64_t rank);
  /// Every dimension but one.
  mlir::AffineMap dropMap(int64_t rank, int64_t dimension);
  /// Every dimension, but 0 for one.
  mlir::AffineMap oneMap(int64_t rank, int64_t dimension);
  /// The last `count` dimensions.
  mlir::AffineMap lastMap(int64_t rank, int64_t count);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  RoundingPointOpInterface op;
  MathAttr math;
};

/// The type in which an operation sums.
mlir::Type getSumType(mlir::MLIRContext *context, Accumulate accumulate);

/// R_rstd(1 / R_sqrt(sqrt(R_radicand(moment + R_eps(eps))))), the norms' step
/// from a moment to a factor.
template <typename OpTy>
mlir::Value reciprocalDeviation(OpTy op, Formula &f, mlir::Value moment) {
  mlir::Value eps = f.round("eps", f.constant(op.getEps()));
  mlir::Value radicand = f.round("radicand", f.add(moment, eps));
  return f.round("rstd", f.reciprocalSqrt(op.getRstd(), radicand));
}

/// rms_norm's r, one for each row of the input of `sizes`: in f32, of the
/// points square, sum, mean, eps, radicand, sqrt and rstd.
template <typename OpTy>
mlir::Value rmsReciprocal(OpTy op, TensorBuilder &t,
                          llvm::ArrayRef<mlir::OpFoldResult> sizes) {
  int64_t rank = sizes.size();
  mlir::Type sumType = getSumType(op.getContext(), op.getAccumulate());
  mlir::Value squares =
      t.elementwise({{op.getInput(), t.identityMap(rank)}}, sizes, sumType,
                    [&](Formula &f, mlir::ValueRange x) {
                      mlir::Value wide = f.widen(x[0], sumType);
                      return f.round("square", f.mul(wide, wide));
                    });
  mlir::Value sum = t.sum(squares, rank - 1, op.getEffectiveOrder());
  return t.elementwise(
      {{sum, t.identityMap(rank - 1)}}, sizes.drop_back(),
      mlir::Float32Type::get(op.getContext()),
      [&](Formula &f, mlir::ValueRange x) {
        mlir::Value mean = f.divide(op.getDivide(), f.round("sum", x[0]),
                                    f.number(sizes.back(), sumType));
        return reciprocalDeviation(op, f, f.toF32(f.round("mean", mean)));
      });
}

/// layer_norm's m, in the type of the sums, and r, in f32, for each row of the
/// input of `sizes`: of the points mean, centered, square, variance, eps,
/// radicand, sqrt and rstd.
struct LayerMoments {
  mlir::Value mean, rstd;

  template <typename OpTy>
  static LayerMoments of(OpTy op, TensorBuilder &t,
                         llvm::ArrayRef<mlir::OpFoldResult> sizes);
};

template <typename OpTy>
LayerMoments LayerMoments::of(OpTy op, TensorBuilder &t,
                              llvm::ArrayRef<mlir::OpFoldResult> sizes) {
  int64_t rank = sizes.size();
  llvm::ArrayRef<mlir::OpFoldResult> rows = sizes.drop_back();
  mlir::AffineMap allRows = t.identityMap(rank - 1);
  mlir::Type sumType = getSumType(op.getContext(), op.getAccumulate());
  auto divideByCount = [&](Formula &f, mlir::Value sum) {
    return f.divide(op.getDivide(), sum, f.number(sizes.back(), sumType));
  };
  mlir::Value sum =
      t.sum(t.widen(op.getInput(), sumType), rank - 1, op.getEffectiveOrder());
  mlir::Value mean = t.elementwise(
      {{sum, allRows}}, rows, sumType, [&](Formula &f, mlir::ValueRange x) {
        return f.round("mean", divideByCount(f, x[0]));
      });
  mlir::Value squares = t.elementwise(
      {{op.getInput(), t.identityMap(rank)}, {mean, t.dropMap(rank, rank - 1)}},
      sizes, sumType, [&](Formula &f, mlir::ValueRange x) {
        mlir::Value centered =
            f.round("centered", f.sub(f.widen(x[0], sumType), x[1]));
        return f.round("square", f.mul(centered, centered));
      });
  mlir::Value squaresSum = t.sum(squares, rank - 1, op.getEffectiveOrder());
  mlir::Value rstd = t.elementwise(
      {{squaresSum, allRows}}, rows, mlir::Float32Type::get(op.getContext()),
      [&](Formula &f, mlir::ValueRange x) {
        mlir::Value variance = f.round("variance", divideByCount(f, x[0]));
        return reciprocalDeviation(op, f, f.toF32(variance));
      });
  return {mean, rstd};
}

void populateDecomposeElementwise(mlir::RewritePatternSet &patterns);
void populateDecomposeElementwiseGradients(mlir::RewritePatternSet &patterns);
void populateDecomposeNormGradients(mlir::RewritePatternSet &patterns);
void populateDecomposeReductionGradients(mlir::RewritePatternSet &patterns);
void populateDecomposeReductions(mlir::RewritePatternSet &patterns);
void populateDecomposeNorms(mlir::RewritePatternSet &patterns);
void populateDecomposeRope(mlir::RewritePatternSet &patterns);

} // namespace prec::nn

#endif // LIB_TRANSFORMS_DECOMPOSENNBUILDER_H
