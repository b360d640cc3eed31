// RUN: prec-opt %s | prec-opt | FileCheck %s
// RUN: prec-opt %s --mlir-print-op-generic | prec-opt | FileCheck %s
// RUN: prec-opt %s --emit-bytecode | prec-opt | FileCheck %s
// RUN: prec-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: func @elementwise
func.func @elementwise(%g: tensor<?xbf16>, %v: tensor<?xbf16>, %h: tensor<2x?xf32>) {
  // CHECK: nn.sigmoid_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : tensor<?xbf16>
  %0 = nn.sigmoid_grad %g, %v : tensor<?xbf16>
  // CHECK: nn.sigmoid_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} points {complement = false, product = false} : tensor<?xbf16>
  %1 = nn.sigmoid_grad %g, %v points {complement = false, product = false} : tensor<?xbf16>
  // CHECK: nn.sigmoid_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : tensor<2x?xf32>
  %2 = nn.sigmoid_grad %h, %h : tensor<2x?xf32>
  // CHECK: nn.tanh_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} points {square = false} : tensor<?xbf16>
  %3 = nn.tanh_grad %g, %v points {square = false} : tensor<?xbf16>
  // CHECK: nn.silu_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} multiply_add fused : tensor<?xbf16>
  %4 = nn.silu_grad %g, %v multiply_add fused : tensor<?xbf16>
  // CHECK: nn.silu_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} multiply_add separate math <libdevice> : tensor<?xbf16>
  %5 = nn.silu_grad %g, %v multiply_add separate math <libdevice> : tensor<?xbf16>
  // CHECK: nn.gelu_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : tensor<?xbf16>
  %6 = nn.gelu_grad %g, %v approximate none : tensor<?xbf16>
  // CHECK: nn.gelu_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} approximate tanh math <fast> : tensor<?xbf16>
  %7 = nn.gelu_grad %g, %v approximate tanh math <fast> : tensor<?xbf16>
  // CHECK: nn.softplus_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : tensor<?xbf16>
  %8 = nn.softplus_grad %g, %v : tensor<?xbf16>
  // CHECK: nn.softplus_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} beta 2.000000e+00 threshold 3.000000e+01 : tensor<?xbf16>
  %9 = nn.softplus_grad %g, %v beta 2.0 threshold 30.0 : tensor<?xbf16>
  return
}

// CHECK-LABEL: func @sums
func.func @sums(%g: tensor<?x64xbf16>, %k: tensor<?x1x64xbf16>, %n: index) {
  // CHECK: nn.sum_grad %{{[a-z0-9]*}} dim 1 : tensor<?x64xbf16> to tensor<?x4x64xbf16>
  %0 = nn.sum_grad %g dim 1 : tensor<?x64xbf16> to tensor<?x4x64xbf16>
  // CHECK: nn.sum_grad %{{[a-z0-9]*}} dim 1 size %{{[a-z0-9]*}} keepdim : tensor<?x1x64xbf16> to tensor<?x?x64xf32>
  %1 = nn.sum_grad %k dim 1 size %n keepdim : tensor<?x1x64xbf16> to tensor<?x?x64xf32>
  // CHECK: nn.mean_grad %{{[a-z0-9]*}} dim 0 : tensor<?x64xbf16> to tensor<4x?x64xbf16>
  %2 = nn.mean_grad %g dim 0 : tensor<?x64xbf16> to tensor<4x?x64xbf16>
  // CHECK: nn.mean_grad %{{[a-z0-9]*}} dim 2 size %{{[a-z0-9]*}} divide reciprocal : tensor<?x64xbf16> to tensor<?x64x?xbf16>
  %3 = nn.mean_grad %g dim 2 size %n divide reciprocal : tensor<?x64xbf16> to tensor<?x64x?xbf16>
  return
}

// CHECK-LABEL: func @softmaxes
func.func @softmaxes(%g: tensor<?x64xf16>, %y: tensor<?x64xf16>) {
  // CHECK: nn.softmax_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} dim 1 : tensor<?x64xf16> to tensor<?x64xf16>
  %0 = nn.softmax_grad %g, %y dim 1 : tensor<?x64xf16> to tensor<?x64xf16>
  // CHECK: nn.softmax_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} dim 0 form difference order <sequential> accumulate f64 points {product = false, sum = true} : tensor<?x64xf16> to tensor<?x64xf32>
  %1 = nn.softmax_grad %g, %y dim 0 form difference order <sequential> accumulate f64
         points {product = false, sum = true} : tensor<?x64xf16> to tensor<?x64xf32>
  return
}

// CHECK-LABEL: func @layer_norms
func.func @layer_norms(%g: tensor<?x4x64xbf16>, %x: tensor<?x4x64xbf16>, %w: tensor<4x64xf32>) {
  // CHECK: nn.layer_norm_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : tensor<?x4x64xbf16> to tensor<?x4x64xbf16>
  %0 = nn.layer_norm_grad %g, %x : tensor<?x4x64xbf16> to tensor<?x4x64xbf16>
  // CHECK: nn.layer_norm_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} weight(%{{[a-z0-9]*}} : tensor<4x64xf32>) form scaled eps 9.99999997E-7 rstd rsqrt divide reciprocal order <lanes<16>> accumulate f64 math <libdevice> points {saved_mean = true, weighted = true} : tensor<?x4x64xbf16> to tensor<?x4x64xf32>
  %1 = nn.layer_norm_grad %g, %x weight(%w : tensor<4x64xf32>) form scaled eps 1.0e-6 rstd rsqrt
         divide reciprocal order <lanes<16>> accumulate f64 math <libdevice>
         points {saved_mean = true, weighted = true} : tensor<?x4x64xbf16> to tensor<?x4x64xf32>
  // CHECK: nn.layer_norm_weight_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : tensor<?x4x64xbf16> to tensor<64xbf16>
  %2 = nn.layer_norm_weight_grad %g, %x : tensor<?x4x64xbf16> to tensor<64xbf16>
  // CHECK: nn.layer_norm_weight_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} rows_order <sequential> divide reciprocal points {normalized = true, product = true} : tensor<?x4x64xbf16> to tensor<4x64xf32>
  %3 = nn.layer_norm_weight_grad %g, %x rows_order <sequential> divide reciprocal points {normalized = true, product = true}
         : tensor<?x4x64xbf16> to tensor<4x64xf32>
  return
}

// CHECK-LABEL: func @rms_norms
func.func @rms_norms(%g: tensor<?x4x64xbf16>, %x: tensor<?x4x64xbf16>, %w: tensor<4x64xf32>) {
  // CHECK: nn.rms_norm_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : tensor<?x4x64xbf16> to tensor<?x4x64xbf16>
  %0 = nn.rms_norm_grad %g, %x : tensor<?x4x64xbf16> to tensor<?x4x64xbf16>
  // CHECK: nn.rms_norm_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} weight(%{{[a-z0-9]*}} : tensor<4x64xf32>) one_plus form closed eps 9.99999974E-6 rstd rsqrt divide reciprocal order <lanes<16>> accumulate f64 math <libdevice> points {eps = true, weight = true, weighted = true} : tensor<?x4x64xbf16> to tensor<?x4x64xf32>
  %1 = nn.rms_norm_grad %g, %x weight(%w : tensor<4x64xf32>) one_plus form closed eps 1.0e-5 rstd rsqrt
         divide reciprocal order <lanes<16>> accumulate f64 math <libdevice>
         points {eps = true, weight = true, weighted = true} : tensor<?x4x64xbf16> to tensor<?x4x64xf32>
  // CHECK: nn.rms_norm_weight_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : tensor<?x4x64xbf16> to tensor<64xbf16>
  %2 = nn.rms_norm_weight_grad %g, %x : tensor<?x4x64xbf16> to tensor<64xbf16>
  // CHECK: nn.rms_norm_weight_grad %{{[a-z0-9]*}}, %{{[a-z0-9]*}} rows_order <sequential> eps 9.99999974E-6 rstd rsqrt divide reciprocal order <lanes<16>> accumulate f64 math <fast> points {normalized = true, product = true} : tensor<?x4x64xbf16> to tensor<4x64xf32>
  %3 = nn.rms_norm_weight_grad %g, %x rows_order <sequential> eps 1.0e-5 rstd rsqrt divide reciprocal
         order <lanes<16>> accumulate f64 math <fast> points {normalized = true, product = true}
         : tensor<?x4x64xbf16> to tensor<4x64xf32>
  return
}
