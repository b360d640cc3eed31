// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Analysis/Representability.h"

#include "dialects/Prec/Prec.h"

#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace prec;
using num::Format;
using num::NaNs;
using num::Representation;

/// The format of a type's elements; an integer of 32 or 64 bits has that of the
/// float with its bits.
static const Format *carriedFormat(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (const Format *format = formatOf(element))
    return format;
  if (element.isInteger(32))
    return &num::kF32;
  return element.isInteger(64) ? &num::kF64 : nullptr;
}

static std::optional<Representation> everything(Type type) {
  if (const Format *format = carriedFormat(type))
    return Representation::all(*format);
  return std::nullopt;
}

namespace {

/// A set that grows. What still grows after a few steps around a loop becomes
/// all numbers.
struct State {
  /// Nothing: no value has reached this place yet.
  std::optional<Representation> set;
  unsigned steps = 0;

  bool operator==(const State &other) const { return set == other.set; }
  void print(raw_ostream &os) const {
    if (set)
      os << set->precision << " bits from 2^" << set->unit << " below 2^"
         << set->bound;
  }
  static State join(const State &a, const State &b) {
    if (!a.set || !b.set)
      return a.set ? a : b;
    State result{num::hull(*a.set, *b.set), std::max(a.steps, b.steps)};
    if (result == a)
      return a;
    constexpr unsigned kMaxSteps = 4;
    if (++result.steps > kMaxSteps)
      result.set = hull(*result.set, Representation::all(num::kF64));
    return result;
  }
};

using Lattice = dataflow::Lattice<State>;

class Analysis : public dataflow::SparseForwardDataFlowAnalysis<Lattice> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  LogicalResult visitOperation(Operation *op, ArrayRef<const Lattice *> in,
                               ArrayRef<Lattice *> out) override;

  void setToEntryState(Lattice *lattice) override {
    std::optional<Representation> set =
        everything(lattice->getAnchor().getType());
    propagateIfChanged(lattice, lattice->join(State{set}));
  }
};

/// The results of one operation, from its operands'.
class Transfer {
public:
  Transfer(Operation *op, ArrayRef<const Lattice *> in, const Format &format)
      : op(op), in(in), format(format) {}

  std::optional<Representation> run();

private:
  const Representation &operand(unsigned i) const {
    return *in[i]->getValue().set;
  }
  Representation onceRounded(const Representation &exact) const {
    return num::rounded(exact, format);
  }
  Representation hullOfFloats() const;
  Representation constant(Attribute value) const;
  Representation chosen(arith::SelectOp select) const;
  std::optional<Representation> function() const;
  std::optional<Representation> bits() const;
  std::optional<Representation> masked() const;
  std::optional<Representation> shifted(arith::ShLIOp shift) const;

  Operation *op;
  ArrayRef<const Lattice *> in;
  const Format &format;
};

} // namespace

/// Movement: any of the operands of the result's element type.
Representation Transfer::hullOfFloats() const {
  std::optional<Representation> result;
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  for (auto [value, lattice] : llvm::zip_equal(op->getOperands(), in)) {
    if (getElementTypeOrSelf(value.getType()) != element)
      continue;
    const Representation &set = *lattice->getValue().set;
    result = result ? num::hull(*result, set) : set;
  }
  return result.value_or(Representation::all(format));
}

Representation Transfer::constant(Attribute value) const {
  auto one = [&](const APInt &bits) {
    return Representation::of(format, bits.getZExtValue());
  };
  if (auto scalar = dyn_cast<FloatAttr>(value))
    return one(scalar.getValue().bitcastToAPInt());
  if (auto scalar = dyn_cast<IntegerAttr>(value))
    return one(scalar.getValue());
  constexpr int64_t kMaxElements = 64;
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense || (!dense.isSplat() && dense.getNumElements() > kMaxElements) ||
      dense.empty())
    return Representation::all(format);
  std::optional<Representation> result;
  auto add = [&](const APInt &bits) {
    result = result ? num::hull(*result, one(bits)) : one(bits);
  };
  int64_t number = dense.isSplat() ? 1 : dense.getNumElements();
  if (auto floats = dyn_cast<DenseFPElementsAttr>(dense)) {
    for (const APFloat &element :
         llvm::make_range(floats.value_begin<APFloat>(),
                          std::next(floats.value_begin<APFloat>(), number)))
      add(element.bitcastToAPInt());
  } else {
    for (const APInt &element :
         llvm::make_range(dense.value_begin<APInt>(),
                          std::next(dense.value_begin<APInt>(), number)))
      add(element);
  }
  return *result;
}

/// Either value; `x is NaN ? y : x` is an x that is a number, or y.
Representation Transfer::chosen(arith::SelectOp select) const {
  Representation whenTrue = operand(1), whenFalse = operand(2);
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  if (compare && compare.getLhs() == compare.getRhs()) {
    if (compare.getPredicate() == arith::CmpFPredicate::UNO &&
        compare.getLhs() == select.getFalseValue())
      whenFalse.nans = NaNs::None;
    if (compare.getPredicate() == arith::CmpFPredicate::ORD &&
        compare.getLhs() == select.getTrueValue())
      whenTrue.nans = NaNs::None;
  }
  return num::hull(whenTrue, whenFalse);
}

/// Functions of the math dialect, as far as anything is known of them.
std::optional<Representation> Transfer::function() const {
  Representation any = Representation::all(format);
  any.nans = operand(0).nans;
  if (isa<math::ExpOp, math::Exp2Op>(op)) {
    any.hasNegative = false;
    return any;
  }
  if (isa<math::TanhOp, math::ErfOp>(op)) {
    any.hasInfinity = false;
    any.bound = 1;
    return any;
  }
  return std::nullopt;
}

/// `x & mask`: without its sign, the sign alone, or without low bits.
std::optional<Representation> Transfer::masked() const {
  for (unsigned i : {0u, 1u}) {
    APInt mask;
    if (!matchPattern(op->getOperand(i), m_ConstantInt(&mask)))
      continue;
    const Representation &other = operand(1 - i);
    uint64_t bits = mask.getZExtValue();
    if (bits == format.absMask())
      return num::absolute(other);
    if (bits == format.signMask()) {
      Representation zeros = Representation::zeros();
      zeros.hasNegative = other.hasNegative || other.nans != NaNs::None;
      return zeros;
    }
  }
  return std::nullopt;
}

/// A float whose low bits are zero. As many are as bf16 lacks: it is one.
std::optional<Representation> Transfer::shifted(arith::ShLIOp shift) const {
  APInt amount;
  if (!matchPattern(shift.getRhs(), m_ConstantInt(&amount)) ||
      amount.ult(format.fracBits - num::kBF16.fracBits))
    return std::nullopt;
  Representation result = Representation::all(format);
  result.precision = int(num::kBF16.precision());
  result.unit = format.minExp() - int(num::kBF16.fracBits);
  result.nans = NaNs::Short;
  return result;
}

/// Integers that stand for the floats with their bits.
std::optional<Representation> Transfer::bits() const {
  using Result = std::optional<Representation>;
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AndIOp) { return masked(); })
      .Case<arith::OrIOp, arith::XOrIOp>([&](auto) -> Result {
        // A sign, put into or taken from a number.
        for (unsigned i : {0u, 1u})
          if (num::hull(operand(i), Representation::zeros()) ==
              Representation::zeros())
            return num::anySign(operand(1 - i));
        return std::nullopt;
      })
      .Case([&](arith::ShLIOp shift) { return shifted(shift); })
      .Default([](Operation *) { return Result(); });
}

std::optional<Representation> Transfer::run() {
  using Result = std::optional<Representation>;
  auto first = [&](auto) -> Result { return operand(0); };
  auto integer = [&](bool isSigned) -> Result {
    Type type = getElementTypeOrSelf(op->getOperand(0).getType());
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    return onceRounded(num::integers(width, isSigned));
  };
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::ConstantOp op) -> Result {
        return constant(op.getValue());
      })
      .Case<arith::ExtFOp, ObserveOp, MaterializeOp>(first)
      .Case([&](RoundOp) -> Result { return onceRounded(operand(0)); })
      .Case([&](arith::TruncFOp truncate) -> Result {
        Representation result = onceRounded(operand(0));
        if (truncate->hasAttr(kShortNaNName))
          result.nans = std::min(result.nans, NaNs::Short);
        return result;
      })
      .Case([&](arith::BitcastOp op) -> Result {
        if (carriedFormat(op.getIn().getType()) != &format)
          return std::nullopt;
        return operand(0);
      })
      .Case([&](arith::NegFOp) -> Result { return negate(operand(0)); })
      .Case([&](math::AbsFOp) -> Result { return absolute(operand(0)); })
      .Case([&](math::CopySignOp) -> Result { return anySign(operand(0)); })
      .Case([&](arith::AddFOp) -> Result {
        return onceRounded(exactAdd(operand(0), operand(1)));
      })
      .Case([&](arith::SubFOp) -> Result {
        return onceRounded(exactAdd(operand(0), negate(operand(1))));
      })
      .Case([&](arith::MulFOp) -> Result {
        return onceRounded(exactMultiply(operand(0), operand(1)));
      })
      .Case([&](arith::DivFOp) -> Result {
        return divide(operand(0), operand(1), format);
      })
      .Case([&](math::FmaOp) -> Result {
        return onceRounded(
            exactAdd(exactMultiply(operand(0), operand(1)), operand(2)));
      })
      .Case([&](math::SqrtOp) -> Result {
        return squareRoot(operand(0), format);
      })
      .Case([&](arith::MaximumFOp) -> Result {
        return maximum(operand(0), operand(1));
      })
      .Case([&](arith::MinimumFOp) -> Result {
        return minimum(operand(0), operand(1));
      })
      .Case<arith::MaxNumFOp, arith::MinNumFOp>(
          [&](auto) -> Result { return num::hull(operand(0), operand(1)); })
      .Case([&](arith::SelectOp select) -> Result { return chosen(select); })
      .Case([&](arith::SIToFPOp) { return integer(true); })
      .Case([&](arith::UIToFPOp) { return integer(false); })
      .Case<vector::BroadcastOp, vector::ShapeCastOp, vector::ExtractOp,
            vector::InsertOp, vector::ShuffleOp, vector::FromElementsOp,
            vector::InterleaveOp, vector::ExtractStridedSliceOp,
            vector::InsertStridedSliceOp>(
          [&](auto) -> Result { return hullOfFloats(); })
      .Case<math::ExpOp, math::Exp2Op, math::TanhOp, math::ErfOp>(
          [&](auto) { return function(); })
      .Default([&](Operation *) { return bits(); });
}

LogicalResult Analysis::visitOperation(Operation *op,
                                       ArrayRef<const Lattice *> in,
                                       ArrayRef<Lattice *> out) {
  // What has an operand that nothing has reached yet is not reached itself.
  for (auto [value, lattice] : llvm::zip_equal(op->getOperands(), in))
    if (carriedFormat(value.getType()) && !lattice->getValue().set)
      return success();
  for (Lattice *result : out) {
    Type type = result->getAnchor().getType();
    const Format *format = carriedFormat(type);
    std::optional<Representation> set;
    if (format && out.size() == 1)
      set = Transfer(op, in, *format).run();
    if (!set)
      set = everything(type);
    propagateIfChanged(result, result->join(State{set}));
  }
  return success();
}

Representability::Representability(Operation *root) {
  dataflow::loadBaselineAnalyses(solver);
  solver.load<Analysis>();
  // An analysis that fails has reached fewer places: they count as all numbers.
  (void)solver.initializeAndRun(root);
}

std::optional<Representation> Representability::of(Value value) const {
  const Format *format = formatOf(getElementTypeOrSelf(value.getType()));
  if (!format)
    return std::nullopt;
  Representation all = Representation::all(*format);
  const auto *lattice = solver.lookupState<Lattice>(value);
  if (!lattice || !lattice->getValue().set)
    return all;
  // A loop that grew past the type is the type again.
  const Representation &set = *lattice->getValue().set;
  return num::hull(set, all) == all ? set : all;
}
