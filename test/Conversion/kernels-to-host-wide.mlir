// RUN: prec-opt %s --prec-form-kernels "--prec-schedule-kernels=target=host lanes=16" --convert-kernels-to-host --prec-canonicalize --cse | FileCheck %s

// Two registers of f32 are one of bf16, and two of those go side by side, each line of memory asked for before. What is left is done by
// one register, then one by one.
// CHECK-LABEL: func.func @double(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?xbf16>
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[AT:.*]] = arith.muli %[[I]], %c64
// CHECK-DAG:       %[[NEXT:.*]] = arith.addi %[[AT]], %c4096
// CHECK-DAG:       %[[LINE:.*]] = arith.addi %[[AT]], %c4128
// CHECK:           vector.load %[[X]][%[[AT]]] : memref<?xbf16>, vector<64xbf16>
// CHECK:           memref.prefetch %[[X]][%[[NEXT]]], read
// CHECK:           memref.prefetch %[[X]][%[[LINE]]], read
// CHECK-NOT:       memref.prefetch
// CHECK:         vector.store
// CHECK:         vector.load %{{.*}} : memref<?xbf16>, vector<16xbf16>
// CHECK:         vector.store
// CHECK:         memref.load
// CHECK:         memref.store
// CHECK-NOT:     memref.store
func.func @double(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = arith.extf %x : tensor<?xbf16> to tensor<?xf32>
  %1 = arith.addf %0, %0 : tensor<?xf32>
  %2 = prec.round %1 : tensor<?xf32> to tensor<?xbf16>
  return %2 : tensor<?xbf16>
}

// CHECK-LABEL: func.func @double_f16(
// CHECK:         vector.load %{{.*}} : memref<?xf16>, vector<64xf16>
// CHECK:         vector.load %{{.*}} : memref<?xf16>, vector<16xf16>
// CHECK-NOT:     vector.load
// CHECK:         memref.store
func.func @double_f16(%x: tensor<?xf16>) -> tensor<?xf16> {
  %0 = arith.extf %x : tensor<?xf16> to tensor<?xf32>
  %1 = arith.addf %0, %0 : tensor<?xf32>
  %2 = prec.round %1 : tensor<?xf32> to tensor<?xf16>
  return %2 : tensor<?xf16>
}

// Short rows: what lies 8 KiB further, 32 rows.
// CHECK-LABEL: func.func @swap(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?xbf16>
// CHECK:         %[[NEXT:.*]] = arith.addi %{{.*}}, %c4096
// CHECK:         memref.prefetch %[[X]][%[[NEXT]]], read
func.func @swap(%x: tensor<?x128xbf16>, %w: tensor<128xbf16>) -> tensor<?x128xbf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x128xbf16>
  %e = tensor.empty(%n) : tensor<?x128xbf16>
  %b = linalg.broadcast ins(%w : tensor<128xbf16>) outs(%e : tensor<?x128xbf16>) dimensions = [0]
  %0 = arith.extf %x : tensor<?x128xbf16> to tensor<?x128xf32>
  %1 = arith.extf %b : tensor<?x128xbf16> to tensor<?x128xf32>
  %2 = arith.mulf %0, %1 : tensor<?x128xf32>
  %3 = prec.round %2 : tensor<?x128xf32> to tensor<?x128xbf16>
  return %3 : tensor<?x128xbf16>
}

// Each term of a short sum is added before the next one is loaded.
// CHECK-LABEL: func.func @sum(
// CHECK:         scf.for
// CHECK:           vector.load
// CHECK-NOT:       arith.addf
// CHECK:           vector.load
// CHECK-NOT:       vector.load
// CHECK:           arith.addf
// CHECK:           vector.load
// CHECK-NOT:       vector.load
// CHECK:           arith.addf
// CHECK:           vector.store
func.func @sum(%x: tensor<?x3x1024xbf16>) -> tensor<?x1024xbf16> {
  %0 = arith.extf %x : tensor<?x3x1024xbf16> to tensor<?x3x1024xf32>
  %1 = prec.sum %0 dim 1 <sequential> : tensor<?x3x1024xf32> to tensor<?x1024xf32>
  %2 = prec.round %1 : tensor<?x1024xf32> to tensor<?x1024xbf16>
  return %2 : tensor<?x1024xbf16>
}
