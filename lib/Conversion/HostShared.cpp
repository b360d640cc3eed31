// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// The elements of a vector of one dimension; else 0.
static int64_t widthOf(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  return type && type.getRank() == 1 && !type.isScalable()
             ? type.getNumElements()
             : 0;
}

/// The width of the vectors that `block` computes functions of which `other`
/// computes too; 0 where there are none, or of several widths.
static int64_t widthOfShared(Block &block, Block &other) {
  int64_t width = 0;
  for (Operation &op : block) {
    if (!prec::isFunction(op) || llvm::none_of(other, [&](Operation &same) {
          return same.getName() == op.getName() &&
                 isa<VectorType>(same.getResult(0).getType());
        }))
      continue;
    const int64_t found = widthOf(op.getResult(0));
    if (found == 0 || (width != 0 && width != found))
      return 0;
    width = found;
  }
  return width;
}

static bool isSameLoad(vector::LoadOp one, vector::LoadOp other) {
  return one.getBase() == other.getBase() && one.getType() == other.getType() &&
         llvm::all_of(llvm::zip_equal(one.getIndices(), other.getIndices()),
                      [](auto indices) {
                        return isEqualConstantIntOrValue(std::get<0>(indices),
                                                         std::get<1>(indices));
                      });
}

/// The loads in a loop's body, and those before the loop since which nothing is
/// written.
static SmallVector<vector::LoadOp> loadsFor(scf::ForOp loop) {
  SmallVector<vector::LoadOp> loads(loop.getBody()->getOps<vector::LoadOp>());
  for (Operation *op = loop->getPrevNode(); op; op = op->getPrevNode()) {
    if (auto load = dyn_cast<vector::LoadOp>(op))
      loads.push_back(load);
    else if (!isMemoryEffectFree(op))
      break;
  }
  return loads;
}

namespace {

/// Computes what a loop's body computes elementwise with parts of vectors with
/// the vectors.
class Widening {
public:
  Widening(scf::ForOp loop, int64_t width, int64_t part)
      : loop(loop), body(*loop.getBody()), width(width), part(part) {}

  void run();

private:
  struct Part {
    Value whole;
    int64_t number;
  };

  void findLoads();
  void moveUp(Operation *op);
  bool widen(Operation &op);
  Value whole(ImplicitLocOpBuilder &b, Value value);
  Value extract(const Part &of);

  scf::ForOp loop;
  Block &body;
  int64_t width, part;
  /// What is part of a vector that is there, too.
  DenseMap<Value, Part> parts;
  DenseMap<std::pair<Value, int64_t>, Value> extracted;
  /// The last one at the start of the body.
  Operation *up = nullptr;
  DenseSet<Operation *> moved;
};

} // namespace

/// Finds the loads of parts of what is loaded, too, which goes to the start.
void Widening::findLoads() {
  SmallVector<vector::LoadOp> narrow, wide;
  for (vector::LoadOp load : loadsFor(loop)) {
    if (load->getBlock() == &body && widthOf(load.getResult()) == width)
      wide.push_back(load);
    if (widthOf(load.getResult()) == part)
      narrow.push_back(load);
  }
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  SmallVector<std::pair<vector::LoadOp, Part>> wanted;
  for (vector::LoadOp load : wide) {
    b.setInsertionPoint(load);
    for (int64_t number = 0; number < width / part; ++number) {
      SmallVector<Value> indices(load.getIndices());
      indices.back() = b.createOrFold<arith::AddIOp>(
          indices.back(), arith::ConstantIndexOp::create(b, number * part));
      auto type = VectorType::get(part, load.getVectorType().getElementType());
      wanted.push_back(
          {vector::LoadOp::create(b, type, load.getBase(), indices),
           {load, number}});
    }
  }
  prec::joinIndices(body);
  for (auto &[like, of] : wanted) {
    for (vector::LoadOp load : narrow)
      if (isSameLoad(load, like))
        parts.try_emplace(load, of);
    like.erase();
  }
  for (vector::LoadOp load : wide)
    moveUp(load);
}

/// Moves `op` with the indices that it needs to the start.
void Widening::moveUp(Operation *op) {
  if (op->getBlock() != &body || !moved.insert(op).second)
    return;
  for (Value operand : op->getOperands())
    if (Operation *definition = operand.getDefiningOp())
      moveUp(definition);
  if (up)
    op->moveAfter(up);
  else if (op != &body.front())
    op->moveBefore(&body.front());
  up = op;
}

/// The vector that `value` is part of, or all parts of which are the same.
Value Widening::whole(ImplicitLocOpBuilder &b, Value value) {
  if (widthOf(value) == 0)
    return value;
  if (auto known = parts.find(value); known != parts.end())
    return known->second.whole;
  auto type = VectorType::get(width, getElementTypeOrSelf(value));
  DenseElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)))
    return arith::ConstantOp::create(b, elements.resizeSplat(type));
  auto broadcast = value.getDefiningOp<vector::BroadcastOp>();
  return vector::BroadcastOp::create(b, type, broadcast.getSource());
}

/// Computes `op` on whole vectors, if its operands are parts of some.
bool Widening::widen(Operation &op) {
  if (!op.hasTrait<OpTrait::Elementwise>() || op.getNumResults() != 1 ||
      widthOf(op.getResult(0)) != part)
    return false;
  std::optional<int64_t> number;
  for (Value operand : op.getOperands()) {
    auto broadcast = operand.getDefiningOp<vector::BroadcastOp>();
    DenseElementsAttr elements;
    if (widthOf(operand) == 0 ||
        (broadcast && !isa<VectorType>(broadcast.getSourceType())) ||
        (matchPattern(operand, m_Constant(&elements)) && elements.isSplat()))
      continue;
    auto known = parts.find(operand);
    if (known == parts.end() || (number && *number != known->second.number))
      return false;
    number = known->second.number;
  }
  if (!number)
    return false;
  ImplicitLocOpBuilder b(op.getLoc(), &op);
  SmallVector<Value> operands;
  for (Value operand : op.getOperands())
    operands.push_back(whole(b, operand));
  Type type = VectorType::get(width, getElementTypeOrSelf(op.getResult(0)));
  OperationState state(op.getLoc(), op.getName(), operands, type,
                       op.getAttrs());
  parts[op.getResult(0)] = {b.create(state)->getResult(0), *number};
  return true;
}

Value Widening::extract(const Part &of) {
  if (width == part)
    return of.whole;
  Value &result = extracted[{of.whole, of.number}];
  if (!result) {
    ImplicitLocOpBuilder b(of.whole.getLoc(), of.whole.getContext());
    b.setInsertionPointAfterValue(of.whole);
    result = vector::ExtractStridedSliceOp::create(
        b, of.whole, of.number * part, part, /*strides=*/1);
  }
  return result;
}

void Widening::run() {
  findLoads();
  SmallVector<Operation *> replaced;
  for (Operation &op : llvm::make_early_inc_range(body)) {
    auto load = dyn_cast<vector::LoadOp>(op);
    if ((load && parts.contains(load)) || widen(op)) {
      replaced.push_back(&op);
      continue;
    }
    for (OpOperand &operand : op.getOpOperands())
      if (auto known = parts.find(operand.get()); known != parts.end())
        operand.set(extract(known->second));
  }
  for (Operation *op : llvm::reverse(replaced))
    if (op->use_empty())
      op->erase();
}

/// Puts the iterations of `loop`, one after another, in its place.
static void writeOut(scf::ForOp loop) {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  for (int64_t i = 0, end = prec::iterationsOf(loop); i < end; ++i) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(),
                arith::ConstantIndexOp::create(b, i).getResult());
    for (Operation &op : loop.getBody()->without_terminator()) {
      Operation *copy = b.clone(op, mapping);
      SmallVector<Value> folded;
      if (succeeded(b.tryFold(copy, folded)) && !folded.empty()) {
        mapping.map(op.getResults(), folded);
        copy->erase();
      }
    }
  }
  loop.erase();
}

bool prec::shareFunctions(scf::ForOp rows, scf::ForOp elements) {
  Block &row = *rows.getBody();
  const int64_t width = widthOfShared(*elements.getBody(), row),
                part = widthOfShared(row, *elements.getBody());
  if (width == 0 || part == 0 || width % part != 0)
    return false;
  writeOut(elements);
  Widening(rows, width, part).run();
  return true;
}
