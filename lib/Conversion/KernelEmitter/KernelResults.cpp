// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelResults.h"

#include <set>

using namespace mlir;
using namespace prec;

static std::optional<unsigned> placeOf(ArrayRef<unsigned> dims, unsigned dim) {
  const unsigned *it = llvm::find(dims, dim);
  if (it == dims.end())
    return std::nullopt;
  return it - dims.begin();
}

FailureOr<KernelResults> KernelResults::get(KernelOp kernel,
                                            KernelEmitter &emitter,
                                            ArrayRef<Value> memory,
                                            bool repeatInside) {
  FailureOr<KernelRows> rows =
      analyzeRows(kernel, emitter.getSizes(), repeatInside);
  if (failed(rows))
    return failure();
  return KernelResults(kernel, emitter, memory, std::move(*rows));
}

KernelResults::KernelResults(KernelOp kernel, KernelEmitter &emitter,
                             ArrayRef<Value> memory, KernelRows rows)
    : kernel(kernel), e(&emitter), memory(memory), rows(std::move(rows)) {
  for (auto [number, dims] : llvm::enumerate(this->rows.innerDims)) {
    SmallVector<AffineExpr> inner;
    for (unsigned dim : dims)
      inner.push_back(e->getSizes().size(result(number), dim));
    auto same = llvm::find_if(groups, [&](const Group &group) {
      return group.inner.size() == inner.size() &&
             llvm::all_of_zip(group.inner, inner, isSameSize);
    });
    if (same == groups.end()) {
      groups.push_back({{}, std::move(inner), std::nullopt});
      same = std::prev(groups.end());
      SmallVector<AffineExpr> shape = e->getSizes().sizes(result(number));
      if (!shape.empty())
        same->contiguous = placeOf(dims, innerDimension(shape));
    }
    same->results.push_back(number);
  }
}

Value KernelResults::result(unsigned number) const {
  KernelOp op = kernel;
  return op.getBody().front().getTerminator()->getOperand(number);
}

std::optional<unsigned> KernelResults::contiguousOuter() const {
  unsigned main = rows.mainResult();
  SmallVector<AffineExpr> shape = e->getSizes().sizes(result(main));
  if (shape.empty())
    return std::nullopt;
  return placeOf(rows.outerDims[main], innerDimension(shape));
}

Demand KernelResults::demandAt(unsigned number, ArrayRef<AffineExpr> outerAt,
                               ArrayRef<AffineExpr> innerAt) const {
  ArrayRef<unsigned> outerDims = rows.outerDims[number];
  ArrayRef<unsigned> innerDims = rows.innerDims[number];
  Demand demand{result(number),
                SmallVector<AffineExpr>(outerDims.size() + innerDims.size())};
  for (auto [dim, at] : llvm::zip_equal(outerDims, outerAt))
    demand.coords[dim] = at;
  // Dimensions of size 1 are at 0, as analyzeRows asks for them: a reduction is
  // known by its coordinates. (Outer coordinates may be those of a flat
  // result.)
  IndexSpace &space = e->getSpace();
  for (auto [dim, at] : llvm::zip_equal(innerDims, innerAt)) {
    bool isOne = e->getSizes().size(demand.value, dim) == space.constant(1);
    demand.coords[dim] = isOne ? space.constant(0) : at;
  }
  return demand;
}

SmallVector<Demand> KernelResults::reductions(unsigned number,
                                              ArrayRef<AffineExpr> outerAt) {
  SmallVector<AffineExpr> innerAt;
  for (unsigned dim : rows.innerDims[number]) {
    auto extent =
        dyn_cast<AffineConstantExpr>(e->getSizes().size(result(number), dim));
    innerAt.push_back(e->getSpace().addVariable(
        extent ? std::optional<int64_t>(extent.getValue()) : std::nullopt));
  }
  return longReductions(demandAt(number, outerAt, innerAt), e->getSpace(),
                        e->getSizes());
}

LogicalResult KernelResults::reduce(ArrayRef<AffineExpr> outerAt) {
  if (rows.reductions.empty())
    return success();
  for (const Group &group : groups)
    for (unsigned number : group.results)
      for (const Demand &reduction : reductions(number, outerAt))
        if (failed(e->evaluate(reduction)))
          return failure();
  return success();
}

bool KernelResults::isReady(unsigned number, ArrayRef<AffineExpr> outerAt) {
  return llvm::all_of(
      reductions(number, outerAt),
      [&](const Demand &reduction) { return e->isKnown(reduction); });
}

LogicalResult KernelResults::load(const Group &group,
                                  ArrayRef<AffineExpr> outerAt,
                                  ArrayRef<AffineExpr> innerAt) {
  SmallVector<Demand> stack;
  std::set<std::vector<const void *>> seen;
  for (unsigned number : group.results)
    if (rows.isReduced[number])
      stack.push_back(demandAt(number, outerAt, innerAt));
  while (!stack.empty()) {
    Demand demand = stack.pop_back_val();
    FailureOr<Expansion> expansion =
        expandElement(demand, e->getSpace(), e->getSizes());
    if (failed(expansion))
      return failure();
    if (expansion->kind == Expansion::Leaf &&
        isa<BlockArgument>(demand.value) && failed(e->evaluate(demand)))
      return failure();
    if (expansion->kind != Expansion::Alias &&
        expansion->kind != Expansion::Elementwise)
      continue;
    for (Demand &next : expansion->demands) {
      std::vector<const void *> key{next.value.getAsOpaquePointer()};
      for (AffineExpr expr : next.coords)
        key.push_back(expr.getAsOpaquePointer());
      if (seen.insert(std::move(key)).second)
        stack.push_back(std::move(next));
    }
  }
  return success();
}

LogicalResult KernelResults::store(ArrayRef<unsigned> results,
                                   ArrayRef<AffineExpr> outerAt,
                                   ArrayRef<AffineExpr> innerAt) {
  for (unsigned number : results)
    if (failed(e->store(demandAt(number, outerAt, innerAt), memory[number])))
      return failure();
  return success();
}
