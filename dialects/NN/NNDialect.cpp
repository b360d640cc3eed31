// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/NN/NN.h"

using namespace mlir;
using namespace prec;
using namespace prec::nn;

#include "dialects/NN/NNDialect.cpp.inc"
#include "dialects/NN/NNEnums.cpp.inc"

void NNDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/NN/NNOps.cpp.inc"
      >();
}

OrderAttr prec::nn::getDefaultOrder(MLIRContext *context, bool alongLast) {
  if (alongLast)
    return OrderAttr::get(context, num::SumOrder::atenCPU());
  num::SumOrder column;
  column.steps = {{0, num::StepKind::Cascade}};
  column.fromZero = true;
  return OrderAttr::get(context, column);
}
