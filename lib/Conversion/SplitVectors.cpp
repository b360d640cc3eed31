// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

namespace prec {
#define GEN_PASS_DEF_SPLITVECTORSPASS
#include "prec/Conversion/Passes.h.inc"
} // namespace prec

using namespace mlir;

namespace {

/// Which elements a half has.
enum class Way {
  Neighbours, ///< those before, or behind, the middle
  Parity,     ///< 0, 2, 4, ... or 1, 3, 5, ...
};

/// Splits the vectors of `count` elements of one function.
class Splitter {
public:
  Splitter(func::FuncOp func, int64_t count, Way way)
      : func(func), count(count), way(way) {}

  /// Whether all of them can be split, and that gains something: by parity,
  /// where there are some of bf16 in memory.
  bool canSplit();
  void split();

private:
  using Halves = std::pair<Value, Value>;

  bool isWide(Type type) const {
    auto vector = dyn_cast<VectorType>(type);
    return vector && vector.getRank() == 1 && !vector.isScalable() &&
           vector.getNumElements() == count;
  }
  bool isWide(Value value) const { return isWide(value.getType()); }
  VectorType half(Type element) const {
    return VectorType::get(count / 2, element);
  }
  /// In which half element `i` is.
  unsigned halfOf(int64_t i) const {
    return isParity() ? i % 2 : 2 * i / count;
  }
  bool isParity() const { return way == Way::Parity; }
  static int64_t offsetOf(vector::ExtractStridedSliceOp slice) {
    return cast<IntegerAttr>(slice.getOffsets()[0]).getInt();
  }
  /// Whether it is all elements before, or all behind, the middle.
  bool isHalf(vector::ExtractStridedSliceOp slice) const {
    return slice.getType().getNumElements() == count / 2 &&
           offsetOf(slice) % (count / 2) == 0;
  }
  bool canSplit(Operation *op) const;
  bool canSplitMemory(Type type) const;
  Halves splitOp(Operation *op);
  Halves splitLoad(ImplicitLocOpBuilder &b, vector::LoadOp load);
  Halves splitPairs(ImplicitLocOpBuilder &b, Value whole);
  SmallVector<Value> partsOf(ValueRange values);
  void replace(ValueRange values, ValueRange parts);
  void splitIf(scf::IfOp choice);
  void splitReduction(vector::ReductionOp reduction);
  void splitFor(scf::ForOp loop);
  void splitBlock(Block &block);
  void splitStore(vector::StoreOp store, Halves halves);
  Value behind(ImplicitLocOpBuilder &b, Value index);
  Value join(ImplicitLocOpBuilder &b, Type whole, Halves halves);
  bool staysWhole(Operation *op) const;
  void keepWhole(Operation *op);
  Halves splitConstant(ImplicitLocOpBuilder &b, DenseElementsAttr elements);
  Halves splitElements(ImplicitLocOpBuilder &b, ValueRange elements);
  Halves clone(ImplicitLocOpBuilder &b, Operation *op);

  func::FuncOp func;
  int64_t count;
  Way way;
  DenseMap<Value, Halves> halves;
  /// Of what has halves, whole vectors: of loads and what is computed from them
  /// in 16 bits, and of halves that are together again.
  DenseMap<Value, Value> wholes;
  /// What goes in the end, last ones first.
  SmallVector<Operation *> replaced;
};

struct SplitVectors : prec::impl::SplitVectorsPassBase<SplitVectors> {
  using Base::Base;
  void runOnOperation() override {
    for (auto [registers, way] :
         {std::pair(4, Way::Neighbours), std::pair(2, Way::Parity)}) {
      Splitter splitter(getOperation(), registers * lanes, way);
      if (splitter.canSplit())
        splitter.split();
    }
  }
};

} // namespace

/// By parity: bf16 by shifts; 32 bits by shuffles. f16 is converted by halves
/// of a register, so that nothing is gained.
bool Splitter::canSplitMemory(Type type) const {
  if (!isParity())
    return true;
  Type element = cast<VectorType>(type).getElementType();
  return element.isBF16() || element.isF32() || element.isInteger(32);
}

bool Splitter::canSplit(Operation *op) const {
  auto wide = [&](Value value) { return isWide(value); };
  if (llvm::none_of(op->getOperands(), wide) &&
      llvm::none_of(op->getResults(), wide))
    return true;
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](vector::LoadOp load) { return canSplitMemory(load.getType()); })
      .Case([&](vector::StoreOp store) {
        return canSplitMemory(store.getVectorType());
      })
      .Case([&](arith::ConstantOp constant) {
        return isa<DenseElementsAttr>(constant.getValue());
      })
      .Case([&](vector::BroadcastOp broadcast) {
        return !isa<VectorType>(broadcast.getSourceType());
      })
      .Case([&](vector::FromElementsOp) { return true; })
      .Case([&](vector::ReductionOp reduction) {
        return reduction.getKind() == vector::CombiningKind::OR &&
               !reduction.getAcc();
      })
      .Case([&](scf::IfOp) { return true; })
      .Case([&](scf::ForOp) { return true; })
      .Case([&](scf::YieldOp yield) {
        return isa<scf::IfOp, scf::ForOp>(yield->getParentOp());
      })
      .Case([&](vector::ExtractStridedSliceOp slice) {
        return isParity() ? !wide(slice.getResult()) : isHalf(slice);
      })
      // Of a vector whose halves are together again.
      .Case([&](vector::ExtractOp extract) {
        return isParity() && !wide(extract.getResult());
      })
      .Default([&](Operation *other) {
        return other->hasTrait<OpTrait::Elementwise>() &&
               other->getNumResults() == 1 && wide(other->getResult(0));
      });
}

bool Splitter::canSplit() {
  if (!func.getBody().hasOneBlock() ||
      llvm::any_of(func.getArgumentTypes(),
                   [&](Type type) { return isWide(type); }))
    return false;
  bool gains = false;
  WalkResult found = func.walk([&](Operation *op) {
    if (auto load = dyn_cast<vector::LoadOp>(op))
      gains |= isWide(load.getType()) &&
               (!isParity() || load.getVectorType().getElementType().isBF16());
    if (op->getNumRegions() != 0 && !isa<scf::IfOp, scf::ForOp>(op) &&
        op != func)
      return WalkResult::interrupt();
    return canSplit(op) ? WalkResult::advance() : WalkResult::interrupt();
  });
  return gains && !found.wasInterrupted();
}

/// The element at `index` of a memory, half a vector further.
Value Splitter::behind(ImplicitLocOpBuilder &b, Value index) {
  Value distance = arith::ConstantIndexOp::create(b, count / 2);
  return arith::AddIOp::create(b, index, distance);
}

Splitter::Halves Splitter::splitLoad(ImplicitLocOpBuilder &b,
                                     vector::LoadOp load) {
  if (isParity())
    return splitPairs(b, load.getResult());
  VectorType type = half(load.getVectorType().getElementType());
  SmallVector<Value> indices(load.getIndices());
  auto first = vector::LoadOp::create(b, type, load.getBase(), indices);
  first.setAlignmentAttr(load.getAlignmentAttr());
  indices.back() = behind(b, indices.back());
  return {first, vector::LoadOp::create(b, type, load.getBase(), indices)};
}

void Splitter::splitStore(vector::StoreOp store, Halves halves) {
  ImplicitLocOpBuilder b(store.getLoc(), store);
  if (isParity()) {
    Value whole = wholes.lookup(store.getValueToStore());
    store.getValueToStoreMutable().assign(
        whole ? whole : join(b, store.getVectorType(), halves));
    return;
  }
  store.getValueToStoreMutable().assign(halves.first);
  b.setInsertionPointAfter(store);
  SmallVector<Value> indices(store.getIndices());
  indices.back() = behind(b, indices.back());
  vector::StoreOp::create(b, halves.second, store.getBase(), indices);
}

/// Two 16-bit elements are the low and the high half of a 32-bit one.
Splitter::Halves Splitter::splitPairs(ImplicitLocOpBuilder &b, Value whole) {
  auto type = cast<VectorType>(whole.getType());
  if (type.getElementTypeBitWidth() != 16) {
    auto parts = vector::DeinterleaveOp::create(b, whole);
    return {parts.getRes1(), parts.getRes2()};
  }
  VectorType words = half(b.getI32Type()), narrow = half(b.getI16Type());
  Value pairs = vector::BitCastOp::create(b, words, whole);
  Value amount = arith::ConstantOp::create(
      b, b.getI32VectorAttr(SmallVector<int32_t>(count / 2, 16)));
  Value high = arith::ShRUIOp::create(b, pairs, amount);
  auto element = [&](Value bits) -> Value {
    Value low = arith::TruncIOp::create(b, narrow, bits);
    return b.createOrFold<arith::BitcastOp>(half(type.getElementType()), low);
  };
  return {element(pairs), element(high)};
}

Value Splitter::join(ImplicitLocOpBuilder &b, Type whole, Halves halves) {
  if (cast<VectorType>(whole).getElementTypeBitWidth() != 16)
    return vector::InterleaveOp::create(b, halves.first, halves.second);
  VectorType words = half(b.getI32Type()), narrow = half(b.getI16Type());
  auto bits = [&](Value value) -> Value {
    Value low = b.createOrFold<arith::BitcastOp>(narrow, value);
    return arith::ExtUIOp::create(b, words, low);
  };
  Value amount = arith::ConstantOp::create(
      b, b.getI32VectorAttr(SmallVector<int32_t>(count / 2, 16)));
  Value high = arith::ShLIOp::create(b, bits(halves.second), amount);
  Value pairs = arith::OrIOp::create(b, high, bits(halves.first));
  return vector::BitCastOp::create(b, cast<VectorType>(whole), pairs);
}

Splitter::Halves Splitter::splitConstant(ImplicitLocOpBuilder &b,
                                         DenseElementsAttr elements) {
  VectorType type = half(elements.getElementType());
  auto make = [&](unsigned first) -> Value {
    if (elements.isSplat())
      return arith::ConstantOp::create(b, elements.resizeSplat(type));
    SmallVector<Attribute> values;
    for (auto [i, value] : llvm::enumerate(elements.getValues<Attribute>()))
      if (halfOf(i) == first)
        values.push_back(value);
    return arith::ConstantOp::create(b, DenseElementsAttr::get(type, values));
  };
  Value first = make(0);
  return {first, elements.isSplat() ? first : make(1)};
}

Splitter::Halves Splitter::splitElements(ImplicitLocOpBuilder &b,
                                         ValueRange elements) {
  SmallVector<Value> parts[2];
  for (auto [i, element] : llvm::enumerate(elements))
    parts[halfOf(i)].push_back(element);
  VectorType type = half(elements.front().getType());
  return {vector::FromElementsOp::create(b, type, parts[0]),
          vector::FromElementsOp::create(b, type, parts[1])};
}

/// Whether `op` computes 16-bit elements of a vector that is there as a whole,
/// too: then all of a register are computed at once.
bool Splitter::staysWhole(Operation *op) const {
  auto is16Bits = [&](Value value) {
    return isWide(value) &&
           cast<VectorType>(value.getType()).getElementTypeBitWidth() == 16;
  };
  return isParity() && op->hasTrait<OpTrait::Elementwise>() &&
         llvm::all_of(op->getOperands(), is16Bits) &&
         llvm::all_of(op->getResults(), is16Bits) &&
         llvm::any_of(op->getOperands(),
                      [&](Value value) { return wholes.contains(value); });
}

void Splitter::keepWhole(Operation *op) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (Value whole = wholes.lookup(value))
      operand.set(whole);
    else if (auto constant = value.getDefiningOp<arith::ConstantOp>())
      operand.set(b.clone(*constant)->getResult(0));
    else
      operand.set(join(b, value.getType(), halves.at(value)));
  }
  Value result = op->getResult(0);
  b.setInsertionPointAfter(op);
  halves[result] = splitPairs(b, result);
  wholes[result] = result;
}

/// An elementwise operation on either half.
Splitter::Halves Splitter::clone(ImplicitLocOpBuilder &b, Operation *op) {
  Type type = half(getElementTypeOrSelf(op->getResult(0)));
  auto make = [&](bool second) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      auto known = halves.find(operand);
      if (known != halves.end())
        operand = second ? known->second.second : known->second.first;
      operands.push_back(operand);
    }
    OperationState state(op->getLoc(), op->getName(), operands, type,
                         op->getAttrs());
    return b.create(state)->getResult(0);
  };
  Value first = make(false);
  return {first, make(true)};
}

Splitter::Halves Splitter::splitOp(Operation *op) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  b.setInsertionPointAfter(op);
  return TypeSwitch<Operation *, Halves>(op)
      .Case([&](vector::LoadOp load) { return splitLoad(b, load); })
      .Case([&](arith::ConstantOp constant) {
        return splitConstant(b, cast<DenseElementsAttr>(constant.getValue()));
      })
      .Case([&](vector::BroadcastOp broadcast) {
        Value value = vector::BroadcastOp::create(
            b, half(broadcast.getSourceType()), broadcast.getSource());
        return Halves(value, value);
      })
      .Case([&](vector::FromElementsOp from) {
        return splitElements(b, from.getElements());
      })
      .Default([&](Operation *other) { return clone(b, other); });
}

/// The values, and the halves of those that have any.
SmallVector<Value> Splitter::partsOf(ValueRange values) {
  SmallVector<Value> parts;
  for (Value value : values) {
    auto known = halves.find(value);
    if (known == halves.end())
      parts.push_back(value);
    else
      parts.append({known->second.first, known->second.second});
  }
  return parts;
}

/// `parts` take the place of `values`: of wide ones they are halves.
void Splitter::replace(ValueRange values, ValueRange parts) {
  for (Value value : values) {
    if (isWide(value)) {
      halves[value] = {parts[0], parts[1]};
      parts = parts.drop_front(2);
    } else {
      value.replaceAllUsesWith(parts.front());
      parts = parts.drop_front();
    }
  }
}

void Splitter::splitIf(scf::IfOp choice) {
  for (Region &region : choice->getRegions())
    if (!region.empty())
      splitBlock(region.front());
  if (llvm::none_of(choice.getResultTypes(),
                    [&](Type type) { return isWide(type); }))
    return;
  ImplicitLocOpBuilder b(choice.getLoc(), choice);
  auto narrow = scf::IfOp::create(
      b, choice.thenYield().getOperandTypes(), choice.getCondition(),
      /*addThenBlock=*/false, /*addElseBlock=*/false);
  narrow.getThenRegion().takeBody(choice.getThenRegion());
  narrow.getElseRegion().takeBody(choice.getElseRegion());
  replace(choice.getResults(), narrow.getResults());
  replaced.push_back(choice);
}

void Splitter::splitFor(scf::ForOp loop) {
  if (llvm::none_of(loop.getResultTypes(),
                    [&](Type type) { return isWide(type); })) {
    splitBlock(*loop.getBody());
    return;
  }
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  auto narrow =
      scf::ForOp::create(b, loop.getLowerBound(), loop.getUpperBound(),
                         loop.getStep(), partsOf(loop.getInitArgs()));
  // Erased after what is in its body, which still has its arguments.
  replaced.push_back(loop);
  narrow.getBody()->getOperations().splice(narrow.getBody()->end(),
                                           loop.getBody()->getOperations());
  loop.getInductionVar().replaceAllUsesWith(narrow.getInductionVar());
  replace(loop.getRegionIterArgs(), narrow.getRegionIterArgs());
  splitBlock(*narrow.getBody());
  replace(loop.getResults(), narrow.getResults());
}

void Splitter::splitBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto choice = dyn_cast<scf::IfOp>(op)) {
      splitIf(choice);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      splitFor(loop);
    } else if (auto reduction = dyn_cast<vector::ReductionOp>(op)) {
      if (isWide(reduction.getVector()))
        splitReduction(reduction);
    } else if (isa<scf::YieldOp>(op)) {
      op.setOperands(partsOf(op.getOperands()));
    } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
      auto known = halves.find(store.getValueToStore());
      if (known != halves.end())
        splitStore(store, known->second);
    } else if (isa<vector::ExtractOp, vector::ExtractStridedSliceOp>(op)) {
      auto known = halves.find(op.getOperand(0));
      if (known == halves.end())
        continue;
      if (!isParity()) {
        auto [first, second] = known->second;
        auto slice = cast<vector::ExtractStridedSliceOp>(op);
        slice.replaceAllUsesWith(offsetOf(slice) == 0 ? first : second);
        replaced.push_back(slice);
        continue;
      }
      Value &whole = wholes[op.getOperand(0)];
      if (!whole) {
        ImplicitLocOpBuilder b(op.getLoc(), &op);
        whole = join(b, op.getOperand(0).getType(), known->second);
      }
      op.setOperand(0, whole);
    } else if (staysWhole(&op)) {
      keepWhole(&op);
    } else if (op.getNumResults() == 1 && isWide(op.getResult(0))) {
      halves[op.getResult(0)] = splitOp(&op);
      if (isParity() && isa<vector::LoadOp>(op))
        wholes[op.getResult(0)] = op.getResult(0);
      else
        replaced.push_back(&op);
    }
  }
}

/// Whether any element of either half is set.
void Splitter::splitReduction(vector::ReductionOp reduction) {
  auto [first, second] = halves.at(reduction.getVector());
  ImplicitLocOpBuilder b(reduction.getLoc(), reduction);
  reduction.getVectorMutable().assign(arith::OrIOp::create(b, first, second));
}

void Splitter::split() {
  splitBlock(func.getBody().front());
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
}
