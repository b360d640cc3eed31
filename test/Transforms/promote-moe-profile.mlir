// A profile and the promotion, in either order: the promotion wins.
// RUN: prec-opt %s --prec-apply-profile=profile=huggingface --prec-promote-moe="activation=true combine=true" -o %t.last
// RUN: FileCheck %s < %t.last
// RUN: prec-opt %s --prec-promote-moe="activation=true combine=true" --prec-apply-profile=profile=huggingface -o %t.first
// RUN: cmp %t.last %t.first
// RUN: prec-opt %s --prec-apply-profile=profile=vllm_pre_46643 --prec-promote-moe="activation=true combine=true" -o %t.last
// RUN: prec-opt %s --prec-promote-moe="activation=true combine=true" --prec-apply-profile=profile=vllm_pre_46643 -o %t.first
// RUN: cmp %t.last %t.first
// RUN: prec-opt %s --prec-apply-profile=profile=huggingface --prec-promote-moe="activation=true combine=true" --remarks-filter=prec-.* --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK:      moe.activation {{.*}} product = false, scaled = false, sigmoid = false, silu = false, up_cast = true}
// CHECK:      moe.combine {{.*}} sequence slots accumulate f32 points {accumulate = false, {{.*}}term = false, weight = false}
// REMARK-DAG: how="one rounding, at the result; overrides what the operation or a profile said of {{.*}}silu
// REMARK-DAG: how="an f32 sum in order of the slots, one rounding; overrides what the operation or a profile said of {{.*}}weight
func.func @block(%x: tensor<?x8x128xbf16>, %z: tensor<?x8x64xbf16>, %p: tensor<?x8xf32>, %ids: tensor<?x8xi32>)
    -> (tensor<?x8x64xbf16>, tensor<?x64xbf16>) {
  %h = moe.activation silu %x layout halves : tensor<?x8x128xbf16> to tensor<?x8x64xbf16>
  %y = moe.combine %z weights(%p : tensor<?x8xf32>) by(%ids : tensor<?x8xi32>) : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  return %h, %y : tensor<?x8x64xbf16>, tensor<?x64xbf16>
}
