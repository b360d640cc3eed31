// Text, generic form and bytecode all read back as what was written.
// RUN: prec-opt %s | FileCheck %s
// RUN: prec-opt %s | prec-opt | FileCheck %s
// RUN: prec-opt %s --mlir-print-op-generic | prec-opt | FileCheck %s
// RUN: prec-opt %s --emit-bytecode | prec-opt | FileCheck %s

// CHECK-LABEL: func @round
// CHECK-SAME: (%[[X:.+]]: f32, %[[D:.+]]: f64, %[[V:.+]]: vector<8xf32>, %[[T:.+]]: tensor<?x4xf64>)
func.func @round(%x: f32, %d: f64, %v: vector<8xf32>, %t: tensor<?x4xf64>) {
  // CHECK: prec.round %[[X]] : f32 to bf16
  %0 = prec.round %x : f32 to bf16
  // CHECK: prec.round %[[X]] : f32 to f16
  %1 = prec.round %x nearest_even : f32 to f16
  // CHECK: prec.round %[[X]] toward_zero saturate : f32 to f8E4M3FN
  %2 = prec.round %x toward_zero saturate : f32 to f8E4M3FN
  // CHECK: prec.round %[[D]] upward : f64 to f32
  %3 = prec.round %d upward : f64 to f32
  // CHECK: prec.round %[[V]] downward {note = 1 : i64} : vector<8xf32> to vector<8xf8E5M2>
  %4 = prec.round %v downward {note = 1} : vector<8xf32> to vector<8xf8E5M2>
  // CHECK: prec.round %[[T]] nearest_away : tensor<?x4xf64> to tensor<?x4xbf16>
  %5 = prec.round %t nearest_away : tensor<?x4xf64> to tensor<?x4xbf16>
  // CHECK: prec.round %[[X]] saturate : f32 to bf16
  %6 = prec.round %x saturate : f32 to bf16
  return
}

// CHECK-LABEL: func @names
// CHECK-SAME: (%[[T:.+]]: tensor<?x64xbf16>, %[[X:.+]]: f32)
func.func @names(%t: tensor<?x64xbf16>, %x: f32) {
  // CHECK: prec.materialize %[[T]] : tensor<?x64xbf16>
  %0 = prec.materialize %t : tensor<?x64xbf16>
  // CHECK: prec.observe %[[T]] "core_attn_out" : tensor<?x64xbf16>
  %1 = prec.observe %t "core_attn_out" : tensor<?x64xbf16>
  // CHECK: prec.observe %[[X]] "scale" : f32
  %2 = prec.observe %x "scale" : f32
  return
}

// CHECK-LABEL: func @approximations
// CHECK-SAME: (%[[X:.+]]: f32, %[[V:.+]]: vector<8xf32>)
func.func @approximations(%x: f32, %v: vector<8xf32>) {
  // CHECK: prec.approximate exp2 %[[X]] : f32
  %0 = prec.approximate exp2 %x : f32
  // CHECK: prec.approximate reciprocal %[[V]] : vector<8xf32>
  %1 = prec.approximate reciprocal %v : vector<8xf32>
  return
}

// CHECK-LABEL: func @lookups
// CHECK-SAME: (%[[I:.+]]: i32, %[[V:.+]]: vector<64xi32>)
func.func @lookups(%i: i32, %v: vector<64xi32>) {
  // CHECK: prec.lookup %[[I]] in [0, -1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : i32
  %0 = prec.lookup %i in [0, -1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : i32
  // CHECK: prec.lookup %[[V]] in [0, 1, {{.+}}, 31] : vector<64xi32>
  %1 = prec.lookup %v in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<64xi32>
  return
}

// CHECK-LABEL: func @sums
// CHECK-SAME: (%[[T:.+]]: tensor<?x64xf32>, %[[V:.+]]: tensor<8xf64>)
func.func @sums(%t: tensor<?x64xf32>, %v: tensor<8xf64>) {
  // CHECK: prec.sum %[[T]] dim 1 <sequential> : tensor<?x64xf32> to tensor<?xf32>
  %0 = prec.sum %t dim 1 <sequential> : tensor<?x64xf32> to tensor<?xf32>
  // CHECK: prec.sum %[[T]] dim 0 <lanes<8>> : tensor<?x64xf32> to tensor<64xf32>
  %1 = prec.sum %t dim 0 <lanes<8>> : tensor<?x64xf32> to tensor<64xf32>
  // CHECK: prec.sum %[[T]] dim 1 <lanes<8> from_zero> : tensor<?x64xf32> to tensor<?xf32>
  %2 = prec.sum %t dim 1 <lanes<8> from_zero> : tensor<?x64xf32> to tensor<?xf32>
  // CHECK: prec.sum %[[T]] dim 1 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero>
  %3 = prec.sum %t dim 1 <digits [4, 32, *] steps [2 sequential, 0 sequential, 1 adjacent] from_zero> : tensor<?x64xf32> to tensor<?xf32>
  // CHECK: prec.sum %[[V]] dim 0 <aten_cpu> : tensor<8xf64> to tensor<f64>
  %4 = prec.sum %v dim 0 <aten_cpu> : tensor<8xf64> to tensor<f64>
  // CHECK: prec.sum %[[T]] dim 1 <digits [16, *] steps [1 cascade, 0 halving]>
  %5 = prec.sum %t dim 1 <digits [16, *] steps [1 cascade, 0 halving]> : tensor<?x64xf32> to tensor<?xf32>
  return
}

// What the sugar stands for prints as the sugar.
// CHECK-LABEL: func @sugar
func.func @sugar(%t: tensor<64xf32>) {
  // CHECK: dim 0 <lanes<8>>
  %0 = prec.sum %t dim 0 <digits [8, *] steps [1 sequential, 0 halving]> : tensor<64xf32> to tensor<f32>
  // CHECK: dim 0 <sequential from_zero>
  %1 = prec.sum %t dim 0 <digits [*] steps [0 sequential] from_zero> : tensor<64xf32> to tensor<f32>
  return
}

// CHECK-LABEL: func @kernels
// CHECK-SAME: (%[[T:.+]]: tensor<?x64xf32>, %[[N:.+]]: index)
func.func @kernels(%t: tensor<?x64xf32>, %n: index) -> tensor<?x64xf32> {
  // CHECK: %[[K:.+]] = prec.kernel "k"(%[[T]], %[[N]]) : (tensor<?x64xf32>, index) -> tensor<?x64xf32> {
  // CHECK-NEXT: ^bb0(%[[A:.+]]: tensor<?x64xf32>, %{{.+}}: index):
  // CHECK-NEXT: prec.yield %[[A]] : tensor<?x64xf32>
  %0 = prec.kernel "k"(%t, %n) : (tensor<?x64xf32>, index) -> tensor<?x64xf32> {
  ^bb0(%a: tensor<?x64xf32>, %m: index):
    prec.yield %a : tensor<?x64xf32>
  }
  // CHECK: prec.kernel "nothing"() : () -> () {
  prec.kernel "nothing"() : () -> () {
    prec.yield
  }
  return %0 : tensor<?x64xf32>
}

// CHECK-LABEL: func @attributes
// CHECK-SAME: away = 4 : i32
// CHECK-SAME: math = [#prec.math<correctly_rounded>, #prec.math<libdevice>, #prec.math<fast>]
// CHECK-SAME: order = #prec.order<lanes<4>>
func.func @attributes() attributes {
  away = 4 : i32,
  math = [#prec.math<correctly_rounded>, #prec.math<libdevice>, #prec.math<fast>],
  order = #prec.order<digits [4, *] steps [1 sequential, 0 halving]>
} {
  return
}
