// RUN: prec-opt %s --prec-form-kernels --prec-schedule-kernels=target=host --convert-kernels-to-host=parallel --prec-canonicalize --cse | FileCheck %s

// The outermost loops are marked: that over vectors, and that over what they leave. A range's iterations are counted from 0 on.
// CHECK-LABEL: func.func @flat(
// CHECK-SAME:    memref<?xf32>, %[[N:.*]]: index)
// CHECK:         %[[BEGIN:.*]] = {{.*}}call @prec.parallel.begin(%[[VECTORS:.*]]) : (index) -> index
// CHECK:         %[[END:.*]] = {{.*}}call @prec.parallel.end(%[[BEGIN]], %[[VECTORS]]) : (index, index) -> index
// CHECK:         %[[COUNT:.*]] = arith.subi %[[END]], %[[BEGIN]]
// CHECK:         scf.for %[[I:.*]] = %c0 to %[[COUNT]] step %c1 {
// CHECK-NEXT:      %[[VECTOR:.*]] = arith.addi %[[I]], %[[BEGIN]]
// CHECK-NEXT:      %[[AT:.*]] = arith.muli %[[VECTOR]], %c16
// CHECK:           vector.load %{{.*}}[%[[AT]]]
// CHECK:           vector.store
// CHECK:         }
// CHECK-NEXT:    call @prec.parallel.done(%[[BEGIN]]) : (index) -> ()
// CHECK:         %[[REST:.*]] = call @prec.parallel.begin
// CHECK:         call @prec.parallel.end
// CHECK:         scf.for
// CHECK:           memref.store
// CHECK:         call @prec.parallel.done(%[[REST]])
func.func @flat(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Only outermost ones.
// CHECK-LABEL: func.func @rows(
// CHECK-COUNT-1: call @prec.parallel.begin
// CHECK-NOT:     call @prec.parallel.begin
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-NOT:     call @prec.parallel.begin
// CHECK:         return
func.func @rows(%x: tensor<?x2560xf32>) -> tensor<?x2560xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x2560xf32>
  %s = prec.sum %x dim 1 <lanes<16>> : tensor<?x2560xf32> to tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?x2560xf32>
  %b = linalg.broadcast ins(%s : tensor<?xf32>) outs(%e : tensor<?x2560xf32>) dimensions = [1]
  %0 = arith.divf %x, %b : tensor<?x2560xf32>
  return %0 : tensor<?x2560xf32>
}
