// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Audit/ContractProgram.h"

#include "prec/Audit/Libdevice.h"
#include "prec/Reference/BitsDomain.h"
#include "prec/Reference/Evaluator.h"

#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace mlir;
using namespace prec;
using namespace prec::audit;

namespace {
/// With CUDA's own functions, whose approximate instructions are taken as
/// correctly rounded: as the PTX evaluator takes those of a kernel.
class LibdeviceBits final : public ref::BitsDomain {
public:
  bool libdevice(ref::FloatUnary op, const void *a, size_t n,
                 void *out) override {
    std::optional<sym::FunctionId> id = ref::functionOf(op);
    if (!id)
      return false;
    auto [it, isNew] = functions.try_emplace(*id);
    if (isNew) {
      sym::Node x = graph.leaf(graph.tensor("x", 32), 0);
      if (sym::Node root = Libdevice(graph)(*id, x))
        it->second.emplace(graph, std::vector<sym::Node>{root});
    }
    if (!it->second)
      return false;
    for (size_t i = 0; i < n; ++i)
      static_cast<uint32_t *>(out)[i] = static_cast<uint32_t>(
          (*it->second)({static_cast<const uint32_t *>(a)[i]})[0]);
    return true;
  }

private:
  sym::Graph graph;
  std::map<sym::FunctionId, std::optional<sym::Evaluator>> functions;
};
} // namespace

/// The evaluator's value of an input whose bits are known.
static std::optional<ref::Array> known(ref::FloatDomain &domain, Type type,
                                       const TensorInfo &info,
                                       const std::vector<uint64_t> &bits) {
  std::optional<ref::Element> element = ref::Element::of(type);
  if (!element)
    return std::nullopt;
  std::optional<ref::Array> array =
      ref::Array::make(domain, *element, info.shape);
  if (!array)
    return std::nullopt;
  void *out = array->mutableData();
  if (element->isFloat()) {
    domain.fromBits(*element->format, bits.data(), bits.size(), out);
  } else if (element->isBool()) {
    std::vector<uint8_t> bools(bits.begin(), bits.end());
    domain.fromBools(bools.data(), bools.size(), out);
  } else {
    for (size_t i = 0; i < bits.size(); ++i)
      static_cast<int64_t *>(out)[i] =
          llvm::SignExtend64(bits[i], element->width);
  }
  return array;
}

/// The place in a file that a location leads to.
static std::string placeOf(Location location) {
  std::string text;
  location->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    text = file.getFilename().str() + ":" + std::to_string(file.getLine()) +
           ":" + std::to_string(file.getColumn());
    return WalkResult::interrupt();
  });
  return text;
}

std::optional<Expressions> ContractProgram::expressions(sym::Graph &graph,
                                                        const Values &fixed,
                                                        std::string &error) {
  domain.emplace(graph);
  auto libdevice = std::make_shared<Libdevice>(graph);
  domain->setLibdevice([libdevice](sym::FunctionId function, sym::Node x) {
    return (*libdevice)(function, x);
  });
  // The first diagnostic is the reason why only values can be run.
  ScopedDiagnosticHandler handler(
      function.getContext(), [&](Diagnostic &diagnostic) {
        if (error.empty())
          error = placeOf(diagnostic.getLocation()) + ": " + diagnostic.str();
        return success();
      });
  SmallVector<ref::Array> arguments;
  for (auto [info, type] :
       llvm::zip_equal(inputs, function.getArgumentTypes())) {
    std::optional<ref::Array> array =
        info.isSymbolic() ? domain->input(info.name, *info.format(), info.shape)
                          : known(*domain, type, info, fixed.at(info.name));
    if (!array) {
      function.emitError() << "cannot make the input '" << info.name << "'";
      return std::nullopt;
    }
    arguments.push_back(std::move(*array));
  }
  ref::Observations observations;
  FailureOr<SmallVector<ref::Array>> results =
      ref::evaluate(function, arguments, *domain, &observations);
  if (failed(results))
    return std::nullopt;
  for (auto &[name, arrays] : observations)
    for (const ref::Array &array : arrays)
      if (array.element().isFloat())
        for (sym::Node node : ref::SymbolicDomain::nodes(array))
          points.try_emplace(node, name);
  Expressions out;
  for (auto [info, array] : llvm::zip_equal(outputs, *results)) {
    std::vector<sym::Node> &nodes = out[info.name];
    if (array.element().isInteger()) {
      for (int64_t value : array.integers())
        nodes.push_back(graph.constant(static_cast<uint64_t>(value),
                                       array.element().width));
    } else {
      llvm::append_range(nodes, ref::SymbolicDomain::nodes(array));
    }
  }
  return out;
}

std::optional<Values> ContractProgram::run(const Values &values,
                                           std::string &error) {
  LibdeviceBits bits;
  SmallVector<ref::Array> arguments;
  for (auto [info, type] :
       llvm::zip_equal(inputs, function.getArgumentTypes())) {
    std::optional<ref::Array> array =
        known(bits, type, info, values.at(info.name));
    if (!array) {
      function.emitError() << "cannot make the input '" << info.name << "'";
      return std::nullopt;
    }
    arguments.push_back(std::move(*array));
  }
  FailureOr<SmallVector<ref::Array>> results =
      ref::evaluate(function, arguments, bits);
  if (failed(results))
    return std::nullopt;
  Values out;
  for (auto [info, array] : llvm::zip_equal(outputs, *results)) {
    std::vector<uint64_t> &elements = out[info.name];
    elements.resize(static_cast<size_t>(array.size()));
    const unsigned width = array.elementBytes();
    for (size_t i = 0; i < elements.size(); ++i) {
      std::memcpy(&elements[i], array.at(static_cast<int64_t>(i)), width);
      elements[i] &= llvm::maskTrailingOnes<uint64_t>(
          array.element().isInteger() ? array.element().width : width * 8);
    }
  }
  return out;
}

std::string ContractProgram::location(sym::Node node) const {
  std::optional<Location> at = domain->location(node);
  return at ? placeOf(*at) : "";
}

std::string ContractProgram::point(sym::Node node) const {
  auto it = points.find(node);
  return it == points.end() ? "" : it->second;
}
