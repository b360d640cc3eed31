// RUN: prec-opt %s | prec-opt | FileCheck %s
// RUN: prec-opt %s --mlir-print-op-generic | prec-opt | FileCheck %s
// RUN: prec-opt %s --emit-bytecode | prec-opt | FileCheck %s
// RUN: prec-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: func @activations
func.func @activations(%x: tensor<?x2x128xbf16>, %p: tensor<?x2xf32>, %q: tensor<?x2xbf16>, %b: tensor<128xbf16>) {
  // CHECK: moe.activation  silu %{{[a-z0-9]*}} layout  halves : tensor<?x2x128xbf16> to tensor<?x2x64xbf16>
  %0 = moe.activation silu %x layout halves : tensor<?x2x128xbf16> to tensor<?x2x64xbf16>
  // CHECK: moe.activation  silu %{{[a-z0-9]*}} layout  halves probability(%{{[a-z0-9]*}} : tensor<?x2xf32>) : tensor<?x2x128xbf16> to tensor<?x2x64xf32>
  %1 = moe.activation silu %x layout halves probability(%p : tensor<?x2xf32>) : tensor<?x2x128xbf16> to tensor<?x2x64xf32>
  // CHECK: moe.activation  silu %{{[a-z0-9]*}} layout  interleaved bias(%{{[a-z0-9]*}} : tensor<128xbf16>) probability(%{{[a-z0-9]*}} : tensor<?x2xbf16>) form  product alpha 1.702000e+00 limit 7.000000e+00 offset 1.000000e+00 math <libdevice> points {bias = false, clamp = false, gate_cast = false, offset = false, offset_scalar = true, probability = true, product = false, scaled = false, sigmoid = false, silu = false, up_cast = false} : tensor<?x2x128xbf16> to tensor<?x2x64xbf16>
  %2 = moe.activation silu %x layout interleaved bias(%b : tensor<128xbf16>) probability(%q : tensor<?x2xbf16>)
         form product alpha 1.702 limit 7.0 offset 1.0 math <libdevice>
         points {gate_cast = false, up_cast = false, bias = false, clamp = false, scaled = false, sigmoid = false,
                 silu = false, offset_scalar = true, offset = false, product = false, probability = true}
         : tensor<?x2x128xbf16> to tensor<?x2x64xbf16>
  return
}

// CHECK-LABEL: func @two_tensors
func.func @two_tensors(%g: tensor<?x?xf16>, %b: tensor<?xf16>, %w: tensor<?x?xf32>) {
  // CHECK: moe.activation  gelu %{{[a-z0-9]*}} up(%{{[a-z0-9]*}} : tensor<?x?xf16>) : tensor<?x?xf16> to tensor<?x?xf16>
  %0 = moe.activation gelu %g up(%g : tensor<?x?xf16>) : tensor<?x?xf16> to tensor<?x?xf16>
  // CHECK: moe.activation  gelu_tanh %{{[a-z0-9]*}} up(%{{[a-z0-9]*}} : tensor<?x?xf16>) bias(%{{[a-z0-9]*}} : tensor<?xf16>) up_bias(%{{[a-z0-9]*}} : tensor<?x?xf32>) : tensor<?x?xf16> to tensor<?x?xf16>
  %1 = moe.activation gelu_tanh %g up(%g : tensor<?x?xf16>) bias(%b : tensor<?xf16>) up_bias(%w : tensor<?x?xf32>)
         : tensor<?x?xf16> to tensor<?x?xf16>
  // CHECK: moe.activation  silu %{{[a-z0-9]*}} up(%{{[a-z0-9]*}} : tensor<?x?xf32>) points {gate_cast = false} : tensor<?x?xf32> to tensor<?x?xf16>
  %2 = moe.activation silu %w up(%w : tensor<?x?xf32>) points {gate_cast = false} : tensor<?x?xf32> to tensor<?x?xf16>
  return
}

// CHECK-LABEL: func @ungated
func.func @ungated(%x: tensor<64xbf16>, %p: tensor<f32>) {
  // CHECK: moe.activation  relu %{{[a-z0-9]*}} : tensor<64xbf16> to tensor<64xbf16>
  %0 = moe.activation relu %x : tensor<64xbf16> to tensor<64xbf16>
  // CHECK: moe.activation  relu_squared %{{[a-z0-9]*}} probability(%{{[a-z0-9]*}} : tensor<f32>) : tensor<64xbf16> to tensor<64xbf16>
  %1 = moe.activation relu_squared %x probability(%p : tensor<f32>) : tensor<64xbf16> to tensor<64xbf16>
  return
}
