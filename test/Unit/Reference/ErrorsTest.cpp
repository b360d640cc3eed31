// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cannot be evaluated is one error at its operation.
#include "Evaluation.h"

#include "prec/Reference/ShapeDomain.h"

using namespace mlir;
using namespace prec::ref;

namespace {

class Errors : public EvaluationTest {
protected:
  /// The one error of a function with this body.
  std::string error(const std::string &body,
                    const std::string &signature = "()",
                    llvm::ArrayRef<Array> arguments = {}) {
    return moduleError("func.func @f" + signature + " {\n" + body +
                           "\n  return\n}\n",
                       arguments);
  }
  std::string moduleError(const std::string &text,
                          llvm::ArrayRef<Array> arguments = {}) {
    EXPECT_TRUE(failed(evaluate(text, arguments)));
    EXPECT_EQ(messages.size(), 1u);
    EXPECT_TRUE(located);
    return messages.empty() ? "" : messages[0];
  }
};

TEST_F(Errors, Unsupported) {
  EXPECT_EQ(error("%0 = \"vector.step\"() : () -> vector<4xindex>"),
            "the reference evaluator does not support 'vector.step'");
  EXPECT_EQ(error("%c = arith.constant 1.0 : f80"),
            "the reference evaluator does not support the constant "
            "1.000000e+00 : f80");
  EXPECT_EQ(error("%c = arith.constant 1 : i32\n"
                  "%0 = arith.extsi %c : i32 to i128"),
            "the reference evaluator does not support 'i128'");
  EXPECT_EQ(error("%e = tensor.empty() : tensor<2xf128>"),
            "the reference evaluator does not support 'tensor<2xf128>'");
  EXPECT_EQ(error("%c = arith.constant 1.0 : f64\n%0 = math.exp %c : f64"),
            "'math.exp' has no value in the bits domain for these operand "
            "types or attributes");
  EXPECT_EQ(error("%c = arith.constant 1.0 : f32\n"
                  "%0 = math.exp %c {prec.math = #prec.math<fast>} : f32"),
            "the reference evaluator has correctly rounded functions only but "
            "got #prec.math<fast>");
  EXPECT_EQ(
      error("%e = tensor.empty() : tensor<4xf32>\n"
            "%0 = linalg.generic {indexing_maps = [affine_map<(i) -> "
            "(i floordiv 2)>, affine_map<(i) -> (i)>], iterator_types = "
            "[\"parallel\"]} ins(%e : tensor<4xf32>) outs(%e : tensor<4xf32>) "
            "{\n^bb0(%a: f32, %b: f32):\n  linalg.yield %a : f32\n} -> "
            "tensor<4xf32>"),
      "the reference evaluator supports linear indexing maps only");
}

TEST_F(Errors, Arguments) {
  Type f32 = Float32Type::get(&context);
  EXPECT_EQ(error("", "(%a: f32)"), "expected 1 arguments but got 0");
  EXPECT_EQ(error("", "(%a: tensor<?x4xf32>)", {array(f32, {4}, {1, 2, 3, 4})}),
            "argument 0: expected a value of type 'tensor<?x4xf32>' but got "
            "f32[4]");
  EXPECT_EQ(error("", "(%a: tensor<2xf32>)", {array(f32, {1}, {1})}),
            "argument 0: expected a value of type 'tensor<2xf32>' but got "
            "f32[1]");
  EXPECT_EQ(error("", "(%a: tensor<1xbf16>)", {array(f32, {1}, {1})}),
            "argument 0: expected a value of type 'tensor<1xbf16>' but got "
            "f32[1]");
  EXPECT_EQ(error("", "(%a: index)",
                  {array(IntegerType::get(&context, 32), {}, {1})}),
            "argument 0: expected a value of type 'index' but got i32[]");
  EXPECT_EQ(error("", "(%m: memref<1xf32>)", {array(f32, {1}, {1})}),
            "argument 0: expected a value of type 'memref<1xf32>' but got "
            "f32[1]");
  EXPECT_EQ(moduleError("func.func private @f()"),
            "expected a function with a body");
}

TEST_F(Errors, Shapes) {
  Type index = IndexType::get(&context), f32 = Float32Type::get(&context);
  Array two = array(f32, {2}, {0, 0}), three = array(f32, {3}, {0, 0, 0});
  EXPECT_EQ(error("%0 = arith.addf %a, %b : tensor<?xf32>",
                  "(%a: tensor<?xf32>, %b: tensor<?xf32>)", {two, three}),
            "expected operands of one shape but got [2] and [3]");
  EXPECT_EQ(error("%0 = tensor.cast %a : tensor<?xf32> to tensor<3xf32>",
                  "(%a: tensor<?xf32>)", {two}),
            "expected a value of type 'tensor<3xf32>' but got the shape [2]");
  EXPECT_EQ(
      error("%0 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) "
            "outs(%a : tensor<?xf32>) -> tensor<?xf32>",
            "(%a: tensor<?xf32>, %b: tensor<?xf32>)", {two, three}),
      "dimension 0 of operand 1 is 3 but the loop over it has 2 iterations");
  EXPECT_EQ(
      error("%0 = linalg.conv_1d ins(%b, %b : tensor<?xf32>, tensor<?xf32>) "
            "outs(%a : tensor<?xf32>) -> tensor<?xf32>",
            "(%a: tensor<?xf32>, %b: tensor<?xf32>)", {two, three}),
      "operand 0 is indexed from 0 to 3 in dimension 0, which has 3");
  EXPECT_EQ(error("%0 = tensor.expand_shape %a [[0, 1]] output_shape [2, %n] : "
                  "tensor<?xf32> into tensor<2x?xf32>",
                  "(%a: tensor<?xf32>, %n: index)",
                  {three, array(index, {}, {1})}),
            "cannot reshape [3] to [2x1]");
  EXPECT_EQ(error("%0 = tensor.concat dim(0) %a, %b : (tensor<?x?xf32>, "
                  "tensor<?x?xf32>) -> tensor<?x?xf32>",
                  "(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>)",
                  {two.reshaped({1, 2}), three.reshaped({1, 3})}),
            "expected operands that agree in dimension 1 but got 2 and 3");
  EXPECT_EQ(error("%0 = tensor.insert_slice %a into %b[0] [%n] [1] : "
                  "tensor<?xf32> into tensor<?xf32>",
                  "(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index)",
                  {two, three, array(index, {}, {3})}),
            "expected a slice of shape [3] but got [2]");
  EXPECT_EQ(error("%0 = tensor.empty(%n) : tensor<?xf32>", "(%n: index)",
                  {array(index, {}, {uint64_t(-1)})}),
            "cannot make a tensor of shape [-1]");
  EXPECT_EQ(error("%0 = tensor.empty(%n, %n) : tensor<?x?xf32>", "(%n: index)",
                  {array(index, {}, {uint64_t(1) << 40})}),
            "cannot make a tensor of shape [1099511627776x1099511627776]");
}

TEST_F(Errors, Indices) {
  Type index = IndexType::get(&context), f32 = Float32Type::get(&context);
  Array two = array(f32, {2}, {0, 0}), far = array(index, {}, {2});
  std::string signature = "(%a: tensor<?xf32>, %n: index)";
  EXPECT_EQ(error("%0 = tensor.extract %a[%n] : tensor<?xf32>", signature,
                  {two, far}),
            "index 2 is out of bounds of dimension 0, which has 2");
  EXPECT_EQ(error("%c = arith.constant 1.0 : f32\n"
                  "%0 = tensor.insert %c into %a[%n] : tensor<?xf32>",
                  signature, {two, far}),
            "index 2 is out of bounds of dimension 0, which has 2");
  EXPECT_EQ(error("%0 = tensor.extract_slice %a[1] [%n] [1] : tensor<?xf32> to "
                  "tensor<?xf32>",
                  signature, {two, far}),
            "index 2 is out of bounds of dimension 0, which has 2");
  EXPECT_EQ(error("%0 = tensor.extract_slice %a[0] [%n] [1] : tensor<?xf32> to "
                  "tensor<?xf32>",
                  signature, {two, array(index, {}, {uint64_t(-3)})}),
            "expected a size of at least 0 in dimension 0 but got -3");
  EXPECT_EQ(
      error("%0 = tensor.dim %a, %n : tensor<?xf32>", signature, {two, far}),
      "a tensor of rank 1 has no dimension 2");
  EXPECT_EQ(
      error("%0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], "
            "iterator_types = [\"parallel\"]} outs(%a : tensor<?xf32>) {\n"
            "^bb0(%o: f32):\n  %x = tensor.extract %a[%n] : tensor<?xf32>\n"
            "  linalg.yield %x : f32\n} -> tensor<?xf32>",
            signature, {two, far}),
      "index 2 is out of bounds of dimension 0, which has 2");
  EXPECT_EQ(error("%0 = tensor.pad %a low[%n] high[0] {\n^bb0(%i: index):\n"
                  "  %c = arith.constant 1.0 : f32\n  tensor.yield %c : f32\n"
                  "} : tensor<?xf32> to tensor<?xf32>",
                  signature, {two, array(index, {}, {uint64_t(-1)})}),
            "expected padding of at least 0 but got -1");
}

TEST_F(Errors, Integers) {
  Type i8 = IntegerType::get(&context, 8);
  std::string signature = "(%a: i8, %b: i8)";
  Array one = array(i8, {}, {1}), zero = array(i8, {}, {0}),
        low = array(i8, {}, {uint64_t(-128)}),
        minus = array(i8, {}, {uint64_t(-1)}), eight = array(i8, {}, {8});
  for (const char *op : {"divsi", "divui", "remsi", "remui", "floordivsi",
                         "ceildivsi", "ceildivui"})
    EXPECT_EQ(error(std::string("%0 = arith.") + op + " %a, %b : i8", signature,
                    {one, zero}),
              "division by zero");
  EXPECT_EQ(error("%0 = arith.divsi %a, %b : i8", signature, {low, minus}),
            "division overflows");
  for (const char *op : {"shli", "shrsi", "shrui"})
    EXPECT_EQ(error(std::string("%0 = arith.") + op + " %a, %b : i8", signature,
                    {one, eight}),
              "expected a shift by less than 8 but got 8");
}

TEST_F(Errors, ControlFlow) {
  Type index = IndexType::get(&context);
  EXPECT_EQ(error("%f = arith.constant false\n"
                  "cf.assert %f, \"mismatched size for broadcast\""),
            "assertion failed: mismatched size for broadcast");
  EXPECT_EQ(error("%c0 = arith.constant 0 : index\n"
                  "scf.for %i = %c0 to %n step %c0 {\n}",
                  "(%n: index)", {array(index, {}, {3})}),
            "expected a positive step but got 0");
  EXPECT_EQ(
      moduleError("func.func @f() {\n  call @f() : () -> ()\n  return\n}"),
      "calls are nested too deeply");
  EXPECT_EQ(moduleError("func.func private @g()\nfunc.func @f() {\n"
                        "  call @g() : () -> ()\n  return\n}"),
            "expected a function with a body");
}

TEST_F(Errors, DomainWithoutAnswer) {
  Array one = array(Float32Type::get(&context), {}, {0x3f800000});
  domain = std::make_unique<ShapeDomain>();
  EXPECT_EQ(error("%c = arith.cmpf olt, %a, %a : f32\nscf.if %c {\n}",
                  "(%a: f32)", {one}),
            "control flow depends on a float, which the shape domain cannot "
            "decide");
  EXPECT_EQ(error("%0 = arith.fptosi %a : f32 to i32", "(%a: f32)", {one}),
            "'arith.fptosi' has no value in the shape domain for these operand "
            "types or attributes");
}

} // namespace
