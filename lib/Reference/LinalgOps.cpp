// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structured operations: a loop nest over an iteration space in lexicographic
// order. Dimensions whose points write to different result elements are taken
// many at a time; the others one after the other, in ascending order, so that
// each result element sees its updates in the order of the loop nest.
#include "LaneBody.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <cstring>

using namespace mlir;
using namespace prec;
using namespace prec::ref;

namespace {

/// An affine expression over the loops, as coefficients.
struct Linear {
  SmallVector<int64_t, 6> coefficients;
  int64_t constant = 0;
};

/// Nothing when the expression is not linear.
std::optional<Linear> linear(AffineExpr expr, unsigned loops) {
  Linear result;
  result.coefficients.assign(loops, 0);
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    result.coefficients[dim.getPosition()] = 1;
    return result;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    result.constant = constant.getValue();
    return result;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<Linear> a = linear(binary.getLHS(), loops);
  std::optional<Linear> b = linear(binary.getRHS(), loops);
  if (!a || !b)
    return std::nullopt;
  bool isAdd = binary.getKind() == AffineExprKind::Add;
  if (!isAdd && (binary.getKind() != AffineExprKind::Mul ||
                 llvm::any_of(b->coefficients, [](int64_t c) { return c; })))
    return std::nullopt;
  for (unsigned i = 0; i < loops; ++i)
    result.coefficients[i] = isAdd ? a->coefficients[i] + b->coefficients[i]
                                   : a->coefficients[i] * b->constant;
  result.constant =
      isAdd ? a->constant + b->constant : a->constant * b->constant;
  return result;
}

/// The elements of one operand that a group of points reads or writes.
class Access {
public:
  /// The position of an element is `constant` + the sum of loop indices times
  /// their `strides`.
  SmallVector<int64_t, 6> strides;
  int64_t constant = 0;

  /// What the group's points have in common, and their offsets from it.
  int64_t base = 0;
  bool contiguous = false, uniform = false;
  SmallVector<int64_t, 0> offsets;

  /// Where the lanes can be read without copying, or null.
  const void *direct(const Array &array) const {
    return contiguous ? array.at(base) : nullptr;
  }

  void gather(const Array &array, size_t n, void *out) const {
    withWidth(array.elementBytes(), [&](auto element) {
      using T = decltype(element);
      auto *from = static_cast<const T *>(array.data()) + base;
      auto *to = static_cast<T *>(out);
      for (size_t i = 0; i < n; ++i)
        to[i] = from[contiguous ? static_cast<int64_t>(i)
                     : uniform  ? 0
                                : offsets[i]];
    });
  }

  void scatter(const void *in, size_t n, Array &array) const {
    withWidth(array.elementBytes(), [&](auto element) {
      using T = decltype(element);
      auto *from = static_cast<const T *>(in);
      auto *to = static_cast<T *>(array.mutableData()) + base;
      if (contiguous)
        std::memcpy(to, from, n * sizeof(T));
      else
        for (size_t i = 0; i < n; ++i)
          to[uniform ? 0 : offsets[i]] = from[i];
    });
  }

private:
  template <typename F> static void withWidth(unsigned bytes, F body) {
    switch (bytes) {
    case 0: // a domain without floats
      return;
    case 1:
      return body(uint8_t());
    case 2:
      return body(uint16_t());
    case 4:
      return body(uint32_t());
    default:
      return body(uint64_t());
    }
  }
};

/// Evaluation of one structured operation.
class Structured {
public:
  Structured(Interpreter &in, linalg::LinalgOp op)
      : in(in), op(op), maps(op.getIndexingMapsArray()),
        body(in, op, *op.getBlock()) {}

  LogicalResult run();

private:
  LogicalResult inferRanges();
  LogicalResult makeAccesses();
  void splitLoops();
  void placeGroup(Access &access, int64_t first, size_t n);
  LogicalResult runGroup(int64_t first, size_t n);
  LogicalResult runStep(size_t n);
  void coordinates(unsigned dim, size_t n, int64_t *out) const;

  Interpreter &in;
  linalg::LinalgOp op;
  SmallVector<AffineMap> maps;
  LaneBody body;
  SmallVector<Array> operands; ///< inputs, then results in the making
  SmallVector<Access> accesses;
  Access space; ///< the iteration space itself, row-major
  SmallVector<int64_t, 6> ranges;
  SmallVector<unsigned, 6> laneLoops, stepLoops;
  SmallVector<int64_t, 6> laneRanges;
  SmallVector<int64_t, 6> step; ///< current index of each of the step loops
  int64_t groupFirst = 0;
  SmallVector<std::unique_ptr<char[]>> memory; ///< lanes of gathered operands
  llvm::MapVector<Operation *, Array> observed;
};

} // namespace

/// The loops' bounds are the operands' dimensions, which have to agree.
LogicalResult Structured::inferRanges() {
  ranges.assign(op.getNumLoops(), -1);
  auto each = [&](auto body) -> LogicalResult {
    for (auto [number, map] : llvm::enumerate(maps))
      for (auto [dim, expr] : llvm::enumerate(map.getResults()))
        if (failed(body(number, dim, expr, operands[number].shape()[dim])))
          return failure();
    return success();
  };
  (void)each([&](size_t, size_t, AffineExpr expr, int64_t size) {
    if (auto loop = dyn_cast<AffineDimExpr>(expr))
      if (ranges[loop.getPosition()] < 0)
        ranges[loop.getPosition()] = size;
    return success();
  });
  if (llvm::is_contained(ranges, -1))
    return op.emitError("cannot infer the bounds of all loops");
  bool empty = llvm::is_contained(ranges, 0);
  return each([&](size_t number, size_t dim, AffineExpr expr,
                  int64_t size) -> LogicalResult {
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      if (ranges[loop.getPosition()] == size)
        return success();
      return op.emitError() << "dimension " << dim << " of operand " << number
                            << " is " << size << " but the loop over it has "
                            << ranges[loop.getPosition()] << " iterations";
    }
    std::optional<Linear> form = linear(expr, op.getNumLoops());
    if (!form)
      return op.emitError("the reference evaluator supports linear indexing "
                          "maps only");
    int64_t low = form->constant, high = form->constant;
    for (auto [c, range] : llvm::zip_equal(form->coefficients, ranges))
      (c < 0 ? low : high) += c * (range - 1);
    if (empty || (low >= 0 && high < size))
      return success();
    return op.emitError() << "operand " << number << " is indexed from " << low
                          << " to " << high << " in dimension " << dim
                          << ", which has " << size;
  });
}

LogicalResult Structured::makeAccesses() {
  unsigned loops = op.getNumLoops();
  for (auto [map, operand] : llvm::zip_equal(maps, operands)) {
    Access access;
    access.strides.assign(loops, 0);
    SmallVector<int64_t, 4> elementStrides = rowMajorStrides(operand.shape());
    for (auto [expr, stride] :
         llvm::zip_equal(map.getResults(), elementStrides)) {
      Linear form = *linear(expr, loops);
      access.constant += form.constant * stride;
      for (unsigned i = 0; i < loops; ++i)
        access.strides[i] += form.coefficients[i] * stride;
    }
    accesses.push_back(std::move(access));
    memory.emplace_back(new char[LaneBody::kLanes * operand.elementBytes()]);
  }
  space.strides = rowMajorStrides(ranges);
  return success();
}

/// Points along a loop may be taken together when the loop is parallel and its
/// index alone is an index of every result.
void Structured::splitLoops() {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  ArrayRef<AffineMap> results = ArrayRef(maps).take_back(op.getNumDpsInits());
  for (unsigned loop = 0; loop < ranges.size(); ++loop) {
    AffineExpr dim = getAffineDimExpr(loop, op.getContext());
    bool together = kinds[loop] == utils::IteratorType::parallel &&
                    llvm::all_of(results, [&](AffineMap map) {
                      return llvm::is_contained(map.getResults(), dim);
                    });
    (together ? laneLoops : stepLoops).push_back(loop);
    if (together)
      laneRanges.push_back(ranges[loop]);
  }
  step.assign(stepLoops.size(), 0);
}

/// Computes the offsets of points first, first + 1, ... of the lane loops.
void Structured::placeGroup(Access &access, int64_t first, size_t n) {
  SmallVector<int64_t, 4> natural = rowMajorStrides(laneRanges);
  access.contiguous = access.uniform = true;
  for (auto [i, loop] : llvm::enumerate(laneLoops)) {
    if (laneRanges[i] == 1)
      continue;
    access.contiguous &= access.strides[loop] == natural[i];
    access.uniform &= access.strides[loop] == 0;
  }
  access.base = access.constant;
  SmallVector<int64_t, 6> index(laneLoops.size());
  int64_t rest = first;
  for (size_t i = 0; i < index.size(); ++i) {
    index[i] = rest / natural[i];
    rest %= natural[i];
    access.base += index[i] * access.strides[laneLoops[i]];
  }
  if (access.contiguous || access.uniform)
    return;
  access.offsets.resize(n);
  int64_t offset = 0;
  for (size_t k = 0; k < n; ++k) {
    access.offsets[k] = offset;
    for (size_t i = index.size(); i-- > 0;) {
      int64_t stride = access.strides[laneLoops[i]];
      offset += stride;
      if (++index[i] < laneRanges[i])
        break;
      offset -= stride * laneRanges[i];
      index[i] = 0;
    }
  }
}

void Structured::coordinates(unsigned dim, size_t n, int64_t *out) const {
  auto *lane = llvm::find(laneLoops, dim);
  if (lane != laneLoops.end())
    return ref::coordinates(laneRanges,
                            static_cast<unsigned>(lane - laneLoops.begin()),
                            groupFirst, n, out);
  auto *stepLoop = llvm::find(stepLoops, dim);
  std::fill_n(out, n, step[static_cast<size_t>(stepLoop - stepLoops.begin())]);
}

/// One iteration of the step loops on the n points of the group.
LogicalResult Structured::runStep(size_t n) {
  SmallVector<Lanes> arguments;
  // A payload may take fewer arguments than there are operands (linalg.map).
  for (BlockArgument argument : op.getBlock()->getArguments()) {
    unsigned i = argument.getArgNumber();
    const Array &operand = operands[i];
    const void *data = accesses[i].direct(operand);
    // A result is copied: it is written to while the body's values are alive.
    if (!data || i >= op.getNumDpsInputs()) {
      accesses[i].gather(operand, n, memory[i].get());
      data = memory[i].get();
    }
    arguments.push_back({operand.element(), data});
  }
  auto observe = [&](ObserveOp same, Lanes lanes) {
    if (!in.observations)
      return;
    Array &array = observed[same];
    if (array.size() == 0)
      array = *Array::make(in.domain, lanes.element, ranges);
    space.scatter(lanes.data, n, array);
  };
  if (failed(body.run(
          arguments, n, op.getNumLoops(),
          [&](unsigned dim, int64_t *out) { coordinates(dim, n, out); },
          observe)))
    return failure();
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    unsigned operand = op.getNumDpsInputs() + i;
    accesses[operand].scatter(body.result(i).data, n, operands[operand]);
  }
  return success();
}

/// All step iterations on points [first, first + n) of the lane loops.
LogicalResult Structured::runGroup(int64_t first, size_t n) {
  groupFirst = first;
  for (Access &access : accesses)
    placeGroup(access, first, n);
  placeGroup(space, first, n);
  std::fill(step.begin(), step.end(), 0);
  while (true) {
    if (failed(runStep(n)))
      return failure();
    size_t i = stepLoops.size();
    while (i-- > 0) {
      unsigned loop = stepLoops[i];
      bool more = ++step[i] < ranges[loop];
      int64_t by = more ? 1 : 1 - ranges[loop];
      for (Access &access : accesses)
        access.base += by * access.strides[loop];
      space.base += by * space.strides[loop];
      if (more)
        break;
      step[i] = 0;
    }
    if (i == static_cast<size_t>(-1))
      return success();
  }
}

LogicalResult Structured::run() {
  operands = in.takeAll(op->getOpOperands());
  operands.truncate(maps.size());
  if (failed(inferRanges()) || failed(makeAccesses()) || failed(body.prepare()))
    return failure();
  splitLoops();
  int64_t points = 1;
  for (int64_t range : laneRanges)
    points *= range;
  constexpr int64_t kLanes = LaneBody::kLanes;
  bool hasResults =
      llvm::any_of(ArrayRef(operands).take_back(op.getNumDpsInits()),
                   [](const Array &array) { return array.elementBytes() > 0; });
  if (hasResults && !llvm::is_contained(ranges, 0))
    for (int64_t first = 0; first < points; first += kLanes)
      if (failed(runGroup(
              first, static_cast<size_t>(std::min(kLanes, points - first)))))
        return failure();
  for (auto &[observe, array] : observed)
    in.observe(cast<ObserveOp>(observe).getName(), array);
  for (auto [result, array] : llvm::zip_equal(
           op->getResults(),
           MutableArrayRef(operands).take_back(op.getNumDpsInits())))
    if (failed(in.set(result, std::move(array))))
      return failure();
  return success();
}

LogicalResult prec::ref::runLinalg(Interpreter &in, Operation *op) {
  // It stands directly in the body that is being run.
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return in.set(
        index.getResult(),
        Array::integer(in.domain, in.points.back()->indices[index.getDim()]));
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return Structured(in, structured).run();
  return unsupported(op);
}
