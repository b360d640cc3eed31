// RUN: prec-opt %s -o %t.before
// RUN: prec-opt %s --prec-promote-moe -o %t.off
// RUN: cmp %t.before %t.off
// RUN: prec-opt %s --prec-promote-moe="activation=true combine=true" -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: prec-opt %t.once --prec-promote-moe="activation=true combine=true" -o %t.twice
// RUN: cmp %t.once %t.twice
// RUN: prec-opt %s --prec-promote-moe="activation=true combine=true" --canonicalize --cse -o %t.after
// RUN: prec-opt %s --canonicalize --cse --prec-promote-moe="activation=true combine=true" --canonicalize --cse -o %t.between
// RUN: cmp %t.after %t.between
// RUN: prec-opt %s --prec-make-rounding-explicit --prec-promote-moe="activation=true combine=true" | FileCheck %s --check-prefix=LEVELR
// RUN: prec-opt %s --prec-promote-moe="activation=true combine=true" --remarks-filter=prec-.* --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#all = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
#all3 = affine_map<(i, j, k) -> (i, j, k)>
#slots = affine_map<(i, j, k) -> (i, j)>
#sum = affine_map<(i, j, k) -> (i, k)>

// CHECK-LABEL: func @operations
// CHECK-SAME:    %[[G:.*]]: tensor<?x64xbf16>, %[[U:.*]]: tensor<?x64xbf16>
// CHECK-NOT:     nn.silu
// CHECK:         linalg.generic {{.*}} ins(%[[G]], %[[U]] : tensor<?x64xbf16>, tensor<?x64xbf16>)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: bf16, %[[B:.*]]: bf16, %{{.*}}: bf16):
// CHECK:           %[[X:.*]] = arith.extf %[[A]]
// CHECK:           arith.negf
// CHECK-NEXT:      math.exp
// CHECK:           %[[S:.*]] = arith.divf
// CHECK-NEXT:      %[[Y:.*]] = arith.extf %[[B]]
// CHECK-NEXT:      %[[V:.*]] = arith.mulf %[[S]], %[[Y]] : f32
// CHECK-NEXT:      %[[R:.*]] = arith.truncf %[[V]] : f32 to bf16
// CHECK-NEXT:      linalg.yield %[[R]]
// LEVELR-LABEL: func @operations
// LEVELR-COUNT-1: prec.round
// LEVELR-NOT:   prec.round
// LEVELR:       return
// REMARK-DAG:  [Passed] promoted | Category:prec-promote-moe | how="inner roundings dropped, one at the result", what=activation
func.func @operations(%g: tensor<?x64xbf16>, %u: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %s = nn.silu %g : tensor<?x64xbf16>
  %m = arith.mulf %s, %u : tensor<?x64xbf16>
  return %m : tensor<?x64xbf16>
}

// Halves of one tensor; g * sigmoid(g), the other way round; the probability in bf16 but rounded from f32.
// CHECK-LABEL: func @halves
// CHECK-SAME:    %{{.*}}: tensor<?x128xbf16>, %[[P:.*]]: tensor<?xf32>
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %[[P]] : tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?xf32>)
// CHECK:           arith.truncf
// CHECK-NOT:       arith.truncf
// CHECK:         return
// LEVELR-LABEL: func @halves
// LEVELR-COUNT-1: prec.round
// LEVELR-NOT:   prec.round
// LEVELR:       return
func.func @halves(%x: tensor<?x128xbf16>, %p: tensor<?xf32>, %to: tensor<?x64xbf16>, %n: index) -> tensor<?x64xbf16> {
  %g = tensor.extract_slice %x[0, 0] [%n, 64] [1, 1] : tensor<?x128xbf16> to tensor<?x64xbf16>
  %u = tensor.extract_slice %x[0, 64] [%n, 64] [1, 1] : tensor<?x128xbf16> to tensor<?x64xbf16>
  %w = arith.truncf %p : tensor<?xf32> to tensor<?xbf16>
  %sigmoid = nn.sigmoid %g : tensor<?x64xbf16>
  %silu = arith.mulf %sigmoid, %g : tensor<?x64xbf16>
  %m = arith.mulf %u, %silu : tensor<?x64xbf16>
  %y = linalg.generic {indexing_maps = [#rows, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%w, %m : tensor<?xbf16>, tensor<?x64xbf16>) outs(%to : tensor<?x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %0 = arith.mulf %a, %b : bf16
    linalg.yield %0 : bf16
  } -> tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// One body, up times the probability first, and more after the result.
// CHECK-LABEL: func @body
// CHECK:         linalg.generic
// CHECK:           arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT:      arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT:      %[[R:.*]] = arith.truncf %{{.*}} : f32 to f16
// CHECK-NEXT:      %[[Y:.*]] = arith.addf %[[R]], %{{.*}} : f16
// CHECK-NEXT:      linalg.yield %[[Y]]
func.func @body(%g: tensor<?x64xf16>, %u: tensor<?x64xf16>, %p: tensor<?xf16>, %r: tensor<?x64xf16>, %to: tensor<?x64xf16>) -> tensor<?x64xf16> {
  %one = arith.constant 1.0 : f16
  %y = linalg.generic {indexing_maps = [#all, #all, #rows, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%g, %u, %p, %r : tensor<?x64xf16>, tensor<?x64xf16>, tensor<?xf16>, tensor<?x64xf16>) outs(%to : tensor<?x64xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f16, %d: f16, %out: f16):
    %0 = arith.negf %a : f16
    %1 = math.exp %0 : f16
    %2 = arith.addf %one, %1 : f16
    %3 = arith.divf %a, %2 : f16
    %4 = arith.mulf %b, %c : f16
    %5 = arith.mulf %3, %4 : f16
    %6 = arith.addf %5, %d : f16
    linalg.yield %6 : f16
  } -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

// What makes g stays rounded, and so does what makes u.
// CHECK-LABEL: func @roundings_before
// CHECK-COUNT-2: arith.truncf %{{.*}} : tensor<?x64xf32> to tensor<?x64xbf16>
// CHECK:         linalg.generic
func.func @roundings_before(%g: tensor<?x64xf32>, %u: tensor<?x64xf32>) -> tensor<?x64xbf16> {
  %a = arith.truncf %g : tensor<?x64xf32> to tensor<?x64xbf16>
  %b = arith.truncf %u : tensor<?x64xf32> to tensor<?x64xbf16>
  %s = nn.silu %a : tensor<?x64xbf16>
  %m = arith.mulf %s, %b : tensor<?x64xbf16>
  return %m : tensor<?x64xbf16>
}

// An intermediate with another use is computed as before for it.
// CHECK-LABEL: func @intermediate
// CHECK:         %[[S:.*]] = nn.silu
// CHECK:         %[[M:.*]] = arith.mulf %[[S]]
// CHECK:         %[[Y:.*]] = linalg.generic
// CHECK:         return %[[Y]], %[[M]]
// REMARK-DAG:  [Missed] left-alone | Category:prec-promote-moe | what=activation, why="it has uses before its probability is applied"
func.func @intermediate(%g: tensor<?x64xbf16>, %u: tensor<?x64xbf16>, %p: tensor<?xf32>, %to: tensor<?x64xbf16>) -> (tensor<?x64xbf16>, tensor<?x64xbf16>) {
  %s = nn.silu %g : tensor<?x64xbf16>
  %m = arith.mulf %s, %u : tensor<?x64xbf16>
  %y = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%m, %p : tensor<?x64xbf16>, tensor<?xf32>) outs(%to : tensor<?x64xbf16>) {
  ^bb0(%a: bf16, %b: f32, %out: bf16):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<?x64xbf16>
  return %y, %m : tensor<?x64xbf16>, tensor<?x64xbf16>
}

// Neither: another value in the sigmoid; a scale; no up.
// CHECK-LABEL: func @others
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @others(%g: tensor<?x64xbf16>, %u: tensor<?x64xbf16>) -> (tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?x64xbf16>) {
  %half = arith.constant dense<0.5> : tensor<64x64xbf16>
  %s = nn.sigmoid %g : tensor<?x64xbf16>
  %0 = arith.mulf %s, %u : tensor<?x64xbf16>
  %1 = nn.silu %g : tensor<?x64xbf16>
  %2 = nn.gelu %g : tensor<?x64xbf16>
  %3 = arith.mulf %2, %u : tensor<?x64xbf16>
  return %0, %1, %3 : tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?x64xbf16>
}

// CHECK-LABEL: func @combine
// CHECK-SAME:    %[[Z:.*]]: tensor<?x8x64xbf16>, %[[P:.*]]: tensor<?x8xf32>
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]} ins(%[[Z]], %[[P]] : tensor<?x8x64xbf16>, tensor<?x8xf32>) outs(%{{.*}} : tensor<?x64xf32>)
// CHECK:           arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT:      arith.addf %{{.*}}, %{{.*}} : f32
// CHECK:         arith.truncf %[[SUM]] : tensor<?x64xf32> to tensor<?x64xbf16>
// LEVELR-LABEL: func @combine
// LEVELR-COUNT-1: prec.round
// LEVELR-NOT:   prec.round
// LEVELR:       return
// REMARK-DAG:  how="an f32 sum in order of the slots, one rounding", what=combination
func.func @combine(%z: tensor<?x8x64xbf16>, %p: tensor<?x8xf32>, %t: tensor<?x8x64xbf16>, %to: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %zero = arith.constant 0.0 : bf16
  %w = arith.truncf %p : tensor<?x8xf32> to tensor<?x8xbf16>
  %terms = linalg.generic {indexing_maps = [#all3, #slots, #all3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%z, %w : tensor<?x8x64xbf16>, tensor<?x8xbf16>) outs(%t : tensor<?x8x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %0 = arith.mulf %b, %a : bf16
    linalg.yield %0 : bf16
  } -> tensor<?x8x64xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%to : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  %y = linalg.reduce ins(%terms : tensor<?x8x64xbf16>) outs(%init : tensor<?x64xbf16>) dimensions = [1]
    (%a: bf16, %acc: bf16) {
      %0 = arith.addf %acc, %a : bf16
      linalg.yield %0 : bf16
    }
  return %y : tensor<?x64xbf16>
}

// One body for product and sum; the sum is f32 already.
// CHECK-LABEL: func @combine_f32_sum
// CHECK:         linalg.generic
// CHECK-NOT:       arith.truncf
// CHECK:         } -> tensor<8x64xf32>
// CHECK-NEXT:    arith.truncf
func.func @combine_f32_sum(%z: tensor<8x4x64xf16>, %p: tensor<8x4xf32>, %to: tensor<8x64xf32>) -> tensor<8x64xf16> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%to : tensor<8x64xf32>) -> tensor<8x64xf32>
  %sum = linalg.generic {indexing_maps = [#all3, #slots, #sum], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%z, %p : tensor<8x4x64xf16>, tensor<8x4xf32>) outs(%init : tensor<8x64xf32>) {
  ^bb0(%a: f16, %b: f32, %acc: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.truncf %1 : f32 to f16
    %3 = arith.extf %2 : f16 to f32
    %4 = arith.addf %3, %acc : f32
    linalg.yield %4 : f32
  } -> tensor<8x64xf32>
  %y = arith.truncf %sum : tensor<8x64xf32> to tensor<8x64xf16>
  return %y : tensor<8x64xf16>
}

// CHECK-LABEL: func @combine_prec_sum
// CHECK-NOT:     prec.sum
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]
// CHECK:         prec.round
func.func @combine_prec_sum(%z: tensor<8x4x64xf16>, %p: tensor<8x4xf32>, %to: tensor<8x4x64xf32>) -> tensor<8x64xf16> {
  %terms = linalg.generic {indexing_maps = [#all3, #slots, #all3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%z, %p : tensor<8x4x64xf16>, tensor<8x4xf32>) outs(%to : tensor<8x4x64xf32>) {
  ^bb0(%a: f16, %b: f32, %out: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.mulf %0, %b : f32
    %2 = prec.round %1 : f32 to f16
    %3 = arith.extf %2 : f16 to f32
    linalg.yield %3 : f32
  } -> tensor<8x4x64xf32>
  %sum = prec.sum %terms dim 1 <sequential> : tensor<8x4x64xf32> to tensor<8x64xf32>
  %y = prec.round %sum : tensor<8x64xf32> to tensor<8x64xf16>
  return %y : tensor<8x64xf16>
}

// A loop over the slots that was unrolled; slices of the rounded weights are slices of those before.
// CHECK-LABEL: func @combine_chain
// CHECK-SAME:    %{{.*}}: tensor<8x2x64xbf16>, %[[P:.*]]: tensor<8x2xf32>
// CHECK:         linalg.generic {{.*}} ins({{.*}}%[[P]]{{.*}}%[[P]]
// CHECK:           arith.truncf
// CHECK-NOT:       arith.truncf
// CHECK:         return
func.func @combine_chain(%z: tensor<8x2x64xbf16>, %p: tensor<8x2xf32>, %to: tensor<8x64xbf16>) -> tensor<8x64xbf16> {
  %w = arith.truncf %p : tensor<8x2xf32> to tensor<8x2xbf16>
  %s0 = tensor.extract_slice %z[0, 0, 0] [8, 1, 64] [1, 1, 1] : tensor<8x2x64xbf16> to tensor<8x64xbf16>
  %s1 = tensor.extract_slice %z[0, 1, 0] [8, 1, 64] [1, 1, 1] : tensor<8x2x64xbf16> to tensor<8x64xbf16>
  %w0 = tensor.extract_slice %w[0, 0] [8, 1] [1, 1] : tensor<8x2xbf16> to tensor<8xbf16>
  %w1 = tensor.extract_slice %w[0, 1] [8, 1] [1, 1] : tensor<8x2xbf16> to tensor<8xbf16>
  %b0 = linalg.broadcast ins(%w0 : tensor<8xbf16>) outs(%to : tensor<8x64xbf16>) dimensions = [1]
  %b1 = linalg.broadcast ins(%w1 : tensor<8xbf16>) outs(%to : tensor<8x64xbf16>) dimensions = [1]
  %t0 = arith.mulf %s0, %b0 : tensor<8x64xbf16>
  %t1 = arith.mulf %b1, %s1 : tensor<8x64xbf16>
  %y = arith.addf %t0, %t1 : tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}
