// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Transforms/ExpandMath.h"

#include "ExactEmission.h"
#include "FunctionCall.h"
#include "NarrowFunctions.h"
#include "OutlinedGuard.h"
#include "TableSilus.h"
#include "prec/Numerics/ApproximateExpansion.h"
#include "prec/Numerics/DoubleFloatExpansion.h"
#include "prec/Numerics/MathExpansion.h"
#include "prec/Numerics/NarrowExpansion.h"
#include "prec/Numerics/Rounding.h"
#include "prec/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#include <limits>

namespace prec {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "prec/Transforms/Passes.h.inc"
} // namespace prec

using namespace mlir;
using prec::MLIRBuilder;

namespace {

/// Operations of the math dialect that are IEEE operations or exact themselves.
bool isElementary(Operation *op) {
  return isa<math::SqrtOp, math::FmaOp, math::AbsFOp, math::CopySignOp,
             math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp,
             math::TruncOp, math::ClampFOp>(op);
}

/// A function of floats, to be expanded; integer functions and predicates are
/// none.
bool isFunction(Operation *op) {
  return isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
         llvm::any_of(op->getResultTypes(),
                      [](Type type) {
                        return isa<FloatType>(getElementTypeOrSelf(type));
                      }) &&
         !isElementary(op);
}

/// What `Expansions` expand a function to.
template <template <typename> class Expansions>
MLIRBuilder::F32 expand(prec::FunctionCall call, MLIRBuilder &b,
                        MLIRBuilder::F32 x) {
  Expansions<MLIRBuilder> e(b);
  using prec::num::MathFunction;
  switch (call.function) {
  case MathFunction::Exp:
    return e.exp(x);
  case MathFunction::Exp2:
    return e.exp2(x);
  case MathFunction::Expm1:
    return e.expm1(x);
  case MathFunction::Log:
    return e.log(x);
  case MathFunction::Log2:
    return e.log2(x);
  case MathFunction::Log10:
    return e.log10(x);
  case MathFunction::Log1p:
    return e.log1p(x);
  case MathFunction::Tanh:
    return e.tanh(x);
  case MathFunction::Erf:
    return e.erf(x);
  case MathFunction::Sin:
    return e.sin(x);
  case MathFunction::Cos:
    return e.cos(x);
  case MathFunction::Rsqrt:
    return e.rsqrt(x);
  case MathFunction::Powi:
    return e.powi(x, call.power);
  }
  llvm_unreachable("unknown function");
}

/// Makes p * 2^k + c one operation where c is constant, finite and not
/// negative. The product, of the narrow exponential without subnormal results,
/// is exact or overflows, as the sum then does too: the bits are the same.
void fuseExactProduct(Value product) {
  auto multiply = product.getDefiningOp<arith::MulFOp>();
  for (Operation *user : llvm::make_early_inc_range(product.getUsers())) {
    auto add = dyn_cast<arith::AddFOp>(user);
    if (!add)
      continue;
    Value other = add.getLhs() == product ? add.getRhs() : add.getLhs();
    APFloat constant(0.0f);
    if (!matchPattern(other, m_ConstantFloat(&constant)) ||
        !constant.isFinite() || constant.isNegative())
      continue;
    OpBuilder builder(add);
    Value fused = math::FmaOp::create(builder, add.getLoc(), multiply.getLhs(),
                                      multiply.getRhs(), other);
    add.replaceAllUsesWith(fused);
    add.erase();
  }
}

using Approximation = prec::num::expand::ApproximateFunctions<MLIRBuilder>;

/// What a short sequence gives for `call`. The sign of a negated argument goes
/// into the constants.
MLIRBuilder::F32 expandNarrow(prec::FunctionCall call,
                              const prec::Choice &choice, MLIRBuilder &b,
                              Value argument) {
  auto minus = call.function == prec::num::MathFunction::Exp
                   ? argument.getDefiningOp<arith::NegFOp>()
                   : nullptr;
  MLIRBuilder::F32 x = b.wrap(minus ? minus.getOperand() : argument);
  if (choice.kind == prec::Choice::Approximate) {
    using namespace prec::num::expand;
    bool flip = minus && (choice.index & SignedOffset);
    return Approximation(b).apply(call.function, choice.index, x,
                                  b.f32(minus ? -choice.scale : choice.scale),
                                  b.f32(flip ? -choice.offset : choice.offset));
  }
  prec::num::expand::NarrowFunctions<MLIRBuilder> functions(b);
  return minus ? functions.expOfMinus(choice.index, x)
               : functions.apply(call.function, choice.index, x, call.power);
}

/// Expands `op`; by a short sequence if there is one, else without f64 if that
/// is slow.
LogicalResult expandOp(Operation *op, const prec::Choice *narrow,
                       bool slowF64) {
  Type type = op->getOperand(0).getType();
  if (!getElementTypeOrSelf(type).isF32() || !isa<FloatType, VectorType>(type))
    return op->emitOpError("expected f32 or a vector of f32 but got ") << type;
  std::optional<prec::FunctionCall> call = prec::functionOf(op);
  if (!call && isa<math::FPowIOp>(op))
    return op->emitOpError("expected a constant exponent from -")
           << prec::kMaxPower << " to " << prec::kMaxPower;
  if (!call)
    return op->emitOpError("has no correctly rounded expansion");
  OpBuilder builder(op);
  MLIRBuilder b(builder, op->getLoc(), type);
  Value result;
  if (narrow && narrow->kind == prec::Choice::Exact) {
    result = prec::emitExactExp(b, op->getOperand(0), narrow->index);
  } else if (narrow) {
    result = expandNarrow(*call, *narrow, b, op->getOperand(0)).value;
  } else {
    MLIRBuilder::F32 x = b.wrap(op->getOperand(0));
    using namespace prec::num::expand;
    result = (slowF64 ? expand<DoubleFloatFunctions>(*call, b, x)
                      : expand<Functions>(*call, b, x))
                 .value;
  }
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
  if (narrow && narrow->kind == prec::Choice::Sequence &&
      prec::num::expand::isExactProduct(call->function, narrow->index))
    fuseExactProduct(result);
  return success();
}

void expandDivision(Operation *op,
                    const prec::NarrowFunctions::Division &division,
                    prec::ExactQuotients &exact) {
  auto divide = cast<arith::DivFOp>(op);
  if (division.choice.kind == prec::Choice::Exact) {
    exact.expand(divide, prec::onePlusWhat(divide.getRhs()), division);
    return;
  }
  OpBuilder builder(op);
  MLIRBuilder b(builder, op->getLoc(), divide.getType());
  Approximation functions(b);
  MLIRBuilder::F32 input = b.wrap(division.input);
  Value sum = prec::onePlusWhat(divide.getRhs());
  const unsigned form = division.choice.index;
  MLIRBuilder::F32 quarter = b.f32(division.choice.scale);
  MLIRBuilder::F32 result =
      sum ? functions.reciprocalOfOnePlus(b.wrap(sum), input, form, quarter)
          : functions.reciprocal(b.wrap(divide.getRhs()), input, form, quarter);
  if (!matchPattern(divide.getLhs(), m_OneFloat()))
    result = b.wrap(divide.getLhs()) * result;
  divide.replaceAllUsesWith(result.value);
  divide.erase();
}

void insertException(const prec::NarrowFunctions::Exception &exception) {
  auto round = cast<prec::RoundOp>(exception.rounding);
  OpBuilder builder(round);
  MLIRBuilder b(builder, round.getLoc(), round.getInput().getType());
  MLIRBuilder::Bool here = b.wrap(exception.input) == b.f32(exception.at);
  round.getInputMutable().set(
      b.select(here, b.f32(exception.value), b.wrap(round.getInput())).value);
}

/// Whether the rounding to bf16 of a product that is close to the right one is
/// not known: near the middle between two numbers of bf16.
Value isUndecided(OpBuilder &builder, Location loc, Value product) {
  MLIRBuilder b(builder, loc, product.getType());
  // Both are rounded: 2^-21 of the product and 2 units more, of 2^24 units.
  // Where the product is subnormal it has fewer units.
  constexpr uint32_t kUnits = 16;
  static_assert(prec::kCloseBits == 21 && kUnits > 8 + 2 + 2);
  // The 16 bits that go, from kUnits below the middle on, below 2 kUnits.
  MLIRBuilder::I32 shifted = b.bits(b.wrap(product)) + b.i32(0x8000 + kUnits);
  MLIRBuilder::Bool isNear =
      (shifted & b.i32(0xFFFF & ~(2 * kUnits - 1))) == b.i32(0);
  if (!isa<VectorType>(product.getType()))
    return isNear.value;
  return vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                     isNear.value);
}

/// `value` with one NaN: nothing else shows that those of f64 bits that are put
/// together by integers fit into bf16, as those of the product itself do, for a
/// rounding that need not look at them then.
Value withKnownNaN(OpBuilder &builder, Location loc, Value value) {
  MLIRBuilder b(builder, loc, value.getType());
  Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                      value, value);
  Value nan = b.f32(std::numeric_limits<float>::quiet_NaN()).value;
  return arith::SelectOp::create(builder, loc, isNaN, nan, value);
}

/// Computes a guarded product again, with the correctly rounded function, where
/// its rounding is not decided. Gives that function.
Operation *insertGuard(const prec::NarrowFunctions::Guarded &guarded) {
  auto round = cast<prec::RoundOp>(guarded.rounding);
  auto product = cast<arith::MulFOp>(guarded.products.front());
  OpBuilder builder(round);
  Value undecided = isUndecided(builder, round.getLoc(), product.getResult());
  auto choice = scf::IfOp::create(builder, round.getLoc(), product.getType(),
                                  undecided, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(choice.thenBlock());
  IRMapping mapping;
  Operation *function = nullptr;
  for (Operation *op : guarded.path) {
    Operation *again = builder.clone(*op, mapping);
    if (!function)
      function = again;
  }
  Operation *again = builder.clone(*product, mapping);
  scf::YieldOp::create(
      builder, round.getLoc(),
      withKnownNaN(builder, round.getLoc(), again->getResult(0)));
  builder.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(builder, round.getLoc(), product.getResult());
  round.getInputMutable().set(choice.getResult(0));
  return function;
}

struct ExpandMath : prec::impl::ExpandMathPassBase<ExpandMath> {
  using Base::Base;

  void runOnOperation() override {
    if (target != "host" && target != "gpu") {
      getOperation()->emitError("expected target host or gpu but got ")
          << target;
      return signalPassFailure();
    }
    if (failed(prec::expandMath(
            getOperation(), {target == "gpu", bool(slowF64), bool(tables)})))
      signalPassFailure();
  }
};

} // namespace

LogicalResult prec::expandMath(Operation *root,
                               const ExpandMathOptions &options) {
  if (options.tables)
    expandTableSilus(root);
  SmallVector<Operation *> functions;
  root->walk([&](Operation *op) {
    if (isFunction(op) && isCorrectlyRounded(op))
      functions.push_back(op);
  });
  NarrowFunctions narrow =
      findNarrowFunctions(root, options.approximate, !options.slowF64);
  for (const NarrowFunctions::Exception &exception : narrow.exceptions)
    insertException(exception);
  for (const NarrowFunctions::Guarded &guarded : narrow.guarded) {
    if (options.approximate) {
      insertOutlinedGuard(guarded, narrow, functions);
      continue;
    }
    functions.push_back(insertGuard(guarded));
    if (guarded.again)
      narrow.functions[functions.back()] = *guarded.again;
  }
  bool failed = false;
  for (Operation *op : functions) {
    auto choice = narrow.functions.find(op);
    failed |= mlir::failed(expandOp(
        op, choice == narrow.functions.end() ? nullptr : &choice->second,
        options.slowF64));
  }
  ExactQuotients exact;
  for (const auto &[op, division] : narrow.divisions)
    expandDivision(op, division, exact);
  return failure(failed);
}
