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
// RUN: prec-opt %s --prec-promote-moe="activation=true combine=true" --remarks-filter=prec-.* --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func @activation
// CHECK:         moe.activation silu %{{.*}} layout halves probability(%{{.*}} : tensor<?xf32>) points {bias = false, clamp = false, offset = false, offset_scalar = false, probability = false, product = false, scaled = false, sigmoid = false, silu = false} :
func.func @activation(%x: tensor<?x128xbf16>, %p: tensor<?xf32>) -> tensor<?x64xbf16> {
  %0 = moe.activation silu %x layout halves probability(%p : tensor<?xf32>) : tensor<?x128xbf16> to tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// What makes gate and up stays; what the operation says otherwise is overridden.
// CHECK-LABEL: func @overridden
// CHECK:         points {bias = false, clamp = false, gate_cast = true, offset = false, offset_scalar = false, probability = false, product = false, scaled = false, sigmoid = false, silu = false}
// REMARK-DAG:  [Passed] promoted | Category:prec-promote-moe | how="one rounding, at the result; overrides what the operation or a profile said of silu, probability"
func.func @overridden(%g: tensor<?x64xf32>, %u: tensor<?x64xf32>, %p: tensor<?xf32>) -> tensor<?x64xbf16> {
  %0 = moe.activation silu %g up(%u : tensor<?x64xf32>) probability(%p : tensor<?xf32>)
         points {gate_cast = true, silu = true, probability = true, product = false} : tensor<?x64xf32> to tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// A probability that was rounded is taken from before.
// CHECK-LABEL: func @unnarrowed
// CHECK-SAME:    %{{.*}}: tensor<?x128xf16>, %[[P:.*]]: tensor<?xf32>
// CHECK:         moe.activation silu %{{.*}} layout halves probability(%[[P]] : tensor<?xf32>)
func.func @unnarrowed(%x: tensor<?x128xf16>, %p: tensor<?xf32>) -> tensor<?x64xf16> {
  %w = arith.truncf %p : tensor<?xf32> to tensor<?xf16>
  %0 = moe.activation silu %x layout halves probability(%w : tensor<?xf16>) : tensor<?x128xf16> to tensor<?x64xf16>
  return %0 : tensor<?x64xf16>
}

// CHECK-LABEL: func @combine
// CHECK-SAME:    %{{.*}}: tensor<?x8x64xbf16>, %[[P:.*]]: tensor<?x8xf32>
// CHECK:         moe.combine %{{.*}} weights(%[[P]] : tensor<?x8xf32>) by(%{{.*}} : tensor<?x8xi32>) sequence slots accumulate f32 points {accumulate = false, bias = false, term = false, weight = false}
// REMARK-DAG:  how="an f32 sum in order of the slots, one rounding; overrides what the operation or a profile said of sequence"
func.func @combine(%z: tensor<?x8x64xbf16>, %p: tensor<?x8xf32>, %ids: tensor<?x8xi32>) -> tensor<?x64xbf16> {
  %w = arith.truncf %p : tensor<?x8xf32> to tensor<?x8xbf16>
  %0 = moe.combine %z weights(%w : tensor<?x8xbf16>) by(%ids : tensor<?x8xi32>) : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// An f64 sum and an order are overridden too.
// CHECK-LABEL: func @combine_order
// CHECK:         weights(%{{.*}} : tensor<?x8xf32>) sequence slots accumulate f32 points {
func.func @combine_order(%z: tensor<?x8x64xbf16>, %p: tensor<?x8xf32>) -> tensor<?x64xbf16> {
  %0 = moe.combine %z weights(%p : tensor<?x8xf32>) order <lanes<4>> accumulate f64 points {accumulate = false}
         : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// The probability moves from the activation, through the experts' last product, to the combination.
// CHECK-LABEL: func @moved
// CHECK-SAME:    %{{.*}}: tensor<?x8x128xbf16>, %[[P:.*]]: tensor<?x8xf32>
// CHECK:         moe.activation silu %{{[^:]*}} layout halves points
// CHECK:         moe.combine %{{.*}} weights(%[[P]] : tensor<?x8xf32>) sequence slots
// REMARK-DAG:  how="its probability moved to the combination"
func.func @moved(%x: tensor<?x8x128xbf16>, %p: tensor<?x8xf32>, %down: tensor<64x64xbf16>, %init: tensor<?x8x64xf32>, %to: tensor<?x8x64xbf16>)
    -> tensor<?x64xbf16> {
  %h = moe.activation silu %x layout halves probability(%p : tensor<?x8xf32>) : tensor<?x8x128xbf16> to tensor<?x8x64xbf16>
  %acc = linalg.generic {indexing_maps = [affine_map<(t, k, n, c) -> (t, k, c)>, affine_map<(t, k, n, c) -> (c, n)>, affine_map<(t, k, n, c) -> (t, k, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%h, %down : tensor<?x8x64xbf16>, tensor<64x64xbf16>) outs(%init : tensor<?x8x64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %s: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %s, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x8x64xf32>
  %z = arith.truncf %acc : tensor<?x8x64xf32> to tensor<?x8x64xbf16>
  %y = moe.combine %z : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// Rows in the order of the slots.
// CHECK-LABEL: func @moved_expanded
// CHECK-SAME:    %{{.*}}: tensor<?x128xbf16>, %[[P:.*]]: tensor<?xf32>
// CHECK:         %[[W:.*]] = tensor.expand_shape %[[P]] {{\[\[}}0, 1]] output_shape [%{{.*}}, 8] : tensor<?xf32> into tensor<?x8xf32>
// CHECK:         moe.combine %{{.*}} weights(%[[W]] : tensor<?x8xf32>)
func.func @moved_expanded(%x: tensor<?x128xbf16>, %p: tensor<?xf32>, %down: tensor<64x64xbf16>, %init: tensor<?x64xbf16>, %n: index) -> tensor<?x64xbf16> {
  %h = moe.activation silu %x layout halves probability(%p : tensor<?xf32>) : tensor<?x128xbf16> to tensor<?x64xbf16>
  %z = linalg.matmul ins(%h, %down : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%init : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  %e = tensor.expand_shape %z [[0, 1], [2]] output_shape [%n, 8, 64] : tensor<?x64xbf16> into tensor<?x8x64xbf16>
  %y = moe.combine %e : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// Rows by expert, which the combination's indices name.
// CHECK-LABEL: func @moved_indexed
// CHECK:         %[[PADDED:.*]] = tensor.concat dim(0) %{{.*}}, %{{.*}} : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
// CHECK:         %[[W:.*]] = linalg.generic
// CHECK:           tensor.extract %[[PADDED]]
// CHECK:         moe.combine %{{.*}} weights(%[[W]] : tensor<?x8xf32>) indices(
func.func @moved_indexed(%x: tensor<?x128xbf16>, %p: tensor<?xf32>, %down: tensor<64x64xbf16>, %init: tensor<?x64xbf16>, %i: tensor<?x8xi32>)
    -> tensor<?x64xbf16> {
  %h = moe.activation silu %x layout halves probability(%p : tensor<?xf32>) : tensor<?x128xbf16> to tensor<?x64xbf16>
  %z = linalg.matmul ins(%h, %down : tensor<?x64xbf16>, tensor<64x64xbf16>) outs(%init : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  %y = moe.combine %z indices(%i : tensor<?x8xi32>) : tensor<?x64xbf16> to tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// CHECK-LABEL: func @activation_grad
// CHECK-SAME:    %{{.*}}: tensor<?x64xf16>, %{{.*}}: tensor<?x128xf16>, %[[P:.*]]: tensor<?xf32>
// CHECK:         %{{.*}}, %[[DP:.*]] = moe.activation_grad silu %{{.*}}, %{{.*}} layout halves probability(%[[P]] : tensor<?xf32>) derivative closed form product points {activated = false, bias = false, chained = false, clamp = false, complement = false, gated = false, inner = false, offset = false, offset_scalar = false, probability = false, product = false, scaled = false, sigmoid = false, silu = false, slope = false, sloped = false, term = false, weighted = false} : {{.*}} probability tensor<?xf32>
// CHECK:         %[[R:.*]] = arith.truncf %[[DP]] : tensor<?xf32> to tensor<?xf16>
// CHECK:         return %{{.*}}, %[[R]]
// REMARK-DAG:  how="the derivative in f32, one rounding for each gradient", what="activation's gradient"
func.func @activation_grad(%dy: tensor<?x64xf16>, %x: tensor<?x128xf16>, %p: tensor<?xf32>) -> (tensor<?x128xf16>, tensor<?xf16>) {
  %w = arith.truncf %p : tensor<?xf32> to tensor<?xf16>
  %0:2 = moe.activation_grad silu %dy, %x layout halves probability(%w : tensor<?xf16>)
           : tensor<?x64xf16>, tensor<?x128xf16> to tensor<?x128xf16> probability tensor<?xf16>
  return %0#0, %0#1 : tensor<?x128xf16>, tensor<?xf16>
}

// CHECK-LABEL: func @combine_grad
// CHECK:         moe.combine_grad %{{.*}}, %{{.*}} weights(%{{.*}} : tensor<?x8xf32>) points {product = false, weight = false} :
// REMARK-DAG:  how="products in f32, one rounding for each gradient", what="combination's gradient"
func.func @combine_grad(%dy: tensor<?x64xf16>, %z: tensor<?x8x64xf16>, %p: tensor<?x8xf32>) -> (tensor<?x8x64xf16>, tensor<?x8xf32>) {
  %0:2 = moe.combine_grad %dy, %z weights(%p : tensor<?x8xf32>)
           : tensor<?x64xf16>, tensor<?x8x64xf16> to tensor<?x8x64xf16> weights tensor<?x8xf32>
  return %0#0, %0#1 : tensor<?x8x64xf16>, tensor<?x8xf32>
}

// The probability moves in the gradients as it does in the forward.
// CHECK-LABEL: func @moved_grad
// CHECK-SAME:    %{{.*}}: tensor<?x8x128xbf16>, %[[P:.*]]: tensor<?x8xf32>
// CHECK:         moe.combine %{{.*}} weights(%[[P]] : tensor<?x8xf32>)
// CHECK:         %[[DH:.*]], %[[DP:.*]] = moe.combine_grad %{{.*}}, %{{.*}} weights(%[[P]] : tensor<?x8xf32>)
// CHECK:         %[[DX:.*]] = moe.activation_grad silu %[[DH]], %{{.*}} layout halves derivative closed
// CHECK:         return %{{.*}}, %[[DX]], %[[DP]]
func.func @moved_grad(%x: tensor<?x8x128xbf16>, %p: tensor<?x8xf32>, %dy: tensor<?x64xbf16>)
    -> (tensor<?x64xbf16>, tensor<?x8x128xbf16>, tensor<?x8xf32>) {
  %h = moe.activation silu %x layout halves probability(%p : tensor<?x8xf32>) : tensor<?x8x128xbf16> to tensor<?x8x64xbf16>
  %y = moe.combine %h : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  %dh = moe.combine_grad %dy, %h : tensor<?x64xbf16>, tensor<?x8x64xbf16> to tensor<?x8x64xbf16>
  %0:2 = moe.activation_grad silu %dh, %x layout halves probability(%p : tensor<?x8xf32>)
           : tensor<?x8x64xbf16>, tensor<?x8x128xbf16> to tensor<?x8x128xbf16> probability tensor<?x8xf32>
  return %y, %0#0, %0#1 : tensor<?x64xbf16>, tensor<?x8x128xbf16>, tensor<?x8xf32>
}

// The gradients of biases stay with it.
// CHECK-LABEL: func @moved_bias_grad
// CHECK:         %[[DX:.*]], %[[DB:.*]] = moe.activation_grad silu %{{.*}}, %{{.*}} layout halves bias(%{{.*}} : tensor<128xbf16>) derivative closed
// CHECK-SAME:      rows_order <sequential>
// CHECK-SAME:      to tensor<?x8x128xbf16> bias tensor<128xbf16>
// CHECK:         return %{{.*}}, %[[DX]], %[[DB]], %{{.*}}
func.func @moved_bias_grad(%x: tensor<?x8x128xbf16>, %b: tensor<128xbf16>, %p: tensor<?x8xf32>, %dy: tensor<?x64xbf16>)
    -> (tensor<?x64xbf16>, tensor<?x8x128xbf16>, tensor<128xbf16>, tensor<?x8xf32>) {
  %h = moe.activation silu %x layout halves bias(%b : tensor<128xbf16>) probability(%p : tensor<?x8xf32>) : tensor<?x8x128xbf16> to tensor<?x8x64xbf16>
  %y = moe.combine %h : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  %dh = moe.combine_grad %dy, %h : tensor<?x64xbf16>, tensor<?x8x64xbf16> to tensor<?x8x64xbf16>
  %0:3 = moe.activation_grad silu %dh, %x layout halves bias(%b : tensor<128xbf16>) probability(%p : tensor<?x8xf32>) rows_order <sequential>
           : tensor<?x8x64xbf16>, tensor<?x8x128xbf16> to tensor<?x8x128xbf16> bias tensor<128xbf16> probability tensor<?x8xf32>
  return %y, %0#0, %0#1, %0#2 : tensor<?x64xbf16>, tensor<?x8x128xbf16>, tensor<128xbf16>, tensor<?x8xf32>
}
