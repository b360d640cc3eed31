// RUN: prec-opt %s -convert-prec-to-llvm | FileCheck %s
// RUN: prec-opt %s -convert-prec-to-nvvm | FileCheck %s
// On the host a signed zero takes as many instructions as in maximumf, and none beside a number that is no zero.
// RUN: prec-opt %s -convert-prec-to-llvm -convert-vector-to-llvm -convert-to-llvm -reconcile-unrealized-casts \
// RUN:   | mlir-translate --mlir-to-llvmir | opt -O3 -S -o %t.ll
// RUN: llc -O3 -mcpu=x86-64-v4 %t.ll -o - | FileCheck %s --check-prefix=ASM

// CHECK-LABEL: func @greater
// CHECK-SAME: (%[[X:.+]]: vector<16xf32>, %[[Y:.+]]: vector<16xf32>)
// CHECK: %[[R:.+]] = llvm.call_intrinsic "llvm.maximumnum"(%[[X]], %[[Y]]) : (vector<16xf32>, vector<16xf32>) -> vector<16xf32>
// CHECK: return %[[R]]
// ASM-LABEL: greater:
// ASM: vpmovd2m
// ASM-NEXT: vblendmps
// ASM-NEXT: vmovaps
// ASM-NEXT: vmaxps
// ASM-NEXT: vcmpunordps
// ASM-NEXT: vmovaps
// ASM-NEXT: retq
func.func @greater(%x: vector<16xf32>, %y: vector<16xf32>) -> vector<16xf32> {
  %0 = arith.maxnumf %x, %y : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: func @lesser
// CHECK: llvm.call_intrinsic "llvm.minimumnum"(%{{.+}}, %{{.+}}) : (f64, f64) -> f64
func.func @lesser(%x: f64, %y: f64) -> f64 {
  %0 = arith.minnumf %x, %y : f64
  return %0 : f64
}

// CHECK-LABEL: func @limit
// CHECK: llvm.call_intrinsic "llvm.minimumnum"
// CHECK: llvm.call_intrinsic "llvm.maximumnum"
// ASM-LABEL: limit:
// ASM: vminps
// ASM: vmaxps
// ASM-NEXT: retq
func.func @limit(%x: vector<16xf32>) -> vector<16xf32> {
  %most = arith.constant dense<90.0> : vector<16xf32>
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %0 = arith.minnumf %x, %most : vector<16xf32>
  %1 = arith.maxnumf %0, %zero : vector<16xf32>
  return %1 : vector<16xf32>
}

// CHECK-LABEL: func @rows
// CHECK-SAME: (%[[X:.+]]: vector<2x4xf32>, %[[Y:.+]]: vector<2x4xf32>)
// CHECK-DAG: %[[FX:.+]] = vector.shape_cast %[[X]] : vector<2x4xf32> to vector<8xf32>
// CHECK-DAG: %[[FY:.+]] = vector.shape_cast %[[Y]] : vector<2x4xf32> to vector<8xf32>
// CHECK: %[[F:.+]] = llvm.call_intrinsic "llvm.maximumnum"(%[[FX]], %[[FY]])
// CHECK: %[[R:.+]] = vector.shape_cast %[[F]] : vector<8xf32> to vector<2x4xf32>
// CHECK: return %[[R]]
func.func @rows(%x: vector<2x4xf32>, %y: vector<2x4xf32>) -> vector<2x4xf32> {
  %0 = arith.maxnumf %x, %y : vector<2x4xf32>
  return %0 : vector<2x4xf32>
}

// The rounding still knows what it rounds: NaNs of bf16 numbers fit.
// CHECK-LABEL: func @rounded
// CHECK: llvm.call_intrinsic "llvm.maximumnum"
// CHECK-NOT: arith.cmpf
// CHECK: return
func.func @rounded(%x: vector<16xbf16>, %y: vector<16xbf16>) -> vector<16xbf16> {
  %0 = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %1 = arith.extf %y : vector<16xbf16> to vector<16xf32>
  %2 = arith.maxnumf %0, %1 : vector<16xf32>
  %3 = prec.round %2 : vector<16xf32> to vector<16xbf16>
  return %3 : vector<16xbf16>
}
