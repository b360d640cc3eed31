// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DecomposeMoE.h"

#include "prec/Transforms/DecomposeMoE.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using prec::nn::Formula;

Value prec::moe::loopIndex(Formula &f, unsigned loop) {
  return linalg::IndexOp::create(f.getBuilder(), f.getLoc(), loop);
}

Value prec::moe::toIndex(Formula &f, Value integer) {
  return arith::IndexCastOp::create(f.getBuilder(), f.getLoc(),
                                    f.getBuilder().getIndexType(), integer);
}

Value prec::moe::compare(Formula &f, arith::CmpIPredicate predicate, Value a,
                         Value b) {
  return arith::CmpIOp::create(f.getBuilder(), f.getLoc(), predicate, a, b);
}

Value prec::moe::select(Formula &f, Value condition, Value yes, Value no) {
  return arith::SelectOp::create(f.getBuilder(), f.getLoc(), condition, yes,
                                 no);
}

Value prec::moe::extract(Formula &f, Value tensor, ValueRange at) {
  return tensor::ExtractOp::create(f.getBuilder(), f.getLoc(), tensor, at);
}

std::pair<Value, Value> prec::moe::checkIndex(Formula &f, Value index,
                                              Value count) {
  Value isThere = compare(f, arith::CmpIPredicate::ult, index, count);
  return {isThere, select(f, isThere, index, count)};
}

void prec::populateDecomposeMoEPatterns(mlir::RewritePatternSet &patterns) {
  moe::populateDecomposeActivation(patterns);
  moe::populateDecomposeActivationGrad(patterns);
  moe::populateDecomposeCombine(patterns);
  moe::populateDecomposeCombineGrad(patterns);
  moe::populateDecomposeRouter(patterns);
}
