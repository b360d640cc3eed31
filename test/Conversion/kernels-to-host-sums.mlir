// RUN: prec-opt %s --prec-make-rounding-explicit --prec-canonicalize --cse --prec-form-kernels --cse "--prec-schedule-kernels=target=host lanes=16" --convert-kernels-to-host=lanes=16 --prec-canonicalize --cse | FileCheck %s

// The sum has two times 16 steps of 32 elements in loops, and 8 more in a loop behind them: there each exponential is computed
// once, for the sum and for the result.
// CHECK-LABEL: func.func @with_sum(
// CHECK:         scf.for
// CHECK:           scf.for %{{.+}} = %c0 to %c2
// CHECK:             scf.for %{{.+}} = %c0 to %c16 {{.*}} iter_args(%[[SUM:.+]] = %{{.+}}) -> (vector<32xf32>) {
// CHECK:               %[[AT:.+]] = arith.addi
// CHECK:               vector.load %arg0[%[[AT]]]
// CHECK:               math.exp
// CHECK:               %[[E:.+]] = arith.extf
// CHECK-NEXT:          %[[NEXT:.+]] = arith.addf %[[SUM]], %[[E]]
// CHECK-NEXT:          arith.mulf %[[E]], %[[E]]
// CHECK-NOT:           vector.load
// CHECK-NOT:           math.exp
// CHECK:               memref.prefetch %arg0
// CHECK-NEXT:          vector.store %{{.+}}, %arg1[%[[AT]]]
// CHECK-NEXT:          scf.yield %[[NEXT]]
// CHECK:           scf.for %{{.+}} = %c0 to %c8 step {{.*}} iter_args(%[[SUM:.+]] = %{{.+}}) -> (vector<32xf32>) {
// CHECK:             vector.load %arg0[%[[AT:.+]]] :
// CHECK:             math.exp
// CHECK:             arith.addf %[[SUM]], %{{.+}}
// CHECK-NOT:         vector.load
// CHECK-NOT:         math.exp
// CHECK:             vector.store %{{.+}}, %arg1[%[[AT]]]
// CHECK-NOT:       math.exp
// CHECK:         return
func.func @with_sum(%x: tensor<?x1280xbf16>) -> (tensor<?x1280xbf16>, tensor<?xf32>) {
  %e = math.exp %x : tensor<?x1280xbf16>
  %y = arith.mulf %e, %e : tensor<?x1280xbf16>
  %w = arith.extf %e : tensor<?x1280xbf16> to tensor<?x1280xf32>
  %s = prec.sum %w dim 1 <aten_cpu> : tensor<?x1280xf32> to tensor<?xf32>
  return %y, %s : tensor<?x1280xbf16>, tensor<?xf32>
}

// Of two steps behind the groups there is no loop: the results keep theirs.
// CHECK-LABEL: func.func @short_rest(
// CHECK:         scf.for %{{.+}} = %c0 to %c2
// CHECK:           scf.for %{{.+}} = %c0 to %c16
// CHECK:             vector.store
// CHECK:         scf.for %{{.+}} = %c32 to %c34 step
// CHECK:           math.exp
// CHECK:           vector.store
func.func @short_rest(%x: tensor<?x1088xbf16>) -> (tensor<?x1088xbf16>, tensor<?xf32>) {
  %e = math.exp %x : tensor<?x1088xbf16>
  %y = arith.mulf %e, %e : tensor<?x1088xbf16>
  %w = arith.extf %e : tensor<?x1088xbf16> to tensor<?x1088xf32>
  %s = prec.sum %w dim 1 <aten_cpu> : tensor<?x1088xf32> to tensor<?xf32>
  return %y, %s : tensor<?x1088xbf16>, tensor<?xf32>
}

// Results that wait for the sum have a loop behind it.
// CHECK-LABEL: func.func @behind_sum(
// CHECK:         scf.for %{{.+}} = %c0 to %c16
// CHECK-NOT:       vector.store
// CHECK:         vector.extract
// CHECK:         scf.for %{{.+}} = %c0 to %{{.+}} step
// CHECK:           vector.store
func.func @behind_sum(%x: tensor<?x1280xbf16>) -> tensor<?x1280xbf16> {
  %e = math.exp %x : tensor<?x1280xbf16>
  %w = arith.extf %e : tensor<?x1280xbf16> to tensor<?x1280xf32>
  %s = prec.sum %w dim 1 <aten_cpu> : tensor<?x1280xf32> to tensor<?xf32>
  %n = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
       ins(%w, %s : tensor<?x1280xf32>, tensor<?xf32>) outs(%e : tensor<?x1280xbf16>) {
  ^bb0(%a: f32, %b: f32, %o: bf16):
    %d = arith.divf %a, %b : f32
    %r = arith.truncf %d : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x1280xbf16>
  return %n : tensor<?x1280xbf16>
}
