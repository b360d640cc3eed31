// RUN: prec-opt %s | prec-opt | FileCheck %s
// RUN: prec-opt %s --mlir-print-op-generic | prec-opt | FileCheck %s
// RUN: prec-opt %s --emit-bytecode | prec-opt | FileCheck %s
// RUN: prec-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: func @sums
func.func @sums(%x: tensor<?x4x64xbf16>, %y: tensor<8xf32>) {
  // CHECK: nn.sum %{{[a-z0-9]*}} dim 2 : tensor<?x4x64xbf16> to tensor<?x4xbf16>
  %0 = nn.sum %x dim 2 : tensor<?x4x64xbf16> to tensor<?x4xbf16>
  // CHECK: nn.sum %{{[a-z0-9]*}} dim 0 keepdim : tensor<?x4x64xbf16> to tensor<1x4x64xf32>
  %1 = nn.sum %x dim 0 keepdim : tensor<?x4x64xbf16> to tensor<1x4x64xf32>
  // CHECK: nn.sum %{{[a-z0-9]*}} dim 0 order <lanes<8>> accumulate f64 : tensor<8xf32> to tensor<f32>
  %2 = nn.sum %y dim 0 order <lanes<8>> accumulate f64 : tensor<8xf32> to tensor<f32>
  return
}

// CHECK-LABEL: func @means
func.func @means(%x: tensor<?x4x64xf16>) {
  // CHECK: nn.mean %{{[a-z0-9]*}} dim 1 : tensor<?x4x64xf16> to tensor<?x64xf16>
  %0 = nn.mean %x dim 1 : tensor<?x4x64xf16> to tensor<?x64xf16>
  // CHECK: nn.mean %{{[a-z0-9]*}} dim 2 keepdim divide reciprocal order <sequential> accumulate f64 points {sum = true} : tensor<?x4x64xf16> to tensor<?x4x1xf16>
  %1 = nn.mean %x dim 2 keepdim divide reciprocal order <sequential> accumulate f64 points {sum = true} : tensor<?x4x64xf16> to tensor<?x4x1xf16>
  return
}

// CHECK-LABEL: func @softmaxes
func.func @softmaxes(%x: tensor<?x?xbf16>) {
  // CHECK: nn.softmax %{{[a-z0-9]*}} dim 1 : tensor<?x?xbf16> to tensor<?x?xbf16>
  %0 = nn.softmax %x dim 1 : tensor<?x?xbf16> to tensor<?x?xbf16>
  // CHECK: nn.softmax %{{[a-z0-9]*}} dim 0 divide reciprocal math <libdevice> order <sequential from_zero> accumulate f64 points {exponential = true, shifted = true, sum = true} : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = nn.softmax %x dim 0 divide reciprocal math <libdevice> order <sequential from_zero> accumulate f64
         points {shifted = true, exponential = true, sum = true} : tensor<?x?xbf16> to tensor<?x?xf32>
  return
}
