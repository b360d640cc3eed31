// RUN: prec-opt %s --prec-narrow-floats-to-integers --split-input-file | FileCheck %s

// CHECK-LABEL: llvm.func @moved
// CHECK-NOT: bf16
// CHECK-DAG: llvm.mlir.constant(dense<[16256, -32768]> : vector<2xi16>) : vector<2xi16>
// CHECK-DAG: llvm.mlir.constant(32704 : i16) : i16
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<2xi16>
// CHECK: llvm.getelementptr %{{.*}}[1] : (!llvm.ptr) -> !llvm.ptr, i16
// f16 is computed with, so it stays.
// CHECK: llvm.fpext %{{.*}} : f16 to f32
llvm.func @moved(%p: !llvm.ptr, %c: i1) -> f32 {
  %v = llvm.mlir.constant(dense<[1.0, -0.0]> : vector<2xbf16>) : vector<2xbf16>
  %s = llvm.mlir.constant(0x7FC0 : bf16) : bf16
  %0 = llvm.load %p : !llvm.ptr -> vector<2xbf16>
  %1 = llvm.select %c, %v, %0 : i1, vector<2xbf16>
  llvm.store %1, %p : vector<2xbf16>, !llvm.ptr
  %q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, bf16
  llvm.store %s, %q : bf16, !llvm.ptr
  %h = llvm.load %p : !llvm.ptr -> f16
  %f = llvm.fpext %h : f16 to f32
  llvm.return %f : f32
}

// -----

// CHECK-LABEL: llvm.func @computed
// CHECK: llvm.fpext %{{.*}} : bf16 to f32
llvm.func @computed(%p: !llvm.ptr) -> f32 {
  %h = llvm.load %p : !llvm.ptr -> bf16
  %f = llvm.fpext %h : bf16 to f32
  llvm.return %f : f32
}
