// RUN: prec-opt %s -prec-make-rounding-explicit -prec-verify-explicit | FileCheck %s

// Each operation computes in f32 and rounds; a value is widened once.
// CHECK-LABEL: func @chain
// CHECK-SAME: (%[[ARG0:.+]]: bf16, %[[ARG1:.+]]: bf16, %[[ARG2:.+]]: bf16) -> bf16
// CHECK: %[[V0:.+]] = arith.extf %[[ARG2]] : bf16 to f32
// CHECK: %[[V1:.+]] = arith.extf %[[ARG1]] : bf16 to f32
// CHECK: %[[V2:.+]] = arith.extf %[[ARG0]] : bf16 to f32
// CHECK: %[[V3:.+]] = arith.mulf %[[V2]], %[[V1]] : f32
// CHECK: %[[V4:.+]] = prec.round %[[V3]] : f32 to bf16
// CHECK: %[[V5:.+]] = arith.extf %[[V4]] : bf16 to f32
// CHECK: %[[V6:.+]] = arith.addf %[[V5]], %[[V0]] : f32
// CHECK: %[[V7:.+]] = prec.round %[[V6]] : f32 to bf16
// CHECK: %[[V8:.+]] = arith.extf %[[V7]] : bf16 to f32
// CHECK: %[[V9:.+]] = arith.subf %[[V8]], %[[V2]] : f32
// CHECK: %[[V10:.+]] = prec.round %[[V9]] : f32 to bf16
// CHECK: %[[V11:.+]] = arith.extf %[[V10]] : bf16 to f32
// CHECK: %[[V12:.+]] = arith.divf %[[V11]], %[[V2]] : f32
// CHECK: %[[V13:.+]] = prec.round %[[V12]] : f32 to bf16
// CHECK: return %[[V13]] : bf16
func.func @chain(%a: bf16, %b: bf16, %c: bf16) -> bf16 {
  %0 = arith.mulf %a, %b fastmath<contract> : bf16
  %1 = arith.addf %0, %c fastmath<contract> : bf16
  %2 = arith.subf %1, %a : bf16
  %3 = arith.divf %2, %a : bf16
  return %3 : bf16
}

// Flags that would let a later pass drop a rounding are gone, also in f32.
// CHECK-LABEL: func @wide_flags
// CHECK-SAME: (%[[ARG0:.+]]: f32, %[[ARG1:.+]]: f64) -> (f32, f64)
// CHECK: %[[V0:.+]] = arith.addf %[[ARG0]], %[[ARG0]] : f32
// CHECK: %[[V1:.+]] = math.exp %[[ARG1]] : f64
// CHECK: %[[V2:.+]] = prec.round %[[V1]] : f64 to f32
// CHECK: %[[V3:.+]] = arith.extf %[[V0]] : f32 to f64
// CHECK: return %[[V2]], %[[V3]] : f32, f64
func.func @wide_flags(%a: f32, %b: f64) -> (f32, f64) {
  %0 = arith.addf %a, %a fastmath<fast> : f32
  %1 = math.exp %b fastmath<nnan> : f64
  %2 = arith.truncf %1 fastmath<contract> : f64 to f32
  %3 = arith.extf %0 fastmath<contract> : f32 to f64
  return %2, %3 : f32, f64
}

// Exact operations pass their f32 value on; it is rounded only where 16 bits
// are needed.
// CHECK-LABEL: func @exact
// CHECK-SAME: (%[[ARG0:.+]]: bf16, %[[ARG1:.+]]: bf16, %[[ARG2:.+]]: bf16) -> (bf16, bf16, i1)
// CHECK: %[[V0:.+]] = arith.extf %[[ARG2]] : bf16 to f32
// CHECK: %[[V1:.+]] = arith.extf %[[ARG1]] : bf16 to f32
// CHECK: %[[V2:.+]] = arith.extf %[[ARG0]] : bf16 to f32
// CHECK: %[[V3:.+]] = arith.negf %[[V2]] : f32
// CHECK: %[[V4:.+]] = prec.round %[[V3]] : f32 to bf16
// CHECK: %[[V5:.+]] = arith.maximumf %[[V3]], %[[V1]] : f32
// CHECK: %[[V6:.+]] = arith.minimumf %[[V5]], %[[V1]] : f32
// CHECK: %[[V7:.+]] = arith.maxnumf %[[V6]], %[[V0]] : f32
// CHECK: %[[V8:.+]] = arith.minnumf %[[V7]], %[[V0]] : f32
// CHECK: %[[V9:.+]] = arith.remf %[[V8]], %[[V0]] : f32
// CHECK: %[[V10:.+]] = math.absf %[[V9]] : f32
// CHECK: %[[V11:.+]] = math.copysign %[[V10]], %[[V1]] : f32
// CHECK: %[[V12:.+]] = math.floor %[[V11]] : f32
// CHECK: %[[V13:.+]] = math.ceil %[[V12]] : f32
// CHECK: %[[V14:.+]] = math.round %[[V13]] : f32
// CHECK: %[[V15:.+]] = math.roundeven %[[V14]] : f32
// CHECK: %[[V16:.+]] = math.trunc %[[V15]] : f32
// CHECK: %[[V18:.+]] = prec.round %[[V16]] : f32 to bf16
// CHECK: %[[V19:.+]] = arith.cmpf olt, %[[V16]], %[[V2]] : f32
// CHECK: %[[V20:.+]] = arith.select %[[V19]], %[[V18]], %[[ARG1]] : bf16
// CHECK: %[[V21:.+]] = arith.extf %[[V20]] : bf16 to f32
// CHECK: %[[V22:.+]] = arith.addf %[[V21]], %[[V2]] : f32
// CHECK: %[[V23:.+]] = prec.round %[[V22]] : f32 to bf16
// CHECK: return %[[V23]], %[[V4]], %[[V19]] : bf16, bf16, i1
func.func @exact(%a: bf16, %b: bf16, %c: bf16) -> (bf16, bf16, i1) {
  %0 = arith.negf %a : bf16
  %1 = arith.maximumf %0, %b : bf16
  %2 = arith.minimumf %1, %b : bf16
  %3 = arith.maxnumf %2, %c : bf16
  %4 = arith.minnumf %3, %c : bf16
  %5 = arith.remf %4, %c : bf16
  %6 = math.absf %5 : bf16
  %7 = math.copysign %6, %b : bf16
  %8 = math.floor %7 : bf16
  %9 = math.ceil %8 : bf16
  %10 = math.round %9 : bf16
  %11 = math.roundeven %10 : bf16
  %12 = math.trunc %11 : bf16
  %14 = arith.cmpf olt, %12, %a : bf16
  %15 = arith.select %14, %12, %b : bf16
  %16 = arith.addf %15, %a : bf16
  return %16, %0, %14 : bf16, bf16, i1
}

// One rounding from the type that the program names, never two.
// CHECK-LABEL: func @casts
// CHECK-SAME: (%[[ARG0:.+]]: bf16, %[[ARG1:.+]]: f16, %[[ARG2:.+]]: f32, %[[ARG3:.+]]: f64, %[[ARG4:.+]]: f8E4M3FN) -> (f16, bf16, f8E5M2, f64, f16, bf16)
// CHECK: %[[V0:.+]] = arith.extf %[[ARG4]] : f8E4M3FN to f32
// CHECK: %[[V1:.+]] = arith.extf %[[ARG1]] : f16 to f32
// CHECK: %[[V2:.+]] = arith.extf %[[ARG0]] : bf16 to f32
// CHECK: %[[V3:.+]] = prec.round %[[V2]] : f32 to f16
// CHECK: %[[V4:.+]] = prec.round %[[ARG3]] nearest_away : f64 to bf16
// CHECK: %[[V5:.+]] = prec.round %[[V1]] downward : f32 to f8E5M2
// CHECK: %[[V6:.+]] = arith.extf %[[V1]] : f32 to f64
// CHECK: %[[V7:.+]] = prec.round %[[V0]] : f32 to f16
// CHECK: %[[V8:.+]] = prec.round %[[ARG2]] toward_zero : f32 to bf16
// CHECK: return %[[V3]], %[[V4]], %[[V5]], %[[V6]], %[[V7]], %[[V8]] : f16, bf16, f8E5M2, f64, f16, bf16
func.func @casts(%a: bf16, %b: f16, %x: f32, %d: f64, %e: f8E4M3FN) -> (f16, bf16, f8E5M2, f64, f16, bf16) {
  %0 = arith.extf %a : bf16 to f32
  %1 = arith.truncf %0 : f32 to f16
  %2 = arith.truncf %d to_nearest_away : f64 to bf16
  %3 = arith.truncf %b downward : f16 to f8E5M2
  %4 = arith.extf %b : f16 to f64
  %5 = arith.extf %e : f8E4M3FN to f16
  %6 = arith.truncf %x toward_zero : f32 to bf16
  return %1, %2, %3, %4, %5, %6 : f16, bf16, f8E5M2, f64, f16, bf16
}

// The pair that upstream folds away under `contract` stays.
// CHECK-LABEL: func @round_trip
// CHECK-SAME: (%[[ARG0:.+]]: bf16, %[[ARG1:.+]]: f32) -> f32
// CHECK: %[[V0:.+]] = prec.round %[[ARG1]] upward : f32 to bf16
// CHECK: %[[V1:.+]] = arith.extf %[[V0]] : bf16 to f32
// CHECK: return %[[V1]] : f32
func.func @round_trip(%a: bf16, %x: f32) -> f32 {
  %0 = arith.truncf %x upward fastmath<contract> : f32 to bf16
  %1 = arith.extf %0 fastmath<contract> : bf16 to f32
  return %1 : f32
}

// An integer rounds once, from its exact value; beyond 53 bits through a
// sticky last bit.
// CHECK-LABEL: func @integers
// CHECK-SAME: (%[[ARG0:.+]]: i1, %[[ARG1:.+]]: i8, %[[ARG2:.+]]: i16, %[[ARG3:.+]]: i32, %[[ARG4:.+]]: i64, %[[ARG5:.+]]: i60, %[[ARG6:.+]]: bf16, %[[ARG7:.+]]: f16) -> (bf16, f16, bf16, bf16, f16, f16, f8E5M2, i32, i8, i16, bf16, f32)
// CHECK: %[[V0:.+]] = arith.extf %[[ARG7]] : f16 to f32
// CHECK: %[[V1:.+]] = arith.extf %[[ARG6]] : bf16 to f32
// CHECK: %[[V2:.+]] = arith.uitofp %[[ARG0]] : i1 to f32
// CHECK: %[[V3:.+]] = prec.round %[[V2]] : f32 to bf16
// CHECK: %[[V4:.+]] = arith.sitofp %[[ARG1]] : i8 to f32
// CHECK: %[[V5:.+]] = prec.round %[[V4]] : f32 to f16
// CHECK: %[[V6:.+]] = arith.sitofp %[[ARG2]] : i16 to f32
// CHECK: %[[V7:.+]] = prec.round %[[V6]] : f32 to bf16
// CHECK: %[[V8:.+]] = arith.sitofp %[[ARG3]] : i32 to f64
// CHECK: %[[V9:.+]] = prec.round %[[V8]] : f64 to bf16
// CHECK: %[[C9007199254740992_I64:.+]] = arith.constant 9007199254740992 : i64
// CHECK: %[[V10:.+]] = arith.addi %[[ARG4]], %[[C9007199254740992_I64]] : i64
// CHECK: %[[C18014398509481984_I64:.+]] = arith.constant 18014398509481984 : i64
// CHECK: %[[V11:.+]] = arith.cmpi ugt, %[[V10]], %[[C18014398509481984_I64]] : i64
// CHECK: %[[C2047_I64:.+]] = arith.constant 2047 : i64
// CHECK: %[[V12:.+]] = arith.andi %[[ARG4]], %[[C2047_I64]] : i64
// CHECK: %[[C0_I64:.+]] = arith.constant 0 : i64
// CHECK: %[[V13:.+]] = arith.cmpi ne, %[[V12]], %[[C0_I64]] : i64
// CHECK: %[[V14:.+]] = arith.extui %[[V13]] : i1 to i64
// CHECK: %[[C11_I64:.+]] = arith.constant 11 : i64
// CHECK: %[[V15:.+]] = arith.shrsi %[[ARG4]], %[[C11_I64]] : i64
// CHECK: %[[V16:.+]] = arith.ori %[[V15]], %[[V14]] : i64
// CHECK: %[[V17:.+]] = arith.select %[[V11]], %[[V16]], %[[ARG4]] : i64
// CHECK: %[[CST:.+]] = arith.constant 2.048000e+03 : f64
// CHECK: %[[CST_0:.+]] = arith.constant 1.000000e+00 : f64
// CHECK: %[[V18:.+]] = arith.select %[[V11]], %[[CST]], %[[CST_0]] : f64
// CHECK: %[[V19:.+]] = arith.sitofp %[[V17]] : i64 to f64
// CHECK: %[[V20:.+]] = arith.mulf %[[V19]], %[[V18]] : f64
// CHECK: %[[V21:.+]] = prec.round %[[V20]] : f64 to f16
// CHECK: %[[V22:.+]] = arith.extui %[[ARG5]] : i60 to i64
// CHECK: %[[C9007199254740992_I64_1:.+]] = arith.constant 9007199254740992 : i64
// CHECK: %[[V23:.+]] = arith.cmpi ugt, %[[V22]], %[[C9007199254740992_I64_1]] : i64
// CHECK: %[[C2047_I64_2:.+]] = arith.constant 2047 : i64
// CHECK: %[[V24:.+]] = arith.andi %[[V22]], %[[C2047_I64_2]] : i64
// CHECK: %[[C0_I64_3:.+]] = arith.constant 0 : i64
// CHECK: %[[V25:.+]] = arith.cmpi ne, %[[V24]], %[[C0_I64_3]] : i64
// CHECK: %[[V26:.+]] = arith.extui %[[V25]] : i1 to i64
// CHECK: %[[C11_I64_4:.+]] = arith.constant 11 : i64
// CHECK: %[[V27:.+]] = arith.shrui %[[V22]], %[[C11_I64_4]] : i64
// CHECK: %[[V28:.+]] = arith.ori %[[V27]], %[[V26]] : i64
// CHECK: %[[V29:.+]] = arith.select %[[V23]], %[[V28]], %[[V22]] : i64
// CHECK: %[[CST_5:.+]] = arith.constant 2.048000e+03 : f64
// CHECK: %[[CST_6:.+]] = arith.constant 1.000000e+00 : f64
// CHECK: %[[V30:.+]] = arith.select %[[V23]], %[[CST_5]], %[[CST_6]] : f64
// CHECK: %[[V31:.+]] = arith.uitofp %[[V29]] : i64 to f64
// CHECK: %[[V32:.+]] = arith.mulf %[[V31]], %[[V30]] : f64
// CHECK: %[[V33:.+]] = prec.round %[[V32]] : f64 to f16
// CHECK: %[[V34:.+]] = arith.sitofp %[[ARG1]] : i8 to f32
// CHECK: %[[V35:.+]] = prec.round %[[V34]] : f32 to f8E5M2
// CHECK: %[[V36:.+]] = arith.fptosi %[[V1]] : f32 to i32
// CHECK: %[[V37:.+]] = arith.fptoui %[[V0]] : f32 to i8
// CHECK: %[[V38:.+]] = arith.bitcast %[[ARG6]] : bf16 to i16
// CHECK: %[[V39:.+]] = arith.bitcast %[[ARG2]] : i16 to bf16
// CHECK: %[[V40:.+]] = arith.sitofp %[[ARG4]] : i64 to f32
// CHECK: return %[[V3]], %[[V5]], %[[V7]], %[[V9]], %[[V21]], %[[V33]], %[[V35]], %[[V36]], %[[V37]], %[[V38]], %[[V39]], %[[V40]] : bf16, f16, bf16, bf16, f16, f16, f8E5M2, i32, i8, i16, bf16, f32
func.func @integers(%i1: i1, %i8: i8, %i16: i16, %i32: i32, %i64: i64, %i60: i60, %a: bf16, %b: f16)
    -> (bf16, f16, bf16, bf16, f16, f16, f8E5M2, i32, i8, i16, bf16, f32) {
  %0 = arith.uitofp %i1 : i1 to bf16
  %1 = arith.sitofp %i8 : i8 to f16
  %2 = arith.sitofp %i16 : i16 to bf16
  %3 = arith.sitofp %i32 : i32 to bf16
  %4 = arith.sitofp %i64 : i64 to f16
  %5 = arith.uitofp %i60 : i60 to f16
  %6 = arith.sitofp %i8 : i8 to f8E5M2
  %7 = arith.fptosi %a : bf16 to i32
  %8 = arith.fptoui %b : f16 to i8
  %9 = arith.bitcast %a : bf16 to i16
  %10 = arith.bitcast %i16 : i16 to bf16
  %11 = arith.sitofp %i64 : i64 to f32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : bf16, f16, bf16, bf16, f16, f16, f8E5M2, i32, i8, i16, bf16, f32
}

// Constants for a tensor of unknown size are splats of its size.
// CHECK-LABEL: func @dynamic_integers
// CHECK-SAME: (%[[I:.+]]: tensor<?xi64>, %[[V:.+]]: vector<4xi64>)
// CHECK: %[[SIZE:.+]] = tensor.dim %[[I]]
// CHECK: tensor.splat %{{.+}}[%[[SIZE]]] : tensor<?xi64>
// CHECK: arith.select {{.+}} : tensor<?xi1>, tensor<?xi64>
// CHECK: prec.round %{{.+}} : tensor<?xf64> to tensor<?xbf16>
// CHECK: arith.constant dense<2047> : vector<4xi64>
// CHECK: arith.shrui
// CHECK: prec.round %{{.+}} : vector<4xf64> to vector<4xf16>
func.func @dynamic_integers(%i: tensor<?xi64>, %v: vector<4xi64>) -> (tensor<?xbf16>, vector<4xf16>) {
  %0 = arith.sitofp %i : tensor<?xi64> to tensor<?xbf16>
  %1 = arith.uitofp %v : vector<4xi64> to vector<4xf16>
  return %0, %1 : tensor<?xbf16>, vector<4xf16>
}

// Two roundings that the program wrote stay two.
// CHECK-LABEL: func @sticky_rounding
// CHECK-SAME: (%[[ARG0:.+]]: i32) -> bf16
// CHECK: %[[V0:.+]] = arith.sitofp %[[ARG0]] : i32 to f32
// CHECK: %[[V1:.+]] = prec.round %[[V0]] : f32 to bf16
// CHECK: return %[[V1]] : bf16
func.func @sticky_rounding(%i: i32) -> (bf16) {
  %0 = arith.sitofp %i : i32 to f32
  %1 = arith.truncf %0 : f32 to bf16
  return %1 : bf16
}

// CHECK-LABEL: func @functions
// CHECK-SAME: (%[[ARG0:.+]]: f16) -> f16
// CHECK: %[[V0:.+]] = arith.extf %[[ARG0]] : f16 to f32
// CHECK: %[[V1:.+]] = math.exp %[[V0]] {prec.math = #prec.math<libdevice>} : f32
// CHECK: %[[V2:.+]] = prec.round %[[V1]] : f32 to f16
// CHECK: %[[V3:.+]] = arith.extf %[[V2]] : f16 to f32
// CHECK: %[[V4:.+]] = math.tanh %[[V3]] : f32
// CHECK: %[[V5:.+]] = prec.round %[[V4]] : f32 to f16
// CHECK: %[[V6:.+]] = arith.extf %[[V5]] : f16 to f32
// CHECK: %[[V7:.+]] = math.powf %[[V6]], %[[V0]] : f32
// CHECK: %[[V8:.+]] = prec.round %[[V7]] : f32 to f16
// CHECK: %[[V9:.+]] = arith.extf %[[V8]] : f16 to f32
// CHECK: %[[SIN:.+]], %[[COS:.+]] = math.sincos %[[V9]] : f32
// CHECK: %[[V10:.+]] = prec.round %[[SIN]] : f32 to f16
// CHECK: %[[V11:.+]] = arith.extf %[[V10]] : f16 to f32
// CHECK: %[[V12:.+]] = prec.round %[[COS]] : f32 to f16
// CHECK: %[[V13:.+]] = arith.extf %[[V12]] : f16 to f32
// CHECK: %[[V14:.+]] = math.atan2 %[[V11]], %[[V13]] : f32
// CHECK: %[[V15:.+]] = prec.round %[[V14]] : f32 to f16
// CHECK: return %[[V15]] : f16
func.func @functions(%x: f16) -> f16 {
  %0 = math.exp %x {prec.math = #prec.math<libdevice>} : f16
  %1 = math.tanh %0 : f16
  %2 = math.powf %1, %x : f16
  %3, %4 = math.sincos %2 : f16
  %5 = math.atan2 %3, %4 : f16
  return %5 : f16
}

// A 16-bit fma through f32 would round twice: f64, rounded to odd.
// CHECK-LABEL: func @fma
// CHECK-SAME: (%[[ARG0:.+]]: f16, %[[ARG1:.+]]: f16, %[[ARG2:.+]]: f16, %[[ARG3:.+]]: vector<4xbf16>, %[[ARG4:.+]]: f32) -> (f16, vector<4xbf16>, f32)
// CHECK: %[[V0:.+]] = arith.extf %[[ARG3]] : vector<4xbf16> to vector<4xf32>
// CHECK: %[[V1:.+]] = arith.extf %[[ARG2]] : f16 to f32
// CHECK: %[[V2:.+]] = arith.extf %[[ARG1]] : f16 to f32
// CHECK: %[[V3:.+]] = arith.extf %[[ARG0]] : f16 to f32
// CHECK: %[[V4:.+]] = arith.extf %[[V3]] : f32 to f64
// CHECK: %[[V5:.+]] = arith.extf %[[V2]] : f32 to f64
// CHECK: %[[V6:.+]] = arith.extf %[[V1]] : f32 to f64
// CHECK: %[[V7:.+]] = arith.mulf %[[V4]], %[[V5]] : f64
// CHECK: %[[V8:.+]] = arith.addf %[[V7]], %[[V6]] : f64
// CHECK: %[[V9:.+]] = arith.subf %[[V8]], %[[V7]] : f64
// CHECK: %[[V10:.+]] = arith.subf %[[V8]], %[[V9]] : f64
// CHECK: %[[V11:.+]] = arith.subf %[[V7]], %[[V10]] : f64
// CHECK: %[[V12:.+]] = arith.subf %[[V6]], %[[V9]] : f64
// CHECK: %[[V13:.+]] = arith.addf %[[V11]], %[[V12]] : f64
// CHECK: %[[CST:.+]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[V14:.+]] = arith.cmpf one, %[[V13]], %[[CST]] : f64
// CHECK: %[[V15:.+]] = arith.bitcast %[[V8]] : f64 to i64
// CHECK: %[[V16:.+]] = arith.bitcast %[[V13]] : f64 to i64
// CHECK: %[[C1_I64:.+]] = arith.constant 1 : i64
// CHECK: %[[V17:.+]] = arith.andi %[[V15]], %[[C1_I64]] : i64
// CHECK: %[[C0_I64:.+]] = arith.constant 0 : i64
// CHECK: %[[V18:.+]] = arith.cmpi eq, %[[V17]], %[[C0_I64]] : i64
// CHECK: %[[V19:.+]] = arith.andi %[[V14]], %[[V18]] : i1
// CHECK: %[[V20:.+]] = arith.xori %[[V15]], %[[V16]] : i64
// CHECK: %[[C0_I64_0:.+]] = arith.constant 0 : i64
// CHECK: %[[V21:.+]] = arith.cmpi slt, %[[V20]], %[[C0_I64_0]] : i64
// CHECK: %[[C_1_I64:.+]] = arith.constant -1 : i64
// CHECK: %[[C1_I64_1:.+]] = arith.constant 1 : i64
// CHECK: %[[V22:.+]] = arith.select %[[V21]], %[[C_1_I64]], %[[C1_I64_1]] : i64
// CHECK: %[[V23:.+]] = arith.addi %[[V15]], %[[V22]] : i64
// CHECK: %[[V24:.+]] = arith.select %[[V19]], %[[V23]], %[[V15]] : i64
// CHECK: %[[V25:.+]] = arith.bitcast %[[V24]] : i64 to f64
// CHECK: %[[V26:.+]] = prec.round %[[V25]] : f64 to f16
// CHECK: %[[V27:.+]] = arith.extf %[[V0]] : vector<4xf32> to vector<4xf64>
// CHECK: %[[V28:.+]] = arith.extf %[[V0]] : vector<4xf32> to vector<4xf64>
// CHECK: %[[V29:.+]] = arith.extf %[[V0]] : vector<4xf32> to vector<4xf64>
// CHECK: %[[V30:.+]] = arith.mulf %[[V27]], %[[V28]] : vector<4xf64>
// CHECK: %[[V31:.+]] = arith.addf %[[V30]], %[[V29]] : vector<4xf64>
// CHECK: %[[V32:.+]] = arith.subf %[[V31]], %[[V30]] : vector<4xf64>
// CHECK: %[[V33:.+]] = arith.subf %[[V31]], %[[V32]] : vector<4xf64>
// CHECK: %[[V34:.+]] = arith.subf %[[V30]], %[[V33]] : vector<4xf64>
// CHECK: %[[V35:.+]] = arith.subf %[[V29]], %[[V32]] : vector<4xf64>
// CHECK: %[[V36:.+]] = arith.addf %[[V34]], %[[V35]] : vector<4xf64>
// CHECK: %[[CST_2:.+]] = arith.constant dense<0.000000e+00> : vector<4xf64>
// CHECK: %[[V37:.+]] = arith.cmpf one, %[[V36]], %[[CST_2]] : vector<4xf64>
// CHECK: %[[V38:.+]] = arith.bitcast %[[V31]] : vector<4xf64> to vector<4xi64>
// CHECK: %[[V39:.+]] = arith.bitcast %[[V36]] : vector<4xf64> to vector<4xi64>
// CHECK: %[[CST_3:.+]] = arith.constant dense<1> : vector<4xi64>
// CHECK: %[[V40:.+]] = arith.andi %[[V38]], %[[CST_3]] : vector<4xi64>
// CHECK: %[[CST_4:.+]] = arith.constant dense<0> : vector<4xi64>
// CHECK: %[[V41:.+]] = arith.cmpi eq, %[[V40]], %[[CST_4]] : vector<4xi64>
// CHECK: %[[V42:.+]] = arith.andi %[[V37]], %[[V41]] : vector<4xi1>
// CHECK: %[[V43:.+]] = arith.xori %[[V38]], %[[V39]] : vector<4xi64>
// CHECK: %[[CST_5:.+]] = arith.constant dense<0> : vector<4xi64>
// CHECK: %[[V44:.+]] = arith.cmpi slt, %[[V43]], %[[CST_5]] : vector<4xi64>
// CHECK: %[[CST_6:.+]] = arith.constant dense<-1> : vector<4xi64>
// CHECK: %[[CST_7:.+]] = arith.constant dense<1> : vector<4xi64>
// CHECK: %[[V45:.+]] = arith.select %[[V44]], %[[CST_6]], %[[CST_7]] : vector<4xi1>, vector<4xi64>
// CHECK: %[[V46:.+]] = arith.addi %[[V38]], %[[V45]] : vector<4xi64>
// CHECK: %[[V47:.+]] = arith.select %[[V42]], %[[V46]], %[[V38]] : vector<4xi1>, vector<4xi64>
// CHECK: %[[V48:.+]] = arith.bitcast %[[V47]] : vector<4xi64> to vector<4xf64>
// CHECK: %[[V49:.+]] = prec.round %[[V48]] : vector<4xf64> to vector<4xbf16>
// CHECK: %[[V50:.+]] = math.fma %[[ARG4]], %[[ARG4]], %[[ARG4]] : f32
// CHECK: return %[[V26]], %[[V49]], %[[V50]] : f16, vector<4xbf16>, f32
func.func @fma(%a: f16, %b: f16, %c: f16, %v: vector<4xbf16>, %x: f32) -> (f16, vector<4xbf16>, f32) {
  %0 = math.fma %a, %b, %c : f16
  %1 = vector.fma %v, %v, %v : vector<4xbf16>
  %2 = math.fma %x, %x, %x : f32
  return %0, %1, %2 : f16, vector<4xbf16>, f32
}

// Small constant powers are exact in f64.
// CHECK-LABEL: func @powers
// CHECK-SAME: (%[[ARG0:.+]]: bf16, %[[ARG1:.+]]: f16, %[[ARG2:.+]]: f32, %[[ARG3:.+]]: i32) -> (bf16, bf16, bf16, f16, f16, f32, bf16, bf16, f32)
// CHECK: %[[V0:.+]] = arith.extf %[[ARG1]] : f16 to f32
// CHECK: %[[V1:.+]] = arith.extf %[[ARG0]] : bf16 to f32
// CHECK: %[[C1_I32:.+]] = arith.constant 1 : i32
// CHECK: %[[C2_I32:.+]] = arith.constant 2 : i32
// CHECK: %[[C6_I32:.+]] = arith.constant 6 : i32
// CHECK: %[[C5_I32:.+]] = arith.constant 5 : i32
// CHECK: %[[C3_I32:.+]] = arith.constant 3 : i32
// CHECK: %[[C_1_I32:.+]] = arith.constant -1 : i32
// CHECK: %[[V2:.+]] = arith.mulf %[[V1]], %[[V1]] : f32
// CHECK: %[[V3:.+]] = prec.round %[[V2]] : f32 to bf16
// CHECK: %[[V4:.+]] = arith.extf %[[V1]] : f32 to f64
// CHECK: %[[V5:.+]] = arith.mulf %[[V4]], %[[V4]] : f64
// CHECK: %[[V6:.+]] = arith.mulf %[[V5]], %[[V4]] : f64
// CHECK: %[[V7:.+]] = arith.mulf %[[V6]], %[[V4]] : f64
// CHECK: %[[V8:.+]] = arith.mulf %[[V7]], %[[V4]] : f64
// CHECK: %[[V9:.+]] = arith.mulf %[[V8]], %[[V4]] : f64
// CHECK: %[[V10:.+]] = prec.round %[[V9]] : f64 to f32
// CHECK: %[[V11:.+]] = prec.round %[[V10]] : f32 to bf16
// CHECK: %[[V12:.+]] = arith.extf %[[V0]] : f32 to f64
// CHECK: %[[V13:.+]] = arith.mulf %[[V12]], %[[V12]] : f64
// CHECK: %[[V14:.+]] = arith.mulf %[[V13]], %[[V12]] : f64
// CHECK: %[[V15:.+]] = prec.round %[[V14]] : f64 to f32
// CHECK: %[[V16:.+]] = prec.round %[[V15]] : f32 to f16
// CHECK: %[[V17:.+]] = math.fpowi %[[V0]], %[[C5_I32]] : f32, i32
// CHECK: %[[V18:.+]] = prec.round %[[V17]] : f32 to f16
// CHECK: %[[V19:.+]] = arith.mulf %[[ARG2]], %[[ARG2]] : f32
// CHECK: %[[V20:.+]] = math.fpowi %[[V1]], %[[ARG3]] : f32, i32
// CHECK: %[[V21:.+]] = prec.round %[[V20]] : f32 to bf16
// CHECK: %[[V22:.+]] = math.fpowi %[[V1]], %[[C_1_I32]] : f32, i32
// CHECK: %[[V23:.+]] = prec.round %[[V22]] : f32 to bf16
// CHECK: %[[V24:.+]] = math.fpowi %[[ARG2]], %[[C3_I32]] : f32, i32
// CHECK: return %[[ARG0]], %[[V3]], %[[V11]], %[[V16]], %[[V18]], %[[V19]], %[[V21]], %[[V23]], %[[V24]] : bf16, bf16, bf16, f16, f16, f32, bf16, bf16, f32
func.func @powers(%x: bf16, %h: f16, %f: f32, %n: i32) -> (bf16, bf16, bf16, f16, f16, f32, bf16, bf16, f32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c6 = arith.constant 6 : i32
  %c5 = arith.constant 5 : i32
  %c3 = arith.constant 3 : i32
  %cm1 = arith.constant -1 : i32
  %0 = math.fpowi %x, %c1 : bf16, i32
  %1 = math.fpowi %x, %c2 : bf16, i32
  %2 = math.fpowi %x, %c6 : bf16, i32
  %3 = math.fpowi %h, %c3 : f16, i32
  %4 = math.fpowi %h, %c5 : f16, i32
  %5 = math.fpowi %f, %c2 : f32, i32
  %6 = math.fpowi %x, %n : bf16, i32
  %7 = math.fpowi %x, %cm1 : bf16, i32
  %8 = math.fpowi %f, %c3 : f32, i32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : bf16, bf16, bf16, f16, f16, f32, bf16, bf16, f32
}

// Classes are comparisons; a subnormal f16 is a normal f32.
// CHECK-LABEL: func @classify
// CHECK-SAME: (%[[H:.+]]: f16, %[[X:.+]]: f64)
// CHECK: %[[W:.+]] = arith.extf %[[H]] : f16 to f32
// CHECK: %[[A:.+]] = math.absf %[[W]] : f32
// CHECK: %[[INF:.+]] = arith.constant 0x7F800000 : f32
// CHECK: %[[FINITE:.+]] = arith.cmpf olt, %[[A]], %[[INF]] : f32
// CHECK: %[[MIN:.+]] = arith.constant 6.10351563E-5 : f32
// CHECK: %[[LARGE:.+]] = arith.cmpf oge, %{{.+}}, %[[MIN]] : f32
// CHECK: %[[NORMAL:.+]] = arith.andi %[[FINITE]], %[[LARGE]] : i1
// CHECK: %[[NAN:.+]] = arith.cmpf uno, %[[W]], %[[W]] : f32
// CHECK: %[[ISINF:.+]] = arith.cmpf oeq, %{{.+}}, %{{.+}} : f64
// CHECK: return %[[NORMAL]], %[[NAN]], %[[ISINF]]
func.func @classify(%h: f16, %x: f64) -> (i1, i1, i1) {
  %0 = math.isnormal %h : f16
  %1 = math.isnan %h : f16
  %2 = math.isinf %x : f64
  return %0, %1, %2 : i1, i1, i1
}

// Constants are widened where they stand.
// CHECK-LABEL: func @constants
// CHECK-SAME: (%[[ARG0:.+]]: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>)
// CHECK: %[[V0:.+]] = arith.extf %[[ARG0]] : tensor<4xbf16> to tensor<4xf32>
// CHECK: %[[CST:.+]] = arith.constant dense<[1.000000e+00, 2.000000e+00, 0.100097656, 4.000000e+00]> : tensor<4xf32>
// CHECK: %[[CST_0:.+]] = arith.constant dense<3.000000e+00> : tensor<4xbf16>
// CHECK: %[[CST_1:.+]] = arith.constant dense<3.000000e+00> : tensor<4xf32>
// CHECK: %[[V1:.+]] = arith.mulf %[[V0]], %[[CST]] : tensor<4xf32>
// CHECK: %[[V2:.+]] = prec.round %[[V1]] : tensor<4xf32> to tensor<4xbf16>
// CHECK: %[[V3:.+]] = arith.extf %[[V2]] : tensor<4xbf16> to tensor<4xf32>
// CHECK: %[[V4:.+]] = arith.mulf %[[V3]], %[[CST_1]] : tensor<4xf32>
// CHECK: %[[V5:.+]] = prec.round %[[V4]] : tensor<4xf32> to tensor<4xbf16>
// CHECK: return %[[V5]], %[[CST_0]] : tensor<4xbf16>, tensor<4xbf16>
func.func @constants(%t: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>) {
  %0 = arith.constant dense<[1.0, 2.0, 0.1, 4.0]> : tensor<4xbf16>
  %1 = arith.constant dense<3.0> : tensor<4xbf16>
  %2 = arith.mulf %t, %0 : tensor<4xbf16>
  %3 = arith.mulf %2, %1 : tensor<4xbf16>
  return %3, %1 : tensor<4xbf16>, tensor<4xbf16>
}

// CHECK-LABEL: func @dynamic
// CHECK-SAME: (%[[T:.+]]: tensor<?x4xf16>)
// CHECK: %[[W:.+]] = arith.extf %[[T]] : tensor<?x4xf16> to tensor<?x4xf32>
// CHECK: %[[S:.+]] = arith.addf %[[W]], %[[W]] : tensor<?x4xf32>
// CHECK: %[[R:.+]] = prec.round %[[S]] : tensor<?x4xf32> to tensor<?x4xf16>
// CHECK: arith.extf %[[R]] : tensor<?x4xf16> to tensor<?x4xf32>
// CHECK: arith.mulf {{.+}} : tensor<?x4xf64>
// CHECK: prec.round %{{.+}} : tensor<?x4xf64> to tensor<?x4xf16>
func.func @dynamic(%t: tensor<?x4xf16>) -> tensor<?x4xf16> {
  %0 = arith.addf %t, %t : tensor<?x4xf16>
  %1 = math.fma %0, %t, %t : tensor<?x4xf16>
  return %1 : tensor<?x4xf16>
}

// CHECK-LABEL: func @regions
// CHECK-SAME: (%[[ARG0:.+]]: tensor<8xbf16>, %[[ARG1:.+]]: bf16, %[[ARG2:.+]]: i1, %[[ARG3:.+]]: index) -> bf16
// CHECK: %[[V0:.+]] = arith.extf %[[ARG1]] : bf16 to f32
// CHECK: %[[C0:.+]] = arith.constant 0 : index
// CHECK: %[[C1:.+]] = arith.constant 1 : index
// CHECK: %[[V1:.+]] = scf.for %[[ARG4:.+]] = %[[C0]] to %[[ARG3]] step %[[C1]] iter_args(%[[ARG5:.+]] = %[[ARG1]]) -> (bf16) {
// CHECK: %[[V4:.+]] = arith.extf %[[ARG5]] : bf16 to f32
// CHECK: %[[EXTRACTED:.+]] = tensor.extract %[[ARG0]][%[[ARG4]]] : tensor<8xbf16>
// CHECK: %[[V5:.+]] = arith.extf %[[EXTRACTED]] : bf16 to f32
// CHECK: %[[V6:.+]] = arith.addf %[[V4]], %[[V5]] : f32
// CHECK: %[[V7:.+]] = prec.round %[[V6]] : f32 to bf16
// CHECK: scf.yield %[[V7]] : bf16
func.func @regions(%t: tensor<8xbf16>, %init: bf16, %c: i1, %n: index) -> bf16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> bf16 {
    %e = tensor.extract %t[%i] : tensor<8xbf16>
    %s = arith.addf %acc, %e : bf16
    scf.yield %s : bf16
  }
  %1 = scf.if %c -> bf16 {
    %2 = arith.mulf %0, %init : bf16
    scf.yield %2 : bf16
  } else {
    scf.yield %0 : bf16
  }
  return %1 : bf16
}

// A block that stands before the one that defines what it uses.
// CHECK-LABEL: func @block_order
// CHECK-SAME: (%[[ARG0:.+]]: bf16, %[[ARG1:.+]]: i1) -> bf16
// CHECK: %[[V0:.+]] = arith.extf %[[ARG0]] : bf16 to f32
// CHECK: cf.br ^bb2
// CHECK: %[[V1:.+]] = arith.addf %[[V11:.+]], %[[V0]] : f32
// CHECK: %[[V2:.+]] = prec.round %[[V1]] : f32 to bf16
// CHECK: %[[V3:.+]] = arith.extf %[[V2]] : bf16 to f32
// CHECK: %[[V4:.+]] = arith.addf %[[V14:.+]], %[[V3]] : f32
// CHECK: %[[V5:.+]] = prec.round %[[V4]] : f32 to bf16
// CHECK: %[[V6:.+]] = arith.extf %[[V5]] : bf16 to f32
// CHECK: %[[V7:.+]] = arith.addf %[[V17:.+]], %[[V6]] : f32
// CHECK: %[[V8:.+]] = prec.round %[[V7]] : f32 to bf16
// CHECK: return %[[V8]] : bf16
// CHECK: %[[V9:.+]] = arith.mulf %[[V0]], %[[V0]] : f32
// CHECK: %[[V10:.+]] = prec.round %[[V9]] : f32 to bf16
// CHECK: %[[V11]] = arith.extf %[[V10]] : bf16 to f32
// CHECK: %[[V12:.+]] = arith.negf %[[V0]] : f32
// CHECK: %[[V13:.+]] = prec.round %[[V12]] : f32 to bf16
// CHECK: %[[V14]] = arith.extf %[[V13]] : bf16 to f32
// CHECK: %[[V15:.+]] = arith.extf %[[V0]] : f32 to f64
// CHECK: %[[V16:.+]] = prec.round %[[V15]] : f64 to bf16
// CHECK: %[[V17]] = arith.extf %[[V16]] : bf16 to f32
// CHECK: cf.br ^bb1
func.func @block_order(%a: bf16, %c: i1) -> bf16 {
  cf.br ^def
^use:
  %1 = arith.addf %0, %a : bf16
  %n = arith.addf %neg, %1 : bf16
  %t2 = arith.addf %t, %n : bf16
  return %t2 : bf16
^def:
  %0 = arith.mulf %a, %a : bf16
  %neg = arith.negf %a : bf16
  %e = arith.extf %a : bf16 to f64
  %t = arith.truncf %e : f64 to bf16
  cf.br ^use
}

module @nested {
  func.func private @declared(bf16) -> bf16
  func.func @inner(%a: bf16) -> bf16 {
    %0 = func.call @declared(%a) : (bf16) -> bf16
    %1 = prec.observe %0 "point" : bf16
    %2 = arith.addf %1, %1 : bf16
    return %2 : bf16
  }
}
