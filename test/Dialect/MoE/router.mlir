// RUN: prec-opt %s | prec-opt | FileCheck %s
// RUN: prec-opt %s --mlir-print-op-generic | prec-opt | FileCheck %s
// RUN: prec-opt %s --emit-bytecode | prec-opt | FileCheck %s
// RUN: prec-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: func @routers
func.func @routers(%l: tensor<?x64xbf16>, %f: tensor<?x?xf32>, %b: tensor<64xf32>) {
  // CHECK: moe.router %{{[a-z0-9]*}}  softmax top_k 8 renormalize : tensor<?x64xbf16> to tensor<?x8xbf16>, tensor<?x8xi32>
  %0:2 = moe.router %l softmax top_k 8 renormalize : tensor<?x64xbf16> to tensor<?x8xbf16>, tensor<?x8xi32>
  // CHECK: moe.router %{{[a-z0-9]*}} bias(%{{[a-z0-9]*}} : tensor<64xf32>)  sigmoid top_k 8 renormalize epsilon 9.99999968E-21 scale 2.500000e+00 groups 8 top_groups 4 group_score  top2_sum masked  zero divide  reciprocal order <sequential> total_order <lanes<2>> math <libdevice> points {bias = true, biased = true, exponential = true, group_score = true, logit = true, normalized = true, score = true, shifted = true, sum = true, total = true} : tensor<?x64xbf16> to tensor<?x8xf32>, tensor<?x8xi64>
  %1:2 = moe.router %l bias(%b : tensor<64xf32>) sigmoid top_k 8 renormalize epsilon 1.0e-20 scale 2.5 groups 8 top_groups 4
           group_score top2_sum masked zero divide reciprocal order <sequential> total_order <lanes<2>> math <libdevice>
           points {logit = true, shifted = true, exponential = true, sum = true, score = true, bias = true, biased = true,
                   group_score = true, total = true, normalized = true} : tensor<?x64xbf16> to tensor<?x8xf32>, tensor<?x8xi64>
  // CHECK: moe.router %{{[a-z0-9]*}}  softmax_of_top top_k 1 : tensor<?x?xf32> to tensor<?x1xf16>, tensor<?x1xi32>
  %2:2 = moe.router %f softmax_of_top top_k 1 : tensor<?x?xf32> to tensor<?x1xf16>, tensor<?x1xi32>
  return
}
