// The pipelines promote what they are asked to.
// RUN: prec-opt %s --prec-to-host="promote-moe-activation=true promote-moe-combine=true" -o /dev/null --remarks-filter=prec-promote-moe --remark-policy=all 2>&1 | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: prec-opt %s --prec-to-ptx="promote-moe-combine=true" -o /dev/null --remarks-filter=prec-promote-moe --remark-policy=all 2>&1 | FileCheck %s --check-prefixes=CHECK,COMBINE
// RUN: prec-opt %s --prec-to-ptx -o /dev/null --remarks-filter=prec-promote-moe --remark-policy=all 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty

// CHECK-DAG:   how="its probability moved to the combination", what=activation
// CHECK-DAG:   how="an f32 sum in order of the slots, one rounding", what=combination
// BOTH-DAG:    how="one rounding, at the result", what=activation
// COMBINE-NOT: how="one rounding, at the result"
// NONE-NOT:    promoted
func.func @block(%x: tensor<?x8x128xbf16>, %p: tensor<?x8xf32>) -> tensor<?x64xbf16> {
  %h = moe.activation silu %x layout halves probability(%p : tensor<?x8xf32>) : tensor<?x8x128xbf16> to tensor<?x8x64xbf16>
  %y = moe.combine %h : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}
