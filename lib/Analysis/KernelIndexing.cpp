// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Analysis/KernelIndexing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace prec;

/// The operation whose body computes one element from its loop indices.
static bool hasElementBody(Operation *op) {
  return isa_and_nonnull<linalg::LinalgOp, tensor::GenerateOp, tensor::PadOp>(
      op);
}

/// A view, or a choice between views: no arithmetic.
static bool isView(Operation *op) {
  return isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp,
             tensor::PadOp, tensor::SplatOp, tensor::GenerateOp, ObserveOp,
             MaterializeOp>(op);
}

bool prec::isKernelBodyOp(Operation *op) {
  return isView(op) || op->hasTrait<OpTrait::ConstantLike>() ||
         isa<linalg::LinalgOp, SumOp, tensor::EmptyOp, tensor::ExtractOp,
             tensor::DimOp>(op) ||
         (op->getNumRegions() == 0 && op->getNumResults() == 1 &&
          op->hasTrait<OpTrait::Elementwise>());
}

static LogicalResult unsupported(Operation *op, const Twine &why = "") {
  return op->emitOpError() << "is unsupported in a kernel" << why;
}

SmallVector<AffineExpr> prec::loopExtents(linalg::LinalgOp op,
                                          TensorSizes &sizes) {
  SmallVector<AffineExpr> extents(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        continue;
      AffineExpr &extent = extents[dim.getPosition()];
      if (extent && isa<AffineConstantExpr>(extent))
        continue;
      AffineExpr size = sizes.size(operand.get(), i);
      if (!extent || isa<AffineConstantExpr>(size))
        extent = size;
    }
  }
  return extents;
}

Demand prec::operandAt(linalg::LinalgOp op, unsigned number,
                       ArrayRef<AffineExpr> loops, IndexSpace &space) {
  Value operand = op->getOperand(number);
  if (!isa<RankedTensorType>(operand.getType()))
    return {operand, {}};
  AffineMap map = op.getMatchingIndexingMap(&op->getOpOperand(number));
  Demand demand{operand, {}};
  for (AffineExpr expr : map.getResults())
    demand.coords.push_back(space.simplify(expr.replaceDims(loops)));
  return demand;
}

std::optional<AffineExpr> prec::asIndexExpr(Value value,
                                            ArrayRef<AffineExpr> loops,
                                            IndexSpace &space,
                                            TensorSizes &sizes) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return space.constant(*constant);
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    if (isa<tensor::GenerateOp, tensor::PadOp>(arg.getOwner()->getParentOp()))
      return loops[arg.getArgNumber()];
    if (value.getType().isIndex() &&
        isa<KernelOp>(arg.getOwner()->getParentOp()))
      return sizes.index(value);
    return std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  auto both = [&](auto binary, auto combine) -> std::optional<AffineExpr> {
    auto lhs = asIndexExpr(binary.getLhs(), loops, space, sizes);
    if (!lhs)
      return std::nullopt;
    auto rhs = asIndexExpr(binary.getRhs(), loops, space, sizes);
    if (!rhs)
      return std::nullopt;
    return combine(*lhs, *rhs);
  };
  return TypeSwitch<Operation *, std::optional<AffineExpr>>(op)
      .Case([&](linalg::IndexOp index) { return loops[index.getDim()]; })
      .Case([&](tensor::DimOp dim) -> std::optional<AffineExpr> {
        if (std::optional<int64_t> i = dim.getConstantIndex())
          return sizes.size(dim.getSource(), *i);
        return std::nullopt;
      })
      .Case([&](arith::AddIOp add) {
        return both(add, [&](AffineExpr a, AffineExpr b) {
          return space.simplify(a + b);
        });
      })
      .Case([&](arith::SubIOp sub) {
        return both(sub, [&](AffineExpr a, AffineExpr b) {
          return space.simplify(a - b);
        });
      })
      .Case([&](arith::MulIOp mul) {
        return both(
            mul, [&](AffineExpr a, AffineExpr b) -> std::optional<AffineExpr> {
              if (!a.isSymbolicOrConstant() && !b.isSymbolicOrConstant())
                return std::nullopt;
              return space.simplify(a * b);
            });
      })
      .Default([](Operation *) { return std::nullopt; });
}

SmallVector<AffineExpr> prec::kernelShape(KernelOp kernel, TensorSizes &sizes) {
  return sizes.sizes(kernel.getBody().front().getTerminator()->getOperand(0));
}

AffineExpr prec::numElements(ArrayRef<AffineExpr> shape, MLIRContext *context) {
  AffineExpr count = getAffineConstantExpr(1, context);
  for (AffineExpr size : shape)
    count = count * size;
  return count;
}

unsigned prec::innerDimension(ArrayRef<AffineExpr> shape) {
  for (unsigned i = shape.size(); i-- > 0;) {
    auto size = dyn_cast<AffineConstantExpr>(shape[i]);
    if (!size || size.getValue() != 1)
      return i;
  }
  return 0;
}

namespace {

/// Expands one demand.
class Expander {
public:
  Expander(const Demand &demand, IndexSpace &space, TensorSizes &sizes)
      : value(demand.value), coords(demand.coords), space(space), sizes(sizes) {
  }

  FailureOr<Expansion> run();

private:
  FailureOr<Expansion> blockArgument(BlockArgument arg);
  FailureOr<Expansion> structured(linalg::LinalgOp op);
  FailureOr<Expansion> extractSlice(tensor::ExtractSliceOp op);
  FailureOr<Expansion> insertSlice(tensor::InsertSliceOp op);
  FailureOr<Expansion> concat(tensor::ConcatOp op);
  FailureOr<Expansion> pad(tensor::PadOp op);
  FailureOr<Expansion> elementwise(Operation *op);

  Expansion alias(Value source, ArrayRef<AffineExpr> at) {
    Expansion result;
    result.kind = Expansion::Alias;
    result.demands.push_back({source, SmallVector<AffineExpr>(at)});
    return result;
  }
  /// A size or offset of the kernel, as an expression.
  FailureOr<AffineExpr> offset(Operation *op, OpFoldResult value) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return space.constant(*constant);
    if (auto expr = asIndexExpr(cast<Value>(value), {}, space, sizes))
      return *expr;
    return unsupported(op, " with an offset computed from data");
  }

  Value value;
  ArrayRef<AffineExpr> coords;
  IndexSpace &space;
  TensorSizes &sizes;
};

} // namespace

FailureOr<Expansion> Expander::blockArgument(BlockArgument arg) {
  Operation *parent = arg.getOwner()->getParentOp();
  if (isa<KernelOp>(parent))
    return Expansion{};
  if (auto op = dyn_cast<linalg::LinalgOp>(parent)) {
    Demand operand = operandAt(op, arg.getArgNumber(), coords, space);
    return alias(operand.value, operand.coords);
  }
  Expansion result;
  result.kind = Expansion::Index;
  result.index = coords[arg.getArgNumber()];
  return result;
}

FailureOr<Expansion> Expander::structured(linalg::LinalgOp op) {
  unsigned number = cast<OpResult>(value).getResultNumber();
  AffineMap map = op.getIndexingMapMatchingResult(cast<OpResult>(value));
  SmallVector<AffineExpr> loops(op.getNumLoops());
  for (auto [expr, coord] : llvm::zip_equal(map.getResults(), coords)) {
    if (isa<AffineConstantExpr>(expr))
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || loops[dim.getPosition()])
      return unsupported(op, " with this output map");
    loops[dim.getPosition()] = coord;
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  bool reduces = false;
  for (unsigned i = 0; i < loops.size(); ++i) {
    if (loops[i])
      continue;
    if (iterators[i] != utils::IteratorType::reduction) {
      // A parallel loop of one iteration may be absent from the output.
      if (loopExtents(op, sizes)[i] != space.constant(1))
        return unsupported(op, " with a parallel loop that no output has");
      loops[i] = space.constant(0);
      continue;
    }
    reduces = true;
  }
  if (!reduces)
    return alias(op.getBlock()->getTerminator()->getOperand(number), loops);
  Expansion result;
  result.kind = Expansion::Reduce;
  result.op = op;
  result.loops = std::move(loops);
  return result;
}

FailureOr<Expansion> Expander::extractSlice(tensor::ExtractSliceOp op) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<AffineExpr> at;
  unsigned next = 0;
  for (auto [i, first, stride] :
       llvm::enumerate(op.getMixedOffsets(), op.getMixedStrides())) {
    FailureOr<AffineExpr> start = offset(op, first);
    FailureOr<AffineExpr> step = offset(op, stride);
    if (failed(start) || failed(step))
      return failure();
    AffineExpr coord = dropped.test(i) ? space.constant(0) : coords[next++];
    at.push_back(space.simplify(*start + coord * *step));
  }
  return alias(op.getSource(), at);
}

FailureOr<Expansion> Expander::insertSlice(tensor::InsertSliceOp op) {
  if (!llvm::all_of(op.getMixedStrides(), isOneInteger))
    return unsupported(op, " with strides");
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Expansion result;
  result.kind = Expansion::Select;
  Piece inserted;
  inserted.source.value = op.getSource();
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  SmallVector<OpFoldResult> extents = op.getMixedSizes();
  for (auto [i, coord] : llvm::enumerate(coords)) {
    FailureOr<AffineExpr> first = offset(op, offsets[i]);
    FailureOr<AffineExpr> extent = offset(op, extents[i]);
    if (failed(first) || failed(extent))
      return failure();
    // The whole dimension is inserted: no test.
    if (*first != space.constant(0) || *extent != sizes.size(op.getDest(), i)) {
      inserted.guards.push_back({coord, *first, false});
      inserted.guards.push_back(
          {coord, space.simplify(*first + *extent), true});
    }
    if (!dropped.test(i))
      inserted.source.coords.push_back(space.simplify(coord - *first));
  }
  result.pieces.push_back(std::move(inserted));
  result.pieces.push_back(
      {{}, {op.getDest(), SmallVector<AffineExpr>(coords)}});
  return result;
}

FailureOr<Expansion> Expander::concat(tensor::ConcatOp op) {
  Expansion result;
  result.kind = Expansion::Select;
  unsigned dim = op.getDim();
  AffineExpr first = space.constant(0);
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    Piece piece{{}, {input, SmallVector<AffineExpr>(coords)}};
    piece.source.coords[dim] = space.simplify(coords[dim] - first);
    first = space.simplify(first + sizes.size(input, dim));
    if (i + 1 < op.getInputs().size())
      piece.guards.push_back({coords[dim], first, true});
    result.pieces.push_back(std::move(piece));
  }
  return result;
}

FailureOr<Expansion> Expander::pad(tensor::PadOp op) {
  Expansion result;
  result.kind = Expansion::Select;
  Piece inner;
  inner.source.value = op.getSource();
  SmallVector<OpFoldResult> low = op.getMixedLowPad();
  SmallVector<OpFoldResult> high = op.getMixedHighPad();
  for (auto [i, coord] : llvm::enumerate(coords)) {
    FailureOr<AffineExpr> first = offset(op, low[i]);
    if (failed(first))
      return failure();
    if (*first != space.constant(0))
      inner.guards.push_back({coord, *first, false});
    if (!isZeroInteger(high[i]))
      inner.guards.push_back(
          {coord, space.simplify(*first + sizes.size(op.getSource(), i)),
           true});
    inner.source.coords.push_back(space.simplify(coord - *first));
  }
  result.pieces.push_back(std::move(inner));
  result.pieces.push_back(
      {{},
       {op.getRegion().front().getTerminator()->getOperand(0),
        SmallVector<AffineExpr>(coords)}});
  return result;
}

FailureOr<Expansion> Expander::elementwise(Operation *op) {
  if (op->getNumRegions() != 0 || op->getNumResults() != 1)
    return unsupported(op);
  bool inBody = hasElementBody(op->getParentOp());
  Expansion result;
  result.kind = Expansion::Elementwise;
  result.op = op;
  for (Value operand : op->getOperands()) {
    bool sameCoords = inBody ? operand.getParentBlock() == op->getBlock()
                             : isa<RankedTensorType>(operand.getType());
    result.demands.push_back({operand, sameCoords
                                           ? SmallVector<AffineExpr>(coords)
                                           : SmallVector<AffineExpr>()});
  }
  return result;
}

FailureOr<Expansion> Expander::run() {
  if (auto arg = dyn_cast<BlockArgument>(value))
    return blockArgument(arg);
  Operation *op = value.getDefiningOp();
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op))
    return Expansion{};
  if (value.getType().isIndex() && !isa<tensor::ExtractOp>(op))
    if (auto index = asIndexExpr(value, coords, space, sizes)) {
      Expansion result;
      result.kind = Expansion::Index;
      result.index = *index;
      return result;
    }
  return TypeSwitch<Operation *, FailureOr<Expansion>>(op)
      .Case([&](linalg::LinalgOp linalgOp) { return structured(linalgOp); })
      .Case<ObserveOp, MaterializeOp>(
          [&](auto same) { return alias(same.getInput(), coords); })
      .Case(
          [&](tensor::CastOp cast) { return alias(cast.getSource(), coords); })
      .Case([&](tensor::SplatOp splat) { return alias(splat.getInput(), {}); })
      .Case([&](tensor::GenerateOp generate) {
        return alias(generate.getBody().front().getTerminator()->getOperand(0),
                     coords);
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        SmallVector<AffineExpr> resultSizes = sizes.sizes(expand.getResult());
        SmallVector<AffineExpr> at;
        for (const ReassociationIndices &group :
             expand.getReassociationIndices()) {
          SmallVector<AffineExpr> inner, extents;
          for (int64_t i : group) {
            inner.push_back(coords[i]);
            extents.push_back(resultSizes[i]);
          }
          at.push_back(space.linearize(inner, extents));
        }
        return FailureOr<Expansion>(alias(expand.getSrc(), at));
      })
      .Case([&](tensor::CollapseShapeOp collapse) {
        SmallVector<AffineExpr> sourceSizes = sizes.sizes(collapse.getSrc());
        SmallVector<AffineExpr> at(sourceSizes.size(), space.constant(0));
        for (auto [coord, group] :
             llvm::zip_equal(coords, collapse.getReassociationIndices())) {
          SmallVector<AffineExpr> extents;
          for (int64_t i : group)
            extents.push_back(sourceSizes[i]);
          for (auto [i, inner] :
               llvm::zip_equal(group, space.delinearize(coord, extents)))
            at[i] = inner;
        }
        return FailureOr<Expansion>(alias(collapse.getSrc(), at));
      })
      .Case([&](tensor::ExtractSliceOp slice) { return extractSlice(slice); })
      .Case([&](tensor::InsertSliceOp slice) { return insertSlice(slice); })
      .Case([&](tensor::ConcatOp concatOp) { return concat(concatOp); })
      .Case([&](tensor::PadOp padOp) { return pad(padOp); })
      .Case([&](tensor::ExtractOp extract) {
        Expansion result;
        result.kind = Expansion::Extract;
        result.op = extract;
        bool inBody = hasElementBody(extract->getParentOp());
        for (Value index : extract.getIndices())
          result.demands.push_back(
              {index, inBody && index.getParentBlock() == extract->getBlock()
                          ? SmallVector<AffineExpr>(coords)
                          : SmallVector<AffineExpr>()});
        return FailureOr<Expansion>(result);
      })
      .Case([&](SumOp sum) {
        Expansion result;
        result.kind = Expansion::Sum;
        result.op = sum;
        result.loops.assign(coords.begin(), coords.end());
        result.loops.insert(result.loops.begin() + sum.getDimension(),
                            AffineExpr());
        return FailureOr<Expansion>(result);
      })
      .Default([&](Operation *other) { return elementwise(other); });
}

FailureOr<Expansion> prec::expandElement(const Demand &demand,
                                         IndexSpace &space,
                                         TensorSizes &sizes) {
  return Expander(demand, space, sizes).run();
}
