// RUN: prec-opt %s | prec-opt | FileCheck %s
// RUN: prec-opt %s --mlir-print-op-generic | prec-opt | FileCheck %s
// RUN: prec-opt %s --emit-bytecode | prec-opt | FileCheck %s
// RUN: prec-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: func @activations
func.func @activations(%dy: tensor<?x64xbf16>, %x: tensor<?x128xbf16>, %u: tensor<?x64xbf16>, %p: tensor<?xf32>) {
  // CHECK: moe.activation_grad silu %{{[a-z0-9]*}}, %{{[a-z0-9]*}} layout halves : tensor<?x64xbf16>, tensor<?x128xbf16> to tensor<?x128xbf16>
  %0 = moe.activation_grad silu %dy, %x layout halves : tensor<?x64xbf16>, tensor<?x128xbf16> to tensor<?x128xbf16>
  // CHECK: moe.activation_grad silu %{{[a-z0-9]*}}, %{{[a-z0-9]*}} layout interleaved probability(%{{[a-z0-9]*}} : tensor<?xf32>) derivative closed form product pack add_f32 limit 7.000000e+00 offset 1.000000e+00 order <lanes<16>> math <libdevice> points {silu = false, weighted = false} : tensor<?x64xbf16>, tensor<?x128xbf16> to tensor<?x128xbf16> probability tensor<?xf32>
  %1:2 = moe.activation_grad silu %dy, %x layout interleaved probability(%p : tensor<?xf32>) derivative closed
           form product pack add_f32 limit 7.0 offset 1.0 order <lanes<16>> math <libdevice>
           points {weighted = false, silu = false}
           : tensor<?x64xbf16>, tensor<?x128xbf16> to tensor<?x128xbf16> probability tensor<?xf32>
  // CHECK: moe.activation_grad gelu_tanh %{{[a-z0-9]*}}, %{{[a-z0-9]*}} up(%{{[a-z0-9]*}} : tensor<?x64xbf16>) probability(%{{[a-z0-9]*}} : tensor<?xf32>) : tensor<?x64xbf16>, tensor<?x64xbf16> to tensor<?x64xbf16> up tensor<?x64xbf16> probability tensor<?xf32>
  %2:3 = moe.activation_grad gelu_tanh %dy, %u up(%u : tensor<?x64xbf16>) probability(%p : tensor<?xf32>)
           : tensor<?x64xbf16>, tensor<?x64xbf16> to tensor<?x64xbf16> up tensor<?x64xbf16> probability tensor<?xf32>
  // CHECK: moe.activation_grad relu_squared %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : tensor<?x64xbf16>, tensor<?x64xbf16> to tensor<?x64xbf16>
  %3 = moe.activation_grad relu_squared %dy, %u : tensor<?x64xbf16>, tensor<?x64xbf16> to tensor<?x64xbf16>
  return
}

// CHECK-LABEL: func @biases
func.func @biases(%dy: tensor<?x64xbf16>, %x: tensor<?x64xbf16>, %b: tensor<64xf32>) {
  // CHECK: moe.activation_grad silu %{{[a-z0-9]*}}, %{{[a-z0-9]*}} up(%{{[a-z0-9]*}} : tensor<?x64xbf16>) bias(%{{[a-z0-9]*}} : tensor<64xf32>) up_bias(%{{[a-z0-9]*}} : tensor<64xf32>) alpha 1.702000e+00 limit 7.000000e+00 points {chained = false, scaled = false} : tensor<?x64xbf16>, tensor<?x64xbf16> to tensor<?x64xbf16> up tensor<?x64xbf16>
  %0:2 = moe.activation_grad silu %dy, %x up(%x : tensor<?x64xbf16>) bias(%b : tensor<64xf32>) up_bias(%b : tensor<64xf32>)
           alpha 1.702 limit 7.0 points {scaled = false, chained = false} : tensor<?x64xbf16>, tensor<?x64xbf16> to tensor<?x64xbf16> up tensor<?x64xbf16>
  return
}

// CHECK-LABEL: func @combinations
func.func @combinations(%dy: tensor<?x64xf16>, %z: tensor<?x8x64xf16>, %w: tensor<?x8xf16>, %rows: tensor<?x64xf16>,
                        %i: tensor<?x8xi32>, %s: tensor<?xi64>) {
  // CHECK: moe.combine_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : tensor<?x64xf16>, tensor<?x8x64xf16> to tensor<?x8x64xf16>
  %0 = moe.combine_grad %dy, %z : tensor<?x64xf16>, tensor<?x8x64xf16> to tensor<?x8x64xf16>
  // CHECK: moe.combine_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} weights(%{{[a-z0-9]*}} : tensor<?x8xf16>) indices(%{{[a-z0-9]*}} : tensor<?x8xi32>) slots(%{{[a-z0-9]*}} : tensor<?xi64>) scale 2.500000e+00 order <sequential> points {product = false} : tensor<?x64xf16>, tensor<?x64xf16> to tensor<?x64xf16> weights tensor<?x8xf16>
  %1:2 = moe.combine_grad %dy, %rows weights(%w : tensor<?x8xf16>) indices(%i : tensor<?x8xi32>)
           slots(%s : tensor<?xi64>) scale 2.5 order <sequential> points {product = false}
           : tensor<?x64xf16>, tensor<?x64xf16> to tensor<?x64xf16> weights tensor<?x8xf16>
  return
}
