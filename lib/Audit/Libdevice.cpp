// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Audit/Libdevice.h"

#include "Rebuild.h"
#include "prec/PTX/Symbolic.h"

using namespace prec;
using namespace prec::audit;
using sym::Node;

/// The parsed recipes.
static const ptx::Module &module() {
  static const ptx::Module parsed = [] {
    std::vector<ptx::Diagnostic> diagnostics;
    return ptx::parse(libdeviceRecipes, diagnostics).value();
  }();
  return parsed;
}

const Libdevice::Recipe &Libdevice::recipe(sym::FunctionId function) {
  auto [it, isNew] = recipes.try_emplace(unsigned(function));
  Recipe &recipe = it->second;
  const std::string entry = sym::name(function);
  if (!isNew || !module().findFunction(entry))
    return recipe;
  std::string message;
  std::optional<launch::Description> description = launch::read(
      R"({"version": 1, "kernels": [{"entry": ")" + entry +
          R"(", "grid": [1, 1, 1], "block": [1, 1, 1],)"
          R"( "params": [{"tensor": "libdevice"}, {"tensor": "y"}]}]})",
      "libdevice", message);
  uint32_t x = 0, y = 0;
  ptx::Diagnostic error;
  std::optional<ptx::SymbolicResult> result;
  if (description)
    result = ptx::runSymbolic(module(), *description,
                              {{"libdevice", {&x, "f32", {1}}}},
                              {{"y", {&y, "f32", {1}}}}, {}, {}, graph, error);
  if (result) {
    recipe.leaf = graph.leaf(graph.tensor("libdevice", 32), 0);
    recipe.root = result->outputs.at("y")[0];
  }
  return recipe;
}

Node Libdevice::operator()(sym::FunctionId function, Node x) {
  const Recipe &from = recipe(function);
  if (!from.root)
    return 0;
  std::unordered_map<Node, Node> done{{from.leaf, x}};
  for (Node n : sym::reachable(graph, {from.root})) {
    if (n == from.leaf)
      continue;
    sym::Expr e = graph[n];
    for (Node &operand : e.operands)
      if (operand)
        operand = done.at(operand);
    done[n] = rebuild(graph, e);
  }
  return done.at(from.root);
}
