// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Analysis/IndexSpace.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir;
using namespace prec;

namespace {

/// A summand: coefficient times expression.
struct Term {
  AffineExpr expr;
  int64_t factor;
};

} // namespace

static void collectTerms(AffineExpr expr, int64_t factor,
                         SmallVectorImpl<Term> &terms) {
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
    if (binary.getKind() == AffineExprKind::Add) {
      collectTerms(binary.getLHS(), factor, terms);
      collectTerms(binary.getRHS(), factor, terms);
      return;
    }
    if (auto c = dyn_cast<AffineConstantExpr>(binary.getRHS());
        c && binary.getKind() == AffineExprKind::Mul) {
      collectTerms(binary.getLHS(), factor * c.getValue(), terms);
      return;
    }
  }
  auto same = llvm::find_if(terms, [&](Term &t) { return t.expr == expr; });
  if (same != terms.end())
    same->factor += factor;
  else
    terms.push_back({expr, factor});
}

static AffineExpr sumTerms(ArrayRef<Term> terms, MLIRContext *context) {
  AffineExpr sum = getAffineConstantExpr(0, context);
  for (const Term &term : terms)
    sum = sum + term.expr * term.factor;
  return sum;
}

/// The largest number known to divide the term.
static int64_t divisorOf(const Term &term) {
  if (auto c = dyn_cast<AffineConstantExpr>(term.expr))
    return std::abs(c.getValue() * term.factor);
  return std::abs(term.factor);
}

AffineExpr IndexSpace::addVariable(std::optional<int64_t> extent) {
  extents.push_back(extent);
  return getAffineDimExpr(extents.size() - 1, context);
}

IndexRange IndexSpace::structuralRange(AffineExpr expr) const {
  switch (expr.getKind()) {
  case AffineExprKind::Constant: {
    int64_t value = cast<AffineConstantExpr>(expr).getValue();
    return {value, value};
  }
  case AffineExprKind::DimId: {
    std::optional<int64_t> extent =
        extents[cast<AffineDimExpr>(expr).getPosition()];
    if (extent)
      return {0, std::max<int64_t>(*extent - 1, 0)};
    return {0, std::nullopt};
  }
  case AffineExprKind::SymbolId:
    return {0, std::nullopt};
  default:
    break;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  IndexRange lhs = range(binary.getLHS());
  IndexRange rhs = range(binary.getRHS());
  bool isConstant = rhs.low && rhs.low == rhs.high;
  int64_t c = isConstant ? *rhs.low : 0;
  auto map = [](std::optional<int64_t> v, auto fn) -> std::optional<int64_t> {
    return v ? std::optional<int64_t>(fn(*v)) : std::nullopt;
  };
  switch (expr.getKind()) {
  case AffineExprKind::Add: {
    IndexRange sum;
    if (lhs.low && rhs.low)
      sum.low = *lhs.low + *rhs.low;
    if (lhs.high && rhs.high)
      sum.high = *lhs.high + *rhs.high;
    return sum;
  }
  case AffineExprKind::Mul: {
    if (!isConstant) {
      // Products of indices and sizes.
      if (lhs.low && *lhs.low >= 0 && rhs.low && *rhs.low >= 0)
        return {0, std::nullopt};
      return {};
    }
    auto scale = [&](int64_t v) { return v * c; };
    if (c >= 0)
      return {map(lhs.low, scale), map(lhs.high, scale)};
    return {map(lhs.high, scale), map(lhs.low, scale)};
  }
  case AffineExprKind::FloorDiv: {
    if (!isConstant || c <= 0)
      return {lhs.low && *lhs.low >= 0 ? std::optional<int64_t>(0)
                                       : std::nullopt,
              lhs.high};
    auto divide = [&](int64_t v) {
      return v >= 0 ? v / c : -((-v + c - 1) / c);
    };
    return {map(lhs.low, divide), map(lhs.high, divide)};
  }
  case AffineExprKind::Mod: {
    if (!isConstant || c <= 0)
      return {0, std::nullopt};
    if (lhs.low && *lhs.low >= 0 && lhs.high && *lhs.high < c)
      return lhs;
    return {0, c - 1};
  }
  default:
    return {};
  }
}

IndexRange IndexSpace::range(AffineExpr expr) const {
  IndexRange result = structuralRange(expr);
  for (const auto &[known, bounds] : assumptions) {
    SmallVector<Term> terms;
    collectTerms(expr, 1, terms);
    collectTerms(known, -1, terms);
    auto rest = dyn_cast<AffineConstantExpr>(sumTerms(terms, context));
    if (!rest)
      continue;
    if (bounds.low &&
        (!result.low || *result.low < *bounds.low + rest.getValue()))
      result.low = *bounds.low + rest.getValue();
    if (bounds.high &&
        (!result.high || *result.high > *bounds.high + rest.getValue()))
      result.high = *bounds.high + rest.getValue();
  }
  return result;
}

AffineExpr IndexSpace::simplifyDivMod(AffineExprKind kind, AffineExpr lhs,
                                      AffineExpr rhs) const {
  bool isMod = kind == AffineExprKind::Mod;
  auto constantRhs = dyn_cast<AffineConstantExpr>(rhs);
  if (!constantRhs || constantRhs.getValue() <= 0) {
    IndexRange bounds = range(lhs);
    if (bounds.low == 0 && bounds.high == 0)
      return constant(0);
    return isMod ? lhs % rhs : lhs.floorDiv(rhs);
  }
  int64_t c = constantRhs.getValue();
  // n = big + small with g dividing big and c, and 0 <= small < g: then
  // n / c = big / c and n % c = big % c + small.
  SmallVector<Term> terms;
  collectTerms(lhs, 1, terms);
  SmallVector<int64_t> candidates{c};
  for (const Term &term : terms)
    if (int64_t g = std::gcd(divisorOf(term), c);
        g > 1 && !llvm::is_contained(candidates, g))
      candidates.push_back(g);
  llvm::sort(candidates, std::greater<int64_t>());
  for (int64_t g : candidates) {
    SmallVector<Term> big, small;
    for (const Term &term : terms)
      (divisorOf(term) % g == 0 ? big : small).push_back(term);
    IndexRange bounds = range(sumTerms(small, context));
    if (!bounds.low || *bounds.low < 0 || !bounds.high || *bounds.high >= g)
      continue;
    AffineExpr bigSum = sumTerms(big, context);
    IndexRange bigRange = range(bigSum);
    if (isMod) {
      AffineExpr rest = g == c ? constant(0) : bigSum % c;
      if (bigRange.low && *bigRange.low >= 0 && bigRange.high &&
          *bigRange.high < c)
        rest = bigSum;
      return rest + sumTerms(small, context);
    }
    if (bigRange.low && *bigRange.low >= 0 && bigRange.high &&
        *bigRange.high < c)
      return constant(0);
    if (g == c) {
      for (Term &term : big) {
        if (auto value = dyn_cast<AffineConstantExpr>(term.expr))
          term = {constant(value.getValue() * term.factor / c), 1};
        else
          term.factor /= c;
      }
      return sumTerms(big, context);
    }
    return bigSum.floorDiv(c);
  }
  return isMod ? lhs % rhs : lhs.floorDiv(rhs);
}

AffineExpr IndexSpace::simplify(AffineExpr expr) const {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = simplify(binary.getLHS());
  AffineExpr rhs = simplify(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
  case AffineExprKind::Mod:
    return simplifyDivMod(expr.getKind(), lhs, rhs);
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Add:
    break;
  default:
    return simplifyAffineExpr(expr, extents.size(), 0);
  }
  SmallVector<Term> terms;
  collectTerms(lhs, 1, terms);
  collectTerms(rhs, 1, terms);
  // (x / c) * (c * k) + (x % c) * k = x * k.
  for (bool changed = true; changed;) {
    changed = false;
    for (Term &mod : terms) {
      auto modExpr = dyn_cast<AffineBinaryOpExpr>(mod.expr);
      if (!modExpr || modExpr.getKind() != AffineExprKind::Mod || !mod.factor)
        continue;
      auto c = dyn_cast<AffineConstantExpr>(modExpr.getRHS());
      if (!c)
        continue;
      AffineExpr quotient = simplifyDivMod(AffineExprKind::FloorDiv,
                                           modExpr.getLHS(), modExpr.getRHS());
      auto div = llvm::find_if(terms, [&](Term &t) {
        return t.expr == quotient && t.factor == mod.factor * c.getValue();
      });
      if (div == terms.end())
        continue;
      int64_t factor = mod.factor;
      div->factor = mod.factor = 0;
      collectTerms(modExpr.getLHS(), factor, terms);
      changed = true;
      break;
    }
  }
  return sumTerms(terms, context);
}

AffineExpr IndexSpace::atLane(AffineExpr expr, AffineExpr lane,
                              int64_t index) const {
  return simplify(expr.replace(lane, constant(index)));
}

std::optional<int64_t> IndexSpace::laneStride(AffineExpr expr,
                                              AffineExpr lane) const {
  if (!expr.isFunctionOfDim(cast<AffineDimExpr>(lane).getPosition()))
    return 0;
  if (hasStride(expr, lane, 1))
    return 1;
  return std::nullopt;
}

AffineExpr IndexSpace::linearize(ArrayRef<AffineExpr> coords,
                                 ArrayRef<AffineExpr> sizes) const {
  AffineExpr position = constant(0);
  for (auto [coord, size] : llvm::zip_equal(coords, sizes))
    position = position * size + coord;
  return simplify(position);
}

SmallVector<AffineExpr>
IndexSpace::delinearize(AffineExpr position, ArrayRef<AffineExpr> sizes) const {
  SmallVector<AffineExpr> coords(sizes.size(), constant(0));
  // A size-1 dimension has coordinate 0; the outermost of the others is the
  // quotient that is left, since positions lie inside the tensor.
  AffineExpr rest = position;
  std::optional<size_t> outermost;
  for (size_t i = 0; i < sizes.size() && !outermost; ++i)
    if (sizes[i] != constant(1))
      outermost = i;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == constant(1))
      continue;
    if (i == outermost) {
      coords[i] = rest;
      break;
    }
    coords[i] = simplify(rest % sizes[i]);
    rest = simplify(rest.floorDiv(sizes[i]));
  }
  return coords;
}
