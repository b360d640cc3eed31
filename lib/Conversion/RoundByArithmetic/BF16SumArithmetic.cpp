// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SumArithmetic.h"

#include "prec/Conversion/RoundingExpansion.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace prec;

namespace {

class BF16SumArithmetic : public SumArithmetic {
public:
  BF16SumArithmetic() : SumArithmetic(num::kBF16) {}

  bool canRoundTo(VectorType type) const override {
    return type.getElementType().isBF16();
  }

  /// 2^-16 R(x * w) as x * w - (1 - 2^-16) x * w, where the second product is
  /// rounded to the last place of x * w, and nothing has a finer one than
  /// 2^-149.
  Value product(ImplicitLocOpBuilder &b, Value x, vector::BroadcastOp w,
                scf::ForOp loop) override {
    Value most = times(b, w, 1 - 0x1p-16f, loop);
    Value rest = arith::MulFOp::create(b, x, most);
    Value small = math::FmaOp::create(b, x, w, arith::NegFOp::create(b, rest));
    products.insert(small);
    return small;
  }

  Value addZero(ImplicitLocOpBuilder &b, Value u) override {
    return math::FmaOp::create(b, u, f32Constant(b, u, 0x1p16f),
                               f32Constant(b, u, 0));
  }

  /// A product that overflows only when it is rounded, to 2^128, is not
  /// infinite in a fused operation. But its sum with a number of bf16 is 2^120
  /// or more, so that it is infinite when it is rounded.
  Value add(ImplicitLocOpBuilder &b, Value u, Value v) override {
    if (!products.contains(u))
      std::swap(u, v);
    Value sum =
        products.contains(u) && !unrounded.contains(v)
            ? math::FmaOp::create(b, u, f32Constant(b, u, 0x1p16f),
                                  number(b, v))
                  .getResult()
            : arith::AddFOp::create(b, number(b, u), number(b, v)).getResult();
    unrounded.insert(sum);
    return sum;
  }

  bool isTerm(Value x, const Representability &facts) const override {
    return facts.of(x)->fits(num::kBF16);
  }

  /// R(u) as 2^16 u - (2^16 - 1) u, of which the second product is rounded: of
  /// a subnormal sum all bits are kept, and it has no others. It is infinite
  /// from 2^112 on.
  Value round(ImplicitLocOpBuilder &b, Value u) override {
    return roundSum(b, number(b, u), 0x1p16f);
  }

  /// Results are rounded in the same way.
  bool pays(size_t roundings, size_t results) const override {
    return roundings >= results;
  }

  Value last(ImplicitLocOpBuilder &b, Value u) override { return round(b, u); }

  Value result(ImplicitLocOpBuilder &b, Value last, VectorType type) override {
    return emitUpperHalf(b, b.getLoc(), last, type);
  }

private:
  /// The number that `u` stands for.
  Value number(ImplicitLocOpBuilder &b, Value u) const {
    if (!products.contains(u))
      return u;
    return arith::MulFOp::create(b, u, f32Constant(b, u, 0x1p16f));
  }

  /// Rounded products, times 2^-16, and sums that may be no numbers of bf16.
  DenseSet<Value> products, unrounded;
};

} // namespace

std::unique_ptr<SumArithmetic> prec::makeBF16SumArithmetic() {
  return std::make_unique<BF16SumArithmetic>();
}
