// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/NN/NN.h"

#include "dialects/Prec/Inlining.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace prec;
using namespace prec::nn;

#include "dialects/NN/NNDialect.cpp.inc"
#include "dialects/NN/NNEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/NN/NNAttrs.cpp.inc"

void NNDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/NN/NNAttrs.cpp.inc"
      >();
}

void NNDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/NN/NNOps.cpp.inc"
      >();
  addInterfaces<InlineAll>();
}

OrderAttr prec::nn::getDefaultOrder(MLIRContext *context, bool alongLast) {
  if (alongLast)
    return OrderAttr::get(context, num::SumOrder::atenCPU());
  num::SumOrder column;
  column.steps = {{0, num::StepKind::Cascade}};
  column.fromZero = true;
  return OrderAttr::get(context, column);
}

SmallVector<StringRef>
prec::nn::selectRules(ArrayRef<StringRef> attributeNames) {
  // The others say what is computed: a dimension, an eps, ...
  static constexpr StringRef rules[] = {"accumulate", "divide",       "form",
                                        "math",       "multiply_add", "order",
                                        "rows_order", "rstd",         "rule"};
  return llvm::filter_to_vector(attributeNames, [](StringRef name) {
    return llvm::is_contained(rules, name);
  });
}
