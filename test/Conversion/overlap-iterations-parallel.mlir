// RUN: prec-opt %s --prec-make-rounding-explicit --prec-form-kernels --prec-schedule-kernels=target=host --convert-kernels-to-host=parallel --prec-canonicalize --cse --prec-expand-math=target=host --prec-overlap-iterations --prec-canonicalize --cse | FileCheck %s

// The vectors of one thread's range overlap as all of them would: those of a range with one or none as they were, of a
// longer one the first one's chain before the loop and the last one's division behind it, within the range.
// CHECK-LABEL: func.func @silu(
// CHECK:         %[[BEGIN:.+]] = call @prec.parallel.begin
// CHECK-NEXT:    %[[END:.+]] = call @prec.parallel.end(%[[BEGIN]],
// CHECK:         %[[COUNT:.+]] = arith.subi %[[END]], %[[BEGIN]]
// CHECK:         %[[FEW:.+]] = arith.cmpi slt, %[[COUNT]], %c2
// CHECK-NEXT:    scf.if %[[FEW]] {
// CHECK-NEXT:      scf.for %{{.+}} = %c0 to %[[COUNT]] step %c1 {
// CHECK:           arith.divf
// CHECK:         } else {
// CHECK:           %[[FIRST:.+]] = arith.muli %[[BEGIN]], %c32
// CHECK-NOT:       arith.divf %{{.+}} : vector
// CHECK:           %[[LAST:.+]] = arith.subi %[[COUNT]], %c1
// CHECK:           scf.for %{{.+}} = %c0 to %[[LAST]] step %c1 iter_args(
// CHECK:             arith.divf
// CHECK:             scf.yield
// CHECK:           }
// CHECK:           %[[I:.+]] = arith.maxsi %{{.+}}, %c0
// CHECK-NEXT:      arith.addi %[[I]], %[[BEGIN]]
// CHECK:           arith.divf
// CHECK:           vector.store
// CHECK:         }
// CHECK:         call @prec.parallel.done(%[[BEGIN]])
func.func @silu(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = nn.silu %x : tensor<?xbf16>
  return %0 : tensor<?xbf16>
}
