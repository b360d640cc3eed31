// RUN: prec-opt %s --prec-form-kernels "--prec-schedule-kernels=target=host lanes=16" --convert-kernels-to-host --prec-canonicalize --cse | FileCheck %s

// Two registers of f32 are one of bf16. What is left is done by one register, then one by one.
// CHECK-LABEL: func.func @double(
// CHECK:         vector.load %{{.*}} : memref<?xbf16>, vector<32xbf16>
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
// CHECK:         vector.load %{{.*}} : memref<?xf16>, vector<16xf16>
// CHECK-NOT:     vector.load
// CHECK:         memref.store
func.func @double_f16(%x: tensor<?xf16>) -> tensor<?xf16> {
  %0 = arith.extf %x : tensor<?xf16> to tensor<?xf32>
  %1 = arith.addf %0, %0 : tensor<?xf32>
  %2 = prec.round %1 : tensor<?xf32> to tensor<?xf16>
  return %2 : tensor<?xf16>
}
