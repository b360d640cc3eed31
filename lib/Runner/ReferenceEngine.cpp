// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Prec/Prec.h"
#include "prec/Analysis/TensorSizes.h"
#include "prec/Reference/BitsDomain.h"
#include "prec/Reference/Evaluator.h"
#include "prec/Reference/ShapeDomain.h"
#include "prec/Runner/Engine.h"
#include "prec/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"

#include <cstring>

using namespace mlir;
using namespace prec;

/// The evaluator's value of a tensor. Floats are left out where the domain has
/// none.
static FailureOr<ref::Array> toArray(func::FuncOp function, unsigned argument,
                                     const io::Tensor &tensor,
                                     ref::FloatDomain &domain) {
  Type type = function.getArgumentTypes()[argument];
  std::optional<ref::Element> element = ref::Element::of(type);
  if (!element)
    return function.emitError()
           << "the reference evaluator does not support " << type;
  std::optional<ref::Array> array =
      ref::Array::make(domain, *element, tensor.shape);
  if (!array)
    return function.emitError("cannot make a tensor of shape [")
           << ref::shapeText(tensor.shape) << "]";
  void *out = array->mutableData();
  if (!element->isInteger()) {
    llvm::copy(tensor.bytes, static_cast<uint8_t *>(out));
    return *array;
  }
  size_t width = io::byteWidth(tensor.dtype);
  for (int64_t i = 0; i < array->size(); ++i) {
    uint64_t value = 0;
    std::memcpy(&value, tensor.bytes.data() + static_cast<size_t>(i) * width,
                width);
    static_cast<int64_t *>(out)[i] =
        llvm::SignExtend64(value, static_cast<unsigned>(width * 8));
  }
  return *array;
}

static io::Tensor toTensor(io::DType dtype, const ref::Array &array) {
  io::Tensor tensor;
  tensor.dtype = dtype;
  tensor.shape.assign(array.shape().begin(), array.shape().end());
  size_t width = io::byteWidth(dtype), size = static_cast<size_t>(array.size());
  tensor.bytes.resize(size * width);
  // Little endian: the low bytes of an integer stand first.
  for (size_t i = 0; i < size; ++i)
    std::memcpy(&tensor.bytes[i * width], array.at(static_cast<int64_t>(i)),
                width);
  return tensor;
}

static FailureOr<SmallVector<ref::Array>>
evaluate(func::FuncOp function, ArrayRef<io::Tensor> inputs,
         ref::FloatDomain &domain, ref::Observations *observed = nullptr) {
  SmallVector<ref::Array> arguments;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    FailureOr<ref::Array> array =
        toArray(function, static_cast<unsigned>(i), input, domain);
    if (failed(array))
      return failure();
    arguments.push_back(std::move(*array));
  }
  return ref::evaluate(function, arguments, domain, observed);
}

/// The results' shapes, where they follow from the arguments' alone.
static std::optional<std::vector<std::vector<int64_t>>>
shapesOfArguments(func::FuncOp function, ArrayRef<io::Tensor> inputs) {
  if (!function.getBody().hasOneBlock())
    return std::nullopt;
  MLIRContext *context = function.getContext();
  TensorSizes sizes(context);
  std::vector<std::vector<int64_t>> shapes;
  for (Value result :
       function.getBody().front().getTerminator()->getOperands()) {
    std::vector<int64_t> &shape = shapes.emplace_back();
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    for (AffineExpr size : sizes.sizes(result)) {
      SmallVector<AffineExpr> values;
      bool known = true;
      size.walk([&](AffineExpr expr) {
        auto symbol = dyn_cast<AffineSymbolExpr>(expr);
        if (!symbol)
          return;
        SizeSource source = sizes.source(symbol);
        auto argument = dyn_cast<BlockArgument>(source.value);
        known &= argument && !source.isIndex();
        if (!known)
          return;
        values.resize(std::max<size_t>(values.size(), symbol.getPosition() + 1),
                      getAffineConstantExpr(0, context));
        values[symbol.getPosition()] = getAffineConstantExpr(
            inputs[argument.getArgNumber()].shape[source.dim], context);
      });
      if (!known)
        return std::nullopt;
      auto value = dyn_cast<AffineConstantExpr>(
          simplifyAffineExpr(size.replaceSymbols(values), 0, 0));
      if (!value)
        return std::nullopt;
      shape.push_back(value.getValue());
    }
  }
  return shapes;
}

FailureOr<std::vector<std::vector<int64_t>>>
prec::resultShapes(func::FuncOp function, ArrayRef<io::Tensor> inputs) {
  if (auto shapes = shapesOfArguments(function, inputs))
    return *shapes;
  ref::ShapeDomain domain;
  FailureOr<SmallVector<ref::Array>> results =
      ::evaluate(function, inputs, domain);
  if (failed(results))
    return failure();
  std::vector<std::vector<int64_t>> shapes;
  for (const ref::Array &result : *results)
    shapes.emplace_back(result.shape().begin(), result.shape().end());
  return shapes;
}

namespace {

/// A function that the evaluator has an evaluation of.
struct Evaluable {
  OwningOpRef<ModuleOp> module; ///< of `function`, when it is not the caller's
  func::FuncOp function;
  Ports ports;

  static FailureOr<Evaluable> of(func::FuncOp function);
  std::vector<io::Tensor> toTensors(ArrayRef<ref::Array> results) const;
};

class ReferenceEngine final : public Engine {
public:
  explicit ReferenceEngine(Evaluable program) : program(std::move(program)) {}

  FailureOr<std::vector<io::Tensor>> run(ArrayRef<io::Tensor> inputs) override {
    FailureOr<SmallVector<ref::Array>> results =
        ::evaluate(program.function, inputs, domain);
    if (failed(results))
      return failure();
    return program.toTensors(*results);
  }

private:
  Evaluable program;
  ref::BitsDomain domain;
};

} // namespace

/// Whether anything in the module has no evaluation of its own.
static bool hasComposites(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa<RoundingPointOpInterface>(op) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

FailureOr<Evaluable> Evaluable::of(func::FuncOp function) {
  FailureOr<Ports> ports = Ports::of(function);
  if (failed(ports))
    return failure();
  Evaluable program{{}, function, std::move(*ports)};
  auto module = function->getParentOfType<ModuleOp>();
  if (!hasComposites(module))
    return program;
  program.module = cast<ModuleOp>(module->clone());
  PassManager passes(module.getContext());
  passes.addPass(createMakeRoundingExplicitPass());
  if (failed(passes.run(*program.module)))
    return failure();
  program.function =
      program.module->lookupSymbol<func::FuncOp>(function.getNameAttr());
  return program;
}

std::vector<io::Tensor>
Evaluable::toTensors(ArrayRef<ref::Array> results) const {
  std::vector<io::Tensor> tensors;
  for (auto [port, array] : llvm::zip_equal(ports.results, results))
    tensors.push_back(toTensor(*port.dtype, array));
  return tensors;
}

FailureOr<std::unique_ptr<Engine>>
prec::createReferenceEngine(func::FuncOp function) {
  FailureOr<Evaluable> program = Evaluable::of(function);
  if (failed(program))
    return failure();
  return std::unique_ptr<Engine>(
      std::make_unique<ReferenceEngine>(std::move(*program)));
}

/// The element type of a file for the floats of an array.
static std::optional<io::DType> dtypeOfFloats(const ref::Array &array,
                                              MLIRContext *context) {
  if (!array.element().isFloat())
    return std::nullopt;
  for (Type type :
       {Type(BFloat16Type::get(context)), Type(Float16Type::get(context)),
        Type(Float32Type::get(context)), Type(Float64Type::get(context))})
    if (formatOf(type) == array.element().format)
      return dtypeOf(type);
  return std::nullopt;
}

FailureOr<Observed> prec::observeReference(func::FuncOp function,
                                           ArrayRef<io::Tensor> inputs) {
  FailureOr<Evaluable> program = Evaluable::of(function);
  if (failed(program))
    return failure();
  ref::BitsDomain domain;
  ref::Observations observations;
  FailureOr<SmallVector<ref::Array>> results =
      ::evaluate(program->function, inputs, domain, &observations);
  if (failed(results))
    return failure();
  Observed observed{program->toTensors(*results), {}};
  for (const auto &[name, arrays] : observations)
    for (const ref::Array &array : arrays)
      if (auto dtype = dtypeOfFloats(array, function.getContext()))
        observed.values.emplace_back(name, toTensor(*dtype, array));
  return observed;
}
