// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// prec.sum: any order's tree, with the digits known at compile time in
// registers and the rest in loops.
//
// A missing element, and an accumulator that has had none yet, is -0: adding it
// is the identity for every value, which +0 would not be.
#include "EmitReduction.h"

#include "prec/Numerics/SumTree.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace prec;

namespace prec {

class SumEmitter : ReductionBase {
public:
  SumEmitter(KernelEmitter &emitter, const Demand &demand,
             const Expansion &expansion)
      : ReductionBase(emitter, demand, expansion),
        op(cast<SumOp>(expansion.op)), order(op.getOrder().getOrder()),
        extent(e.sizes.size(op.getInput(), op.getDimension())),
        type(cast<FloatType>(op.getResult().getType().getElementType())) {}

  FailureOr<Value> run(SmallVectorImpl<Demand> &missing);
  FailureOr<Value>
  cascadeOf(AffineExpr count,
            llvm::function_ref<FailureOr<Value>(AffineExpr)> valueAt);

private:
  using Values = SmallVector<Value>;

  Demand element(AffineExpr index) {
    Demand result{op.getInput(), SmallVector<AffineExpr>(loops)};
    result.coords[op.getDimension()] = index;
    return result;
  }
  Value zero(bool negative) {
    return e.constant(FloatAttr::get(
        type, APFloat::getZero(type.getFloatSemantics(), negative)));
  }
  Value add(Value a, Value b);
  /// Adds element by element.
  void accumulate(SmallVectorImpl<Value> &totals, ArrayRef<Value> values);
  /// Adds one element to a total.
  LogicalResult addElement(AffineExpr index, Value &total);
  Values empty(size_t count, int64_t width);
  /// The values' single elements, if they are vectors over the summed
  /// dimension (`width` > 1).
  Values split(ArrayRef<Value> values, int64_t width);
  /// The values, vectors of `width`, as vectors of a `narrower` width.
  Values slices(ArrayRef<Value> values, int64_t width, int64_t narrower);
  Value tree(const num::SumOrder &part, ArrayRef<Value> values);

  FailureOr<Value> unrolled(int64_t count, SmallVectorImpl<Demand> &missing);
  /// Sums over all digits but the last.
  int64_t numPartial() {
    int64_t product = 1;
    for (int64_t digit : ArrayRef(order.digits).drop_back())
      product *= digit;
    return product;
  }
  bool isRunning();
  FailureOr<Value> column(int64_t count);
  FailureOr<Value> sequential();
  FailureOr<Value> digits();

  /// Memory for partial sums, each a scalar or a vector over lanes that are not
  /// summed.
  struct Partial {
    Value memory;
    int64_t width;
  };
  Partial allocate(int64_t count);
  Value read(const Partial &partial, AffineExpr index);
  void write(const Partial &partial, AffineExpr index, Value value);
  /// The tree of `part` over partial sums, in loops; frees them.
  FailureOr<Value> treeInMemory(const num::SumOrder &part, int64_t count,
                                const Partial &partial);
  /// The same over `valueAt` of all indices below `count`.
  FailureOr<Value>
  treeInLoops(const num::SumOrder &part, int64_t count,
              llvm::function_ref<FailureOr<Value>(AffineExpr)> valueAt);
  /// The elements added to `numSums` accumulators in turn, then `after`.
  FailureOr<Value> dealtInMemory(const num::SumOrder &after, int64_t numSums);
  FailureOr<Value> atenRow();
  FailureOr<Value> atenShortRow(int64_t lanes, int64_t dealt);
  LogicalResult unsupported(const Twine &why) {
    return op.emitOpError("is unsupported in a kernel: ") << why;
  }

  /// `count` neighbouring elements from `first` on, as count / width values.
  FailureOr<Values> block(AffineExpr first, int64_t count, int64_t width);
  /// One element, or -0 behind the end.
  FailureOr<Value> elementOrNothing(AffineExpr index);
  /// The widest vector over the summed dimension that blocks of `count`
  /// neighbouring elements divide into and memory allows, at most `limit`.
  int64_t blockWidth(int64_t count, int64_t limit);

  using Produce = llvm::function_ref<FailureOr<Values>(AffineExpr step)>;
  /// Sums `count` steps, each of `size` values, sequentially or by cascade.
  FailureOr<Values> steps(num::StepKind kind, AffineExpr count, size_t size,
                          int64_t width, Produce produce,
                          ArrayRef<Values> rest);
  FailureOr<SmallVector<Values, 4>> cascade(AffineExpr count, size_t size,
                                            int64_t width, Produce produce);

  SumOp op;
  num::SumOrder order;
  AffineExpr extent;
  FloatType type;
};

} // namespace prec

Value SumEmitter::add(Value a, Value b) {
  OpBuilder &builder = e.builder();
  for (Value *value : {&a, &b})
    if (auto vector = dyn_cast<VectorType>(value->getType())) {
      a = e.toVector(builder, a, vector.getNumElements());
      b = e.toVector(builder, b, vector.getNumElements());
    }
  return arith::AddFOp::create(builder, loc, a, b);
}

void SumEmitter::accumulate(SmallVectorImpl<Value> &totals,
                            ArrayRef<Value> values) {
  for (auto [total, value] : llvm::zip_equal(totals, values))
    total = add(total, value);
}

LogicalResult SumEmitter::addElement(AffineExpr index, Value &total) {
  FailureOr<Value> next = e.evaluate(element(index));
  if (failed(next))
    return failure();
  total = add(total, *next);
  return success();
}

/// Accumulators without an element yet; they have the type of what will be
/// added to them.
SumEmitter::Values SumEmitter::empty(size_t count, int64_t width) {
  Value nothing = zero(/*negative=*/true);
  if (AffineExpr lane = e.laneOf(demand.coords))
    nothing = e.toVector(e.builder(), nothing, e.widthOf(lane));
  else if (width > 1)
    nothing = e.toVector(e.builder(), nothing, width);
  return Values(count, nothing);
}

SumEmitter::Values SumEmitter::slices(ArrayRef<Value> values, int64_t width,
                                      int64_t narrower) {
  if (narrower == width)
    return Values(values);
  if (narrower == 1)
    return split(values, width);
  Values result;
  for (Value value : values)
    for (int64_t i = 0; i < width; i += narrower)
      result.push_back(vector::ExtractStridedSliceOp::create(
          e.builder(), loc, value, i, narrower, /*strides=*/int64_t(1)));
  return result;
}

SumEmitter::Values SumEmitter::split(ArrayRef<Value> values, int64_t width) {
  if (width == 1)
    return Values(values);
  Values result;
  for (Value value : values)
    for (int64_t i = 0; i < width; ++i)
      result.push_back(lane(value, i));
  return result;
}

Value SumEmitter::tree(const num::SumOrder &part, ArrayRef<Value> values) {
  auto addValues = [&](Value a, Value b) { return add(a, b); };
  return num::SumTree<Value, decltype(addValues)>(
      part, zero(/*negative=*/false),
      addValues)(std::vector<Value>(values.begin(), values.end()));
}

int64_t SumEmitter::blockWidth(int64_t count, int64_t limit) {
  if (e.laneOf(demand.coords))
    return 1;
  int64_t width = 1;
  while (width * 2 <= limit && count % (width * 2) == 0)
    width *= 2;
  if (width == 1)
    return 1;
  AffineExpr lane = e.addLane(width);
  AffineExpr probe = e.space.addVariable(std::nullopt);
  return e.isVectorizable(element(probe * width + lane), lane, width) ? width
                                                                      : 1;
}

FailureOr<SumEmitter::Values> SumEmitter::block(AffineExpr first, int64_t count,
                                                int64_t width) {
  Values values;
  AffineExpr lane = width > 1 ? e.addLane(width) : AffineExpr();
  for (int64_t i = 0; i < count; i += width) {
    AffineExpr index = e.space.simplify(first + i);
    FailureOr<Value> value = e.evaluate(element(lane ? index + lane : index));
    if (failed(value))
      return failure();
    values.push_back(width > 1 ? e.toVector(e.builder(), *value, width)
                               : *value);
  }
  return values;
}

FailureOr<Value> SumEmitter::elementOrNothing(AffineExpr index) {
  AffineExpr distance = e.space.simplify(index - extent);
  IndexRange range = e.space.range(distance);
  Value nothing = empty(1, 1).front();
  if (range.low && *range.low >= 0)
    return nothing;
  if (range.high && *range.high < 0)
    return e.evaluate(element(index));
  Value isThere =
      arith::CmpIOp::create(e.builder(), loc, arith::CmpIPredicate::ult,
                            e.indexValue(index), e.indexValue(extent));
  return e.choose(
      isThere, nothing.getType(), [&] { return e.evaluate(element(index)); },
      [&] { return FailureOr<Value>(nothing); });
}

FailureOr<Value> SumEmitter::unrolled(int64_t count,
                                      SmallVectorImpl<Demand> &missing) {
  Values values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(e.need(element(constant(i)), missing));
  if (!missing.empty())
    return Value();
  KernelEmitter::CurrentScope scope(e, e.homeOf(demand.coords));
  return tree(order, values);
}

/// Whether partial sums over the other digits run through the elements in
/// ascending order.
bool SumEmitter::isRunning() {
  constexpr int64_t most = 16;
  const num::SumStep &first = order.steps.front();
  return order.ragged == num::Ragged::Skip &&
         order.digits.back() == num::SumOrder::kRest &&
         first.kind == num::StepKind::Sequential &&
         first.digit == order.digits.size() - 1 && numPartial() <= most;
}

/// A column, whose elements are not kept together.
FailureOr<Value> SumEmitter::column(int64_t count) {
  int64_t numSums = numPartial();
  KernelEmitter::CurrentScope scope(e, e.homeOf(demand.coords));
  Values sums;
  for (int64_t i = 0; i < count; ++i) {
    FailureOr<Value> value = e.evaluate(element(constant(i)));
    if (failed(value))
      return failure();
    if (i < numSums)
      sums.push_back(*value);
    else
      sums[i % numSums] = add(sums[i % numSums], *value);
    if (e.columns->meanwhile && failed(e.columns->meanwhile(i, count)))
      return failure();
  }
  e.forgetShared();
  num::SumOrder rest = order;
  rest.digits.pop_back();
  rest.steps.erase(rest.steps.begin());
  rest.fromZero = false;
  Value total = rest.digits.empty() ? sums.front() : tree(rest, sums);
  return order.fromZero ? add(zero(/*negative=*/false), total) : total;
}

/// One running sum: loads and whatever comes before them in vectors, additions
/// one by one.
FailureOr<Value> SumEmitter::sequential() {
  int64_t width = blockWidth(e.reductionWidth, e.reductionWidth);
  AffineExpr chunks = e.space.simplify(extent.floorDiv(width));
  FailureOr<Values> total = e.loop(
      chunks, empty(1, 1),
      [&](AffineExpr i, SmallVectorImpl<Value> &values) -> LogicalResult {
        FailureOr<Values> next = block(i * width, width, width);
        if (failed(next))
          return failure();
        for (Value value : split(*next, width))
          values.front() = add(values.front(), value);
        return success();
      });
  if (failed(total))
    return failure();
  total = ascending(e.space.simplify(chunks * width),
                    e.space.simplify(extent % width), *total,
                    [&](AffineExpr i, SmallVectorImpl<Value> &total) {
                      return addElement(i, total.front());
                    });
  if (failed(total))
    return failure();
  return total->front();
}

/// A cascade of `count` steps has groups of 2^power additions.
static int64_t cascadePower(int64_t count) {
  int64_t log = count > 1 ? llvm::Log2_64_Ceil(count) : 0;
  return std::max<int64_t>(4, log / 4);
}

/// More partial sums than these stand in memory, where that is allowed.
static constexpr int64_t kMostInRegisters = 64;
static constexpr int64_t kMostChoices = 8;

/// So few steps are not worth a loop.
static constexpr int64_t kShortRest = 2;

/// The four levels of a cascade over `count` steps: level j takes level j - 1
/// after each full group.
FailureOr<SmallVector<SumEmitter::Values, 4>>
SumEmitter::cascade(AffineExpr count, size_t size, int64_t width,
                    Produce produce) {
  OpBuilder &b = e.builder();
  auto indexBinary = [&](auto opTag, Value lhs, Value rhs) -> Value {
    return decltype(opTag)::create(e.builder(), loc, lhs, rhs);
  };
  AffineExpr group;
  Value power;
  if (std::optional<int64_t> number = known(count)) {
    int64_t exponent = cascadePower(*number);
    power = e.indexConstant(exponent);
    group = constant(int64_t(1) << exponent);
  } else {
    // ceil(log2 n) / 4 >= k where n > 2^(4k - 1).
    power = e.indexConstant(4);
    Value dynamic = e.indexValue(count);
    for (int64_t k = 5; k < 16; ++k) {
      Value more =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, dynamic,
                                e.indexConstant(int64_t(1) << (4 * k - 1)));
      power = arith::SelectOp::create(b, loc, more, e.indexConstant(k), power);
    }
    Value size = indexBinary(arith::ShLIOp(), e.indexConstant(1), power);
    e.arguments[size] = size;
    e.sizeScopes[size] = e.current;
    group = e.sizes.symbol({size, -1});
  }

  Value groupValue = e.indexValue(group);
  Value mask = indexBinary(arith::SubIOp(), groupValue, e.indexConstant(1));
  Values nothing = empty(size, width);
  SmallVector<Value> inits;
  for (int level = 0; level < 4; ++level)
    llvm::append_range(inits, nothing);
  auto levelOf = [&](SmallVectorImpl<Value> &values, int level) {
    return MutableArrayRef<Value>(values).slice(level * size, size);
  };
  auto addStep = [&](AffineExpr step, SmallVectorImpl<Value> &values) {
    FailureOr<Values> next = produce(step);
    if (failed(next))
      return failure();
    accumulate(values, *next);
    return success();
  };
  AffineExpr groups = e.space.simplify(count.floorDiv(group));
  FailureOr<Values> levels = e.loop(
      groups, inits,
      [&](AffineExpr g, SmallVectorImpl<Value> &values) -> LogicalResult {
        Values lowest(levelOf(values, 0));
        FailureOr<Values> sum = e.loop(
            group, lowest, [&](AffineExpr i, SmallVectorImpl<Value> &inner) {
              return addStep(g * group + i, inner);
            });
        if (failed(sum))
          return failure();
        OpBuilder &inner = e.builder();
        llvm::copy(*sum, levelOf(values, 0).begin());
        Value done = e.indexValue(e.space.simplify((g + 1) * group));
        Value stop, shift = power, zeroIndex = e.indexConstant(0);
        for (int level = 1; level < 4; ++level) {
          MutableArrayRef<Value> low = levelOf(values, level - 1);
          MutableArrayRef<Value> high = levelOf(values, level);
          for (size_t i = 0; i < size; ++i) {
            Value moved = add(high[i], low[i]);
            high[i] =
                stop ? arith::SelectOp::create(inner, loc, stop, high[i], moved)
                     : moved;
            low[i] = stop ? arith::SelectOp::create(inner, loc, stop, low[i],
                                                    nothing[i])
                          : nothing[i];
          }
          Value bits = indexBinary(arith::AndIOp(), done,
                                   indexBinary(arith::ShLIOp(), mask, shift));
          Value here = arith::CmpIOp::create(
              inner, loc, arith::CmpIPredicate::ne, bits, zeroIndex);
          stop = stop ? indexBinary(arith::OrIOp(), stop, here) : here;
          shift = indexBinary(arith::AddIOp(), shift, power);
        }
        return success();
      });
  if (failed(levels))
    return failure();
  // Steps behind the last full group.
  SmallVector<Value> all(*levels);
  Values lowest(levelOf(all, 0));
  AffineExpr first = e.space.simplify(groups * group);
  AffineExpr left = e.space.simplify(count % group);
  FailureOr<Values> rest =
      e.loopsOverRests && width > 1 && groups != constant(0) &&
              known(left) > kShortRest
          ? e.loop(left, lowest,
                   [&](AffineExpr i, SmallVectorImpl<Value> &values) {
                     return addStep(e.space.simplify(first + i), values);
                   })
          : ascending(first, left, lowest, addStep);
  if (failed(rest))
    return failure();
  SmallVector<Values, 4> result{*rest};
  for (int level = 1; level < 4; ++level)
    result.push_back(Values(levelOf(all, level)));
  return result;
}

/// Sums `count` steps, then the values of `rest`, which are further steps. (A
/// group that one of those completes moves up in the end either way.)
FailureOr<SumEmitter::Values> SumEmitter::steps(num::StepKind kind,
                                                AffineExpr count, size_t size,
                                                int64_t width, Produce produce,
                                                ArrayRef<Values> rest) {
  SmallVector<Values, 4> levels;
  if (kind == num::StepKind::Cascade) {
    FailureOr<SmallVector<Values, 4>> sums =
        cascade(count, size, width, produce);
    if (failed(sums))
      return failure();
    levels = std::move(*sums);
  } else {
    FailureOr<Values> sums =
        e.loop(count, empty(size, width),
               [&](AffineExpr step, SmallVectorImpl<Value> &values) {
                 FailureOr<Values> next = produce(step);
                 if (failed(next))
                   return failure();
                 accumulate(values, *next);
                 return success();
               });
    if (failed(sums))
      return failure();
    levels.push_back(*sums);
  }
  for (const Values &values : rest)
    accumulate(levels.front(), values);
  for (const Values &level : llvm::drop_begin(levels))
    accumulate(levels.front(), level);
  return levels.front();
}

SumEmitter::Partial SumEmitter::allocate(int64_t count) {
  int64_t width = 1;
  if (AffineExpr lane = e.laneOf(demand.coords))
    width = e.widthOf(lane);
  return {memref::AllocOp::create(e.builder(), loc,
                                  MemRefType::get({count * width}, type),
                                  e.builder().getI64IntegerAttr(64)),
          width};
}

Value SumEmitter::read(const Partial &partial, AffineExpr index) {
  Value at = e.indexValue(e.space.simplify(index * partial.width));
  if (partial.width == 1)
    return memref::LoadOp::create(e.builder(), loc, partial.memory, at);
  return vector::LoadOp::create(e.builder(), loc,
                                VectorType::get(partial.width, type),
                                partial.memory, at);
}

void SumEmitter::write(const Partial &partial, AffineExpr index, Value value) {
  Value at = e.indexValue(e.space.simplify(index * partial.width));
  if (partial.width == 1)
    memref::StoreOp::create(e.builder(), loc, value, partial.memory, at);
  else
    vector::StoreOp::create(e.builder(), loc,
                            e.toVector(e.builder(), value, partial.width),
                            partial.memory, at);
}

FailureOr<Value> SumEmitter::treeInMemory(const num::SumOrder &part,
                                          int64_t count,
                                          const Partial &partial) {
  // Lines of `length` values, `inner` apart, become their sums. A sum is
  // written no farther on than where its line and those behind it start.
  auto sumLines = [&](num::StepKind kind, int64_t inner, int64_t length) {
    count /= length;
    return failed(e.loop(
        constant(count), {},
        [&](AffineExpr i, SmallVectorImpl<Value> &) -> LogicalResult {
          AffineExpr first = i.floorDiv(inner) * (inner * length) + i % inner;
          auto valueAt = [&](AffineExpr k) {
            return read(partial, first + k * inner);
          };
          if (length == 2) {
            Value low = valueAt(constant(0)), high = valueAt(constant(1));
            write(partial, i, add(low, high));
            return success();
          }
          FailureOr<Values> sum =
              steps(kind, constant(length), /*size=*/1, /*width=*/1,
                    [&](AffineExpr k) -> FailureOr<Values> {
                      return Values{valueAt(k)};
                    },
                    {});
          if (failed(sum))
            return failure();
          write(partial, i, sum->front());
          return success();
        }));
  };
  SmallVector<int64_t> radix(part.digits.begin(), part.digits.end());
  for (const num::SumStep &step : part.steps) {
    int64_t inner = 1, length = radix[step.digit];
    for (unsigned d = 0; d < step.digit; ++d)
      inner *= radix[d];
    radix[step.digit] = 1;
    bool isHalving = step.kind == num::StepKind::Halving;
    if (!isHalving && step.kind != num::StepKind::Adjacent) {
      if (length > 1 && sumLines(step.kind, inner, length))
        return failure();
      continue;
    }
    // Both are sums of two, from a digit of 2 at one of the two ends.
    for (; length > 1; length /= 2)
      if (sumLines(step.kind, isHalving ? inner * (length / 2) : inner, 2))
        return failure();
  }
  Value total = read(partial, constant(0));
  memref::DeallocOp::create(e.builder(), loc, partial.memory);
  return total;
}

FailureOr<Value> SumEmitter::treeInLoops(
    const num::SumOrder &part, int64_t count,
    llvm::function_ref<FailureOr<Value>(AffineExpr)> valueAt) {
  Partial partial = allocate(count);
  if (failed(e.loop(constant(count), {},
                    [&](AffineExpr i, SmallVectorImpl<Value> &) {
                      FailureOr<Value> value = valueAt(i);
                      if (failed(value))
                        return failure();
                      write(partial, i, *value);
                      return success();
                    })))
    return failure();
  return treeInMemory(part, count, partial);
}

FailureOr<Value> SumEmitter::dealtInMemory(const num::SumOrder &after,
                                           int64_t numSums) {
  Partial partial = allocate(numSums);
  int64_t width = blockWidth(numSums, e.reductionWidth);
  // With vectors the accumulators are vectors, too.
  Partial wide = width > 1 ? Partial{partial.memory, width} : partial;
  Value nothing = empty(1, width).front();
  if (failed(e.loop(constant(numSums / width), {},
                    [&](AffineExpr i, SmallVectorImpl<Value> &) {
                      write(wide, i, nothing);
                      return success();
                    })))
    return failure();
  auto addAll = [&](AffineExpr from, AffineExpr count, int64_t width,
                    const Partial &to) {
    AffineExpr lane = width > 1 ? e.addLane(width) : constant(0);
    return failed(e.loop(
        e.space.simplify(count), {},
        [&](AffineExpr i, SmallVectorImpl<Value> &) -> LogicalResult {
          AffineExpr number = from + i;
          FailureOr<Value> value =
              e.evaluate(element(e.space.simplify(number * width + lane)));
          if (failed(value))
            return failure();
          AffineExpr sum = e.space.simplify(number % (numSums / width));
          write(to, sum, add(read(to, sum), *value));
          return success();
        }));
  };
  AffineExpr vectors = e.space.simplify(extent.floorDiv(width));
  if (addAll(constant(0), vectors, width, wide) ||
      (width > 1 && addAll(vectors * width, extent % width, 1, partial)))
    return failure();
  return treeInMemory(after, numSums, partial);
}

/// Digits with `*`: the elements that share their place in `*` are a block.
/// Steps before `*` reduce a block, those after it the accumulators.
FailureOr<Value> SumEmitter::digits() {
  int64_t blockSize = 1; // of all digits but *
  std::optional<unsigned> rest;
  for (auto [i, digit] : llvm::enumerate(order.digits)) {
    if (digit == num::SumOrder::kRest)
      rest = i;
    else
      blockSize *= digit;
  }
  if (!rest || blockSize > 1024)
    return unsupported("more than 1024 elements summed without a loop");
  std::optional<int64_t> count = known(extent);
  bool isOutermost = *rest + 1 == order.digits.size();
  size_t restStep = 0;
  while (order.steps[restStep].digit != *rest)
    ++restStep;
  num::StepKind kind = order.steps[restStep].kind;
  // (A cascade's depth depends on the number of steps, which ragged blocks
  // make different from sum to sum.)
  if (!count &&
      (!isOutermost || (kind == num::StepKind::Cascade && blockSize > 1)))
    return unsupported("this order over a dynamic dimension");

  // The trees on both sides of `*`: the digits they sum, in place.
  num::SumOrder before, after;
  auto select = [&](num::SumOrder &part, size_t first, size_t last) {
    part.digits.clear();
    part.steps.clear();
    SmallVector<unsigned> places(order.digits.size());
    for (unsigned d = 0; d < order.digits.size(); ++d)
      for (size_t s = first; s < last; ++s)
        if (order.steps[s].digit == d) {
          places[d] = part.digits.size();
          part.digits.push_back(order.digits[d]);
        }
    for (size_t s = first; s < last; ++s)
      part.steps.push_back({places[order.steps[s].digit], order.steps[s].kind});
  };
  select(before, 0, restStep);
  select(after, restStep + 1, order.steps.size());
  size_t numSums = 1;
  for (int64_t digit : after.digits)
    numSums *= digit;

  // Positions of a block's elements, by the sum they belong to, then by their
  // place in the tree before `*`; stride of `*`.
  int64_t total = count ? llvm::divideCeil(*count, blockSize) : 0;
  int64_t stride = 1, restStride = 1;
  SmallVector<SmallVector<int64_t>> offsets(numSums, {});
  SmallVector<std::array<int64_t, 3>> places{{0, 0, 0}};   // sum, place, offset
  SmallVector<std::pair<int64_t, int64_t>, 4> digitsOf[2]; // radix, stride
  int64_t sumStride = 1, placeStride = 1;
  for (auto [d, digit] : llvm::enumerate(order.digits)) {
    if (d == *rest) {
      restStride = stride;
      stride *= std::max<int64_t>(total, 1);
      continue;
    }
    bool isBefore = false;
    for (size_t s = 0; s < restStep; ++s)
      isBefore |= order.steps[s].digit == d;
    SmallVector<std::array<int64_t, 3>> next;
    for (int64_t k = 0; k < digit; ++k)
      for (auto [sum, place, offset] : places)
        next.push_back({sum + (isBefore ? 0 : k * sumStride),
                        place + (isBefore ? k * placeStride : 0),
                        offset + k * stride});
    places = std::move(next);
    (isBefore ? placeStride : sumStride) *= digit;
    digitsOf[isBefore].push_back({digit, stride});
    stride *= digit;
  }
  for (auto &list : offsets)
    list.resize(placeStride);
  int64_t lastOffset = 0;
  for (auto [sum, place, offset] : places) {
    offsets[sum][place] = offset;
    lastOffset = std::max(lastOffset, offset);
  }

  // A block of which it is not known what is missing takes a choice for each of
  // its elements.
  bool isInMemory = e.keepsSumsInMemory &&
                    blockSize > (count ? kMostInRegisters : kMostChoices);
  if (isInMemory && before.digits.empty() && isOutermost &&
      kind == num::StepKind::Sequential)
    return dealtInMemory(after, numSums);

  // Blocks that are whole, and those that are not.
  AffineExpr whole = e.space.simplify(extent.floorDiv(blockSize));
  if (!isOutermost)
    whole = constant(
        *count > lastOffset ? (*count - 1 - lastOffset) / restStride + 1 : 0);
  int64_t numRagged = blockSize == 1 ? 0 : 1;
  if (std::optional<int64_t> numWhole = known(whole))
    numRagged = total - *numWhole;
  if (numRagged > e.unrollLimit)
    return unsupported("an order that leaves many blocks ragged");
  if (kind == num::StepKind::Cascade && numRagged > 0 &&
      cascadePower(total) != cascadePower(total - numRagged))
    return unsupported("cascades of different depth in one sum");

  if (isInMemory) {
    auto offset = [&](bool isBefore, AffineExpr number) {
      AffineExpr result = constant(0);
      int64_t below = 1;
      for (auto [radix, stride] : digitsOf[isBefore]) {
        result = result + number.floorDiv(below) % radix * stride;
        below *= radix;
      }
      return result;
    };
    using At = llvm::function_ref<FailureOr<Value>(AffineExpr)>;
    auto blockSum = [&](AffineExpr first, At valueAt) -> FailureOr<Value> {
      auto place = [&](AffineExpr number) {
        return valueAt(e.space.simplify(first + offset(true, number)));
      };
      if (placeStride == 1)
        return place(constant(0));
      return treeInLoops(before, placeStride, place);
    };
    auto sumOf = [&](AffineExpr number) -> FailureOr<Value> {
      AffineExpr start = offset(false, number);
      SmallVector<Values> ragged;
      for (int64_t i = 0; i < numRagged; ++i) {
        FailureOr<Value> value =
            blockSum((whole + i) * restStride + start,
                     [&](AffineExpr index) { return elementOrNothing(index); });
        if (failed(value))
          return failure();
        ragged.push_back({*value});
      }
      FailureOr<Values> sums = steps(
          kind, whole, /*size=*/1, /*width=*/1,
          [&](AffineExpr step) -> FailureOr<Values> {
            FailureOr<Value> value =
                blockSum(step * restStride + start, [&](AffineExpr index) {
                  return e.evaluate(element(index));
                });
            if (failed(value))
              return failure();
            return Values{*value};
          },
          ragged);
      if (failed(sums))
        return failure();
      return sums->front();
    };
    if (numSums == 1)
      return sumOf(constant(0));
    return treeInLoops(after, numSums, sumOf);
  }

  int64_t width = before.digits.empty() && isOutermost
                      ? blockWidth(blockSize, e.reductionWidth)
                      : 1;
  auto blockSums = [&](auto valueAt) -> FailureOr<Values> {
    Values sums;
    for (ArrayRef<int64_t> list : offsets) {
      Values values;
      for (int64_t offset : list) {
        FailureOr<Value> value = valueAt(offset);
        if (failed(value))
          return failure();
        values.push_back(*value);
      }
      sums.push_back(before.digits.empty() ? values.front()
                                           : tree(before, values));
    }
    return sums;
  };
  auto produce = [&](AffineExpr step) -> FailureOr<Values> {
    AffineExpr first = step * restStride;
    if (width > 1)
      return block(first, blockSize, width);
    return blockSums([&](int64_t offset) {
      return e.evaluate(element(e.space.simplify(first + offset)));
    });
  };
  // Ragged blocks, element by element, put into vectors like the others.
  SmallVector<Values> ragged;
  for (int64_t i = 0; i < numRagged; ++i) {
    AffineExpr first = e.space.simplify((whole + i) * restStride);
    FailureOr<Values> values = blockSums([&](int64_t offset) {
      return elementOrNothing(e.space.simplify(first + offset));
    });
    if (failed(values))
      return failure();
    if (width > 1) {
      Values vectors;
      for (size_t k = 0; k < values->size(); k += width)
        vectors.push_back(vector::FromElementsOp::create(
            e.builder(), loc, VectorType::get(width, type),
            ArrayRef<Value>(*values).slice(k, width)));
      values = vectors;
    }
    ragged.push_back(*values);
  }
  FailureOr<Values> sums =
      steps(kind, whole, numSums / width, width, produce, ragged);
  if (failed(sums))
    return failure();
  Values singles = split(*sums, width);
  return after.digits.empty() ? singles.front() : tree(after, singles);
}

/// A row shorter than a vector: the elements are dealt one by one.
FailureOr<Value> SumEmitter::atenShortRow(int64_t lanes, int64_t dealt) {
  Values values;
  for (int64_t i = 0; i < lanes - 1; ++i) {
    FailureOr<Value> value = elementOrNothing(constant(i));
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  // With fewer than 2 * dealt elements there is at most one round; those after
  // it join accumulator 0, as do all where there is none.
  Value total = values.front();
  for (int64_t i = dealt; i < lanes - 1; ++i)
    total = add(total, values[i]);
  for (int64_t i = 1; i < std::min(dealt, lanes - 1); ++i)
    total = add(total, values[i]);
  return total;
}

/// ATen's rule for a contiguous row; see num::SumTree.
FailureOr<Value> SumEmitter::atenRow() {
  int64_t lanes = order.digits[0], dealt = order.digits[1];
  std::optional<int64_t> count = known(extent);
  if (!count && lanes - 1 >= 2 * dealt)
    return unsupported("this order over a dynamic dimension");
  auto longRow = [&]() -> FailureOr<Value> {
    int64_t width = blockWidth(lanes, lanes);
    size_t perVector = lanes / width;
    int64_t roundSize = lanes * dealt;
    AffineExpr rounds = e.space.simplify(extent.floorDiv(roundSize));
    // A round's accumulators lie next to each other: in as few vectors as that
    // allows.
    int64_t wide = std::max(width, blockWidth(roundSize, e.reductionWidth));
    auto produce = [&](AffineExpr step) {
      return block(step * roundSize, roundSize, wide);
    };
    FailureOr<Values> parts = steps(num::StepKind::Cascade, rounds,
                                    roundSize / wide, wide, produce, {});
    if (failed(parts))
      return failure();
    *parts = slices(*parts, wide, width);
    // Vectors left over join accumulator 0.
    Values first(ArrayRef<Value>(*parts).take_front(perVector));
    AffineExpr vectors = e.space.simplify(extent.floorDiv(lanes));
    FailureOr<Values> sums = ascending(
        e.space.simplify(rounds * dealt), e.space.simplify(vectors % dealt),
        first,
        [&](AffineExpr i, SmallVectorImpl<Value> &values) -> LogicalResult {
          FailureOr<Values> next = block(i * lanes, lanes, width);
          if (failed(next))
            return failure();
          accumulate(values, *next);
          return success();
        });
    if (failed(sums))
      return failure();
    for (int64_t a = 1; a < dealt; ++a)
      accumulate(*sums,
                 ArrayRef<Value>(*parts).slice(a * perVector, perVector));
    FailureOr<Values> total = ascending(
        e.space.simplify(vectors * lanes), e.space.simplify(extent % lanes),
        empty(1, 1), [&](AffineExpr i, SmallVectorImpl<Value> &total) {
          return addElement(i, total.front());
        });
    if (failed(total))
      return failure();
    Value result = total->front();
    for (Value value : split(*sums, width))
      result = add(result, value);
    return result;
  };
  if (count)
    return longRow();
  Value isShort =
      arith::CmpIOp::create(e.builder(), loc, arith::CmpIPredicate::ult,
                            e.indexValue(extent), e.indexConstant(lanes));
  return e.choose(
      isShort, empty(1, 1).front().getType(),
      [&] { return atenShortRow(lanes, dealt); }, longRow);
}

FailureOr<Value> SumEmitter::run(SmallVectorImpl<Demand> &missing) {
  std::optional<int64_t> count = known(extent);
  if (count == 0)
    return zero(/*negative=*/false);
  bool hasRest = llvm::is_contained(order.digits, num::SumOrder::kRest);
  if (count && *count > kShortReduction && *count <= e.unrollLimit &&
      e.columns && isRunning())
    return column(*count);
  int64_t places = hasRest ? 0 : num::capacity(order);
  bool isTreeInLoops = e.keepsSumsInMemory && count &&
                       *count > kMostInRegisters && places > kMostInRegisters &&
                       places <= 4096;
  if (count && !isTreeInLoops &&
      (*count <= e.unrollLimit || (!hasRest && *count <= 1024)))
    return unrolled(*count, missing);
  KernelEmitter::CurrentScope scope(e, e.homeOf(demand.coords));
  FailureOr<Value> total = failure();
  if (isTreeInLoops)
    total = treeInLoops(order, places, [&](AffineExpr index) {
      return elementOrNothing(index);
    });
  else if (order.ragged == num::Ragged::AtenCPU)
    total = atenRow();
  else if (order.digits.size() == 1 &&
           order.steps.front().kind == num::StepKind::Sequential)
    total = sequential();
  else
    total = digits();
  if (failed(total))
    return failure();
  // The sum of nothing is +0; a sum that starts with +0 is never -0.
  if (order.fromZero)
    return add(zero(/*negative=*/false), *total);
  if (count)
    return *total;
  Value isEmpty =
      arith::CmpIOp::create(e.builder(), loc, arith::CmpIPredicate::eq,
                            e.indexValue(extent), e.indexConstant(0));
  Value none = zero(/*negative=*/false);
  if (auto vector = dyn_cast<VectorType>(total->getType()))
    none = e.toVector(e.builder(), none, vector.getNumElements());
  return Value(
      arith::SelectOp::create(e.builder(), loc, isEmpty, none, *total));
}

FailureOr<Value> prec::emitSum(KernelEmitter &emitter, const Demand &demand,
                               const Expansion &expansion,
                               SmallVectorImpl<Demand> &missing) {
  return SumEmitter(emitter, demand, expansion).run(missing);
}

FailureOr<Value> SumEmitter::cascadeOf(
    AffineExpr count,
    llvm::function_ref<FailureOr<Value>(AffineExpr)> valueAt) {
  auto produce = [&](AffineExpr step) -> FailureOr<Values> {
    FailureOr<Value> value = valueAt(step);
    if (failed(value))
      return failure();
    return Values{*value};
  };
  FailureOr<Values> total = steps(num::StepKind::Cascade, count, /*size=*/1,
                                  /*width=*/1, produce, {});
  if (failed(total))
    return failure();
  return total->front();
}

FailureOr<Value>
prec::emitCascade(KernelEmitter &emitter, const Demand &demand,
                  const Expansion &expansion, AffineExpr count,
                  llvm::function_ref<FailureOr<Value>(AffineExpr)> valueAt) {
  return SumEmitter(emitter, demand, expansion).cascadeOf(count, valueAt);
}
