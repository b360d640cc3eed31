// RUN: prec-opt %s | prec-opt | FileCheck %s
// RUN: prec-opt %s --mlir-print-op-generic | prec-opt | FileCheck %s
// RUN: prec-opt %s --emit-bytecode | prec-opt | FileCheck %s
// RUN: prec-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: func @ropes
func.func @ropes(%x: tensor<1x2x?x64xbf16>, %c: tensor<?x64xbf16>, %s: tensor<?x64xbf16>, %f: tensor<64xf32>) {
  // CHECK: nn.rope %{{[a-z0-9]*}} cos(%{{[a-z0-9]*}} : tensor<?x64xbf16>) sin(%{{[a-z0-9]*}} : tensor<?x64xbf16>) : tensor<1x2x?x64xbf16> to tensor<1x2x?x64xbf16>
  %0 = nn.rope %x cos(%c : tensor<?x64xbf16>) sin(%s : tensor<?x64xbf16>) : tensor<1x2x?x64xbf16> to tensor<1x2x?x64xbf16>
  // CHECK: nn.rope %{{[a-z0-9]*}} cos(%{{[a-z0-9]*}} : tensor<64xf32>) sin(%{{[a-z0-9]*}} : tensor<64xf32>) points {product = false} : tensor<1x2x?x64xbf16> to tensor<1x2x?x64xf32>
  %1 = nn.rope %x cos(%f : tensor<64xf32>) sin(%f : tensor<64xf32>) points {product = false} : tensor<1x2x?x64xbf16> to tensor<1x2x?x64xf32>
  return
}
