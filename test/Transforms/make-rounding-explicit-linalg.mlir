// RUN: prec-opt %s -prec-make-rounding-explicit -prec-verify-explicit | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#row = affine_map<(d0, d1) -> (d0, d1)>
#sum = affine_map<(d0, d1) -> (d0)>

// A body computes in f32; tensors keep their types.
// CHECK-LABEL: func @generic
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.+}} : tensor<?xbf16>) outs(%{{.+}} : tensor<?xbf16>)
// CHECK-NEXT: ^bb0(%[[IN:.+]]: bf16, %{{.+}}: bf16):
// CHECK-NEXT: %[[W:.+]] = arith.extf %[[IN]] : bf16 to f32
// CHECK-NEXT: %[[E:.+]] = math.exp %[[W]] : f32
// CHECK-NEXT: %[[R:.+]] = prec.round %[[E]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[R]] : bf16
func.func @generic(%a: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<?xbf16>) outs(%a : tensor<?xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %1 = math.exp %in : bf16
    linalg.yield %1 : bf16
  } -> tensor<?xbf16>
  return %0 : tensor<?xbf16>
}

// A 16-bit accumulator rounds after each step.
// CHECK-LABEL: func @reduction
// CHECK: ^bb0(%[[IN:.+]]: bf16, %[[ACC:.+]]: bf16):
// CHECK-DAG: %[[I:.+]] = arith.extf %[[IN]] : bf16 to f32
// CHECK-DAG: %[[A:.+]] = arith.extf %[[ACC]] : bf16 to f32
// CHECK: %[[S:.+]] = arith.addf %[[A]], %[[I]] : f32
// CHECK-NEXT: %[[R:.+]] = prec.round %[[S]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[R]] : bf16
func.func @reduction(%a: tensor<?x8xbf16>, %init: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<?x8xbf16>) outs(%init : tensor<?xbf16>) {
  ^bb0(%in: bf16, %acc: bf16):
    %1 = arith.addf %acc, %in : bf16
    linalg.yield %1 : bf16
  } -> tensor<?xbf16>
  return %0 : tensor<?xbf16>
}

// An f32 accumulator does not.
// CHECK-LABEL: func @wide_reduction
// CHECK: ^bb0(%[[IN:.+]]: f16, %[[ACC:.+]]: f32):
// CHECK-NEXT: %[[I:.+]] = arith.extf %[[IN]] : f16 to f32
// CHECK-NEXT: %[[S:.+]] = arith.addf %[[ACC]], %[[I]] : f32
// CHECK-NEXT: linalg.yield %[[S]] : f32
func.func @wide_reduction(%a: tensor<?x8xf16>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<?x8xf16>) outs(%init : tensor<?xf32>) {
  ^bb0(%in: f16, %acc: f32):
    %1 = arith.extf %in : f16 to f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Map, reduce and named operations become generic ones; data movement stays.
// CHECK-LABEL: func @named
// CHECK: linalg.generic
// CHECK: arith.mulf {{.+}} : f32
// CHECK: prec.round {{.+}} : f32 to bf16
// CHECK: linalg.generic
// CHECK: math.exp {{.+}} : f32
// CHECK: linalg.generic
// CHECK: arith.addf {{.+}} : f32
// CHECK: linalg.generic
// CHECK: math.tanh {{.+}} : f32
// CHECK: linalg.generic {{.+}}"parallel", "reduction"
// CHECK: arith.maximumf {{.+}} : f32
// CHECK: linalg.fill
// CHECK: linalg.broadcast
// CHECK: linalg.transpose
func.func @named(%a: tensor<4x8xbf16>, %b: tensor<4x8xbf16>, %r: tensor<4xbf16>,
                 %t: tensor<8x4xbf16>, %x: bf16)
    -> (tensor<4xbf16>, tensor<4x8xbf16>, tensor<8x4xbf16>) {
  %0 = linalg.mul ins(%a, %b : tensor<4x8xbf16>, tensor<4x8xbf16>) outs(%a : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %1 = linalg.exp ins(%0 : tensor<4x8xbf16>) outs(%a : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %2 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%1, %b : tensor<4x8xbf16>, tensor<4x8xbf16>) outs(%a : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %3 = linalg.map { math.tanh } ins(%2 : tensor<4x8xbf16>) outs(%a : tensor<4x8xbf16>)
  %4 = linalg.reduce { arith.maximumf } ins(%3 : tensor<4x8xbf16>) outs(%r : tensor<4xbf16>) dimensions = [1]
  %5 = linalg.fill ins(%x : bf16) outs(%r : tensor<4xbf16>) -> tensor<4xbf16>
  %6 = linalg.broadcast ins(%5 : tensor<4xbf16>) outs(%a : tensor<4x8xbf16>) dimensions = [1]
  %7 = linalg.transpose ins(%6 : tensor<4x8xbf16>) outs(%t : tensor<8x4xbf16>) permutation = [1, 0]
  return %4, %6, %7 : tensor<4xbf16>, tensor<4x8xbf16>, tensor<8x4xbf16>
}

// A product sum in 16 bits rounds each product and each partial sum.
// CHECK-LABEL: func @matmul
// CHECK: linalg.generic
// CHECK: %[[P:.+]] = arith.mulf {{.+}} : f32
// CHECK-NEXT: %[[PR:.+]] = prec.round %[[P]] : f32 to bf16
// CHECK-NEXT: %[[PW:.+]] = arith.extf %[[PR]] : bf16 to f32
// CHECK-NEXT: %[[S:.+]] = arith.addf %{{.+}}, %[[PW]] : f32
// CHECK-NEXT: prec.round %[[S]] : f32 to bf16
func.func @matmul(%a: tensor<4x8xbf16>, %b: tensor<8x4xbf16>, %c: tensor<4x4xbf16>) -> tensor<4x4xbf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x4xbf16>) outs(%c : tensor<4x4xbf16>) -> tensor<4x4xbf16>
  return %0 : tensor<4x4xbf16>
}

// A copy that converts says so.
// CHECK-LABEL: func @converting_copy
// CHECK: linalg.generic
// CHECK: prec.round %{{.+}} : f32 to bf16
func.func @converting_copy(%x: tensor<4xf32>, %t: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = linalg.copy ins(%x : tensor<4xf32>) outs(%t : tensor<4xbf16>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}
