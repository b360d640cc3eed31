// RUN: prec-run %s --function=arithmetic --print | FileCheck %s --check-prefix=ARITH
// RUN: prec-run %s --function=fma --print | FileCheck %s --check-prefix=FMA
// RUN: prec-run %s --function=rounding --print | FileCheck %s --check-prefix=ROUND
// RUN: prec-run %s --function=modes --print | FileCheck %s --check-prefix=MODES
// RUN: prec-run %s --function=eight_bits --print | FileCheck %s --check-prefix=F8
// RUN: prec-run %s --function=special --print | FileCheck %s --check-prefix=SPECIAL
// RUN: prec-run %s --function=integers --print | FileCheck %s --check-prefix=INT
// RUN: prec-run %s --function=bits --print | FileCheck %s --check-prefix=BITS
// The same bits at level R.
// RUN: prec-opt %s --prec-make-rounding-explicit -o %t.mlir
// RUN: prec-run %t.mlir --function=arithmetic --print | FileCheck %s --check-prefix=ARITH
// RUN: prec-run %t.mlir --function=fma --print | FileCheck %s --check-prefix=FMA
// RUN: prec-run %t.mlir --function=rounding --print | FileCheck %s --check-prefix=ROUND
// RUN: prec-run %t.mlir --function=modes --print | FileCheck %s --check-prefix=MODES
// RUN: prec-run %t.mlir --function=eight_bits --print | FileCheck %s --check-prefix=F8
// RUN: prec-run %t.mlir --function=special --print | FileCheck %s --check-prefix=SPECIAL
// RUN: prec-run %t.mlir --function=integers --print | FileCheck %s --check-prefix=INT
// RUN: prec-run %t.mlir --function=bits --print | FileCheck %s --check-prefix=BITS

// Each operation on a 16-bit type rounds its result.
// ARITH: mul_add: BF16[] 0x400c
// ARITH: cancel: BF16[] 0x0000
// ARITH: quotient: BF16[] 0x3eab
// ARITH: overflow: F16[] 0x7c00
// ARITH: subnormal: BF16[] 0x0040
// ARITH: remainder: F16[] 0x3800
func.func @arithmetic() -> (bf16 {prec.name = "mul_add"}, bf16 {prec.name = "cancel"},
    bf16 {prec.name = "quotient"}, f16 {prec.name = "overflow"}, bf16 {prec.name = "subnormal"},
    f16 {prec.name = "remainder"}) {
  // bf16(bf16(1.1015625 * 1.0859375) + 1) = 2.1875; without the inner rounding 2.203125.
  %x = arith.constant 0x3F8D : bf16
  %y = arith.constant 0x3F8B : bf16
  %one = arith.constant 1.0 : bf16
  %0 = arith.mulf %x, %y : bf16
  %mul_add = arith.addf %0, %one : bf16
  // bf16(1.0078125 * 1.0078125) - 1.015625 = 0; as one fma 2^-14.
  %a = arith.constant 0x3F81 : bf16
  %b = arith.constant 0xBF82 : bf16
  %1 = arith.mulf %a, %a : bf16
  %cancel = arith.addf %1, %b : bf16
  // 1 / 3 = 0.33398438
  %three = arith.constant 3.0 : bf16
  %quotient = arith.divf %one, %three : bf16
  // 65504 + 16 is the tie above the largest f16.
  %max = arith.constant 65504.0 : f16
  %sixteen = arith.constant 16.0 : f16
  %overflow = arith.addf %max, %sixteen : f16
  // 2^-126 / 2
  %min = arith.constant 0x0080 : bf16
  %two = arith.constant 2.0 : bf16
  %subnormal = arith.divf %min, %two : bf16
  // 5.5 rem 1.25 = 0.5
  %c = arith.constant 5.5 : f16
  %d = arith.constant 1.25 : f16
  %remainder = arith.remf %c, %d : f16
  return %mul_add, %cancel, %quotient, %overflow, %subnormal, %remainder : bf16, bf16, bf16, f16, bf16, f16
}

// A 16-bit fma is rounded once; through f32 it gives 0x3000 and 0x7902.
// FMA: result0: F16[] 0x3001
// FMA: result1: F16[] 0x7903
// FMA: result2: F32[] 0x33800000
func.func @fma() -> (f16, f16, f32) {
  %a = arith.constant 0x520B : f16
  %b = arith.constant 0x00E9 : f16
  %c = arith.constant 0x2FF6 : f16
  %0 = math.fma %a, %b, %c : f16
  %d = arith.constant 0x5D00 : f16
  %e = arith.constant 0x5802 : f16
  %f = arith.constant 0x0001 : f16
  %1 = math.fma %d, %e, %f : f16
  // 1.000244140625^2 - 1.00048828125 = 2^-24
  %g = arith.constant 0x3F800800 : f32
  %h = arith.constant 0xBF801000 : f32
  %2 = math.fma %g, %g, %h : f32
  return %0, %1, %2 : f16, f16, f32
}

// Rounding f64 to 16 bits is one rounding, subnormals are kept, NaN stays NaN.
// ROUND: result0: BF16[] 0x3f81
// ROUND: result1: F16[] 0x3c01
// ROUND: result2: BF16[6] 0x0040 0x0002 0x0000 0x0001 0x0080 0x3f82
// ROUND: result3: I8[3] 1 1 1
func.func @rounding() -> (bf16, f16, tensor<6xbf16>, tensor<3xi8>) {
  // In f32 these become ties to even below: 0x3f80 and 0x3c00.
  %a = arith.constant 0x3FF010000044B830 : f64
  %0 = arith.truncf %a : f64 to bf16
  %b = arith.constant 0x3FF0020000001000 : f64
  %1 = prec.round %b : f64 to f16
  %c = arith.constant dense<[0x00400000, 0x00018000, 0x00008000, 0x00008001, 0x007F8000, 0x3F828000]> : tensor<6xf32>
  %2 = prec.round %c : tensor<6xf32> to tensor<6xbf16>
  %d = arith.constant dense<[0x7F800001, 0xFF800001, 0x7FFFFFFF]> : tensor<3xf32>
  %e = prec.round %d : tensor<3xf32> to tensor<3xbf16>
  %f = arith.cmpf uno, %e, %e : tensor<3xbf16>
  %3 = arith.extui %f : tensor<3xi1> to tensor<3xi8>
  return %0, %1, %2, %3 : bf16, f16, tensor<6xbf16>, tensor<3xi8>
}

// 1.01171875 is a tie between 0x3f81 and 0x3f82, and its negative.
// MODES: result0: BF16[2] 0x3f82 0xbf82
// MODES: result1: BF16[2] 0x3f81 0xbf81
// MODES: result2: BF16[2] 0x3f82 0xbf81
// MODES: result3: BF16[2] 0x3f81 0xbf82
// MODES: result4: BF16[2] 0x3f83 0xbf83
// MODES: result5: BF16[2] 0x7f80 0x7f7f
func.func @modes() -> (tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>) {
  %x = arith.constant dense<[1.01171875, -1.01171875]> : tensor<2xf32>
  %0 = prec.round %x : tensor<2xf32> to tensor<2xbf16>
  %1 = prec.round %x toward_zero : tensor<2xf32> to tensor<2xbf16>
  %2 = prec.round %x upward : tensor<2xf32> to tensor<2xbf16>
  %3 = arith.truncf %x downward : tensor<2xf32> to tensor<2xbf16>
  // The tie between 0x3f82 and 0x3f83.
  %y = arith.constant dense<[0x3F828000, 0xBF828000]> : tensor<2xf32>
  %4 = prec.round %y nearest_away : tensor<2xf32> to tensor<2xbf16>
  %max = arith.constant 0x7F7FFFFF : f32
  %5 = prec.round %max : f32 to bf16
  %6 = prec.round %max saturate : f32 to bf16
  %7 = tensor.from_elements %5, %6 : tensor<2xbf16>
  return %0, %1, %2, %3, %4, %7 : tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>
}

// 1.0625 is a tie that one ulp of f32 breaks; 464 is the tie above the largest e4m3.
// F8: result0: F8_E4M3[4] 0x39 0x38 0x7e 0x7f
// F8: result1: F8_E4M3[2] 0x7e 0x7e
// F8: result2: F8_E5M2[3] 0x3c 0x3d 0x7c
// F8: result3: F32[2] 0x3f900000 0x43e00000
func.func @eight_bits() -> (tensor<4xf8E4M3FN>, tensor<2xf8E4M3FN>, tensor<3xf8E5M2>, tensor<2xf32>) {
  %x = arith.constant dense<[0x3F880001, 0x3F880000, 0x43E80000, 0x43E84000]> : tensor<4xf32>
  %0 = prec.round %x : tensor<4xf32> to tensor<4xf8E4M3FN>
  %y = arith.constant dense<[464.5, 0x7F800000]> : tensor<2xf32>
  %1 = prec.round %y saturate : tensor<2xf32> to tensor<2xf8E4M3FN>
  %z = arith.constant dense<[1.125, 0x3F900001, 61440.0]> : tensor<3xf32>
  %2 = prec.round %z : tensor<3xf32> to tensor<3xf8E5M2>
  %w = arith.constant dense<[0x39, 0x7E]> : tensor<2xi8>
  %v = arith.bitcast %w : tensor<2xi8> to tensor<2xf8E4M3FN>
  %3 = arith.extf %v : tensor<2xf8E4M3FN> to tensor<2xf32>
  return %0, %1, %2, %3 : tensor<4xf8E4M3FN>, tensor<2xf8E4M3FN>, tensor<3xf8E5M2>, tensor<2xf32>
}

// Zeros, NaN and infinities.
// SPECIAL: minimum: BF16[5] 0x8000 0x8000 0x7fc0 0x7fc0 0xbf80
// SPECIAL: maximum: BF16[5] 0x0000 0x0000 0x7fc0 0x7fc0 0x4000
// SPECIAL: minnum: BF16[5] 0x8000 0x8000 0x3f80 0x3f80 0xbf80
// SPECIAL: maxnum: BF16[5] 0x0000 0x0000 0x3f80 0x3f80 0x4000
// SPECIAL: neg: BF16[5] 0x8000 0x0000 0xffc0 0xbf80 0x3f80
// SPECIAL: abs: BF16[5] 0x0000 0x0000 0x7fc0 0x3f80 0x3f80
// SPECIAL: copysign: BF16[5] 0x8000 0x0000 0x7fc0 0x3f80 0x3f80
func.func @special() -> (tensor<5xbf16> {prec.name = "minimum"}, tensor<5xbf16> {prec.name = "maximum"},
    tensor<5xbf16> {prec.name = "minnum"}, tensor<5xbf16> {prec.name = "maxnum"}, tensor<5xbf16> {prec.name = "neg"},
    tensor<5xbf16> {prec.name = "abs"}, tensor<5xbf16> {prec.name = "copysign"}) {
  %a = arith.constant dense<[0x0000, 0x8000, 0x7FC0, 0x3F80, 0xBF80]> : tensor<5xbf16>
  %b = arith.constant dense<[0x8000, 0x0000, 0x3F80, 0x7FC0, 0x4000]> : tensor<5xbf16>
  %0 = arith.minimumf %a, %b : tensor<5xbf16>
  %1 = arith.maximumf %a, %b : tensor<5xbf16>
  %2 = arith.minnumf %a, %b : tensor<5xbf16>
  %3 = arith.maxnumf %a, %b : tensor<5xbf16>
  %4 = arith.negf %a : tensor<5xbf16>
  %5 = math.absf %a : tensor<5xbf16>
  %6 = math.copysign %a, %b : tensor<5xbf16>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xbf16>
}

// An integer is rounded once: through f32, 16842753 = 2^24 + 2^16 + 1 would lose
// its last bit and become a tie (0x4b80).
// INT: result0: BF16[3] 0x43c2 0x4b81 0xbf80
// INT: result1: F32[2] 0x4f800000 0x3f800000
// INT: result2: I32[5] -2147483648 2147483647 0 -1 2
// INT: result3: I8[4] -1 0 3 0
func.func @integers() -> (tensor<3xbf16>, tensor<2xf32>, tensor<5xi32>, tensor<4xi8>) {
  %i = arith.constant dense<[387, 16842753, -1]> : tensor<3xi32>
  %0 = arith.sitofp %i : tensor<3xi32> to tensor<3xbf16>
  %j = arith.constant dense<[-1, 1]> : tensor<2xi32>
  %1 = arith.uitofp %j : tensor<2xi32> to tensor<2xf32>
  %x = arith.constant dense<[-1.0e10, 1.0e10, 0x7FC00000, -1.75, 2.5]> : tensor<5xf32>
  %2 = arith.fptosi %x : tensor<5xf32> to tensor<5xi32>
  %y = arith.constant dense<[300.0, -5.0, 3.99, 0x7E00]> : tensor<4xf16>
  %3 = arith.fptoui %y : tensor<4xf16> to tensor<4xi8>
  return %0, %1, %2, %3 : tensor<3xbf16>, tensor<2xf32>, tensor<5xi32>, tensor<4xi8>
}

// BITS: result0: I16[2] 16256 -32768
// BITS: result1: BF16[2] 0x3f80 0x8000
// BITS: result2: F32[] 0xc0490fdb
func.func @bits() -> (tensor<2xi16>, tensor<2xbf16>, f32) {
  %x = arith.constant dense<[1.0, -0.0]> : tensor<2xbf16>
  %0 = arith.bitcast %x : tensor<2xbf16> to tensor<2xi16>
  %1 = arith.bitcast %0 : tensor<2xi16> to tensor<2xbf16>
  %i = arith.constant 0xC0490FDB : i32
  %2 = arith.bitcast %i : i32 to f32
  return %0, %1, %2 : tensor<2xi16>, tensor<2xbf16>, f32
}
