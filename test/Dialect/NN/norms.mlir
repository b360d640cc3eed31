// RUN: prec-opt %s | prec-opt | FileCheck %s
// RUN: prec-opt %s --mlir-print-op-generic | prec-opt | FileCheck %s
// RUN: prec-opt %s --emit-bytecode | prec-opt | FileCheck %s
// RUN: prec-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: func @rms_norms
func.func @rms_norms(%x: tensor<?x4x64xbf16>, %w: tensor<64xbf16>, %s: tensor<4x64xf32>, %d: tensor<?xbf16>) {
  // CHECK: nn.rms_norm %{{[a-z0-9]*}} : tensor<?x4x64xbf16> to tensor<?x4x64xbf16>
  %0 = nn.rms_norm %x : tensor<?x4x64xbf16> to tensor<?x4x64xbf16>
  // CHECK: nn.rms_norm %{{[a-z0-9]*}} weight(%{{[a-z0-9]*}} : tensor<64xbf16>) points {normalized = true} : tensor<?x4x64xbf16> to tensor<?x4x64xbf16>
  %1 = nn.rms_norm %x weight(%w : tensor<64xbf16>) points {normalized = true} : tensor<?x4x64xbf16> to tensor<?x4x64xbf16>
  // CHECK: nn.rms_norm %{{[a-z0-9]*}} weight(%{{[a-z0-9]*}} : tensor<4x64xf32>) one_plus : tensor<?x4x64xbf16> to tensor<?x4x64xf32>
  %2 = nn.rms_norm %x weight(%s : tensor<4x64xf32>) one_plus : tensor<?x4x64xbf16> to tensor<?x4x64xf32>
  // CHECK: nn.rms_norm %{{[a-z0-9]*}} weight(%{{[a-z0-9]*}} : tensor<?xbf16>) one_plus eps 9.99999974E-6 rstd rsqrt divide reciprocal order <lanes<16>> accumulate f64 math <libdevice> points {eps = true, mean = true, normalized = true, radicand = true, rstd = true, square = true, sum = true, weight = true} : tensor<?x4x64xbf16> to tensor<?x4x64xbf16>
  %3 = nn.rms_norm %x weight(%d : tensor<?xbf16>) one_plus eps 1.0e-5 rstd rsqrt divide reciprocal
         order <lanes<16>> accumulate f64 math <libdevice>
         points {square = true, sum = true, mean = true, eps = true, radicand = true, rstd = true, normalized = true, weight = true}
         : tensor<?x4x64xbf16> to tensor<?x4x64xbf16>
  return
}

// CHECK-LABEL: func @layer_norms
func.func @layer_norms(%x: tensor<?x64xf16>, %w: tensor<64xf16>, %b: tensor<64xf32>) {
  // CHECK: nn.layer_norm %{{[a-z0-9]*}} : tensor<?x64xf16> to tensor<?x64xf16>
  %0 = nn.layer_norm %x : tensor<?x64xf16> to tensor<?x64xf16>
  // CHECK: nn.layer_norm %{{[a-z0-9]*}} bias(%{{[a-z0-9]*}} : tensor<64xf32>) : tensor<?x64xf16> to tensor<?x64xf16>
  %1 = nn.layer_norm %x bias(%b : tensor<64xf32>) : tensor<?x64xf16> to tensor<?x64xf16>
  // CHECK: nn.layer_norm %{{[a-z0-9]*}} weight(%{{[a-z0-9]*}} : tensor<64xf16>) bias(%{{[a-z0-9]*}} : tensor<64xf32>) eps 9.99999997E-7 form center rstd rsqrt divide reciprocal order <sequential> accumulate f64 math <fast> points {normalized = true, scaled = true} : tensor<?x64xf16> to tensor<?x64xf16>
  %2 = nn.layer_norm %x weight(%w : tensor<64xf16>) bias(%b : tensor<64xf32>) eps 1.0e-6 form center rstd rsqrt
         divide reciprocal order <sequential> accumulate f64 math <fast> points {normalized = true, scaled = true}
         : tensor<?x64xf16> to tensor<?x64xf16>
  return
}
