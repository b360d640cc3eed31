// Roundings survive LLVM's optimiser and the NVPTX code generator, also with
// contraction allowed.
// RUN: prec-opt %s -prec-make-rounding-explicit -canonicalize -cse -convert-prec-to-nvvm=sm=80 -convert-vector-to-llvm -convert-to-llvm -reconcile-unrealized-casts \
// RUN:   | mlir-translate --mlir-to-llvmir | opt -O3 -S -o %t.ll
// RUN: llc -O3 -mtriple=nvptx64-nvidia-cuda -mcpu=sm_80 -fp-contract=fast %t.ll -o - | FileCheck %s --implicit-check-not=mul.bf16 --implicit-check-not=fma.rn.bf16 --implicit-check-not=fma.rn.f16
// RUN: llc -O3 -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 -fp-contract=fast %t.ll -o - | FileCheck %s --implicit-check-not=mul.bf16 --implicit-check-not=fma.rn.bf16 --implicit-check-not=fma.rn.f16
// RUN: llc -O3 -mtriple=nvptx64-nvidia-cuda -mcpu=sm_100 -fp-contract=fast %t.ll -o - | FileCheck %s --implicit-check-not=mul.bf16 --implicit-check-not=fma.rn.bf16 --implicit-check-not=fma.rn.f16

// H4: bf16(bf16(x*y) + z). The words of two elements stay whole: no unpacking
// between the conversion and the widening or the store.
// CHECK-LABEL: chain(
// CHECK: ld{{.*}}.v4.b32
// CHECK: mul{{(.rn)?}}.f32
// CHECK: cvt.rn.bf16x2.f32
// CHECK: shl.b32
// CHECK: add{{(.rn)?}}.f32
// CHECK: cvt.rn.bf16x2.f32
// CHECK-NOT: mov.b32 {
// CHECK: st{{.*}}.v4.b32
// CHECK: ret;
func.func @chain(%x: !llvm.ptr, %r: !llvm.ptr) {
  %a = llvm.load %x {alignment = 16} : !llvm.ptr -> vector<8xbf16>
  %0 = arith.mulf %a, %a fastmath<contract> : vector<8xbf16>
  %1 = arith.addf %0, %a fastmath<contract> : vector<8xbf16>
  llvm.store %1, %r {alignment = 16} : vector<8xbf16>, !llvm.ptr
  return
}

// CHECK-LABEL: chain_f16(
// CHECK: mul{{(.rn)?}}.f32
// CHECK: cvt.rn.f16x2.f32
// CHECK: cvt.f32.f16
// CHECK: add{{(.rn)?}}.f32
// CHECK: cvt.rn.f16x2.f32
// CHECK: ret;
func.func @chain_f16(%x: !llvm.ptr, %r: !llvm.ptr) {
  %a = llvm.load %x {alignment = 4} : !llvm.ptr -> vector<2xf16>
  %0 = arith.mulf %a, %a fastmath<contract> : vector<2xf16>
  %1 = arith.addf %0, %a fastmath<contract> : vector<2xf16>
  llvm.store %1, %r {alignment = 4} : vector<2xf16>, !llvm.ptr
  return
}

// H3: the mode that the program names.
// CHECK-LABEL: toward_zero(
// CHECK: cvt.rz.bf16.f32
func.func @toward_zero(%x: f32, %r: !llvm.ptr) {
  %0 = arith.truncf %x toward_zero : f32 to bf16
  llvm.store %0, %r : bf16, !llvm.ptr
  return
}

// H2, H9: an integer rounds twice where the program says so, once where it does
// not, on every target.
// CHECK-LABEL: twice(
// CHECK: cvt.rn.f32.s32
// CHECK: cvt.rn.bf16.f32
func.func @twice(%i: i32, %r: !llvm.ptr) {
  %0 = arith.sitofp %i : i32 to f32
  %1 = arith.truncf %0 : f32 to bf16
  llvm.store %1, %r : bf16, !llvm.ptr
  return
}
// CHECK-LABEL: once(
// CHECK: cvt.rn.f64.s32
// CHECK-NOT: cvt{{.*}}f32
// CHECK: st.b16
func.func @once(%i: i32, %r: !llvm.ptr) {
  %0 = arith.sitofp %i : i32 to bf16
  llvm.store %0, %r : bf16, !llvm.ptr
  return
}

// H1: a round trip is no identity. H15: f64 to bf16 does not pass through f32.
// CHECK-LABEL: round_trip(
// CHECK: cvt.rn.bf16.f32
// CHECK-LABEL: direct(
// CHECK-NOT: f32
// CHECK: st.b16
func.func @round_trip(%x: f32, %r: !llvm.ptr) {
  %0 = arith.truncf %x fastmath<contract> : f32 to bf16
  %1 = arith.extf %0 fastmath<contract> : bf16 to f32
  llvm.store %1, %r : f32, !llvm.ptr
  return
}
func.func @direct(%d: f64, %r: !llvm.ptr) {
  %0 = arith.truncf %d : f64 to bf16
  llvm.store %0, %r : bf16, !llvm.ptr
  return
}
