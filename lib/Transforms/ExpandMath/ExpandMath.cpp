// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Transforms/ExpandMath.h"

#include "NarrowFunctions.h"
#include "dialects/Prec/Prec.h"
#include "prec/Numerics/MathExpansion.h"
#include "prec/Numerics/NarrowExpansion.h"
#include "prec/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace prec {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "prec/Transforms/Passes.h.inc"
} // namespace prec

using namespace mlir;

namespace {

enum class Kind { F32, F64, I32, I64, Bool };

class MLIRBuilder;

/// A value of the program that is built: scalar, or a vector of the shape the
/// builder was made for.
template <Kind K> struct Number {
  Value value;
  MLIRBuilder *builder;
};

/// The builder of MathExpansion.h that emits arith and math operations, without
/// fast-math flags, on scalars or vectors shaped like `shape`.
class MLIRBuilder {
public:
  using F32 = Number<Kind::F32>;
  using F64 = Number<Kind::F64>;
  using I32 = Number<Kind::I32>;
  using I64 = Number<Kind::I64>;
  using Bool = Number<Kind::Bool>;

  MLIRBuilder(OpBuilder &builder, Location loc, Type shape)
      : b(loc, builder), shape(shape) {}

  F32 f32(float value) { return constant<Kind::F32>(b.getF32FloatAttr(value)); }
  F64 f64(double value) {
    return constant<Kind::F64>(b.getF64FloatAttr(value));
  }
  I32 i32(uint32_t value) {
    return constant<Kind::I32>(
        b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  I64 i64(uint64_t value) {
    return constant<Kind::I64>(
        b.getI64IntegerAttr(static_cast<int64_t>(value)));
  }

  F64 fma(F64 x, F64 y, F64 z) {
    return make<Kind::F64, math::FmaOp>(x.value, y.value, z.value);
  }
  F32 fma(F32 x, F32 y, F32 z) {
    return make<Kind::F32, math::FmaOp>(x.value, y.value, z.value);
  }
  F32 sqrt(F32 x) { return make<Kind::F32, math::SqrtOp>(x.value); }
  template <Kind K> Number<K> select(Bool condition, Number<K> x, Number<K> y) {
    return make<K, arith::SelectOp>(condition.value, x.value, y.value);
  }

  F64 extend(F32 x) {
    return make<Kind::F64, arith::ExtFOp>(type(Kind::F64), x.value);
  }
  F32 truncate(F64 x) {
    return make<Kind::F32, arith::TruncFOp>(type(Kind::F32), x.value);
  }
  I32 bits(F32 x) { return bitcast<Kind::I32>(x.value); }
  I64 bits(F64 x) { return bitcast<Kind::I64>(x.value); }
  F32 float32(I32 x) { return bitcast<Kind::F32>(x.value); }
  F64 float64(I64 x) { return bitcast<Kind::F64>(x.value); }

  I32 shiftLeft(I32 x, unsigned amount) {
    return make<Kind::I32, arith::ShLIOp>(x.value, i32(amount).value);
  }
  I32 shiftRight(I32 x, unsigned amount) {
    return make<Kind::I32, arith::ShRUIOp>(x.value, i32(amount).value);
  }
  I64 shiftLeft(I64 x, unsigned amount) {
    return make<Kind::I64, arith::ShLIOp>(x.value, i64(amount).value);
  }
  I64 shiftRight(I64 x, unsigned amount) {
    return make<Kind::I64, arith::ShRUIOp>(x.value, i64(amount).value);
  }

  /// An operation whose result is a number of kind K.
  template <Kind K, typename OpTy, typename... Args>
  Number<K> make(Args &&...args) {
    return {OpTy::create(b, std::forward<Args>(args)...).getResult(), this};
  }

  F32 wrap(Value value) { return {value, this}; }

private:
  Type type(Kind kind) {
    Type element = kind == Kind::F32   ? Type(b.getF32Type())
                   : kind == Kind::F64 ? Type(b.getF64Type())
                   : kind == Kind::I32 ? Type(b.getI32Type())
                                       : Type(b.getI64Type());
    if (auto vector = dyn_cast<VectorType>(shape))
      return vector.clone(element);
    return element;
  }

  template <Kind K> Number<K> constant(TypedAttr value) {
    if (auto vector = dyn_cast<VectorType>(type(K)))
      value = DenseElementsAttr::get(vector, static_cast<Attribute>(value));
    return make<K, arith::ConstantOp>(value);
  }

  template <Kind K> Number<K> bitcast(Value value) {
    return make<K, arith::BitcastOp>(type(K), value);
  }

  ImplicitLocOpBuilder b;
  Type shape;
};

constexpr bool isFloat(Kind kind) {
  return kind == Kind::F32 || kind == Kind::F64;
}

template <Kind K> Number<K> operator+(Number<K> x, Number<K> y) {
  using OpTy = std::conditional_t<isFloat(K), arith::AddFOp, arith::AddIOp>;
  return x.builder->template make<K, OpTy>(x.value, y.value);
}
template <Kind K> Number<K> operator-(Number<K> x, Number<K> y) {
  using OpTy = std::conditional_t<isFloat(K), arith::SubFOp, arith::SubIOp>;
  return x.builder->template make<K, OpTy>(x.value, y.value);
}
template <Kind K> Number<K> operator-(Number<K> x) {
  static_assert(isFloat(K));
  return x.builder->template make<K, arith::NegFOp>(x.value);
}
template <Kind K> Number<K> operator*(Number<K> x, Number<K> y) {
  static_assert(isFloat(K));
  return x.builder->template make<K, arith::MulFOp>(x.value, y.value);
}
template <Kind K> Number<K> operator/(Number<K> x, Number<K> y) {
  static_assert(isFloat(K));
  return x.builder->template make<K, arith::DivFOp>(x.value, y.value);
}
template <Kind K> Number<K> operator&(Number<K> x, Number<K> y) {
  return x.builder->template make<K, arith::AndIOp>(x.value, y.value);
}
template <Kind K> Number<K> operator|(Number<K> x, Number<K> y) {
  return x.builder->template make<K, arith::OrIOp>(x.value, y.value);
}
template <Kind K> Number<K> operator^(Number<K> x, Number<K> y) {
  return x.builder->template make<K, arith::XOrIOp>(x.value, y.value);
}
template <Kind K> MLIRBuilder::Bool operator<(Number<K> x, Number<K> y) {
  static_assert(isFloat(K));
  return x.builder->template make<Kind::Bool, arith::CmpFOp>(
      arith::CmpFPredicate::OLT, x.value, y.value);
}
template <Kind K> MLIRBuilder::Bool operator==(Number<K> x, Number<K> y) {
  if constexpr (isFloat(K))
    return x.builder->template make<Kind::Bool, arith::CmpFOp>(
        arith::CmpFPredicate::OEQ, x.value, y.value);
  else
    return x.builder->template make<Kind::Bool, arith::CmpIOp>(
        arith::CmpIPredicate::eq, x.value, y.value);
}

using Expansion = prec::num::expand::Functions<MLIRBuilder>;

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

constexpr int kMaxPower = Expansion::kMaxPower;

/// The expansion of a function.
MLIRBuilder::F32 expand(prec::FunctionCall call, Expansion &e,
                        MLIRBuilder::F32 x) {
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

/// Expands `op`; with sequence number `narrow` of the f32 ones if there is one.
LogicalResult expandOp(Operation *op, std::optional<unsigned> narrow) {
  Type type = op->getOperand(0).getType();
  if (!getElementTypeOrSelf(type).isF32() || !isa<FloatType, VectorType>(type))
    return op->emitOpError("expected f32 or a vector of f32 but got ") << type;
  std::optional<prec::FunctionCall> call = prec::functionOf(op);
  if (!call && isa<math::FPowIOp>(op))
    return op->emitOpError("expected a constant exponent from -")
           << kMaxPower << " to " << kMaxPower;
  if (!call)
    return op->emitOpError("has no correctly rounded expansion");
  OpBuilder builder(op);
  MLIRBuilder b(builder, op->getLoc(), type);
  MLIRBuilder::F32 x = b.wrap(op->getOperand(0)), result = x;
  if (narrow) {
    prec::num::expand::NarrowFunctions<MLIRBuilder> functions(b);
    auto minus = op->getOperand(0).getDefiningOp<arith::NegFOp>();
    result = call->function == prec::num::MathFunction::Exp && minus
                 ? functions.expOfMinus(*narrow, b.wrap(minus.getOperand()))
                 : functions.apply(call->function, *narrow, x, call->power);
  } else {
    Expansion expansion(b);
    result = expand(*call, expansion, x);
  }
  op->getResult(0).replaceAllUsesWith(result.value);
  op->erase();
  if (narrow && prec::num::expand::isExactProduct(call->function, *narrow))
    fuseExactProduct(result.value);
  return success();
}

struct ExpandMath : prec::impl::ExpandMathPassBase<ExpandMath> {
  void runOnOperation() override {
    if (failed(prec::expandMath(getOperation())))
      signalPassFailure();
  }
};

} // namespace

std::optional<prec::FunctionCall> prec::functionOf(Operation *op) {
  using num::MathFunction;
  using Result = std::optional<FunctionCall>;
  auto is = [](MathFunction function) { return Result({function}); };
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](math::ExpOp) { return is(MathFunction::Exp); })
      .Case([&](math::Exp2Op) { return is(MathFunction::Exp2); })
      .Case([&](math::ExpM1Op) { return is(MathFunction::Expm1); })
      .Case([&](math::LogOp) { return is(MathFunction::Log); })
      .Case([&](math::Log2Op) { return is(MathFunction::Log2); })
      .Case([&](math::Log10Op) { return is(MathFunction::Log10); })
      .Case([&](math::Log1pOp) { return is(MathFunction::Log1p); })
      .Case([&](math::TanhOp) { return is(MathFunction::Tanh); })
      .Case([&](math::ErfOp) { return is(MathFunction::Erf); })
      .Case([&](math::SinOp) { return is(MathFunction::Sin); })
      .Case([&](math::CosOp) { return is(MathFunction::Cos); })
      .Case([&](math::RsqrtOp) { return is(MathFunction::Rsqrt); })
      .Case([&](math::FPowIOp power) -> Result {
        APInt n;
        if (!matchPattern(power.getRhs(), m_ConstantInt(&n)) ||
            n.slt(-kMaxPower) || n.sgt(kMaxPower))
          return std::nullopt;
        return FunctionCall{MathFunction::Powi,
                            static_cast<int>(n.getSExtValue())};
      })
      .Default([](Operation *) { return Result(); });
}

bool prec::isCorrectlyRounded(Operation *op) {
  auto kind = op->getAttrOfType<MathAttr>("prec.math");
  return !kind || kind.getKind() == MathKind::correctly_rounded;
}

LogicalResult prec::expandMath(Operation *root) {
  SmallVector<Operation *> functions;
  root->walk([&](Operation *op) {
    if (isFunction(op) && isCorrectlyRounded(op))
      functions.push_back(op);
  });
  llvm::DenseMap<Operation *, unsigned> narrow = findNarrowFunctions(root);
  bool failed = false;
  for (Operation *op : functions) {
    auto sequence = narrow.find(op);
    failed |= mlir::failed(
        expandOp(op, sequence == narrow.end()
                         ? std::nullopt
                         : std::optional<unsigned>(sequence->second)));
  }
  return failure(failed);
}
