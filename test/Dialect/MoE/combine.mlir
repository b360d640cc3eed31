// RUN: prec-opt %s | prec-opt | FileCheck %s
// RUN: prec-opt %s --mlir-print-op-generic | prec-opt | FileCheck %s
// RUN: prec-opt %s --emit-bytecode | prec-opt | FileCheck %s
// RUN: prec-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: func @slots
func.func @slots(%z: tensor<?x8x64xbf16>, %w: tensor<?x8xf32>, %v: tensor<?x8xbf16>, %ids: tensor<?x8xi64>, %s: tensor<?x64xbf16>,
                 %l: tensor<?x1xbf16>, %m: tensor<?xf32>, %b: tensor<8x64xf32>) {
  // CHECK: moe.combine %{{[a-z0-9]*}} : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  %0 = moe.combine %z : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  // CHECK: moe.combine %{{[a-z0-9]*}} weights(%{{[a-z0-9]*}} : tensor<?x8xbf16>) by(%{{[a-z0-9]*}} : tensor<?x8xi64>) : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  %1 = moe.combine %z weights(%v : tensor<?x8xbf16>) by(%ids : tensor<?x8xi64>) : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  // CHECK: moe.combine %{{[a-z0-9]*}} weights(%{{[a-z0-9]*}} : tensor<?x8xf32>) bias(%{{[a-z0-9]*}} : tensor<8x64xf32>) shared(%{{[a-z0-9]*}} : tensor<?x64xbf16>) shared_logit(%{{[a-z0-9]*}} : tensor<?x1xbf16>) residual(%{{[a-z0-9]*}} : tensor<?x64xbf16>) scale 2.500000e+00 order <lanes<8>> accumulate  f64 math <fast> points {accumulate = false, bias = false, combined = false, scaled = false, shared = false, shared_gate = false, sum = false, term = false, weight = false} : tensor<?x8x64xbf16> to tensor<?x64xf32>
  %2 = moe.combine %z weights(%w : tensor<?x8xf32>) bias(%b : tensor<8x64xf32>) shared(%s : tensor<?x64xbf16>)
         shared_logit(%l : tensor<?x1xbf16>) residual(%s : tensor<?x64xbf16>) scale 2.5 order <lanes<8>> accumulate f64 math <fast>
         points {bias = false, weight = false, term = false, accumulate = false, sum = false, scaled = false,
                 shared_gate = false, shared = false, combined = false} : tensor<?x8x64xbf16> to tensor<?x64xf32>
  // CHECK: moe.combine %{{[a-z0-9]*}} shared(%{{[a-z0-9]*}} : tensor<?x64xbf16>) shared_logit(%{{[a-z0-9]*}} : tensor<?xf32>) : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  %3 = moe.combine %z shared(%s : tensor<?x64xbf16>) shared_logit(%m : tensor<?xf32>) : tensor<?x8x64xbf16> to tensor<?x64xbf16>
  return
}

// CHECK-LABEL: func @rows
func.func @rows(%z: tensor<?x?xf32>, %w: tensor<?x?xf32>, %i: tensor<?x?xi32>) {
  // CHECK: moe.combine %{{[a-z0-9]*}} weights(%{{[a-z0-9]*}} : tensor<?x?xf32>) indices(%{{[a-z0-9]*}} : tensor<?x?xi32>) by(%{{[a-z0-9]*}} : tensor<?x?xi32>) : tensor<?x?xf32> to tensor<?x?xf16>
  %0 = moe.combine %z weights(%w : tensor<?x?xf32>) indices(%i : tensor<?x?xi32>) by(%i : tensor<?x?xi32>)
         : tensor<?x?xf32> to tensor<?x?xf16>
  // CHECK: moe.combine %{{[a-z0-9]*}} indices(%{{[a-z0-9]*}} : tensor<?x?xi32>) by(%{{[a-z0-9]*}} : tensor<?x?xi32>) sequence  slots order <sequential> points {accumulate = false} : tensor<?x?xf32> to tensor<?x?xf16>
  %1 = moe.combine %z indices(%i : tensor<?x?xi32>) by(%i : tensor<?x?xi32>) sequence slots order <sequential> points {accumulate = false}
         : tensor<?x?xf32> to tensor<?x?xf16>
  return
}
