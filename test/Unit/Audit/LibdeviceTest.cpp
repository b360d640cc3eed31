// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's sequences are near the functions that they stand for: within the
// errors that the CUDA C++ Programming Guide states, approximate instructions
// being taken as correctly rounded.
#include "prec/Audit/Libdevice.h"

#include "prec/Numerics/Functions.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace prec;
using namespace prec::audit;
using sym::FunctionId;

namespace {

/// The largest distance from the correctly rounded function in numbers of f32.
int64_t farthest(FunctionId function, float (*exact)(float)) {
  sym::Graph graph;
  sym::Node x = graph.leaf(graph.tensor("x", 32), 0);
  sym::Node root = Libdevice(graph)(function, x);
  EXPECT_TRUE(root);
  sym::Evaluator evaluate(graph, {root});
  int64_t most = 0;
  for (uint64_t at = 0; at < uint64_t(1) << 32; at += 100003) {
    uint32_t bits = uint32_t(evaluate({at})[0]);
    uint32_t wanted =
        num::bitCast<uint32_t>(exact(num::bitCast<float>(uint32_t(at))));
    if (num::isNaN(num::kF32, wanted) || num::isNaN(num::kF32, bits)) {
      EXPECT_TRUE(num::sameValue(num::kF32, bits, wanted)) << at;
      continue;
    }
    auto ordinal = [](uint32_t b) {
      return b >> 31 ? -int64_t(b & 0x7fffffff) : int64_t(b);
    };
    most = std::max(most, std::abs(ordinal(bits) - ordinal(wanted)));
  }
  return most;
}

TEST(Libdevice, IsNearTheFunctions) {
  EXPECT_LE(farthest(FunctionId::Exp, num::cr::exp), 1);
  EXPECT_LE(farthest(FunctionId::Log, num::cr::log), 1);
  EXPECT_LE(farthest(FunctionId::Tanh, num::cr::tanh), 2);
  EXPECT_LE(farthest(FunctionId::Rsqrt, num::cr::rsqrt), 2);
}

TEST(Libdevice, OthersAreNotKnown) {
  sym::Graph graph;
  EXPECT_EQ(Libdevice(graph)(FunctionId::Cos, graph.constant(0, 32)), 0u);
}

TEST(Libdevice, OneSequenceIsOneExpression) {
  sym::Graph graph;
  sym::Node x = graph.leaf(graph.tensor("x", 32), 0);
  Libdevice libdevice(graph);
  EXPECT_EQ(libdevice(FunctionId::Exp, x), libdevice(FunctionId::Exp, x));
  EXPECT_NE(libdevice(FunctionId::Exp, x),
            libdevice(FunctionId::Exp, graph.neg(x)));
}

} // namespace
