// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Target/PTX/DescribeLaunch.h"

#include "prec/Analysis/TensorSizes.h"
#include "prec/Conversion/ABI.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using prec::launch::Expression;
using Kind = prec::launch::Expression::Kind;

namespace {
/// Walks the host function once and fills a description.
class Describer {
public:
  Describer(func::FuncOp host, const prec::Signature &signature)
      : host(host), signature(signature) {}

  FailureOr<prec::launch::Description> run(StringRef target);

private:
  LogicalResult bindArguments();
  LogicalResult visit(Operation &op);
  LogicalResult describe(gpu::LaunchFuncOp launch,
                         prec::launch::Kernel &kernel);
  LogicalResult visitChoice(scf::IfOp choice);
  LogicalResult addConditions(Operation *op, Value condition,
                              std::vector<prec::launch::Condition> &conditions);
  LogicalResult visitAlloc(memref::AllocOp alloc);
  LogicalResult addGuards(cf::AssertOp check, Value condition);

  /// An integer value as an expression over sizes, or nothing.
  std::optional<Expression> toExpression(Value value) const;
  /// The selects that divisions of affine expressions are expanded to.
  std::optional<Expression> toExpression(arith::SelectOp select) const;
  FailureOr<Expression> requireExpression(Operation *op, Value value) const;

  func::FuncOp host;
  const prec::Signature &signature;
  prec::launch::Description description;
  /// Names of memory and of scalar arguments; expressions of sizes.
  DenseMap<Value, std::string> names;
  DenseMap<Value, Expression> sizes;
  llvm::json::Array guards;
};
} // namespace

/// `expr` as an expression, with `leaf` for its dimensions and symbols.
static std::optional<Expression>
toExpression(AffineExpr expr,
             llvm::function_ref<std::optional<Expression>(AffineExpr)> leaf) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Expression(constant.getValue());
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return leaf(expr);
  std::optional<Expression> lhs = toExpression(binary.getLHS(), leaf);
  std::optional<Expression> rhs = toExpression(binary.getRHS(), leaf);
  if (!lhs || !rhs)
    return std::nullopt;
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return *lhs + *rhs;
  case AffineExprKind::Mul:
    return *lhs * *rhs;
  case AffineExprKind::FloorDiv:
    return Expression::binary(Kind::FloorDiv, *lhs, *rhs);
  case AffineExprKind::CeilDiv:
    return Expression::binary(Kind::CeilDiv, *lhs, *rhs);
  default: // Mod
    return *lhs - Expression::binary(Kind::FloorDiv, *lhs, *rhs) * *rhs;
  }
}

/// Whether `expression` is at least 0 for all sizes.
static bool isNotNegative(const Expression &expression) {
  switch (expression.kind()) {
  case Kind::Constant:
    return *expression.constantValue() >= 0;
  case Kind::Name:
    return true;
  case Kind::Sub:
    return false;
  default:
    return isNotNegative(expression.lhs()) && isNotNegative(expression.rhs());
  }
}

/// The operand of `value` = operand + `offset`, or null.
static Value matchOffset(Value value, int64_t offset) {
  IntegerAttr constant;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumOperands() != 2 ||
      !matchPattern(op->getOperand(1), m_Constant(&constant)))
    return {};
  int64_t number = constant.getValue().getSExtValue();
  bool matches = isa<arith::AddIOp>(op)   ? number == offset
                 : isa<arith::SubIOp>(op) ? number == -offset
                                          : false;
  return matches ? op->getOperand(0) : Value();
}

std::optional<Expression>
Describer::toExpression(arith::SelectOp select) const {
  auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || !matchPattern(compare.getRhs(), m_Zero()))
    return std::nullopt;
  Value number = compare.getLhs();
  std::optional<Expression> expression = toExpression(number);
  if (!expression || !isNotNegative(*expression))
    return std::nullopt;
  // x < 0 ? ... : y, as upstream expands a floor division.
  if (compare.getPredicate() == arith::CmpIPredicate::slt)
    return toExpression(select.getFalseValue());
  if (compare.getPredicate() != arith::CmpIPredicate::sle)
    return std::nullopt;
  // x <= 0 ? ... : (x <= 0 ? ... : x - 1) / y + 1, as it expands ceil(x / y).
  Value quotient = matchOffset(select.getFalseValue(), 1);
  auto divide = quotient ? quotient.getDefiningOp<arith::DivSIOp>() : nullptr;
  auto inner =
      divide ? divide.getLhs().getDefiningOp<arith::SelectOp>() : nullptr;
  if (!inner || inner.getCondition() != select.getCondition() ||
      matchOffset(inner.getFalseValue(), -1) != number)
    return std::nullopt;
  std::optional<Expression> divisor = toExpression(divide.getRhs());
  if (!divisor)
    return std::nullopt;
  return Expression::binary(Kind::CeilDiv, *expression, *divisor);
}

std::optional<Expression> Describer::toExpression(Value value) const {
  if (auto it = sizes.find(value); it != sizes.end())
    return it->second;
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return Expression(constant.getValue().getSExtValue());
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::TruncIOp,
          arith::ExtSIOp, arith::ExtUIOp>(op))
    return toExpression(op->getOperand(0));
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    ValueRange operands = apply.getMapOperands();
    return ::toExpression(map.getResult(0), [&](AffineExpr leaf) {
      auto dim = dyn_cast<AffineDimExpr>(leaf);
      return toExpression(
          operands[dim ? dim.getPosition()
                       : map.getNumDims() +
                             cast<AffineSymbolExpr>(leaf).getPosition()]);
    });
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return toExpression(select);
  // Sizes are not negative: truncating and unsigned division are floors.
  std::optional<Kind> kind =
      llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
          .Case<arith::AddIOp>([](auto) { return Kind::Add; })
          .Case<arith::SubIOp>([](auto) { return Kind::Sub; })
          .Case<arith::MulIOp>([](auto) { return Kind::Mul; })
          .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(
              [](auto) { return Kind::FloorDiv; })
          .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
              [](auto) { return Kind::CeilDiv; })
          .Case<arith::MinSIOp, arith::MinUIOp>([](auto) { return Kind::Min; })
          .Case<arith::MaxSIOp, arith::MaxUIOp>([](auto) { return Kind::Max; })
          .Default([](Operation *) { return std::nullopt; });
  if (!kind && !isa<arith::RemUIOp>(op))
    return std::nullopt;
  std::optional<Expression> lhs = toExpression(op->getOperand(0));
  std::optional<Expression> rhs = toExpression(op->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  if (!kind)
    return *lhs - Expression::binary(Kind::FloorDiv, *lhs, *rhs) * *rhs;
  return Expression::binary(*kind, *lhs, *rhs);
}

FailureOr<Expression> Describer::requireExpression(Operation *op,
                                                   Value value) const {
  if (std::optional<Expression> expression = toExpression(value))
    return *expression;
  return op->emitError("expected a launch that depends on sizes only but got ")
         << value;
}

LogicalResult Describer::bindArguments() {
  size_t expected = signature.arguments.size() + signature.results.size() +
                    signature.sizes.size();
  if (host.getNumArguments() != expected)
    return host.emitError("expected ")
           << expected << " arguments but got " << host.getNumArguments();
  unsigned number = 0;
  for (const prec::SignatureValue &value : signature.arguments) {
    Value argument = host.getArgument(number++);
    names[argument] = value.name;
    if (argument.getType().isIntOrIndex())
      sizes.try_emplace(argument, Expression::name(value.name));
  }
  for (const prec::SignatureValue &value : signature.results)
    names[host.getArgument(number++)] = value.name;
  for (const prec::SignatureSize &size : signature.sizes) {
    sizes.try_emplace(host.getArgument(number++),
                      Expression::name(size.identifier));
    description.dims[size.identifier] = {
        signature.arguments[size.argument].name, size.dimension};
  }
  return success();
}

/// The name of a scalar type in a launch description.
static std::string scalarTypeName(Type type) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  if (type.isIndex())
    return "i64";
  if (type.isInteger(1))
    return "i8"; // passed as a byte
  stream << type;
  return name;
}

LogicalResult Describer::describe(gpu::LaunchFuncOp launch,
                                  prec::launch::Kernel &kernel) {
  kernel.entry = launch.getKernelName().str();
  Operation *code =
      SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernelAttr());
  IntegerAttr own;
  if (code)
    own = code->getAttrOfType<IntegerAttr>(prec::kAlignmentAttrName);
  // What kernels that do not say get from the pipeline.
  int64_t alignment = own ? own.getInt() : 16;
  if (alignment)
    kernel.extra["alignment"] = std::to_string(alignment);
  if (code && code->hasAttr(prec::kDependentLaunchAttrName))
    kernel.extra["dependent_launch"] = "true";
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  auto set = [&](Expression &to, Value value) {
    FailureOr<Expression> expression = requireExpression(launch, value);
    if (succeeded(expression))
      to = *expression;
    return LogicalResult(expression);
  };
  if (failed(set(kernel.grid[0], grid.x)) ||
      failed(set(kernel.grid[1], grid.y)) ||
      failed(set(kernel.grid[2], grid.z)) ||
      failed(set(kernel.block[0], block.x)) ||
      failed(set(kernel.block[1], block.y)) ||
      failed(set(kernel.block[2], block.z)))
    return failure();
  if (Value shared = launch.getDynamicSharedMemorySize())
    if (failed(set(kernel.dynamicShared, shared)))
      return failure();
  for (Value operand : launch.getKernelOperands()) {
    while (auto cast = operand.getDefiningOp<memref::CastOp>())
      operand = cast.getSource();
    auto it = names.find(operand);
    if (isa<MemRefType>(operand.getType())) {
      if (it == names.end())
        return launch.emitError("expected an argument or a temporary but got ")
               << operand;
      kernel.params.push_back(prec::launch::Parameter::makeTensor(it->second));
      continue;
    }
    std::string type = scalarTypeName(operand.getType());
    if (it != names.end()) {
      kernel.params.push_back(
          prec::launch::Parameter::makeScalar(type, it->second));
      continue;
    }
    FailureOr<Expression> value = requireExpression(launch, operand);
    if (failed(value))
      return failure();
    kernel.params.push_back(
        prec::launch::Parameter::makeScalar(type, value->str()));
  }
  return success();
}

LogicalResult Describer::visitAlloc(memref::AllocOp alloc) {
  prec::launch::Buffer &buffer = description.temporaries.emplace_back();
  // A name that no tensor of the function has.
  auto isTaken = [&](StringRef name) {
    return llvm::any_of(
        names, [&](const auto &entry) { return entry.second == name; });
  };
  unsigned number = description.temporaries.size() - 1;
  do
    buffer.name = "t" + std::to_string(number++);
  while (isTaken(buffer.name));
  names[alloc] = buffer.name;
  buffer.type = scalarTypeName(alloc.getType().getElementType());
  unsigned dynamic = 0;
  for (int64_t size : alloc.getType().getShape()) {
    if (!ShapedType::isDynamic(size)) {
      buffer.shape.push_back(size);
      continue;
    }
    FailureOr<Expression> expression =
        requireExpression(alloc, alloc.getDynamicSizes()[dynamic++]);
    if (failed(expression))
      return failure();
    buffer.shape.push_back(*expression);
  }
  return success();
}

/// The comparison as launch descriptions write it.
static std::string comparison(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return "==";
  case arith::CmpIPredicate::ne:
    return "!=";
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return "<";
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return "<=";
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return ">";
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return ">=";
  }
  llvm_unreachable("unknown predicate");
}

/// The bytes that `compare` says a memory is aligned to, 0 if it is another
/// comparison.
static unsigned matchAlignment(arith::CmpIOp compare) {
  auto rest = compare.getLhs().getDefiningOp<arith::RemUIOp>();
  IntegerAttr alignment;
  if (!rest ||
      !rest.getLhs().getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>() ||
      !matchPattern(rest.getRhs(), m_Constant(&alignment)))
    return 0;
  return alignment.getInt();
}

LogicalResult
Describer::addConditions(Operation *op, Value value,
                         std::vector<prec::launch::Condition> &conditions) {
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant)) && constant.getValue().isOne())
    return success();
  if (auto both = value.getDefiningOp<arith::AndIOp>())
    return success(succeeded(addConditions(op, both.getLhs(), conditions)) &&
                   succeeded(addConditions(op, both.getRhs(), conditions)));
  prec::launch::Condition condition;
  auto compare = value.getDefiningOp<arith::CmpIOp>();
  if (compare) {
    condition.alignment = matchAlignment(compare);
    condition.is =
        condition.alignment ? "" : comparison(compare.getPredicate());
  }
  if (!condition.alignment) {
    std::optional<Expression> lhs, rhs;
    if (compare) {
      lhs = toExpression(compare.getLhs());
      rhs = toExpression(compare.getRhs());
    }
    if (!lhs || !rhs)
      return op->emitError(
          "expected a check that compares sizes on the GPU target");
    condition.left = *lhs;
    condition.right = *rhs;
  }
  if (!llvm::is_contained(conditions, condition))
    conditions.push_back(condition);
  return success();
}

LogicalResult Describer::addGuards(cf::AssertOp check, Value condition) {
  std::vector<prec::launch::Condition> conditions;
  if (failed(addConditions(check, condition, conditions)))
    return failure();
  for (const prec::launch::Condition &c : conditions)
    guards.push_back(llvm::json::Object{{"left", c.left.str()},
                                        {"is", c.is},
                                        {"right", c.right.str()},
                                        {"message", check.getMsg()}});
  return success();
}

/// A launch of one of two kernels. A reader that knows no alternatives gets the
/// one for all shapes; that pointers are aligned it can provide for, and that
/// tensors are very large it will know.
LogicalResult Describer::visitChoice(scf::IfOp choice) {
  auto launchIn = [](Block *block) -> gpu::LaunchFuncOp {
    if (!block || !llvm::hasSingleElement(block->getOps<gpu::LaunchFuncOp>()))
      return nullptr;
    return *block->getOps<gpu::LaunchFuncOp>().begin();
  };
  auto inThen = launchIn(choice.thenBlock());
  auto inElse = launchIn(choice.elseBlock());
  if (!inThen || !inElse)
    return choice.emitError("expected a choice between two launches");
  prec::launch::Kernel &kernel = description.kernels.emplace_back();
  prec::launch::Alternative &other = kernel.alternatives.emplace_back();
  if (failed(addConditions(choice, choice.getCondition(), other.conditions)))
    return failure();
  other.unless = llvm::all_of(other.conditions, [](const auto &condition) {
    return condition.is != "==";
  });
  return success(
      succeeded(describe(other.unless ? inThen : inElse, kernel)) &&
      succeeded(describe(other.unless ? inElse : inThen, other.kernel)));
}

LogicalResult Describer::visit(Operation &op) {
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    return describe(launch, description.kernels.emplace_back());
  if (auto choice = dyn_cast<scf::IfOp>(op))
    return visitChoice(choice);
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return visitAlloc(alloc);
  if (auto check = dyn_cast<cf::AssertOp>(op))
    return addGuards(check, check.getArg());
  // Arithmetic on sizes is read where it is used; memory lives as long as the
  // launches need it.
  if (isPure(&op) || isa<memref::DeallocOp, func::ReturnOp>(op))
    return success();
  return op.emitError("expected a launch, memory or sizes on the host side");
}

FailureOr<prec::launch::Description> Describer::run(StringRef target) {
  description.function = signature.function;
  description.target = target.str();
  if (failed(bindArguments()))
    return failure();
  if (!llvm::hasSingleElement(host.getBody()))
    return host.emitError("expected no control flow on the host side");
  for (Operation &op : host.getBody().front())
    if (failed(visit(op)))
      return failure();
  if (description.kernels.empty())
    return host.emitError("expected at least one kernel");
  if (!guards.empty()) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::json::Value(std::move(guards));
    description.extra["guards"] = text;
  }
  return std::move(description);
}

FailureOr<prec::launch::Description>
prec::describeLaunch(func::FuncOp host, const Signature &signature,
                     StringRef target) {
  return Describer(host, signature).run(target);
}

std::vector<prec::launch::Buffer>
prec::describeResults(func::FuncOp function, const Signature &signature) {
  TensorSizes sizes(function.getContext());
  auto leaf = [&](AffineExpr expr) -> std::optional<Expression> {
    const SizeSource &source = sizes.source(cast<AffineSymbolExpr>(expr));
    auto argument = dyn_cast<BlockArgument>(source.value);
    if (!argument || argument.getOwner() != &function.getBody().front())
      return std::nullopt;
    if (source.isIndex())
      return Expression::name(
          signature.arguments[argument.getArgNumber()].name);
    for (const SignatureSize &size : signature.sizes)
      if (size.argument == argument.getArgNumber() &&
          size.dimension == source.dim)
        return Expression::name(size.identifier);
    return std::nullopt;
  };
  std::vector<launch::Buffer> results;
  Operation *exit = function.getBody().front().getTerminator();
  for (auto [value, result] :
       llvm::zip_equal(exit->getOperands(), signature.results)) {
    launch::Buffer &buffer = results.emplace_back();
    buffer.name = result.name;
    buffer.type = scalarTypeName(result.elementType);
    if (!isa<RankedTensorType>(value.getType()))
      continue;
    for (AffineExpr size : sizes.sizes(value)) {
      std::optional<Expression> expression = toExpression(size, leaf);
      if (!expression)
        return {};
      buffer.shape.push_back(*expression);
    }
  }
  return results;
}
