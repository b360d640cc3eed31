// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elements.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace prec;

Element Element::of(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return {tensor, AffineMap::getMultiDimIdentityMap(type.getRank(),
                                                    tensor.getContext())};
}

Element Element::of(Value scalar, linalg::LinalgOp op) {
  return {scalar, AffineMap::getMultiDimIdentityMap(op.getNumLoops(),
                                                    op->getContext())};
}

bool prec::isHalf(Type type) { return type.isBF16() || type.isF16(); }

/// `at` with other results.
static AffineMap withResults(AffineMap at, ArrayRef<AffineExpr> results,
                             unsigned symbols = 0) {
  return AffineMap::get(at.getNumDims(), std::max(at.getNumSymbols(), symbols),
                        results, at.getContext());
}

/// `indices` (over the dimensions that `at` gives) at `at`. All symbols are
/// one: "not known".
static AffineMap composed(AffineMap indices, AffineMap at) {
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : indices.getResults())
    results.push_back(expr.replaceDims(at.getResults()));
  return simplifyAffineMap(withResults(at, results, indices.getNumSymbols()));
}

/// The indices in the source of a reshape between `wide` (more dimensions) and
/// `narrow`; `at` are those in its result.
static std::optional<AffineMap>
throughReshape(ArrayRef<ReassociationIndices> groups, RankedTensorType wide,
               bool expands, AffineMap at) {
  SmallVector<AffineExpr> results;
  MLIRContext *context = at.getContext();
  for (auto [narrow, group] : llvm::enumerate(groups)) {
    if (expands) { // the result is wide
      AffineExpr index = getAffineConstantExpr(0, context);
      for (int64_t dim : group) {
        if (wide.getDimSize(dim) == 1)
          continue;
        if (wide.isDynamicDim(dim) && dim != group.front() &&
            index != getAffineConstantExpr(0, context))
          return std::nullopt;
        index =
            (wide.isDynamicDim(dim) ? index : index * wide.getDimSize(dim)) +
            at.getResult(dim);
      }
      results.push_back(index);
      continue;
    }
    SmallVector<int64_t> large = llvm::filter_to_vector(
        group, [&](int64_t dim) { return wide.getDimSize(dim) != 1; });
    if (large.size() > 1)
      return std::nullopt;
    for (int64_t dim : group)
      results.push_back(llvm::is_contained(large, dim)
                            ? at.getResult(narrow)
                            : getAffineConstantExpr(0, context));
  }
  return simplifyAffineMap(withResults(at, results));
}

static std::optional<Element> throughSlice(tensor::ExtractSliceOp slice,
                                           AffineMap at) {
  if (!slice.hasUnitStride())
    return std::nullopt;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<AffineExpr> results;
  unsigned next = 0;
  for (auto [dim, offset] : llvm::enumerate(slice.getMixedOffsets())) {
    std::optional<int64_t> constant = getConstantIntValue(offset);
    if (!constant)
      return std::nullopt;
    AffineExpr index = getAffineConstantExpr(*constant, at.getContext());
    results.push_back(dropped[dim] ? index : at.getResult(next++) + index);
  }
  return Element{slice.getSource(),
                 simplifyAffineMap(withResults(at, results))};
}

/// The element that tensor.extract reads at the loops `at`.
static Element throughGather(tensor::ExtractOp extract, AffineMap at) {
  SmallVector<AffineExpr> results;
  unsigned symbols = 0;
  for (Value index : extract.getIndices()) {
    if (auto loop = index.getDefiningOp<linalg::IndexOp>()) {
      results.push_back(at.getResult(loop.getDim()));
      continue;
    }
    results.push_back(getAffineSymbolExpr(0, at.getContext()));
    symbols = 1;
  }
  return {extract.getTensor(), withResults(at, results, symbols)};
}

std::optional<Element> prec::moved(Element element, Through through) {
  auto [value, at] = element;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto op = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
    if (!op)
      return std::nullopt;
    OpOperand *operand =
        op.getOpOperandsMatchingBBargs()[argument.getArgNumber()];
    // An accumulator is no element of its operand.
    if (!op.isDpsInput(operand) && op.getNumParallelLoops() != op.getNumLoops())
      return std::nullopt;
    return Element{operand->get(),
                   composed(op.getMatchingIndexingMap(operand), at)};
  }
  Operation *def = value.getDefiningOp();
  if (auto op = dyn_cast<linalg::LinalgOp>(def)) {
    auto result = cast<OpResult>(value);
    AffineMap map = op.getIndexingMapMatchingResult(result);
    if (op.getNumParallelLoops() != op.getNumLoops() || !map.isPermutation())
      return std::nullopt;
    return Element{
        op.getBlock()->getTerminator()->getOperand(result.getResultNumber()),
        composed(inversePermutation(map), at)};
  }
  if (isa<tensor::CastOp, ObserveOp>(def))
    return Element{def->getOperand(0), at};
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(def)) {
    if (auto source =
            throughReshape(expand.getReassociationIndices(),
                           expand.getResultType(), /*expands=*/true, at))
      return Element{expand.getSrc(), *source};
    return std::nullopt;
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(def)) {
    if (auto source =
            throughReshape(collapse.getReassociationIndices(),
                           collapse.getSrcType(), /*expands=*/false, at))
      return Element{collapse.getSrc(), *source};
    return std::nullopt;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(def);
      slice && through.slices)
    return throughSlice(slice, at);
  if (auto extract = dyn_cast<tensor::ExtractOp>(def);
      extract && through.gathers &&
      extract->getParentOfType<linalg::LinalgOp>())
    return throughGather(extract, at);
  return std::nullopt;
}

std::optional<Element> prec::uncast(Element element, Through through,
                                    unsigned &rounds) {
  Operation *def = element.value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtFOp, arith::TruncFOp, RoundOp>(def))
    return std::nullopt;
  Element operand{def->getOperand(0), element.at};
  if (isa<arith::ExtFOp>(def))
    return isHalf(operand.type()) && element.type().isF32()
               ? std::optional<Element>(operand)
               : std::nullopt;
  auto round = dyn_cast<RoundOp>(def);
  bool nearest = round ? round.getMode() == RoundingMode::nearest_even &&
                             !round.getSaturate()
                       : cast<arith::TruncFOp>(def).getRoundingmode().value_or(
                             arith::RoundingMode::to_nearest_even) ==
                             arith::RoundingMode::to_nearest_even;
  if (!nearest || !isHalf(element.type()) || !operand.type().isF32())
    return std::nullopt;
  // What was widened from this format is not changed.
  if (auto widened = operand.value.getDefiningOp<arith::ExtFOp>())
    if (getElementTypeOrSelf(widened.getIn().getType()) == element.type())
      return Element{widened.getIn(), element.at};
  if (!through.roundings)
    return std::nullopt;
  ++rounds;
  return operand;
}

SmallVector<Element> prec::history(Element element, Through through) {
  SmallVector<Element> elements = {element};
  unsigned rounds = 0;
  while (true) {
    std::optional<Element> next = moved(elements.back(), through);
    if (!next)
      next = uncast(elements.back(), through, rounds);
    if (!next)
      return elements;
    elements.push_back(*next);
  }
}

/// Whether a linalg operation can read a tensor so: at dimensions, each once,
/// and constants.
static bool isSimple(AffineMap at) {
  llvm::SmallBitVector seen(at.getNumDims());
  return llvm::all_of(at.getResults(), [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return isa<AffineConstantExpr>(expr);
    if (seen[dim.getPosition()])
      return false;
    seen.set(dim.getPosition());
    return true;
  });
}

Element prec::origin(Element element) {
  Element best = element;
  bool fromTensor = element.isTensor();
  for (Element e : history(element, {})) {
    if (!isSimple(e.at))
      break;
    fromTensor |= e.isTensor();
    if (e.isTensor() || !fromTensor)
      best = e;
  }
  return best;
}

static bool isSameValue(Value a, Value b, unsigned depth) {
  if (a == b)
    return true;
  auto x = dyn_cast<OpResult>(a), y = dyn_cast<OpResult>(b);
  if (!x || !y || !depth || x.getResultNumber() != y.getResultNumber() ||
      !isMemoryEffectFree(x.getOwner()))
    return false;
  return OperationEquivalence::isEquivalentTo(
      x.getOwner(), y.getOwner(),
      [&](Value p, Value q) { return success(isSameValue(p, q, depth - 1)); },
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

bool prec::isSame(Element a, Element b) {
  return a.at == b.at && isSameValue(a.value, b.value, /*depth=*/8);
}

bool prec::isSameInWhole(Element a, Element b) {
  Through slices{/*slices=*/true};
  return isSame(a, b) ||
         isSame(history(a, slices).back(), history(b, slices).back());
}

Element prec::peel(Element element, unsigned &roundings) {
  while (true) {
    if (auto saved = element.value.getDefiningOp<MaterializeOp>()) {
      element.value = saved->getOperand(0);
      continue;
    }
    std::optional<Element> next = moved(element);
    if (!next)
      next = uncast(element, {.roundings = true}, roundings);
    if (!next)
      return element;
    element = *next;
  }
}

std::optional<double> prec::constantOf(Element element) {
  unsigned roundings = 0;
  Value value = peel(element, roundings).value;
  // A number that a program has as an integer.
  if (auto cast = value.getDefiningOp<arith::SIToFPOp>()) {
    Element integer{cast.getIn(), element.at};
    while (std::optional<Element> next = moved(integer))
      integer = *next;
    IntegerAttr scalar;
    DenseIntElementsAttr all;
    std::optional<APInt> number;
    if (matchPattern(integer.value, m_Constant(&all)) && all.isSplat())
      number = all.getSplatValue<APInt>();
    else if (matchPattern(integer.value, m_Constant(&scalar)))
      number = scalar.getValue();
    // One that is exact in f32.
    if (!number || number->getSignificantBits() > 24)
      return std::nullopt;
    return number->signedRoundToDouble();
  }
  DenseFPElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat())
    return elements.getSplatValue<APFloat>().convertToDouble();
  FloatAttr scalar;
  if (matchPattern(value, m_Constant(&scalar)))
    return scalar.getValueAsDouble();
  return std::nullopt;
}
