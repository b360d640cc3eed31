// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ExactEmission.h"

#include "prec/Analysis/Representability.h"
#include "prec/Numerics/ExactExpansion.h"

using namespace mlir;
using namespace prec;

using Exact = num::expand::ExactFunctions<MLIRBuilder>;

Value prec::emitExactExp(MLIRBuilder &b, Value argument, unsigned form) {
  auto minus = argument.getDefiningOp<arith::NegFOp>();
  Value wide = minus ? minus.getOperand() : argument;
  auto widen = wide.getDefiningOp<arith::ExtFOp>();
  Value narrow = widen.getIn();
  Exact functions(b);
  const bool isBF16 = getElementTypeOrSelf(narrow.getType()).isBF16();
  const float sign = minus ? -1 : 1;
  if (form == num::expand::Limited) {
    Value result = functions.limitedExp(b.wrap(wide), sign, isBF16).value;
    // NaN of bf16 goes through all operations, the last of which adds none of
    // its bits to it, and numbers do not become NaN.
    if (isBF16)
      result.getDefiningOp<arith::TruncFOp>()->setAttr(
          kShortNaNName, UnitAttr::get(result.getContext()));
    return result;
  }
  Value limited = b.limit(narrow, num::expand::exactExpLimit(form));
  MLIRBuilder::F32 result = functions.exp(b.widen(limited), sign, isBF16, form);
  if (form & num::expand::KeepNaN && !(form & num::expand::Quarter))
    result = functions.keepNaN(result, b.wrap(wide));
  return result.value;
}

void ExactQuotients::expand(arith::DivFOp divide, Value sum,
                            const NarrowFunctions::Division &division) {
  const unsigned form = division.choice.index;
  const bool isQuarter = form & num::expand::Quarter;
  OpBuilder builder(divide);
  MLIRBuilder b(builder, divide.getLoc(), divide.getType());
  Exact functions(b);
  auto [entry, isNew] = divisors.try_emplace(divide.getRhs());
  if (isNew) {
    // Where the sum is, before all quotients by it.
    OpBuilder atSum(divide.getContext());
    atSum.setInsertionPointAfterValue(divide.getRhs());
    MLIRBuilder s(atSum, divide.getLoc(), divide.getType());
    MLIRBuilder::F32 quarter =
        isQuarter ? Exact(s).quarterOfOnePlus(s.wrap(sum),
                                              s.wrap(division.input), form)
                  : s.wrap(divide.getRhs()) * s.f32(0.25f);
    entry->second = {quarter.value, s.approximateReciprocal(quarter).value};
  }
  auto [quarter, reciprocal] = entry->second;
  MLIRBuilder::F32 result =
      isQuarter
          ? functions.reciprocal(b.wrap(quarter), b.wrap(reciprocal))
          : functions.quotient(b.wrap(divide.getLhs()), b.wrap(divide.getRhs()),
                               b.wrap(reciprocal));
  divide.replaceAllUsesWith(result.value);
  divide.erase();
}
