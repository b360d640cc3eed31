// RUN: prec-opt %s "-convert-prec-to-llvm=lanes=16 vnni" -split-input-file | FileCheck %s

// 0x7fff and the last bit that is kept are added at once, as two products with 1. A NaN needs no test where it
// comes from bf16.
// CHECK-LABEL: func @product
// CHECK: %[[PRODUCT:.+]] = arith.mulf
// CHECK: %[[BITS:.+]] = arith.bitcast %[[PRODUCT]] : vector<16xf32> to vector<16xi32>
// CHECK: %[[MASK:.+]] = arith.constant dense<65536> : vector<16xi32>
// CHECK: %[[LAST:.+]] = arith.andi %[[BITS]], %[[MASK]]
// CHECK: %[[HALF:.+]] = arith.constant dense<32767> : vector<16xi32>
// CHECK: %[[BOTH:.+]] = arith.ori %[[LAST]], %[[HALF]]
// CHECK: %[[TERMS:.+]] = vector.bitcast %[[BOTH]] : vector<16xi32> to vector<32xi16>
// CHECK: %[[ONES:.+]] = arith.constant dense<1> : vector<32xi16>
// CHECK: %[[SUM:.+]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.512"(%[[BITS]], %[[TERMS]], %[[ONES]])
// CHECK-NOT: cmpf
// CHECK: arith.shrui %[[SUM]]
func.func @product(%x: vector<16xbf16>, %y: vector<16xbf16>) -> vector<16xbf16> {
  %0 = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %1 = arith.extf %y : vector<16xbf16> to vector<16xf32>
  %2 = arith.mulf %0, %1 : vector<16xf32>
  %3 = prec.round %2 : vector<16xf32> to vector<16xbf16>
  return %3 : vector<16xbf16>
}

// -----

// CHECK-LABEL: func @any
// CHECK: %[[SUM:.+]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.512"
// CHECK: %[[NAN:.+]] = arith.cmpf uno
// CHECK: arith.select %[[NAN]], %{{.+}}, %[[SUM]]
func.func @any(%x: vector<16xf32>) -> vector<16xbf16> {
  %0 = prec.round %x : vector<16xf32> to vector<16xbf16>
  return %0 : vector<16xbf16>
}

// -----

// Of a bf16 number times a power of two only subnormal results round. 1.5 * 2^-110 less its magnitude has their step; the
// sign is that of the number. What widens the result has it.
// CHECK-LABEL: func @scaled
// CHECK: %[[W:.+]] = arith.bitcast %{{.+}} : vector<16xi32> to vector<16xf32>
// CHECK: %[[QUARTER:.+]] = arith.constant dense<2.500000e-01>
// CHECK: %[[LARGE32:.+]] = arith.constant dense<146800640> : vector<16xi32>
// CHECK: %[[LARGE:.+]] = arith.bitcast %[[LARGE32]]
// CHECK: %[[BITS32:.+]] = arith.bitcast %[[W]] : vector<16xf32> to vector<16xi32>
// CHECK: %[[WITHOUT:.+]] = arith.andi %[[BITS32]]
// CHECK: %[[MAGNITUDE:.+]] = arith.bitcast %[[WITHOUT]]
// CHECK: %[[MINUS:.+]] = arith.negf %[[MAGNITUDE]]
// CHECK: %[[REST:.+]] = math.fma %[[MINUS]], %[[QUARTER]], %[[LARGE]]
// CHECK: %[[ROUNDED:.+]] = arith.subf %[[LARGE]], %[[REST]]
// CHECK: %[[SIGN:.+]] = arith.andi
// CHECK: %[[BITS:.+]] = arith.ori %{{.+}}, %[[SIGN]]
// CHECK: %[[R:.+]] = arith.bitcast %[[BITS]] : vector<16xi32> to vector<16xf32>
// CHECK: %[[NARROW:.+]] = arith.bitcast %{{.+}} : vector<16xi16> to vector<16xbf16>
// CHECK: return %[[NARROW]], %[[R]]
func.func @scaled(%x: vector<16xbf16>) -> (vector<16xbf16>, vector<16xf32>) {
  %0 = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %quarter = arith.constant dense<0.25> : vector<16xf32>
  %1 = arith.mulf %0, %quarter : vector<16xf32>
  %2 = prec.round %1 : vector<16xf32> to vector<16xbf16>
  %3 = arith.extf %2 : vector<16xbf16> to vector<16xf32>
  return %2, %3 : vector<16xbf16>, vector<16xf32>
}

// -----

// f16 where the processor does not convert it: by integers.
// CHECK-LABEL: func @scaled_f16
// CHECK-NOT: math.fma
func.func @scaled_f16(%x: vector<16xf16>) -> vector<16xf16> {
  %0 = arith.extf %x : vector<16xf16> to vector<16xf32>
  %quarter = arith.constant dense<0.25> : vector<16xf32>
  %1 = arith.mulf %0, %quarter : vector<16xf32>
  %2 = prec.round %1 : vector<16xf32> to vector<16xf16>
  return %2 : vector<16xf16>
}

// -----

// No power of two, one that is too small, and one that makes numbers larger.
// CHECK-LABEL: func @not_scaled
// CHECK-NOT: math.fma
func.func @not_scaled(%x: bf16) -> (bf16, bf16, bf16) {
  %0 = arith.extf %x : bf16 to f32
  %third = arith.constant 0.3 : f32
  %small = arith.constant 7.62939453125e-06 : f32
  %two = arith.constant 2.0 : f32
  %1 = arith.mulf %0, %third : f32
  %2 = prec.round %1 : f32 to bf16
  %3 = arith.mulf %0, %small : f32
  %4 = prec.round %3 : f32 to bf16
  %5 = arith.mulf %0, %two : f32
  %6 = prec.round %5 : f32 to bf16
  return %2, %4, %6 : bf16, bf16, bf16
}

// -----

// Other lengths, modes and formats.
// CHECK-LABEL: func @others
// CHECK-NOT: call_intrinsic
func.func @others(%x: vector<6xf32>, %y: f32, %z: vector<16xf32>) -> (vector<6xbf16>, bf16, vector<16xbf16>, vector<16xf16>) {
  %0 = prec.round %x : vector<6xf32> to vector<6xbf16>
  %1 = prec.round %y : f32 to bf16
  %2 = prec.round %z toward_zero : vector<16xf32> to vector<16xbf16>
  %3 = prec.round %z : vector<16xf32> to vector<16xf16>
  return %0, %1, %2, %3 : vector<6xbf16>, bf16, vector<16xbf16>, vector<16xf16>
}
