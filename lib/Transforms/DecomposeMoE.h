// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decompositions of moe operations, one a file.
#ifndef LIB_TRANSFORMS_DECOMPOSEMOE_H
#define LIB_TRANSFORMS_DECOMPOSEMOE_H

#include "DecomposeNNBuilder.h"

#include "dialects/MoE/MoE.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace prec::moe {

/// The tensors of an activation, each on its own; absent ones are null.
struct GateAndUp {
  mlir::Value gate, up, gateBias, upBias;

  /// Those of `op`, parts of one tensor with `hidden` elements each where it
  /// has a layout.
  template <typename ActivationLike>
  GateAndUp(nn::TensorBuilder &t, ActivationLike op, int64_t hidden)
      : gate(op.getInput()), up(op.getUp()), gateBias(op.getBias()),
        upBias(op.getUpBias()) {
    if (std::optional<Layout> layout = op.getLayout()) {
      split(t, *layout, hidden, gateBias, upBias);
      split(t, *layout, hidden, gate, up);
    }
  }

private:
  /// Makes two parts of `first`, unless it is null.
  static void split(nn::TensorBuilder &t, Layout layout, int64_t hidden,
                    mlir::Value &first, mlir::Value &second);
};

/// The steps of an activation of one element: a bias, which may be null; gate
/// and up within the limit, up with its offset, alpha * gate, the function.
mlir::Value addBias(nn::Formula &f, mlir::Value value, mlir::Value bias);
mlir::Value clampGate(nn::Formula &f, const llvm::APFloat &limit,
                      mlir::Value gate);
mlir::Value clampUp(nn::Formula &f, const llvm::APFloat &limit, mlir::Value up);
mlir::Value addOffset(nn::Formula &f, const llvm::APFloat &offset,
                      mlir::Value up);
mlir::Value scale(nn::Formula &f, std::optional<llvm::APFloat> alpha,
                  mlir::Value gate);
mlir::Value applyFunction(nn::Formula &f, Function function, SiluForm form,
                          std::optional<llvm::APFloat> alpha, mlir::Value gate);

/// Indices in a body: a loop's, an integer as one, comparisons, elements.
mlir::Value loopIndex(nn::Formula &f, unsigned loop);
mlir::Value toIndex(nn::Formula &f, mlir::Value integer);
mlir::Value compare(nn::Formula &f, mlir::arith::CmpIPredicate predicate,
                    mlir::Value a, mlir::Value b);
mlir::Value select(nn::Formula &f, mlir::Value condition, mlir::Value yes,
                   mlir::Value no);
mlir::Value extract(nn::Formula &f, mlir::Value tensor, mlir::ValueRange at);
/// Whether `index` names one of `count`, and it or, if not, `count`: the place
/// behind the last one.
std::pair<mlir::Value, mlir::Value>
checkIndex(nn::Formula &f, mlir::Value index, mlir::Value count);

void populateDecomposeActivation(mlir::RewritePatternSet &patterns);
void populateDecomposeActivationGrad(mlir::RewritePatternSet &patterns);
void populateDecomposeCombine(mlir::RewritePatternSet &patterns);
void populateDecomposeCombineGrad(mlir::RewritePatternSet &patterns);
void populateDecomposeRouter(mlir::RewritePatternSet &patterns);

} // namespace prec::moe

#endif // LIB_TRANSFORMS_DECOMPOSEMOE_H
