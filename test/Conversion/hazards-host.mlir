// Roundings survive LLVM's optimiser and code generator on the host, also on a
// processor with its own bf16 conversion, and where flags allowed to drop them.
// RUN: prec-opt %s -prec-make-rounding-explicit -canonicalize -cse -convert-prec-to-llvm=native-f16 -convert-vector-to-llvm -convert-to-llvm -reconcile-unrealized-casts \
// RUN:   | mlir-translate --mlir-to-llvmir | opt -O3 -S -o %t.ll
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.ll --implicit-check-not=" = fptrunc" --implicit-check-not="fmul bfloat"
// RUN: llc -O3 -mcpu=x86-64-v4 -mattr=+avx512bf16 %t.ll -o - | FileCheck %s --check-prefix=ASM --implicit-check-not=vcvtneps2bf16 --implicit-check-not=callq --implicit-check-not=vfmadd
// RUN: llc -O3 -mcpu=x86-64-v3 %t.ll -o - | FileCheck %s --check-prefix=AVX2 --implicit-check-not=callq --implicit-check-not=vfmadd

// The inner rounding of bf16(bf16(x*y) + z) with flags that allow to drop it
// (H1, H4, H5, H13): two magic additions, no fused operation.
// IR-LABEL: define <16 x bfloat> @chain
// IR: fmul <16 x float>
// IR: add <16 x i32> {{.*}}splat (i32 32767)
// IR: fadd <16 x float>
// IR: add <16 x i32> {{.*}}splat (i32 32767)
// ASM-LABEL: chain:
// ASM: vmulps
// ASM: vpsrld $16
// ASM: vpaddd
// ASM: vaddps
// ASM: vpsrld $16
// ASM: vpaddd
// AVX2-LABEL: chain:
// AVX2: vmulps
// AVX2: vaddps
func.func @chain(%x: vector<16xbf16>, %y: vector<16xbf16>, %z: vector<16xbf16>) -> vector<16xbf16> {
  %0 = arith.mulf %x, %y fastmath<contract> : vector<16xbf16>
  %1 = arith.addf %0, %z fastmath<contract> : vector<16xbf16>
  return %1 : vector<16xbf16>
}

// In f16 the conversion is the processor's, and stays between the operations.
// IR-LABEL: define <8 x half> @chain_f16
// IR: fmul <8 x float>
// IR: call <8 x half> @llvm.experimental.constrained.fptrunc
// IR: fpext <8 x half>
// IR: fadd <8 x float>
// IR: call <8 x half> @llvm.experimental.constrained.fptrunc
// ASM-LABEL: chain_f16:
// ASM: vmulps
// ASM-NEXT: vcvtps2ph $4
// ASM: vaddps
// ASM-NEXT: vcvtps2ph $4
// AVX2-LABEL: chain_f16:
// AVX2: vmulps
// AVX2-NEXT: vcvtps2ph $4
// AVX2: vaddps
// AVX2-NEXT: vcvtps2ph $4
func.func @chain_f16(%x: vector<8xf16>, %y: vector<8xf16>, %z: vector<8xf16>) -> vector<8xf16> {
  %0 = arith.mulf %x, %y : vector<8xf16>
  %1 = arith.addf %0, %z : vector<8xf16>
  return %1 : vector<8xf16>
}

// A round trip through bf16 is no identity (H1).
// IR-LABEL: define float @round_trip
// IR: add i32 {{.*}}32767
func.func @round_trip(%x: f32) -> f32 {
  %0 = arith.truncf %x fastmath<contract> : f32 to bf16
  %1 = arith.extf %0 fastmath<contract> : bf16 to f32
  return %1 : f32
}

// Two roundings stay two: i32 to f32 to bf16 (H2), f64 to f32 to bf16 (H15).
// IR-LABEL: define bfloat @from_integer
// IR: sitofp i32 %{{.+}} to float
// IR: add i32 {{.*}}32767
func.func @from_integer(%i: i32) -> bf16 {
  %0 = arith.sitofp %i : i32 to f32
  %1 = arith.truncf %0 : f32 to bf16
  return %1 : bf16
}
// IR-LABEL: define bfloat @from_double
// IR: call float @llvm.experimental.constrained.fptrunc.f32.f64
// IR: add i32 {{.*}}32767
func.func @from_double(%d: f64) -> bf16 {
  %0 = arith.truncf %d : f64 to f32
  %1 = arith.truncf %0 : f32 to bf16
  return %1 : bf16
}

// One rounding stays one: not through f32 (H15, K38).
// IR-LABEL: define bfloat @directly
// IR-NOT: to float
// IR: ret bfloat
func.func @directly(%d: f64) -> bf16 {
  %0 = arith.truncf %d : f64 to bf16
  return %0 : bf16
}

// A sum that cancels keeps its rounding (K04: e = y - ((x + y) - x)).
// IR-LABEL: define bfloat @residual
// IR: fadd float
// IR: add i32 {{.*}}32767
// IR: fsub float
// IR: add i32 {{.*}}32767
// IR: fsub float
// IR: add i32 {{.*}}32767
func.func @residual(%x: bf16, %y: bf16) -> bf16 {
  %0 = arith.addf %x, %y fastmath<fast> : bf16
  %1 = arith.subf %0, %x fastmath<fast> : bf16
  %2 = arith.subf %y, %1 fastmath<fast> : bf16
  return %2 : bf16
}
