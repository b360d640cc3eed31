// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OutlinedGuard.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace prec;

static bool isSplat(Value value) {
  APFloat constant(0.0f);
  return matchPattern(value, m_ConstantFloat(&constant));
}

/// What a function is passed to have a factor: bf16 if that is what it was
/// widened from, one number if all elements are the same. Nothing for a
/// constant.
static Value passedFor(Value factor) {
  if (isSplat(factor))
    return {};
  if (auto widen = factor.getDefiningOp<arith::ExtFOp>();
      widen && getElementTypeOrSelf(widen.getIn()).isBF16())
    return widen.getIn();
  if (auto broadcast = factor.getDefiningOp<vector::BroadcastOp>();
      broadcast && !isa<VectorType>(broadcast.getSourceType()))
    return broadcast.getSource();
  return factor;
}

static VectorType pairOf(Value vector) {
  return VectorType::get({2}, getElementTypeOrSelf(vector));
}

/// Elements 2i and 2i + 1.
static Value pairAt(ImplicitLocOpBuilder &b, Value vector, int64_t i) {
  return vector::ExtractStridedSliceOp::create(b, vector, 2 * i, 2,
                                               /*strides=*/1);
}

/// Clones what makes `value`, elementwise, for two elements, from values that
/// are mapped and constants.
static Value clonePair(ImplicitLocOpBuilder &b, Value value,
                       IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    clonePair(b, operand, mapping);
  Operation *copy = b.clone(*op, mapping);
  if (auto constant = dyn_cast<arith::ConstantOp>(copy))
    constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue())
                              .resizeSplat(pairOf(value)));
  copy->getResult(0).setType(pairOf(value));
  return copy->getResult(0);
}

/// The largest magnitude of a number, or of a vector's elements, in f32, or
/// the least; NaN if one is.
static Value extremeMagnitude(ImplicitLocOpBuilder &b, Value x, bool largest) {
  auto combine = [&](Value u, Value v) -> Value {
    if (largest)
      return arith::MaximumFOp::create(b, u, v);
    return arith::MinimumFOp::create(b, u, v);
  };
  x = math::AbsFOp::create(b, x);
  auto type = dyn_cast<VectorType>(x.getType());
  if (!type)
    return x;
  // In pairs, for which there are instructions of bf16.
  Value extreme = pairAt(b, x, 0);
  for (int64_t i = 1; i < type.getNumElements() / 2; ++i)
    extreme = combine(extreme, pairAt(b, x, i));
  if (!type.getElementType().isF32())
    extreme =
        arith::ExtFOp::create(b, VectorType::get({2}, b.getF32Type()), extreme);
  return combine(vector::ExtractOp::create(b, extreme, 0),
                 vector::ExtractOp::create(b, extreme, 1));
}

/// Whether `x` is not within the bound, or NaN.
static Value isBeyond(ImplicitLocOpBuilder &b, Value x, bool isMost,
                      float bound) {
  Value limit = arith::ConstantOp::create(b, b.getF32FloatAttr(bound));
  return arith::CmpFOp::create(
      b, isMost ? arith::CmpFPredicate::UGT : arith::CmpFPredicate::ULT,
      extremeMagnitude(b, x, isMost), limit);
}

static Value isNotZero(ImplicitLocOpBuilder &b, Value x) {
  Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, x, zero);
}

namespace {

/// Emits one guard.
class OutlinedGuard {
public:
  OutlinedGuard(const NarrowFunctions::Guarded &guarded,
                NarrowFunctions &narrow,
                SmallVectorImpl<Operation *> &functions)
      : guarded(guarded), narrow(narrow), functions(functions),
        round(cast<RoundOp>(guarded.rounding)), b(round.getLoc(), round) {}

  void insert();

private:
  LLVM::LLVMFuncOp createFunction();
  Value computeAgain(ValueRange passed, int64_t pair);
  Value times(Value x, float factor);

  const NarrowFunctions::Guarded &guarded;
  NarrowFunctions &narrow;
  SmallVectorImpl<Operation *> &functions;
  RoundOp round;
  ImplicitLocOpBuilder b;
  /// What the product is made of: the function's input, then factors.
  SmallVector<Value> inputs;
};

} // namespace

Value OutlinedGuard::times(Value x, float factor) {
  Value constant = arith::ConstantOp::create(
      b, DenseElementsAttr::get(cast<VectorType>(x.getType()),
                                b.getF32FloatAttr(factor)));
  return arith::MulFOp::create(b, x, constant);
}

/// A pair of the product with right bits.
Value OutlinedGuard::computeAgain(ValueRange passed, int64_t pair) {
  IRMapping mapping;
  for (auto [input, argument] : llvm::zip_equal(inputs, passed))
    mapping.map(input, isa<VectorType>(input.getType())
                           ? pairAt(b, argument, pair)
                           : argument);
  Value result = clonePair(b, round.getResult(), mapping);
  auto copyOf = [&](Operation *op) {
    return mapping.lookup(op->getResult(0)).getDefiningOp();
  };
  functions.push_back(copyOf(guarded.path.front()));
  for (const auto &[op, choice] : guarded.exact) {
    if (isa<arith::DivFOp>(op))
      narrow.divisions[copyOf(op)] = {
          choice, mapping.lookup(narrow.divisions.lookup(op).input)};
    else
      narrow.functions[copyOf(op)] = choice;
  }
  return result;
}

/// Takes the inputs, the results so far, and the differences that tell which of
/// them are not known, in pairs; gives the results.
LLVM::LLVMFuncOp OutlinedGuard::createFunction() {
  const int64_t pairs = cast<VectorType>(round.getType()).getNumElements() / 2;
  SmallVector<Type> types = llvm::to_vector(ValueRange(inputs).getTypes());
  types.push_back(round.getType());
  types.push_back(VectorType::get({pairs}, b.getI32Type()));
  auto caller = round->getParentOfType<FunctionOpInterface>();
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPoint(caller);
  auto function = LLVM::LLVMFuncOp::create(
      b, (caller.getName() + "_again").str(),
      LLVM::LLVMFunctionType::get(round.getType(), types),
      LLVM::Linkage::Internal);
  function.setNoInline(true);
  SymbolTable(SymbolTable::getNearestSymbolTable(caller)).insert(function);

  Block *body = function.addEntryBlock(b);
  b.setInsertionPointToStart(body);
  ValueRange passed = body->getArguments().drop_back(2);
  Value result = body->getArgument(passed.size()),
        differences = body->getArgument(passed.size() + 1);
  Type pair = VectorType::get({2}, b.getBF16Type());
  for (int64_t i = 0; i < pairs; ++i) {
    Value wrong = isNotZero(b, vector::ExtractOp::create(b, differences, i));
    auto choice =
        scf::IfOp::create(b, TypeRange(pair), wrong, /*withElseRegion=*/true);
    Value old = pairAt(b, result, i);
    old.getDefiningOp()->moveBefore(choice);
    {
      OpBuilder::InsertionGuard inside(b);
      b.setInsertionPointToStart(choice.thenBlock());
      scf::YieldOp::create(b, computeAgain(passed, i));
      b.setInsertionPointToStart(choice.elseBlock());
      scf::YieldOp::create(b, old);
    }
    result = vector::InsertStridedSliceOp::create(
        b, choice.getResult(0), result, ArrayRef<int64_t>{2 * i},
        ArrayRef<int64_t>{1});
  }
  LLVM::ReturnOp::create(b, result);
  return function;
}

void OutlinedGuard::insert() {
  inputs.push_back(guarded.input);
  for (Value factor : guarded.factors)
    if (Value input = passedFor(factor);
        input && !llvm::is_contained(inputs, input))
      inputs.push_back(input);
  // From what is there before anything changes.
  LLVM::LLVMFuncOp function = createFunction();

  if (guarded.close.bias != 1) {
    b.setInsertionPoint(guarded.products.front());
    Value last = guarded.path.back()->getResult(0);
    guarded.products.front()->replaceUsesOfWith(
        last, times(last, guarded.close.bias));
  }
  b.setInsertionPointAfter(round);
  SmallVector<OpOperand *> uses(
      llvm::make_pointer_range(round.getResult().getUses()));
  Value low = round.getResult();
  Value high = RoundOp::create(b, round.getType(),
                               times(round.getInput(), guarded.close.widen));
  const int64_t pairs = cast<VectorType>(round.getType()).getNumElements() / 2;
  auto words = VectorType::get({pairs}, b.getI32Type());
  Value differences =
      arith::XOrIOp::create(b, vector::BitCastOp::create(b, words, low),
                            vector::BitCastOp::create(b, words, high));
  Value beyond = isBeyond(b, guarded.input, true, guarded.close.most);
  for (Value factor : ArrayRef(inputs).drop_front())
    beyond =
        arith::OrIOp::create(b, beyond, isBeyond(b, factor, true, kMostFactor));
  beyond =
      arith::OrIOp::create(b, beyond, isBeyond(b, low, false, kLeastProduct));
  Value undecided = arith::OrIOp::create(
      b, beyond,
      isNotZero(b, vector::ReductionOp::create(b, vector::CombiningKind::OR,
                                               differences)));

  auto choice = scf::IfOp::create(b, TypeRange(round.getType()), undecided,
                                  /*withElseRegion=*/true);
  b.setInsertionPointToStart(choice.thenBlock());
  // Beyond a bound, nothing is known.
  Value all = vector::BroadcastOp::create(
      b, words, arith::ExtSIOp::create(b, b.getI32Type(), beyond));
  SmallVector<Value> arguments = inputs;
  arguments.push_back(low);
  arguments.push_back(arith::OrIOp::create(b, differences, all));
  auto call = LLVM::CallOp::create(b, function, arguments);
  scf::YieldOp::create(b, call.getResults());
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, low);
  for (OpOperand *use : uses)
    use->set(choice.getResult(0));
}

void prec::insertOutlinedGuard(const NarrowFunctions::Guarded &guarded,
                               NarrowFunctions &narrow,
                               SmallVectorImpl<Operation *> &functions) {
  OutlinedGuard(guarded, narrow, functions).insert();
}
