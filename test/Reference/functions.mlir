// RUN: prec-run %s --function=f32 --print | FileCheck %s --check-prefix=F32
// RUN: prec-run %s --function=narrow --print | FileCheck %s --check-prefix=NARROW
// RUN: prec-run %s --function=rounded --print | FileCheck %s --check-prefix=ROUNDED
// RUN: prec-run %s --function=ieee --print | FileCheck %s --check-prefix=IEEE
// RUN: prec-run %s --function=classes --print | FileCheck %s --check-prefix=CLASSES
// The same bits at level R.
// RUN: prec-opt %s --prec-make-rounding-explicit -o %t.mlir
// RUN: prec-run %t.mlir --function=f32 --print | FileCheck %s --check-prefix=F32
// RUN: prec-run %t.mlir --function=narrow --print | FileCheck %s --check-prefix=NARROW
// RUN: prec-run %t.mlir --function=rounded --print | FileCheck %s --check-prefix=ROUNDED
// RUN: prec-run %t.mlir --function=ieee --print | FileCheck %s --check-prefix=IEEE
// RUN: prec-run %t.mlir --function=classes --print | FileCheck %s --check-prefix=CLASSES

// Correctly rounded values of functions at 0.5 (of log, at 0.5 too).
// F32: exp: F32[] 0x3fd3094c
// F32: exp2: F32[] 0x3fb504f3
// F32: expm1: F32[] 0x3f261299
// F32: log: F32[] 0xbf317218
// F32: log1p: F32[] 0x3ecf991f
// F32: tanh: F32[] 0x3eec9a9f
// F32: erf: F32[] 0x3f053f7b
// F32: sin: F32[] 0x3ef57744
// F32: cos: F32[] 0x3f60a940
// F32: rsqrt: F32[] 0x3fb504f3
// F32: pow: F32[] 0x3f3504f3
// F32: powi: F32[] 0x3e000000
func.func @f32() -> (f32 {prec.name = "exp"}, f32 {prec.name = "exp2"}, f32 {prec.name = "expm1"}, f32 {prec.name = "log"},
    f32 {prec.name = "log1p"}, f32 {prec.name = "tanh"}, f32 {prec.name = "erf"}, f32 {prec.name = "sin"}, f32 {prec.name = "cos"},
    f32 {prec.name = "rsqrt"}, f32 {prec.name = "pow"}, f32 {prec.name = "powi"}) {
  %x = arith.constant 0.5 : f32
  %3 = arith.constant 3 : i32
  %exp = math.exp %x : f32
  %exp2 = math.exp2 %x : f32
  %expm1 = math.expm1 %x {prec.math = #prec.math<correctly_rounded>} : f32
  %log = math.log %x : f32
  %log1p = math.log1p %x : f32
  %tanh = math.tanh %x : f32
  %erf = math.erf %x : f32
  %sin = math.sin %x : f32
  %cos = math.cos %x : f32
  %rsqrt = math.rsqrt %x : f32
  %pow = math.powf %x, %x : f32
  %powi = math.fpowi %x, %3 : f32, i32
  return %exp, %exp2, %expm1, %log, %log1p, %tanh, %erf, %sin, %cos, %rsqrt, %pow, %powi : f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
}

// A function of a narrow type is the f32 function, rounded. expm1 keeps
// subnormals, and exp2(-149) is the smallest f32.
// NARROW: result0: BF16[] 0x8001
// NARROW: result1: F32[2] 0x00400000 0x00000001
// NARROW: result2: F16[2] 0x3e98 0x1bfd
// NARROW: result3: BF16[] 0x4182
func.func @narrow() -> (bf16, tensor<2xf32>, tensor<2xf16>, bf16) {
  %x = arith.constant 0x8001 : bf16
  %0 = math.expm1 %x : bf16
  %y = arith.constant dense<[-127.0, -149.0]> : tensor<2xf32>
  %1 = math.exp2 %y : tensor<2xf32>
  %z = arith.constant dense<[0.5, -5.547]> : tensor<2xf16>
  %2 = math.exp %z : tensor<2xf16>
  // 2.53125^3 = 16.218, where 2.53125^2 alone would round.
  %w = arith.constant 2.53125 : bf16
  %3 = arith.constant 3 : i64
  %4 = math.fpowi %w, %3 : bf16, i64
  return %0, %1, %2, %4 : bf16, tensor<2xf32>, tensor<2xf16>, bf16
}

// ROUNDED: ceil: BF16[4] 0x4000 0x8000 0x4040 0xc000
// ROUNDED: floor: BF16[4] 0x3f80 0xbf80 0x4000 0xc040
// ROUNDED: trunc: BF16[4] 0x3f80 0x8000 0x4000 0xc000
// ROUNDED: even: BF16[4] 0x4000 0x8000 0x4000 0xc000
// ROUNDED: away: BF16[4] 0x4000 0xbf80 0x4040 0xc040
func.func @rounded() -> (tensor<4xbf16> {prec.name = "ceil"}, tensor<4xbf16> {prec.name = "floor"},
    tensor<4xbf16> {prec.name = "trunc"}, tensor<4xbf16> {prec.name = "even"}, tensor<4xbf16> {prec.name = "away"}) {
  %x = arith.constant dense<[1.5, -0.5, 2.5, -2.5]> : tensor<4xbf16>
  %0 = math.ceil %x : tensor<4xbf16>
  %1 = math.floor %x : tensor<4xbf16>
  %2 = math.trunc %x : tensor<4xbf16>
  %3 = math.roundeven %x : tensor<4xbf16>
  %4 = math.round %x : tensor<4xbf16>
  return %0, %1, %2, %3, %4 : tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>
}

// 5/3 and 9/10 differ from products with the reciprocal; 1/sqrt(6) in two steps
// differs from rsqrt(6); sqrt(x*x) overflows.
// IEEE: result0: F32[2] 0x3fd55555 0x3f666666
// IEEE: result1: F32[] 0x3ed105eb
// IEEE: result2: F32[] 0x3ed105ec
// IEEE: result3: F16[] 0x7c00
// IEEE: result4: F64[] 0x3fe279a74590331d
func.func @ieee() -> (tensor<2xf32>, f32, f32, f16, f64) {
  %a = arith.constant dense<[5.0, 9.0]> : tensor<2xf32>
  %b = arith.constant dense<[3.0, 10.0]> : tensor<2xf32>
  %0 = arith.divf %a, %b : tensor<2xf32>
  %six = arith.constant 6.0 : f32
  %one = arith.constant 1.0 : f32
  %s = math.sqrt %six : f32
  %1 = arith.divf %one, %s : f32
  %2 = math.rsqrt %six : f32
  %x = arith.constant 300.0 : f16
  %xx = arith.mulf %x, %x : f16
  %3 = math.sqrt %xx : f16
  %three = arith.constant 3.0 : f64
  %one64 = arith.constant 1.0 : f64
  %s64 = math.sqrt %three : f64
  %4 = arith.divf %one64, %s64 : f64
  return %0, %1, %2, %3, %4 : tensor<2xf32>, f32, f32, f16, f64
}

// CLASSES: result0: BOOL[4] 0 0 1 0
// CLASSES: result1: BOOL[4] 0 1 0 0
// CLASSES: result2: BOOL[4] 1 0 0 1
// CLASSES: result3: BOOL[4] 1 0 0 0
// CLASSES: result4: BOOL[4] 0 0 1 0
// CLASSES: result5: BOOL[4] 1 1 0 1
func.func @classes() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %x = arith.constant dense<[0x3C00, 0x7C00, 0x7E00, 0x0000]> : tensor<4xf16>
  %0 = math.isnan %x : tensor<4xf16>
  %1 = math.isinf %x : tensor<4xf16>
  %2 = math.isfinite %x : tensor<4xf16>
  %3 = math.isnormal %x : tensor<4xf16>
  %4 = arith.cmpf une, %x, %x : tensor<4xf16>
  %5 = arith.cmpf oge, %x, %x : tensor<4xf16>
  return %0, %1, %2, %3, %4, %5 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}
