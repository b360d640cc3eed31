// RUN: prec-opt %s --prec-make-rounding-explicit --prec-canonicalize --cse --prec-form-kernels --cse --prec-schedule-kernels=target=host --convert-kernels-to-host --prec-canonicalize --cse | FileCheck %s

// Two halves of a row, of which each needs the same of both arguments: one loop over half of the row, in which each
// argument is loaded, fetched ahead and rounded once.
// CHECK-LABEL: func.func @halves(
// CHECK:         scf.for
// CHECK:           scf.for %[[I:.+]] = %c0 to %{{.+}} step %c1 {
// CHECK-NOT:         scf.if
// CHECK:             vector.load %arg0
// CHECK:             vector.load %arg1
// CHECK:             %[[S:.+]] = arith.addf
// CHECK:             %[[R:.+]] = prec.round %[[S]]
// CHECK-NOT:         vector.load
// CHECK:             memref.prefetch %arg0
// CHECK-NEXT:        memref.prefetch %arg1
// CHECK-NEXT:        vector.store %{{.+}}, %arg2
// CHECK-NEXT:        vector.store %{{.+}}, %arg2
// CHECK-NEXT:      }
func.func @halves(%x: tensor<?x2816xbf16>, %y: tensor<?x2816xbf16>) -> tensor<?x5632xbf16> {
  %s = arith.addf %x, %y : tensor<?x2816xbf16>
  %a = arith.mulf %s, %x : tensor<?x2816xbf16>
  %b = arith.mulf %s, %y : tensor<?x2816xbf16>
  %r = tensor.concat dim(1) %a, %b : (tensor<?x2816xbf16>, tensor<?x2816xbf16>) -> tensor<?x5632xbf16>
  return %r : tensor<?x5632xbf16>
}
