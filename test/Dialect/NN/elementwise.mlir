// RUN: prec-opt %s | prec-opt | FileCheck %s
// RUN: prec-opt %s --mlir-print-op-generic | prec-opt | FileCheck %s
// RUN: prec-opt %s --emit-bytecode | prec-opt | FileCheck %s
// RUN: prec-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: func @every_rank_and_type
func.func @every_rank_and_type(%a: tensor<bf16>, %b: tensor<?x64xf16>, %c: tensor<2x?x3x?xf32>) {
  // CHECK: nn.sigmoid %{{.*}} : tensor<bf16>
  %0 = nn.sigmoid %a : tensor<bf16>
  // CHECK: nn.sigmoid %{{.*}} : tensor<?x64xf16>
  %1 = nn.sigmoid %b : tensor<?x64xf16>
  // CHECK: nn.sigmoid %{{.*}} : tensor<2x?x3x?xf32>
  %2 = nn.sigmoid %c : tensor<2x?x3x?xf32>
  return
}

// CHECK-LABEL: func @every_function
func.func @every_function(%x: tensor<?xbf16>) {
  // CHECK: nn.sigmoid %{{[a-z0-9]*}} : tensor<?xbf16>
  %0 = nn.sigmoid %x : tensor<?xbf16>
  // CHECK: nn.silu %{{[a-z0-9]*}} math <libdevice> : tensor<?xbf16>
  %1 = nn.silu %x math <libdevice> : tensor<?xbf16>
  // CHECK: nn.gelu %{{[a-z0-9]*}} : tensor<?xbf16>
  %2 = nn.gelu %x approximate none : tensor<?xbf16>
  // CHECK: nn.gelu %{{[a-z0-9]*}} approximate tanh math <fast> : tensor<?xbf16>
  %3 = nn.gelu %x approximate tanh math <fast> : tensor<?xbf16>
  // CHECK: nn.softplus %{{[a-z0-9]*}} : tensor<?xbf16>
  %4 = nn.softplus %x beta 1.0 threshold 20.0 : tensor<?xbf16>
  // CHECK: nn.softplus %{{[a-z0-9]*}} beta 2.000000e+00 threshold 3.000000e+01 : tensor<?xbf16>
  %5 = nn.softplus %x beta 2.0 threshold 30.0 : tensor<?xbf16>
  // CHECK: nn.tanh %{{[a-z0-9]*}} math <correctly_rounded> : tensor<?xbf16>
  %6 = nn.tanh %x math <correctly_rounded> : tensor<?xbf16>
  // CHECK: nn.exp %{{[a-z0-9]*}} : tensor<?xbf16>
  %7 = nn.exp %x : tensor<?xbf16>
  // CHECK: nn.log %{{[a-z0-9]*}} : tensor<?xbf16>
  %8 = nn.log %x : tensor<?xbf16>
  // CHECK: nn.sqrt %{{[a-z0-9]*}} : tensor<?xbf16>
  %9 = nn.sqrt %x : tensor<?xbf16>
  // What is written stays, also where it is the default: a profile may not override it.
  // CHECK: nn.rsqrt %{{[a-z0-9]*}} rule one_over_sqrt points {sqrt = true} : tensor<?xbf16>
  %10 = nn.rsqrt %x rule one_over_sqrt points {sqrt = true} : tensor<?xbf16>
  // CHECK: nn.rsqrt %{{[a-z0-9]*}} rule rsqrt : tensor<?xbf16>
  %11 = nn.rsqrt %x rule rsqrt : tensor<?xbf16>
  // CHECK: nn.reciprocal %{{[a-z0-9]*}} {note = "kept"} : tensor<?xbf16>
  %12 = nn.reciprocal %x {note = "kept"} : tensor<?xbf16>
  return
}
