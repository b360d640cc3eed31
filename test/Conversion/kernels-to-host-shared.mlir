// RUN: prec-opt %s --prec-make-rounding-explicit --prec-canonicalize --cse --prec-form-kernels --cse "--prec-schedule-kernels=target=host lanes=16" --convert-kernels-to-host=lanes=16 --prec-canonicalize --cse | FileCheck %s

#element = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A short row that waits for a root of a sum of functions of its elements: they are loaded once, each function is computed
// once, in vectors as wide as those of the results, of which the sum takes the halves.
// CHECK-LABEL: func.func @shared(
// CHECK:         scf.for %[[I:.+]] = %c0 to %arg2 step %c1 {
// CHECK:           %[[AT:.+]] = arith.muli %[[I]], %c128
// CHECK:           %[[NEXT:.+]] = arith.addi %[[AT]], %c64
// CHECK:           %[[X0:.+]] = vector.load %arg0[%[[AT]]] : memref<?xbf16>, vector<64xbf16>
// CHECK:           %[[E0:.+]] = math.exp %{{.+}} : vector<64xf32>
// CHECK:           %[[R0:.+]] = prec.round %[[E0]]
// CHECK:           %[[W0:.+]] = arith.extf %[[R0]]
// CHECK:           %[[X1:.+]] = vector.load %arg0[%[[NEXT]]] : memref<?xbf16>, vector<64xbf16>
// CHECK:           %[[E1:.+]] = math.exp %{{.+}} : vector<64xf32>
// CHECK:           %[[R1:.+]] = prec.round %[[E1]]
// CHECK:           %[[W1:.+]] = arith.extf %[[R1]]
// CHECK-NOT:       math.exp
// CHECK-NOT:       vector.load
// CHECK:           %[[FIRST:.+]] = vector.extract_strided_slice %[[W0]] {offsets = [0], sizes = [32]
// CHECK:           %[[SECOND:.+]] = vector.extract_strided_slice %[[W0]] {offsets = [32], sizes = [32]
// CHECK:           %[[SUM:.+]] = arith.addf %[[FIRST]], %[[SECOND]] : vector<32xf32>
// CHECK:           %[[THIRD:.+]] = vector.extract_strided_slice %[[W1]] {offsets = [0], sizes = [32]
// CHECK:           arith.addf %[[SUM]], %[[THIRD]] : vector<32xf32>
// CHECK:           math.sqrt
// CHECK:           arith.divf %[[W0]], %{{.+}} : vector<64xf32>
// CHECK:           vector.store %{{.+}}, %arg1[%[[AT]]] : memref<?xbf16>, vector<64xbf16>
// CHECK-NEXT:      vector.store %{{.+}}, %arg1[%[[NEXT]]] : memref<?xbf16>, vector<64xbf16>
// CHECK-NEXT:    }
func.func @shared(%x: tensor<?x128xbf16>) -> tensor<?x128xbf16> {
  %e = math.exp %x : tensor<?x128xbf16>
  %w = arith.extf %e : tensor<?x128xbf16> to tensor<?x128xf32>
  %s = prec.sum %w dim 1 <aten_cpu> : tensor<?x128xf32> to tensor<?xf32>
  %q = math.sqrt %s : tensor<?xf32>
  %n = linalg.generic {indexing_maps = [#element, #row, #element], iterator_types = ["parallel", "parallel"]}
       ins(%w, %q : tensor<?x128xf32>, tensor<?xf32>) outs(%e : tensor<?x128xbf16>) {
  ^bb0(%a: f32, %b: f32, %o: bf16):
    %d = arith.divf %a, %b : f32
    %r = arith.truncf %d : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x128xbf16>
  return %n : tensor<?x128xbf16>
}

// The results need another function than the sum: two rows at a time, with a loop over the elements.
// CHECK-LABEL: func.func @not_shared(
// CHECK:         arith.minsi
// CHECK-COUNT-4: math.sqrt
// CHECK:         scf.for %{{.+}} = %c0 to %c2 step %c1 iter_args
// CHECK-COUNT-2:   math.tanh
func.func @not_shared(%x: tensor<?x128xbf16>) -> tensor<?x128xbf16> {
  %e = math.exp %x : tensor<?x128xbf16>
  %w = arith.extf %e : tensor<?x128xbf16> to tensor<?x128xf32>
  %s = prec.sum %w dim 1 <aten_cpu> : tensor<?x128xf32> to tensor<?xf32>
  %q = math.sqrt %s : tensor<?xf32>
  %t = math.tanh %x : tensor<?x128xbf16>
  %n = linalg.generic {indexing_maps = [#element, #row, #element], iterator_types = ["parallel", "parallel"]}
       ins(%t, %q : tensor<?x128xbf16>, tensor<?xf32>) outs(%e : tensor<?x128xbf16>) {
  ^bb0(%a: bf16, %b: f32, %o: bf16):
    %c = arith.extf %a : bf16 to f32
    %d = arith.divf %c, %b : f32
    %r = arith.truncf %d : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x128xbf16>
  return %n : tensor<?x128xbf16>
}
