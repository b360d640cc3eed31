// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frames, control flow and dispatch.
#include "Interpreter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cstring>

using namespace mlir;
using namespace prec;
using namespace prec::ref;

/// Calls deeper than this are an endless recursion.
static constexpr unsigned kMaxDepth = 256;

/// Elements that an elementwise operation is evaluated on at a time: few enough
/// that its temporaries stay in the cache.
static constexpr int64_t kChunk = 4096;

LogicalResult prec::ref::unsupported(Operation *op) {
  return op->emitError() << "the reference evaluator does not support '"
                         << op->getName() << "'";
}

LogicalResult prec::ref::unsupportedInDomain(Operation *op,
                                             const FloatDomain &domain) {
  return op->emitError() << "'" << op->getName() << "' has no value in the "
                         << domain.name()
                         << " domain for these operand types or attributes";
}

LogicalResult prec::ref::checkIndex(Operation *op, int64_t index, size_t dim,
                                    int64_t size) {
  if (index >= 0 && index < size)
    return success();
  return op->emitError() << "index " << index
                         << " is out of bounds of dimension " << dim
                         << ", which has " << size;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const Array &Interpreter::get(Value value) const {
  auto it = frame.find(value);
  assert(it != frame.end() && "value used before it is defined");
  return it->second;
}

Array Interpreter::take(OpOperand &operand) {
  Value value = operand.get();
  // A value from outside a loop is used again in the next iteration.
  if (!value.hasOneUse() ||
      value.getParentBlock() != operand.getOwner()->getBlock())
    return get(value);
  auto it = frame.find(value);
  Array array = std::move(it->second);
  frame.erase(it);
  return array;
}

SmallVector<Array> Interpreter::takeAll(MutableArrayRef<OpOperand> operands) {
  SmallVector<Array> arrays;
  for (OpOperand &operand : operands)
    arrays.push_back(take(operand));
  return arrays;
}

int64_t Interpreter::integer(Value value) const {
  return get(value).integers().front();
}

SmallVector<int64_t> Interpreter::integers(ValueRange values) const {
  return llvm::map_to_vector(values, [&](Value v) { return integer(v); });
}

SmallVector<int64_t>
Interpreter::integers(ArrayRef<OpFoldResult> values) const {
  return llvm::map_to_vector(values, [&](OpFoldResult value) {
    if (auto attribute = dyn_cast<Attribute>(value))
      return cast<IntegerAttr>(attribute).getInt();
    return integer(cast<Value>(value));
  });
}

/// Whether a value of this type may have this shape.
static bool allows(Type type, ArrayRef<int64_t> shape) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return shape.empty();
  return shaped.getRank() == static_cast<int64_t>(shape.size()) &&
         llvm::all_of_zip(shaped.getShape(), shape, [](int64_t a, int64_t b) {
           return ShapedType::isDynamic(a) || a == b;
         });
}

LogicalResult Interpreter::set(Value value, Array array) {
  if (!allows(value.getType(), array.shape()))
    return emitError(value.getLoc())
           << "expected a value of type " << value.getType()
           << " but got the shape [" << shapeText(array.shape()) << "]";
  frame[value] = std::move(array);
  return success();
}

FailureOr<Array> Interpreter::makeArray(Operation *op, Element element,
                                        ArrayRef<int64_t> shape) {
  if (std::optional<Array> array = Array::make(domain, element, shape))
    return *array;
  return op->emitError() << "cannot make a tensor of shape ["
                         << shapeText(shape) << "]";
}

FailureOr<Array> Interpreter::makeResult(Operation *op) {
  Type type = op->getResult(0).getType();
  std::optional<Element> element = Element::of(type);
  if (!element)
    return op->emitError() << "the reference evaluator does not support "
                           << type;
  auto shaped = dyn_cast<ShapedType>(type);
  return makeArray(op, *element,
                   shaped ? shaped.getShape() : ArrayRef<int64_t>());
}

FailureOr<bool> Interpreter::condition(Operation *op, Value value) {
  uint8_t truth;
  if (!domain.toBools(get(value).data(), 1, &truth))
    return op->emitError() << "control flow depends on a float, which the "
                           << domain.name() << " domain cannot decide";
  return truth != 0;
}

void Interpreter::observe(StringRef name, Array array) {
  if (observations)
    (*observations)[name.str()].push_back(std::move(array));
}

void prec::ref::coordinates(ArrayRef<int64_t> shape, unsigned dim,
                            int64_t begin, size_t n, int64_t *out) {
  int64_t inner = 1;
  for (int64_t size : shape.drop_front(dim + 1))
    inner *= size;
  for (size_t i = 0; i < n; ++i)
    out[i] = (begin + static_cast<int64_t>(i)) / inner % shape[dim];
}

void prec::ref::copyBox(ArrayRef<int64_t> sizes, const Array &from,
                        const Box &source, Array &to, const Box &target) {
  unsigned width = from.elementBytes();
  if (width == 0 || llvm::is_contained(sizes, 0))
    return;
  auto *in = static_cast<const char *>(from.data());
  auto *out = static_cast<char *>(to.mutableData());
  int64_t i = source.offset, o = target.offset;
  size_t rank = sizes.size();
  int64_t run = rank ? sizes[rank - 1] : 1;
  int64_t inStride = rank ? source.strides[rank - 1] : 1;
  int64_t outStride = rank ? target.strides[rank - 1] : 1;
  SmallVector<int64_t, 4> index(rank, 0);
  while (true) {
    if (inStride == 1 && outStride == 1)
      std::memcpy(out + o * width, in + i * width,
                  static_cast<size_t>(run) * width);
    else
      for (int64_t k = 0; k < run; ++k)
        std::memcpy(out + (o + k * outStride) * width,
                    in + (i + k * inStride) * width, width);
    // The next row.
    size_t d = rank;
    while (d > 1) {
      d -= 1;
      i += source.strides[d - 1];
      o += target.strides[d - 1];
      if (++index[d - 1] < sizes[d - 1])
        break;
      i -= source.strides[d - 1] * sizes[d - 1];
      o -= target.strides[d - 1] * sizes[d - 1];
      index[d - 1] = 0;
      if (d == 1)
        return;
    }
    if (rank <= 1)
      return;
  }
}

//===----------------------------------------------------------------------===//
// Functions and blocks
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Array>> Interpreter::call(func::FuncOp function,
                                                SmallVector<Array> arguments) {
  if (function.isDeclaration())
    return function.emitError("expected a function with a body");
  if (depth > kMaxDepth)
    return function.emitError("calls are nested too deeply");
  return runRegion(function.getBody(), std::move(arguments));
}

FailureOr<SmallVector<Array>>
Interpreter::runRegion(Region &region, SmallVector<Array> values) {
  Block *block = &region.front();
  while (true) {
    FailureOr<SmallVector<Array>> results = runBlock(*block, std::move(values));
    if (failed(results))
      return failure();
    Operation *terminator = block->getTerminator();
    if (auto branch = dyn_cast<cf::BranchOp>(terminator)) {
      block = branch.getDest();
      values = std::move(*results);
      continue;
    }
    auto branch = dyn_cast<cf::CondBranchOp>(terminator);
    if (!branch)
      return results;
    FailureOr<bool> truth = condition(branch, branch.getCondition());
    if (failed(truth))
      return failure();
    block = *truth ? branch.getTrueDest() : branch.getFalseDest();
    values.clear();
    for (Value value :
         *truth ? branch.getTrueDestOperands() : branch.getFalseDestOperands())
      values.push_back(get(value));
  }
}

FailureOr<SmallVector<Array>> Interpreter::runBlock(Block &block,
                                                    SmallVector<Array> values) {
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), values))
    if (failed(set(argument, std::move(value))))
      return failure();
  for (Operation &op : block.without_terminator())
    if (failed(run(&op)))
      return failure();
  Operation *terminator = block.getTerminator();
  if (isa<cf::CondBranchOp>(terminator))
    return SmallVector<Array>();
  if (!isa<func::ReturnOp, cf::BranchOp, scf::YieldOp, scf::ConditionOp,
           linalg::YieldOp, tensor::YieldOp, YieldOp>(terminator))
    return unsupported(terminator);
  return takeAll(terminator->getOpOperands());
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// arith, math and prec.round on scalars, vectors and tensors.
static LogicalResult runElementwiseOp(Interpreter &in, Operation *op) {
  if (auto select = dyn_cast<arith::SelectOp>(op);
      select && in.get(select.getCondition()).rank() == 0) {
    // A scalar may choose between whole tensors.
    FailureOr<bool> truth = in.condition(op, select.getCondition());
    return failed(truth) ? failure()
                         : in.set(select.getResult(),
                                  in.get(*truth ? select.getTrueValue()
                                                : select.getFalseValue()));
  }
  SmallVector<Array> operands = in.takeAll(op->getOpOperands());
  ArrayRef<int64_t> shape = operands.front().shape();
  for (const Array &operand : operands)
    if (operand.shape() != shape)
      return op->emitError()
             << "expected operands of one shape but got [" << shapeText(shape)
             << "] and [" << shapeText(operand.shape()) << "]";

  SmallVector<Array> results;
  for (Type type : op->getResultTypes()) {
    std::optional<Element> element = Element::of(type);
    if (!element)
      return op->emitError()
             << "the reference evaluator does not support " << type;
    FailureOr<Array> array = in.makeArray(op, *element, shape);
    if (failed(array))
      return failure();
    results.push_back(*array);
  }
  int64_t size = operands.front().size();
  for (int64_t begin = 0; begin < size; begin += kChunk) {
    SmallVector<Lanes> from;
    SmallVector<MutableLanes> to;
    for (const Array &operand : operands)
      from.push_back({operand.element(), operand.at(begin)});
    for (Array &result : results)
      to.push_back(
          {result.element(), static_cast<char *>(result.mutableData()) +
                                 begin * result.elementBytes()});
    size_t n = static_cast<size_t>(std::min(kChunk, size - begin));
    if (failed(runElementwise(op, from, to, n, in.domain)))
      return failure();
  }
  for (auto [result, array] : llvm::zip_equal(op->getResults(), results))
    if (failed(in.set(result, std::move(array))))
      return failure();
  return success();
}

/// affine.apply, affine.min, affine.max.
template <typename OpTy, typename Pick>
static LogicalResult runAffine(Interpreter &in, OpTy op, Pick pick) {
  SmallVector<Attribute> operands;
  Builder builder(op.getContext());
  for (Value operand : op->getOperands())
    operands.push_back(builder.getIndexAttr(in.integer(operand)));
  SmallVector<Attribute> results;
  if (failed(op.getAffineMap().constantFold(operands, results)))
    return op.emitError("division by zero in an affine expression");
  auto values = llvm::map_to_vector(
      results, [](Attribute a) { return cast<IntegerAttr>(a).getInt(); });
  return in.set(op.getResult(), Array::integer(in.domain, pick(values)));
}

LogicalResult Interpreter::run(Operation *op) {
  if (isElementwise(op))
    return runElementwiseOp(*this, op);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    FailureOr<Array> array = constantArray(op, constant.getValue(), domain);
    return failed(array) ? failure() : set(constant.getResult(), *array);
  }
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "tensor")
    return runTensor(*this, op);
  if (dialect == "linalg")
    return runLinalg(*this, op);
  if (dialect == "vector")
    return runVector(*this, op);
  if (dialect == "prec")
    return runPrec(*this, op);
  if (dialect == "scf" || dialect == "cf")
    return runControlFlow(*this, op);
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](func::CallOp call) -> LogicalResult {
        auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
            call, call.getCalleeAttr());
        Interpreter inner(domain, observations, depth + 1);
        FailureOr<SmallVector<Array>> results =
            inner.call(callee, takeAll(call->getOpOperands()));
        if (failed(results))
          return failure();
        for (auto [result, array] :
             llvm::zip_equal(call.getResults(), *results))
          if (failed(set(result, array)))
            return failure();
        return success();
      })
      .Case([&](affine::AffineApplyOp apply) {
        return runAffine(*this, apply,
                         [](ArrayRef<int64_t> v) { return v.front(); });
      })
      .Case([&](affine::AffineMinOp min) {
        return runAffine(*this, min, [](ArrayRef<int64_t> v) {
          return *llvm::min_element(v);
        });
      })
      .Case([&](affine::AffineMaxOp max) {
        return runAffine(*this, max, [](ArrayRef<int64_t> v) {
          return *llvm::max_element(v);
        });
      })
      .Default([](Operation *other) { return unsupported(other); });
}

/// "f32[2x3]".
static std::string describe(const Array &array) {
  Element element = array.element();
  std::string text = element.isFloat() ? element.format->name
                                       : "i" + std::to_string(element.width);
  return text + "[" + shapeText(array.shape()) + "]";
}

FailureOr<SmallVector<Array>> prec::ref::evaluate(func::FuncOp function,
                                                  ArrayRef<Array> arguments,
                                                  FloatDomain &domain,
                                                  Observations *observations) {
  if (arguments.size() != function.getNumArguments())
    return function.emitError() << "expected " << function.getNumArguments()
                                << " arguments but got " << arguments.size();
  for (unsigned i = 0; i < arguments.size(); ++i) {
    Type type = function.getArgumentTypes()[i];
    std::optional<Element> element = Element::of(type);
    if (!element || *element != arguments[i].element() ||
        !allows(type, arguments[i].shape()))
      return function.emitError()
             << "argument " << i << ": expected a value of type " << type
             << " but got " << describe(arguments[i]);
  }
  return Interpreter(domain, observations, 0)
      .call(function, SmallVector<Array>(arguments));
}
