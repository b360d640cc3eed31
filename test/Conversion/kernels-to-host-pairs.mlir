// RUN: prec-opt %s --prec-make-rounding-explicit --prec-canonicalize --cse --prec-form-kernels --cse --prec-schedule-kernels=target=host --convert-kernels-to-host --prec-canonicalize --cse | FileCheck %s
// RUN: prec-opt %s --prec-make-rounding-explicit --prec-canonicalize --cse --prec-form-kernels --cse --prec-schedule-kernels=target=host --convert-kernels-to-host=parallel --prec-canonicalize --cse | FileCheck %s --check-prefix=PARALLEL

// Two short rows in each iteration, the last one twice where there is no other: the sums of the next two, then the
// elements of both, whose loop passes on what the next ones need.
// CHECK-LABEL: func.func @short(
// CHECK-SAME:      %[[ROWS:[a-z0-9]+]]: index)
// CHECK:         %[[LAST:.+]] = arith.subi %[[ROWS]], %c1
// CHECK:         %[[MORE:.+]] = arith.addi %[[ROWS]], %c1
// CHECK:         %[[PAIRS:.+]] = arith.divui %[[MORE]], %c2
// CHECK:         %[[ANY:.+]] = arith.cmpi sgt, %[[PAIRS]], %c0
// CHECK:         %[[START:.+]]:2 = scf.if %[[ANY]] -> (f32, f32) {
// CHECK-COUNT-2:   math.sqrt
// CHECK:         } else {
// CHECK-NEXT:      scf.yield
// CHECK:         %[[FINAL:.+]] = arith.subi %[[PAIRS]], %c1
// CHECK:         scf.for %[[I:.+]] = %c0 to %[[PAIRS]] step %c1 iter_args(%[[R0:.+]] = %[[START]]#0, %[[R1:.+]] = %[[START]]#1) -> (f32, f32) {
// CHECK:           %[[AFTER:.+]] = arith.addi %[[I]], %c1
// CHECK:           %[[AHEAD:.+]] = arith.minsi %[[AFTER]], %[[FINAL]]
// CHECK:           %[[FIRST:.+]] = arith.muli %[[AHEAD]], %c2
// CHECK:           %[[NEXT:.+]] = arith.addi %[[FIRST]], %c1
// CHECK:           arith.minsi %[[NEXT]], %[[LAST]]
// CHECK-COUNT-2:   math.sqrt
// CHECK:           %[[N1:.+]] = arith.divf
// CHECK:           %[[OTHER:.+]] = arith.muli %[[I]], %c2
// CHECK:           %[[BOTH:.+]]:2 = scf.for %[[J:.+]] = %c0 to %c4 step %c1 iter_args(%[[A0:.+]] = %[[R0]], %[[A1:.+]] = %[[R1]]) -> (f32, f32) {
// CHECK-DAG:         vector.broadcast %[[A0]]
// CHECK-DAG:         vector.broadcast %[[A1]]
// CHECK-COUNT-2:     vector.store
// CHECK:             %[[IS_LAST:.+]] = arith.cmpi eq, %[[J]], %c3
// CHECK-NEXT:        %[[P0:.+]] = arith.select %[[IS_LAST]], %{{.+}}, %[[A0]] : f32
// CHECK-NEXT:        %[[P1:.+]] = arith.select %[[IS_LAST]], %[[N1]], %[[A1]] : f32
// CHECK-NEXT:        scf.yield %[[P0]], %[[P1]]
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.yield %[[BOTH]]#0, %[[BOTH]]#1
// CHECK-NEXT:    }

// The same for a range of the pairs: what is ahead are sums of its own, the first ones of its first pair.
// PARALLEL-LABEL: func.func @short(
// PARALLEL-SAME:      %[[ROWS:[a-z0-9]+]]: index)
// PARALLEL:         %[[LAST:.+]] = arith.subi %[[ROWS]], %c1
// PARALLEL:         %[[PAIRS:.+]] = arith.divui
// PARALLEL:         %[[BEGIN:.+]] = call @prec.parallel.begin(%[[PAIRS]])
// PARALLEL-NEXT:    %[[END:.+]] = call @prec.parallel.end(%[[BEGIN]], %[[PAIRS]])
// PARALLEL-NEXT:    %[[COUNT:.+]] = arith.subi %[[END]], %[[BEGIN]]
// PARALLEL-NEXT:    %[[ANY:.+]] = arith.cmpi sgt, %[[COUNT]], %c0
// PARALLEL-NEXT:    %[[START:.+]]:2 = scf.if %[[ANY]] -> (f32, f32) {
// PARALLEL-NEXT:      %[[ROW:.+]] = arith.muli %[[BEGIN]], %c2
// PARALLEL-NEXT:      %[[NEIGHBOUR:.+]] = arith.addi %[[ROW]], %c1
// PARALLEL:           arith.minsi %[[NEIGHBOUR]], %[[LAST]]
// PARALLEL-COUNT-2:   math.sqrt
// PARALLEL:         } else {
// PARALLEL:         %[[FINAL:.+]] = arith.subi %[[COUNT]], %c1
// PARALLEL-NEXT:    scf.for %[[I:.+]] = %c0 to %[[COUNT]] step %c1 iter_args(%{{.+}} = %[[START]]#0, %{{.+}} = %[[START]]#1) -> (f32, f32) {
// PARALLEL-NEXT:      %[[AFTER:.+]] = arith.addi %[[I]], %c1
// PARALLEL-NEXT:      %[[AHEAD:.+]] = arith.minsi %[[AFTER]], %[[FINAL]]
// PARALLEL-NEXT:      arith.addi %[[AHEAD]], %[[BEGIN]]
// PARALLEL-COUNT-2:   math.sqrt
// PARALLEL:           %[[HERE:.+]] = arith.addi %[[I]], %[[BEGIN]]
// PARALLEL-NEXT:      arith.muli %[[HERE]], %c2
// PARALLEL:         call @prec.parallel.done(%[[BEGIN]])
// PARALLEL-NEXT:    return
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
