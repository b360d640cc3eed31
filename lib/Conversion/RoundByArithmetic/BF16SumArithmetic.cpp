// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SumArithmetic.h"

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
  /// infinite in a fused operation. But rounded sums are below 2^112, so that
  /// the new one is past 2^127: infinite when it is rounded, or as a result.
  Value add(ImplicitLocOpBuilder &b, Value u, Value v) override {
    for (auto [term, sum] : {std::pair(u, v), std::pair(v, u)})
      if (products.contains(term) && sums.contains(sum))
        return math::FmaOp::create(b, term, f32Constant(b, term, 0x1p16f), sum);
    return arith::AddFOp::create(b, number(b, u), number(b, v));
  }

  /// R(u) as 2^16 u - (2^16 - 1) u, of which the second product is rounded: of
  /// a subnormal sum all bits are kept, and it has no others. It is infinite
  /// from 2^112 on.
  Value round(ImplicitLocOpBuilder &b, Value u) override {
    Value rounded = roundSum(b, number(b, u), 0x1p16f);
    sums.insert(rounded);
    return rounded;
  }

  Value number(ImplicitLocOpBuilder &b, Value u) override {
    if (!products.contains(u))
      return u;
    return arith::MulFOp::create(b, u, f32Constant(b, u, 0x1p16f));
  }

private:
  /// Rounded products, times 2^-16, and rounded sums.
  DenseSet<Value> products, sums;
};

} // namespace

std::unique_ptr<SumArithmetic> prec::makeBF16SumArithmetic() {
  return std::make_unique<BF16SumArithmetic>();
}
