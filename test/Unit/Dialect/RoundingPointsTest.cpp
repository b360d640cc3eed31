// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RoundingPointOpInterface: defaults, switches, and the point that is none.
#include "dialects/NN/NN.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using prec::RoundingPointOpInterface;

namespace {
class RoundingPointsTest : public ::testing::Test {
protected:
  RoundingPointsTest() { context.loadDialect<prec::nn::NNDialect>(); }

  /// The one operation of `text`, which gets the result type `type`.
  RoundingPointOpInterface parse(const std::string &operation,
                                 const std::string &type) {
    module = parseSourceString<ModuleOp>(
        "%x = \"builtin.unrealized_conversion_cast\"() : () -> "
        "tensor<4x8xbf16>\n%y = " +
            operation + " : tensor<4x8xbf16> to " + type,
        &context);
    return cast<RoundingPointOpInterface>(&module->getBody()->back());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(RoundingPointsTest, Defaults) {
  auto op = parse("nn.rms_norm %x", "tensor<4x8xbf16>");
  std::vector<std::string> names;
  for (const prec::RoundingPoint &point : op.getRoundingPoints()) {
    names.push_back(point.name.str());
    EXPECT_EQ(op.isPointOn(point.name), point.name == "result");
  }
  EXPECT_EQ(names, (std::vector<std::string>{
                       "square", "sum", "mean", "eps", "radicand", "sqrt",
                       "rstd", "normalized", "weight", "result"}));
  EXPECT_TRUE(op.getPointFormat().isBF16());
}

TEST_F(RoundingPointsTest, ResultFollowsTheType) {
  EXPECT_TRUE(
      parse("nn.softmax %x dim 0", "tensor<4x8xbf16>").isPointOn("result"));
  EXPECT_FALSE(
      parse("nn.softmax %x dim 0", "tensor<4x8xf32>").isPointOn("result"));
}

TEST_F(RoundingPointsTest, Switches) {
  auto op = parse("nn.rms_norm %x points {mean = true}", "tensor<4x8xbf16>");
  EXPECT_TRUE(op.isPointOn("mean"));
  op.setPoint("normalized", true);
  EXPECT_TRUE(op.isPointOn("normalized"));
  EXPECT_TRUE(op.isPointOn("mean"));
  // Back at the defaults, nothing is left to say.
  op.setPoint("normalized", false);
  op.setPoint("mean", false);
  EXPECT_FALSE(op.isPointOn("mean"));
  EXPECT_FALSE(op.getPointSettings());
}
} // namespace
