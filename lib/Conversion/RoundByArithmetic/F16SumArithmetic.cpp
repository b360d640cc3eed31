// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SumArithmetic.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace prec;

/// Numbers are kept times 2^100: 2^13 times 2^15, past which f16 is left to the
/// other way, is then past the largest f32.
static constexpr float kScale = 0x1p100f;
static constexpr int64_t kRegister = 16;

/// The one of the larger magnitude, with the sign of `x`; `y`, if `x` is NaN.
static Value largerMagnitude(ImplicitLocOpBuilder &b, Value x, Value y) {
  auto type = cast<VectorType>(x.getType());
  auto part = VectorType::get({kRegister}, type.getElementType());
  auto integer = [&](unsigned width, int64_t value) -> Value {
    return arith::ConstantOp::create(
        b, b.getIntegerAttr(b.getIntegerType(width), value));
  };
  SmallVector<Value> constants = {integer(32, 3), integer(16, -1),
                                  integer(32, 4)};
  auto range = [&](Value u, Value v) -> Value {
    return LLVM::CallIntrinsicOp::create(
               b, part, b.getStringAttr("llvm.x86.avx512.mask.range.ps.512"),
               ValueRange{u, v, constants[0], u, constants[1], constants[2]})
        .getResult(0);
  };
  if (type == part)
    return range(x, y);
  Value result = y;
  for (int64_t done = 0; done < type.getNumElements(); done += kRegister) {
    auto slice = [&](Value whole) -> Value {
      return vector::ExtractStridedSliceOp::create(b, whole, done, kRegister,
                                                   1);
    };
    result = vector::InsertStridedSliceOp::create(b, range(slice(x), slice(y)),
                                                  result, done, 1);
  }
  return result;
}

namespace {

/// Sums are rounded by arithmetic.
class F16SumArithmetic : public SumArithmetic {
public:
  F16SumArithmetic() : SumArithmetic(num::kF16) {}

  bool canRoundTo(VectorType type) const override {
    return type.getElementType().isF16();
  }

  /// R(u) as 2^13 u - (2^13 - 1) u, of which the second product is rounded:
  /// sums of f16 numbers have no bits that a subnormal result has not. It is
  /// infinite from about 2^15 on.
  Value round(ImplicitLocOpBuilder &b, Value u) override {
    return roundSum(b, u, 8192);
  }

  bool isTerm(Value, const Representability &) const override { return false; }

  /// Results are converted, and need to be tested.
  bool pays(size_t roundings, size_t results) const override {
    return roundings > results;
  }

  Value last(ImplicitLocOpBuilder &, Value u) override { return u; }

  Value result(ImplicitLocOpBuilder &b, Value last, VectorType type) override {
    Value sum =
        arith::MulFOp::create(b, last, f32Constant(b, last, 1 / kScale));
    return RoundOp::create(b, type, sum);
  }
};

/// Products are converted. Each is 2^100 times as large when it is added.
class F16Conversions : public F16SumArithmetic {
public:
  Value product(ImplicitLocOpBuilder &b, Value x, vector::BroadcastOp w,
                scf::ForOp) override {
    auto type = cast<VectorType>(x.getType());
    Value p = arith::MulFOp::create(b, x, w);
    Value narrow = RoundOp::create(b, type.clone(b.getF16Type()), p);
    Value widened = arith::ExtFOp::create(b, type, narrow);
    products.insert(widened);
    return widened;
  }

  Value addZero(ImplicitLocOpBuilder &b, Value u) override {
    return addScaled(b, u, f32Constant(b, u, 0));
  }

  Value add(ImplicitLocOpBuilder &b, Value u, Value v) override {
    if (!products.contains(u))
      std::swap(u, v);
    if (products.contains(v))
      v = arith::MulFOp::create(b, v, f32Constant(b, v, kScale));
    if (products.contains(u))
      return addScaled(b, u, v);
    return arith::AddFOp::create(b, u, v);
  }

private:
  static Value addScaled(ImplicitLocOpBuilder &b, Value product, Value sum) {
    return math::FmaOp::create(b, product, f32Constant(b, product, kScale),
                               sum);
  }

  DenseSet<Value> products;
};

/// So are products, by the range operation of AVX512DQ.
class F16Ranges : public F16SumArithmetic {
public:
  bool canRoundTo(VectorType type) const override {
    return F16SumArithmetic::canRoundTo(type) &&
           type.getNumElements() % kRegister == 0;
  }

  /// R(x * w) as m - (m - x * w), where m is 2^13 x * w: the difference in the
  /// brackets is rounded where f16 rounds x * w, a tie to the even one, since m
  /// is even there. Of a subnormal result that place is that of 0.75 * 2^13
  /// times the least normal number. A product of 2^15 or more makes m infinite,
  /// and all that is NaN.
  Value product(ImplicitLocOpBuilder &b, Value x, vector::BroadcastOp w,
                scf::ForOp loop) override {
    Value large = times(b, w, kScale * 8192, loop);
    Value small = times(b, w, kScale, loop);
    Value least = f32Constant(b, x, 0.75f * kScale);
    Value m = largerMagnitude(b, arith::MulFOp::create(b, x, large), least);
    Value rest = math::FmaOp::create(b, arith::NegFOp::create(b, x), small, m);
    return arith::SubFOp::create(b, m, rest);
  }

  /// Rounded products are never -0.
  Value addZero(ImplicitLocOpBuilder &, Value u) override { return u; }

  Value add(ImplicitLocOpBuilder &b, Value u, Value v) override {
    return arith::AddFOp::create(b, u, v);
  }
};

} // namespace

std::unique_ptr<SumArithmetic> prec::makeF16SumArithmetic(bool hasRange) {
  if (hasRange)
    return std::make_unique<F16Ranges>();
  return std::make_unique<F16Conversions>();
}
