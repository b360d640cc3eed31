// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Evaluation.h"

#include "prec/Reference/ShapeDomain.h"

using namespace mlir;
using namespace prec::ref;
using Bits = std::vector<uint64_t>;

namespace {

class Evaluator : public EvaluationTest {};

TEST_F(Evaluator, ArgumentsAreNotWrittenTo) {
  Array x = array(IndexType::get(&context), {2}, {1, 2});
  auto results = evaluate(R"(
func.func @f(%x: tensor<2xindex>) -> tensor<2xindex> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %c0 into %x[%c0] : tensor<2xindex>
  return %0 : tensor<2xindex>
})",
                          {x});
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ(bits((*results)[0]), Bits({0, 2}));
  EXPECT_EQ(bits(x), Bits({1, 2}));
}

TEST_F(Evaluator, ObservationsByName) {
  auto results = evaluate(R"(
func.func @f() -> tensor<2xf32> {
  %x = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %o = prec.observe %x "x" : tensor<2x3xf32>
  %e = arith.constant dense<0.0> : tensor<2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%o : tensor<2x3xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    %t = prec.observe %s "partial" : f32
    linalg.yield %t : f32
  } -> tensor<2xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %n = prec.observe %i "counter" : index
  }
  return %0 : tensor<2xf32>
})");
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ(bits((*results)[0]), Bits({0x40c00000, 0x41700000}));
  ASSERT_EQ(observations.size(), 3u);
  EXPECT_EQ(observations.begin()->first, "x");
  ASSERT_EQ(observations["partial"].size(), 1u);
  // Over the whole iteration space: 1, 3, 6 and 4, 9, 15.
  const Array &partial = observations["partial"][0];
  EXPECT_EQ(shapeText(partial.shape()), "2x3");
  EXPECT_EQ(bits(partial), Bits({0x3f800000, 0x40400000, 0x40c00000, 0x40800000,
                                 0x41100000, 0x41700000}));
  // Once for each time that it was reached.
  ASSERT_EQ(observations["counter"].size(), 2u);
  EXPECT_EQ(bits(observations["counter"][1]), Bits({1}));
}

/// More points than are taken at a time, with runs of every length: element
/// (i, j, k) of the result is 100 i + 10 j + k, of operands that are permuted,
/// broadcast and shifted.
TEST_F(Evaluator, ManyPoints) {
  auto results = evaluate(R"(
func.func @f() -> tensor<?xindex> {
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  %x = tensor.generate {
  ^bb0(%k: index, %i: index):
    %a = arith.muli %i, %c100 : index
    %b = arith.addi %a, %k : index
    tensor.yield %b : index
  } : tensor<13x41xindex>
  %y = tensor.generate {
  ^bb0(%j: index):
    %a = arith.subi %j, %c1 : index
    %b = arith.muli %a, %c10 : index
    tensor.yield %b : index
  } : tensor<8xindex>
  %e = tensor.empty() : tensor<41x7x13xindex>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (j + 1)>,
      affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %y : tensor<13x41xindex>, tensor<8xindex>) outs(%e : tensor<41x7x13xindex>) {
  ^bb0(%a: index, %b: index, %o: index):
    %s = arith.addi %a, %b : index
    linalg.yield %s : index
  } -> tensor<41x7x13xindex>
  %1 = tensor.collapse_shape %0 [[0, 1, 2]] : tensor<41x7x13xindex> into tensor<3731xindex>
  %2 = tensor.cast %1 : tensor<3731xindex> to tensor<?xindex>
  return %2 : tensor<?xindex>
})");
  ASSERT_TRUE(succeeded(results));
  Bits expected;
  for (uint64_t i = 0; i < 41; ++i)
    for (uint64_t j = 0; j < 7; ++j)
      for (uint64_t k = 0; k < 13; ++k)
        expected.push_back(100 * i + 10 * j + k);
  EXPECT_EQ(bits((*results)[0]), expected);
}

/// A result that several points of a "parallel" loop write to: they do so in
/// order, as the loop nest says.
TEST_F(Evaluator, SharedResultElements) {
  auto results = evaluate(R"(
func.func @f() -> tensor<2x1xindex> {
  %e = arith.constant dense<5> : tensor<2x1xindex>
  %x = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xindex>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x3xindex>) outs(%e : tensor<2x1xindex>) {
  ^bb0(%a: index, %o: index):
    %s = arith.addi %a, %o : index
    linalg.yield %s : index
  } -> tensor<2x1xindex>
  return %0 : tensor<2x1xindex>
})");
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ(bits((*results)[0]), Bits({11, 20}));
}

/// A body that yields its arguments crosswise.
TEST_F(Evaluator, SwappedResults) {
  auto results = evaluate(R"(
func.func @f() -> (tensor<2xindex>, tensor<2xindex>) {
  %a = arith.constant dense<[1, 2]> : tensor<2xindex>
  %b = arith.constant dense<[3, 4]> : tensor<2xindex>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} outs(%a, %b : tensor<2xindex>, tensor<2xindex>) {
  ^bb0(%x: index, %y: index):
    linalg.yield %y, %x : index, index
  } -> (tensor<2xindex>, tensor<2xindex>)
  return %0#0, %0#1 : tensor<2xindex>, tensor<2xindex>
})");
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ(bits((*results)[0]), Bits({3, 4}));
  EXPECT_EQ(bits((*results)[1]), Bits({1, 2}));
}

/// Shapes come out of the evaluation without floats, integers as they are.
TEST_F(Evaluator, ShapesWithoutFloats) {
  domain = std::make_unique<ShapeDomain>();
  Array x = array(Float32Type::get(&context), {5, 3}, {});
  auto results = evaluate(R"(
func.func @f(%x: tensor<?x?xf32>) -> (tensor<?xbf16>, tensor<?x?xf32>, index, tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %k = arith.muli %n, %m : index
  %cmp = arith.cmpf olt, %x, %x : tensor<?x?xf32>
  %s = arith.select %cmp, %x, %x : tensor<?x?xi1>, tensor<?x?xf32>
  %0 = prec.sum %s dim 1 <sequential> : tensor<?x?xf32> to tensor<?xf32>
  %1 = prec.round %0 : tensor<?xf32> to tensor<?xbf16>
  %2 = tensor.concat dim(0) %s, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  // Floats beside an integer that is computed.
  %e = tensor.empty(%n) : tensor<?xf32>
  %i = tensor.empty(%n) : tensor<?xindex>
  %3:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, 2)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%x : tensor<?x?xf32>) outs(%e, %i : tensor<?xf32>, tensor<?xindex>) {
  ^bb0(%a: f32, %o: f32, %p: index):
    %j = linalg.index 0 : index
    %b = math.exp %a : f32
    linalg.yield %b, %j : f32, index
  } -> (tensor<?xf32>, tensor<?xindex>)
  %4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%3#0 : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = math.exp %a : f32
    linalg.yield %b : f32
  } -> tensor<?xf32>
  %5 = tensor.extract_slice %4[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  return %1, %2, %k, %3#1 : tensor<?xbf16>, tensor<?x?xf32>, index, tensor<?xindex>
})",
                          {x});
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ(shapeText((*results)[0].shape()), "5");
  EXPECT_EQ(shapeText((*results)[1].shape()), "10x3");
  EXPECT_EQ(bits((*results)[2]), Bits({15}));
  EXPECT_EQ(bits((*results)[3]), Bits({0, 1, 2, 3, 4}));
}

/// Constants of every layout that attributes have.
TEST_F(Evaluator, Constants) {
  auto results = evaluate(R"(
func.func @f() -> (tensor<3xi32>, tensor<2xbf16>, tensor<0xf32>) {
  %0 = arith.constant dense_resource<blob> : tensor<3xi32>
  %1 = arith.constant dense<1.0> : tensor<2xbf16>
  %2 = arith.constant dense<> : tensor<0xf32>
  return %0, %1, %2 : tensor<3xi32>, tensor<2xbf16>, tensor<0xf32>
}
{-#
  dialect_resources: {
    builtin: {
      blob: "0x0400000001000000FFFFFFFF02000000"
    }
  }
#-})");
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ(bits((*results)[0]), Bits({1, ~uint64_t(0), 2}));
  EXPECT_EQ(bits((*results)[1]), Bits({0x3f80, 0x3f80}));
  EXPECT_TRUE(bits((*results)[2]).empty());
}

} // namespace
