// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prec/Audit/Libdevice.h"

#include "Rebuild.h"
#include "prec/PTX/Symbolic.h"

using namespace prec;
using namespace prec::audit;
using sym::Node;

/// An entry for each sequence, of pointers to x and to the result.
static const ptx::Module &module() {
  static const ptx::Module parsed = [] {
    std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n";
    for (const LibdeviceSequence *s = libdeviceSequences; s->body; ++s)
      text += std::string(".visible .entry ") + sym::name(s->function) +
              R"((.param .u64 px, .param .u64 py)
{
	.reg .pred %p<4>;
	.reg .b32 %r<8>;
	.reg .f32 %f<32>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [px];
	ld.param.u64 %rd2, [py];
	ld.global.f32 %f0, [%rd1];)" +
              s->body + R"(	st.global.f32 [%rd2], %f1;
	ret;
}
)";
    std::vector<ptx::Diagnostic> diagnostics;
    return ptx::parse(text, diagnostics).value();
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
