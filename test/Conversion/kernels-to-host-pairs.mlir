// RUN: prec-opt %s --prec-make-rounding-explicit --prec-canonicalize --cse --prec-form-kernels --cse --prec-schedule-kernels=target=host --convert-kernels-to-host --prec-canonicalize --cse | FileCheck %s

// Two short rows in each iteration, the last one twice where there is no other: both sums, then the elements of both.
// CHECK-LABEL: func.func @short(
// CHECK-SAME:      %[[ROWS:[a-z0-9]+]]: index)
// CHECK:         %[[LAST:.+]] = arith.subi %[[ROWS]], %c1
// CHECK:         %[[MORE:.+]] = arith.addi %[[ROWS]], %c1
// CHECK:         %[[PAIRS:.+]] = arith.divui %[[MORE]], %c2
// CHECK:         scf.for %[[I:.+]] = %c0 to %[[PAIRS]] step %c1 {
// CHECK:           %[[FIRST:.+]] = arith.muli %[[I]], %c2
// CHECK:           %[[NEXT:.+]] = arith.addi %[[FIRST]], %c1
// CHECK:           %[[SECOND:.+]] = arith.minsi %[[NEXT]], %[[LAST]]
// CHECK-COUNT-2:   math.sqrt
// CHECK:           scf.for %{{.+}} = %c0 to %c4 step %c1 {
// CHECK-COUNT-2:     vector.store
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @short(%x: tensor<?x128xbf16>, %w: tensor<128xbf16>) -> tensor<?x128xbf16> {
  %y = nn.rms_norm %x weight(%w : tensor<128xbf16>) : tensor<?x128xbf16> to tensor<?x128xbf16>
  return %y : tensor<?x128xbf16>
}

// CHECK-LABEL: func.func @long(
// CHECK-NOT:     arith.minsi
// CHECK:         scf.for %{{.+}} = %c0 to %arg3 step %c1 {
// CHECK:         return
func.func @long(%x: tensor<?x2048xbf16>, %w: tensor<2048xbf16>) -> tensor<?x2048xbf16> {
  %y = nn.rms_norm %x weight(%w : tensor<2048xbf16>) : tensor<?x2048xbf16> to tensor<?x2048xbf16>
  return %y : tensor<?x2048xbf16>
}
