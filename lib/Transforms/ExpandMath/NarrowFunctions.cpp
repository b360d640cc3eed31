// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NarrowFunctions.h"

#include "FunctionCall.h"

#include "dialects/Prec/Prec.h"
#include "prec/Analysis/ScaledRounding.h"
#include "prec/Numerics/ExactExpansion.h"
#include "prec/Numerics/Rounding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace prec;

/// Longer chains are left to the f64 expansions: running them costs time.
static constexpr unsigned kMaxNodes = 64;

static bool isF32(Value value) {
  return getElementTypeOrSelf(value.getType()).isF32();
}

/// Whether `op` is the step that ends a chain.
static bool isNarrowing(Operation *op) {
  auto round = dyn_cast<RoundOp>(op);
  return round && roundsTo16Bits(round);
}

namespace {

/// Builds the chain of one function.
class ChainBuilder {
public:
  ChainBuilder(const prec::NarrowFunctions &chosen) : chosen(chosen) {}

  /// The chain that `function` is part of, and its node; nothing where it
  /// depends on more than one 16-bit value.
  std::optional<unsigned> build(Operation *function) {
    std::optional<unsigned> start = nodeOf(function->getResult(0));
    if (!start)
      return std::nullopt;
    // Everything that the result goes into, up to the roundings and to what
    // depends on other values.
    llvm::SetVector<Operation *> users;
    users.insert(function);
    llvm::SetVector<unsigned> out;
    for (unsigned i = 0; i < users.size(); ++i) {
      const unsigned node = nodes.lookup(users[i]->getResult(0));
      for (Operation *user : users[i]->getUsers()) {
        if (isNarrowing(user)) {
          bool isBF16 = getElementTypeOrSelf(user->getResult(0)).isBF16();
          roundings[add({isBF16 ? ChainNode::ToBF16 : ChainNode::ToF16,
                         {node, 0, 0}})] = user;
        } else if (user->getNumResults() == 1 && nodeOf(user->getResult(0))) {
          users.insert(user);
        } else {
          out.insert(node);
        }
      }
    }
    if (out.empty() && roundings.empty())
      return std::nullopt;
    exits.assign(out.begin(), out.end());
    for (Operation *user : users)
      if (isa<arith::DivFOp>(user) && !chosen.divisions.count(user))
        divisions.push_back(nodes.lookup(user->getResult(0)));
    return start;
  }

  /// The chain of a function whose product with something else, or a product of
  /// that (at most `most` in all), is rounded to bf16, and the chain's last
  /// node, what is multiplied; nothing where it is not so.
  std::optional<unsigned> buildGuarded(Operation *function, unsigned most,
                                       prec::NarrowFunctions::Guarded &found) {
    std::optional<unsigned> last = nodeOf(function->getResult(0));
    if (!last || !input)
      return std::nullopt;
    Operation *op = function;
    while (true) {
      if (!op->hasOneUse() || found.path.size() == kMaxNodes)
        return std::nullopt;
      found.path.push_back(op);
      if (isa<arith::DivFOp>(op) && !chosen.divisions.count(op))
        divisions.push_back(*last);
      Operation *user = *op->getUsers().begin();
      if (user->getNumResults() != 1)
        return std::nullopt;
      size_t known = chain.size();
      std::optional<unsigned> node = nodeOf(user->getResult(0));
      if (!node) {
        chain.resize(known);
        break;
      }
      last = node;
      op = user;
    }
    while (found.products.size() < most) {
      Value value = op->getResult(0);
      auto product = dyn_cast<arith::MulFOp>(*op->getUsers().begin());
      if (!product || !product->hasOneUse() ||
          product.getFastmath() != arith::FastMathFlags::none)
        break;
      found.products.push_back(product);
      found.factors.push_back(product.getLhs() == value ? product.getRhs()
                                                        : product.getLhs());
      op = product;
    }
    if (found.products.empty())
      return std::nullopt;
    found.rounding = *op->getUsers().begin();
    found.input = input.getDefiningOp<arith::ExtFOp>().getIn();
    if (!isNarrowing(found.rounding) ||
        !getElementTypeOrSelf(found.rounding->getResult(0)).isBF16())
      return std::nullopt;
    return last;
  }

  /// The operation that a node is.
  Operation *operationOf(unsigned node) const {
    for (auto [value, number] : nodes)
      if (number == node)
        return value.getDefiningOp();
    return roundings.lookup(node);
  }

  unsigned nodeOfFunction(Operation *function) const {
    return nodes.lookup(function->getResult(0));
  }

  Chain chain;
  /// The divisions among what the function's result goes into.
  std::vector<unsigned> divisions;
  /// Those of its nodes that something else uses than the chain.
  std::vector<unsigned> exits;
  /// The input, in f32.
  Value input;

private:
  unsigned add(ChainNode node) {
    chain.push_back(node);
    return chain.size() - 1;
  }

  /// The node of a value; nothing, and no new nodes, where it can have none.
  std::optional<unsigned> nodeOf(Value value) {
    if (auto known = nodes.find(value); known != nodes.end())
      return known->second;
    // The chain's length bounds the depth too: each level adds a node.
    if (depth == kMaxNodes || chain.size() >= kMaxNodes)
      return std::nullopt;
    const size_t before = chain.size();
    ++depth;
    std::optional<unsigned> node = makeNode(value);
    --depth;
    if (node) {
      nodes[value] = *node;
      return node;
    }
    chain.resize(before, {ChainNode::Constant});
    nodes.remove_if([&](const auto &entry) { return entry.second >= before; });
    return std::nullopt;
  }

  std::optional<unsigned> makeNode(Value value) {
    APFloat constant(0.0f);
    if (isF32(value) && matchPattern(value, m_ConstantFloat(&constant)))
      return add({ChainNode::Constant,
                  {0, 0, 0},
                  uint32_t(constant.bitcastToAPInt().getZExtValue())});
    Operation *op = value.getDefiningOp();
    if (!op)
      return std::nullopt;
    if (auto widen = dyn_cast<arith::ExtFOp>(op))
      return makeInput(widen);
    if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
        fast &&
        fast.getFastMathFlagsAttr().getValue() != arith::FastMathFlags::none)
      return std::nullopt;
    if (auto compare = dyn_cast<arith::CmpFOp>(op))
      return isF32(compare.getLhs()) ? makeComparison(compare) : std::nullopt;
    if (!isF32(value))
      return std::nullopt;
    if (auto call = functionOf(op)) {
      if (!isCorrectlyRounded(op))
        return std::nullopt;
      ChainNode node{ChainNode::Function};
      node.function = call->function;
      node.power = call->power;
      if (auto known = chosen.functions.find(op);
          known != chosen.functions.end())
        node.choice = known->second;
      return addWithOperands(node, op->getOperand(0));
    }
    using Kind = std::optional<ChainNode::Kind>;
    Kind kind = TypeSwitch<Operation *, Kind>(op)
                    .Case([](arith::AddFOp) { return ChainNode::Add; })
                    .Case([](arith::SubFOp) { return ChainNode::Sub; })
                    .Case([](arith::MulFOp) { return ChainNode::Mul; })
                    .Case([](arith::DivFOp) { return ChainNode::Div; })
                    .Case([](arith::NegFOp) { return ChainNode::Neg; })
                    .Case([](math::AbsFOp) { return ChainNode::Abs; })
                    .Case([](math::SqrtOp) { return ChainNode::Sqrt; })
                    .Case([](math::FmaOp) { return ChainNode::Fma; })
                    .Case([](arith::MaximumFOp) { return ChainNode::Maximum; })
                    .Case([](arith::MinimumFOp) { return ChainNode::Minimum; })
                    .Case([](arith::SelectOp) { return ChainNode::Select; })
                    .Default([](Operation *) { return Kind(); });
    if (!kind)
      return std::nullopt;
    ChainNode node{*kind};
    if (auto known = chosen.divisions.find(op); known != chosen.divisions.end())
      node.choice = known->second.choice;
    return addWithOperands(node, op->getOperands());
  }

  /// The one 16-bit value, which all the chain depends on.
  std::optional<unsigned> makeInput(arith::ExtFOp widen) {
    Value narrow = widen.getIn();
    Type from = getElementTypeOrSelf(narrow.getType());
    if (!isF32(widen.getResult()) || !(from.isBF16() || from.isF16()) ||
        (input && input.getDefiningOp<arith::ExtFOp>().getIn() != narrow))
      return std::nullopt;
    input = widen.getResult();
    return add({from.isBF16() ? ChainNode::InputBF16 : ChainNode::InputF16});
  }

  std::optional<unsigned> makeComparison(arith::CmpFOp op) {
    using Predicate = arith::CmpFPredicate;
    Value x = op.getLhs(), y = op.getRhs();
    auto make = [&](ChainNode::Kind kind, Value x, Value y) {
      return addWithOperands({kind}, {x, y});
    };
    auto makeNot = [&](std::optional<unsigned> node) {
      if (node)
        node = add({ChainNode::Not, {*node, 0, 0}});
      return node;
    };
    switch (op.getPredicate()) {
    case Predicate::OLT:
      return make(ChainNode::Less, x, y);
    case Predicate::OGT:
      return make(ChainNode::Less, y, x);
    case Predicate::OLE:
      return make(ChainNode::LessEqual, x, y);
    case Predicate::OGE:
      return make(ChainNode::LessEqual, y, x);
    case Predicate::OEQ:
      return make(ChainNode::Equal, x, y);
    case Predicate::UNE:
      return makeNot(make(ChainNode::Equal, x, y));
    case Predicate::UGE:
      return makeNot(make(ChainNode::Less, x, y));
    case Predicate::ULE:
      return makeNot(make(ChainNode::Less, y, x));
    case Predicate::UGT:
      return makeNot(make(ChainNode::LessEqual, x, y));
    case Predicate::ULT:
      return makeNot(make(ChainNode::LessEqual, y, x));
    default:
      return std::nullopt;
    }
  }

  std::optional<unsigned> addWithOperands(ChainNode node, ValueRange operands) {
    for (auto [i, operand] : llvm::enumerate(operands)) {
      std::optional<unsigned> index = nodeOf(operand);
      if (!index)
        return std::nullopt;
      node.operands[i] = *index;
    }
    return add(node);
  }

  const prec::NarrowFunctions &chosen;
  llvm::MapVector<Value, unsigned> nodes;
  DenseMap<unsigned, Operation *> roundings;
  unsigned depth = 0;
};

} // namespace

/// A chain and its function in numbers: equal ones have equal answers.
static std::vector<uint64_t> keyOf(const ChainBuilder &builder,
                                   unsigned function) {
  std::vector<uint64_t> key{function};
  for (const ChainNode &node : builder.chain) {
    key.insert(key.end(), {node.kind, node.operands[0], node.operands[1],
                           node.operands[2], node.bits, uint64_t(node.function),
                           uint64_t(node.power), node.choice.has_value()});
    if (const auto &choice = node.choice)
      key.insert(key.end(), {choice->kind, choice->index,
                             num::bitCast<uint32_t>(choice->scale),
                             num::bitCast<uint32_t>(choice->offset)});
  }
  key.insert(key.end(), builder.divisions.begin(), builder.divisions.end());
  key.push_back(~0u); // no node
  key.insert(key.end(), builder.exits.begin(), builder.exits.end());
  return key;
}

/// The choice of a function whose value is close, and that of its right one.
struct CloseAndRight {
  std::optional<Choice> close, right;
};
using KnownClose = std::map<std::vector<uint64_t>, CloseAndRight>;

/// Guards the product that `function` goes into; false if that is not so.
static bool guard(Operation *function, prec::NarrowFunctions &chosen,
                  KnownClose &known) {
  ChainBuilder builder(chosen);
  prec::NarrowFunctions::Guarded found;
  std::optional<unsigned> last = builder.buildGuarded(function, 1, found);
  if (!last)
    return false;
  unsigned node = builder.nodeOfFunction(function);
  std::vector<uint64_t> key = keyOf(builder, node);
  key.push_back(*last);
  auto [entry, isNew] = known.try_emplace(std::move(key));
  auto &[close, right] = entry->second;
  if (isNew) {
    close = chooseClose(builder.chain, node, *last);
    std::optional<Plan> exact;
    if (close)
      exact = chooseExactPlan(builder.chain, node, {*last},
                              /*approximate=*/false);
    if (exact)
      right = exact->choices.front().second;
  }
  if (!close)
    return false;
  chosen.functions[function] = *close;
  found.again = right;
  chosen.guarded.push_back(std::move(found));
  return true;
}

/// Makes choices of nodes those of operations.
static void choose(const ChainBuilder &builder,
                   ArrayRef<std::pair<unsigned, Choice>> choices,
                   prec::NarrowFunctions &chosen) {
  for (const auto &[node, choice] : choices) {
    Operation *what = builder.operationOf(node);
    if (isa<arith::DivFOp>(what))
      chosen.divisions[what] = {choice, builder.input};
    else if (functionOf(what))
      chosen.functions[what] = choice;
  }
}

/// Whether the product can be guarded on a GPU.
static bool canGuard(const prec::NarrowFunctions::Guarded &found,
                     Operation *root) {
  auto type = dyn_cast<VectorType>(found.rounding->getResult(0).getType());
  // The test is on pairs, and takes about as much as what it saves on one.
  if (!type || type.getRank() != 1 || type.isScalable() ||
      type.getNumElements() % 2 || type.getNumElements() < 4 ||
      !getElementTypeOrSelf(found.input.getType()).isBF16())
    return false;
  // The audit proves results, not what is computed with them.
  if (llvm::any_of(found.rounding->getUsers(), [](Operation *user) {
        return user->hasTrait<OpTrait::Elementwise>();
      }))
    return false;
  // There has to be a place for the function.
  Operation *table = SymbolTable::getNearestSymbolTable(found.rounding);
  if (!table || !root->isAncestor(table))
    return false;
  return llvm::all_of(found.factors, [](Value factor) {
    APFloat constant(0.0f);
    return !matchPattern(factor, m_ConstantFloat(&constant)) ||
           std::fabs(constant.convertToFloat()) <= kMostFactor;
  });
}

using KnownApproximations =
    std::map<std::vector<uint64_t>, std::optional<CloseApproximation>>;

/// The same with approximate instructions; false if that is not so. `exact`:
/// how operations have all their bits.
static bool guardApproximate(Operation *root, Operation *function,
                             ArrayRef<std::pair<Operation *, Choice>> exact,
                             prec::NarrowFunctions &chosen,
                             KnownApproximations &known) {
  ChainBuilder builder(chosen);
  prec::NarrowFunctions::Guarded found;
  std::optional<unsigned> last =
      builder.buildGuarded(function, kMaxProducts, found);
  if (!last || !canGuard(found, root))
    return false;
  unsigned node = builder.nodeOfFunction(function);
  std::vector<uint64_t> key = keyOf(builder, node);
  key.insert(key.end(), {*last, found.products.size()});
  auto [entry, isNew] = known.try_emplace(std::move(key));
  if (isNew)
    entry->second = approximateClosely(builder.chain, node, builder.divisions,
                                       *last, found.products.size());
  if (!entry->second)
    return false;
  found.close = *entry->second;
  found.exact.assign(exact.begin(), exact.end());
  choose(builder, found.close.choices, chosen);
  chosen.guarded.push_back(std::move(found));
  return true;
}

prec::NarrowFunctions prec::findNarrowFunctions(Operation *root,
                                                bool approximate, bool exact) {
  NarrowFunctions chosen;
  KnownClose close;
  KnownApproximations approximations;
  std::map<std::vector<uint64_t>, std::optional<Plan>> known;
  // One function after another, in the order they are computed in: each is
  // tried together with those chosen before it.
  root->walk([&](Operation *op) {
    if (!functionOf(op) || !isCorrectlyRounded(op) || !isF32(op->getResult(0)))
      return;
    ChainBuilder builder(chosen);
    std::optional<unsigned> function = builder.build(op);
    // An exact quotient has its bits only where its plan looked at them.
    if (!function || llvm::any_of(builder.chain, [](const ChainNode &node) {
          return node.choice && node.choice->kind == Choice::Exact &&
                 node.choice->index != num::expand::Limited;
        }))
      return;
    if (!approximate && !builder.exits.empty() && guard(op, chosen, close))
      return;
    auto [entry, isNew] = known.try_emplace(keyOf(builder, *function));
    if (isNew) {
      if (builder.exits.empty())
        entry->second = choosePlan(builder.chain, *function, builder.divisions,
                                   approximate);
      if (!entry->second && exact)
        entry->second = chooseExactPlan(builder.chain, *function, builder.exits,
                                        approximate);
    }
    SmallVector<std::pair<Operation *, Choice>> plan;
    if (entry->second)
      for (const auto &[node, choice] : entry->second->choices)
        plan.push_back({builder.operationOf(node), choice});
    if (approximate && !builder.exits.empty() &&
        guardApproximate(root, op, plan, chosen, approximations))
      return;
    if (!entry->second)
      return;
    choose(builder, entry->second->choices, chosen);
    for (const Exception &e : entry->second->exceptions)
      chosen.exceptions.push_back(
          {builder.operationOf(e.node), builder.input, e.input, e.value});
  });
  return chosen;
}
