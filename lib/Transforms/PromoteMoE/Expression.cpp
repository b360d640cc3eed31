// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Expression.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/bit.h"
#include <map>

using namespace mlir;
using namespace prec;

Expression Expression::ofLeaf(unsigned leaf) {
  Expression expression;
  expression.leaf = leaf;
  return expression;
}

Expression Expression::ofConstant(double constant) {
  Expression expression;
  expression.kind = Kind::constant;
  expression.constant = constant;
  return expression;
}

Expression Expression::of(Kind kind, std::vector<Expression> operands) {
  Expression expression;
  expression.kind = kind;
  expression.operands = std::move(operands);
  return expression;
}

Expression Expression::onePlusExpOfMinus(Expression x, Attribute math) {
  Expression exponential = of(Kind::exp, {of(Kind::neg, {std::move(x)})});
  exponential.math = math;
  return of(Kind::add, {std::move(exponential), ofConstant(1.0)});
}

Expression Expression::withLeaf(unsigned number, const Expression &by) const {
  if (kind == Kind::leaf && leaf == number)
    return by;
  Expression result = *this;
  for (Expression &operand : result.operands)
    operand = operand.withLeaf(number, by);
  return result;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Whether `value` is computed in the body of a linalg operation.
static bool isInBody(Value value) {
  return isa<linalg::LinalgOp>(value.getParentBlock()->getParentOp());
}

std::optional<Element> BodyInputs::asInput(Element element) {
  if (element.isTensor())
    return element;
  if (!isa<BlockArgument>(element.value) || !isInBody(element.value))
    return std::nullopt;
  return moved(element);
}

bool BodyInputs::reserve(Element element) {
  if (std::optional<Element> input = asInput(element)) {
    if (!input->isTensor()) // a scalar input: the value itself
      return true;
    for (auto [tensor, map] : llvm::zip_equal(tensors, maps))
      if (tensor == input->value && map == input->at)
        return true;
    if (input->at.getNumSymbols())
      return false;
    tensors.push_back(input->value);
    maps.push_back(input->at);
    return true;
  }
  if (!isInBody(element.value))
    return true;
  Operation *def = element.value.getDefiningOp();
  if (!def || def->getNumRegions() || !isMemoryEffectFree(def))
    return false;
  if (auto index = dyn_cast<linalg::IndexOp>(def))
    return isa<AffineDimExpr, AffineConstantExpr>(
        element.at.getResult(index.getDim()));
  return llvm::all_of(def->getOperands(), [&](Value operand) {
    return !isa<RankedTensorType>(operand.getType()) || isInBody(operand)
               ? reserve({operand, element.at})
               : true;
  });
}

Value BodyInputs::write(OpBuilder &builder, Location loc, Element element,
                        ValueRange arguments) const {
  if (std::optional<Element> input = asInput(element)) {
    if (!input->isTensor())
      return input->value;
    for (auto [tensor, map, argument] : llvm::zip(tensors, maps, arguments))
      if (tensor == input->value && map == input->at)
        return argument;
    llvm_unreachable("the element was not reserved");
  }
  if (!isInBody(element.value))
    return element.value;
  Operation *def = element.value.getDefiningOp();
  if (auto index = dyn_cast<linalg::IndexOp>(def)) {
    AffineExpr loop = element.at.getResult(index.getDim());
    if (auto constant = dyn_cast<AffineConstantExpr>(loop))
      return arith::ConstantIndexOp::create(builder, loc, constant.getValue());
    return linalg::IndexOp::create(builder, loc,
                                   cast<AffineDimExpr>(loop).getPosition());
  }
  IRMapping mapping;
  for (Value operand : def->getOperands())
    if (!isa<RankedTensorType>(operand.getType()) || isInBody(operand))
      mapping.map(operand,
                  write(builder, loc, {operand, element.at}, arguments));
  if (auto extract = dyn_cast<tensor::ExtractOp>(def))
    if (Value by = gathered.lookup(extract.getTensor()))
      return tensor::ExtractOp::create(
          builder, loc, by,
          llvm::map_to_vector(extract.getIndices(), [&](Value index) {
            return mapping.lookup(index);
          }));
  unsigned number = cast<OpResult>(element.value).getResultNumber();
  return builder.clone(*def, mapping)->getResult(number);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

namespace {

/// Writes expressions in one place.
class Writer {
public:
  Writer(OpBuilder &builder, Location loc, ValueRange leaves)
      : builder(builder), loc(loc), leaves(leaves) {}

  Value write(const Expression &expression);

private:
  Value create(const Expression &expression, ArrayRef<Value> x);

  OpBuilder &builder;
  Location loc;
  ValueRange leaves;
  /// By kind, leaf, bits of the constant, function and operands.
  using Key = std::tuple<unsigned, unsigned, uint64_t, const void *,
                         std::vector<void *>>;
  std::map<Key, Value> written;
};

} // namespace

Value Writer::write(const Expression &expression) {
  SmallVector<Value> x;
  for (const Expression &operand : expression.operands)
    x.push_back(write(operand));
  std::vector<void *> operands;
  for (Value operand : x)
    operands.push_back(operand.getAsOpaquePointer());
  Value &value =
      written[{static_cast<unsigned>(expression.kind), expression.leaf,
               llvm::bit_cast<uint64_t>(expression.constant),
               expression.math.getAsOpaquePointer(), operands}];
  if (!value)
    value = create(expression, x);
  return value;
}

Value Writer::create(const Expression &expression, ArrayRef<Value> x) {
  using Kind = Expression::Kind;
  Type f32 = builder.getF32Type();
  switch (expression.kind) {
  case Kind::leaf: {
    Value leaf = leaves[expression.leaf];
    return isHalf(leaf.getType())
               ? arith::ExtFOp::create(builder, loc, f32, leaf)
               : leaf;
  }
  case Kind::constant:
    return arith::ConstantOp::create(
        builder, loc, builder.getF32FloatAttr(expression.constant));
  case Kind::mul:
    return arith::MulFOp::create(builder, loc, x[0], x[1]);
  case Kind::add:
    return arith::AddFOp::create(builder, loc, x[0], x[1]);
  case Kind::sub:
    return arith::SubFOp::create(builder, loc, x[0], x[1]);
  case Kind::div:
    return arith::DivFOp::create(builder, loc, x[0], x[1]);
  case Kind::fma:
    return math::FmaOp::create(builder, loc, x[0], x[1], x[2]);
  case Kind::neg:
    return arith::NegFOp::create(builder, loc, x[0]);
  case Kind::exp: {
    auto function = math::ExpOp::create(builder, loc, x[0]);
    if (expression.math)
      function->setAttr("prec.math", expression.math);
    return function;
  }
  case Kind::select:
    return arith::SelectOp::create(builder, loc, x[0], x[1], x[2]);
  }
  llvm_unreachable("every kind has a case");
}

Value prec::write(OpBuilder &builder, Location loc,
                  const Expression &expression, ValueRange leaves) {
  return Writer(builder, loc, leaves).write(expression);
}

Value prec::writeRounding(OpBuilder &builder, Location loc, Value value,
                          Type type, Operation *likeRound) {
  if (isa<RoundOp>(likeRound))
    return RoundOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

/// A name that no one else uses; it does not outlive the pass.
static constexpr StringLiteral kMark = "prec.promote";

void prec::markRoot(Operation *root, StringRef what) {
  root->setAttr(kMark, StringAttr::get(root->getContext(), what));
}

void prec::promoteMarkedRoots(
    Operation *scope, Report &report,
    function_ref<StringRef(Operation *, StringRef what)> rewrite) {
  while (true) {
    Operation *marked = nullptr;
    StringAttr what;
    scope->walk([&](Operation *op) {
      what = dyn_cast_or_null<StringAttr>(op->removeAttr(kMark));
      if (!what)
        return WalkResult::advance();
      marked = op;
      return WalkResult::interrupt();
    });
    if (!marked)
      return;
    Location loc = marked->getLoc();
    StringRef how = rewrite(marked, what);
    if (how.empty())
      report.leftAlone(loc, what, kUnreadable);
    else
      report.promoted(loc, what, how);
  }
}

void prec::eraseWithProducers(Operation *op) {
  llvm::SetVector<Operation *> candidates;
  auto erase = [&](Operation *dead) {
    dead->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *def = operand.getDefiningOp();
            def && !dead->isAncestor(def))
          candidates.insert(def);
    });
    dead->erase();
  };
  erase(op);
  while (!candidates.empty())
    if (Operation *candidate = candidates.pop_back_val();
        isOpTriviallyDead(candidate))
      erase(candidate);
}

/// The operations of `op`'s body that its results need, if `root` needs no
/// operands.
static llvm::SetVector<Operation *> neededInBody(linalg::LinalgOp op,
                                                 Operation *root) {
  llvm::SetVector<Operation *> needed;
  needed.insert(op.getBlock()->getTerminator());
  for (size_t i = 0; i < needed.size(); ++i) {
    if (needed[i] == root)
      continue;
    needed[i]->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *def = operand.getDefiningOp();
            def && def->getBlock() == op.getBlock())
          needed.insert(def);
    });
  }
  return needed;
}

/// Whether an operation of `needed`, other than `root`, uses `argument`.
static bool isArgumentNeeded(BlockArgument argument,
                             const llvm::SetVector<Operation *> &needed,
                             Operation *root) {
  return llvm::any_of(argument.getUsers(), [&](Operation *user) {
    Operation *inBlock = argument.getOwner()->findAncestorOpInBlock(*user);
    return inBlock != root && needed.contains(inBlock);
  });
}

/// What the body of `op` reads with `leaves` in place of `root`, of which
/// `needed` are needed; false if it cannot.
static bool planBody(linalg::LinalgOp op, Operation *root,
                     const llvm::SetVector<Operation *> &needed,
                     ArrayRef<Element> leaves, BodyInputs &inputs) {
  if (op.getNumParallelLoops() != op.getNumLoops() ||
      !op.hasPureTensorSemantics() || !inputs.reserveAll(leaves))
    return false;
  return llvm::all_of(llvm::zip_equal(op.getOpOperandsMatchingBBargs(),
                                      op.getBlock()->getArguments()),
                      [&](auto pair) {
                        auto [operand, argument] = pair;
                        return !op.isDpsInput(operand) ||
                               !isArgumentNeeded(argument, needed, root) ||
                               inputs.reserve(Element::of(argument, op));
                      });
}

static bool replaceInBody(linalg::LinalgOp op, Operation *root,
                          const Expression &expression,
                          ArrayRef<Element> leaves) {
  llvm::SetVector<Operation *> needed = neededInBody(op, root);
  BodyInputs inputs;
  if (!planBody(op, root, needed, leaves, inputs))
    return false;
  SmallVector<OpOperand *> operands = op.getOpOperandsMatchingBBargs();
  OpBuilder builder(op);
  SmallVector<AffineMap> maps = inputs.maps;
  for (OpOperand &init : op.getDpsInitsMutable())
    maps.push_back(op.getMatchingIndexingMap(&init));
  auto body = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    IRMapping mapping;
    unsigned inits = op.getNumDpsInits();
    for (auto [operand, argument] :
         llvm::zip_equal(operands, op.getBlock()->getArguments())) {
      if (!op.isDpsInput(operand))
        mapping.map(
            argument,
            arguments[arguments.size() - inits + operand->getOperandNumber() -
                      op.getNumDpsInputs()]);
      else if (isArgumentNeeded(argument, needed, root))
        mapping.map(argument,
                    inputs.write(b, loc, Element::of(argument, op), arguments));
    }
    for (Operation &old : *op.getBlock()) {
      if (!needed.contains(&old))
        continue;
      if (&old != root) {
        b.clone(old, mapping);
        continue;
      }
      SmallVector<Value> values;
      for (Element leaf : leaves)
        values.push_back(inputs.write(b, root->getLoc(), leaf, arguments));
      Value wide = write(b, root->getLoc(), expression, values);
      mapping.map(root->getResult(0),
                  writeRounding(b, root->getLoc(), wide,
                                root->getResult(0).getType(), root));
    }
  };
  auto replacement = linalg::GenericOp::create(
      builder, op->getLoc(), op->getResultTypes(), inputs.tensors,
      op.getDpsInits(), maps, op.getIteratorTypesArray(), body);
  op->replaceAllUsesWith(replacement);
  eraseWithProducers(op);
  return true;
}

/// The tensor of `inputs`, and its dimension, that `loop` runs along.
static std::optional<std::pair<Value, unsigned>>
findAlong(const BodyInputs &inputs, AffineExpr loop) {
  for (auto [tensor, map] : llvm::zip_equal(inputs.tensors, inputs.maps))
    if (auto position = map.getResultPosition(loop))
      return std::pair(tensor, *position);
  return std::nullopt;
}

bool prec::areSizesKnown(RankedTensorType type, ArrayRef<AffineExpr> dims,
                         const BodyInputs &inputs) {
  return llvm::all_of(llvm::enumerate(dims), [&](auto dim) {
    return !type.isDynamicDim(dim.index()) || findAlong(inputs, dim.value());
  });
}

SmallVector<OpFoldResult> prec::sizesOf(OpBuilder &builder, Location loc,
                                        RankedTensorType type,
                                        ArrayRef<AffineExpr> dims,
                                        const BodyInputs &inputs) {
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, loop] : llvm::enumerate(dims)) {
    if (!type.isDynamicDim(dim)) {
      sizes.push_back(builder.getIndexAttr(type.getDimSize(dim)));
      continue;
    }
    auto [tensor, position] = *findAlong(inputs, loop);
    sizes.push_back(tensor::getMixedSize(builder, loc, tensor, position));
  }
  return sizes;
}

/// What a tensor of `type` computed from `leaves` reads; false if it cannot.
static bool planTensor(RankedTensorType type, ArrayRef<Element> leaves,
                       BodyInputs &inputs) {
  return inputs.reserveAll(leaves) &&
         areSizesKnown(type,
                       AffineMap::getMultiDimIdentityMap(type.getRank(),
                                                         type.getContext())
                           .getResults(),
                       inputs);
}

bool prec::canWriteTensor(RankedTensorType type, ArrayRef<Element> leaves) {
  BodyInputs inputs;
  return planTensor(type, leaves, inputs);
}

Value prec::writeTensor(OpBuilder &builder, Location loc, RankedTensorType type,
                        const Expression &expression, ArrayRef<Element> leaves,
                        Operation *likeRound) {
  BodyInputs inputs;
  if (!planTensor(type, leaves, inputs))
    return {};
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<OpFoldResult> sizes =
      sizesOf(builder, loc, type, identity.getResults(), inputs);
  Value init =
      tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  SmallVector<AffineMap> maps = inputs.maps;
  maps.push_back(identity);
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, type, inputs.tensors, init, maps, loops,
             [&](OpBuilder &b, Location loc, ValueRange arguments) {
               SmallVector<Value> values;
               for (Element leaf : leaves)
                 values.push_back(inputs.write(b, loc, leaf, arguments));
               Value value = write(b, loc, expression, values);
               if (likeRound)
                 value = writeRounding(b, loc, value, type.getElementType(),
                                       likeRound);
               linalg::YieldOp::create(b, loc, value);
             })
      .getResult(0);
}

bool prec::canReplaceByExpression(Operation *root, ArrayRef<Element> leaves) {
  if (auto op = dyn_cast<linalg::LinalgOp>(root->getParentOp())) {
    BodyInputs inputs;
    return planBody(op, root, neededInBody(op, root), leaves, inputs);
  }
  auto type = dyn_cast<RankedTensorType>(root->getResult(0).getType());
  return type && canWriteTensor(type, leaves);
}

bool prec::replaceByExpression(Operation *root, const Expression &expression,
                               ArrayRef<Element> leaves) {
  if (auto op = dyn_cast<linalg::LinalgOp>(root->getParentOp()))
    return replaceInBody(op, root, expression, leaves);
  auto type = dyn_cast<RankedTensorType>(root->getResult(0).getType());
  if (!type)
    return false;
  OpBuilder builder(root);
  Value replacement =
      writeTensor(builder, root->getLoc(), type, expression, leaves, root);
  if (!replacement)
    return false;
  root->getResult(0).replaceAllUsesWith(replacement);
  eraseWithProducers(root);
  return true;
}
