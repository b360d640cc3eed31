// RUN: prec-opt %s -prec-expand-math=tables -split-input-file | FileCheck %s

// silu of a bf16 number: clamped as a word, the table's power for the low five bits of k, the others in the exponent, 1 - r,
// and the rounding by half of the last place. The sign is that of the number.
// CHECK-LABEL: func @silu
// CHECK-SAME: (%[[X:.+]]: vector<16xbf16>)
// CHECK: %[[WIDE:.+]] = arith.extf %[[X]]
// CHECK: %[[UP:.+]] = arith.addf %[[WIDE]], %[[TWICE:.+]] :
// CHECK: %[[NUMERATOR:.+]] = arith.subf %[[UP]], %[[TWICE]]
// CHECK: %[[WORD:.+]] = arith.bitcast %[[WIDE]]
// CHECK: %[[LESS:.+]] = arith.minsi %[[WORD]]
// CHECK: %[[WITHIN:.+]] = arith.minui %[[LESS]]
// CHECK: %[[C:.+]] = arith.bitcast %[[WITHIN]]
// CHECK: %[[SHIFTED:.+]] = math.fma %[[C]]
// CHECK: %[[K:.+]] = arith.subf %[[SHIFTED]]
// CHECK: %[[PLACE:.+]] = arith.bitcast %[[SHIFTED]]
// CHECK: %[[POWER:.+]] = prec.lookup %[[PLACE]] in [1065304410, {{.+}}] : vector<16xi32>
// CHECK: arith.divf %[[NUMERATOR]], %{{.+}}
// CHECK: %[[HALF:.+]] = arith.constant dense<32768> : vector<16xi32>
// CHECK: arith.addi %{{.+}}, %[[HALF]]
// CHECK: arith.trunci
// CHECK: arith.andi
// CHECK: arith.ori
// CHECK-NOT: prec.round
// CHECK-NOT: math.exp
func.func @silu(%x: vector<16xbf16>) -> vector<16xbf16> {
  %one = arith.constant dense<1.0> : vector<16xf32>
  %0 = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %1 = arith.negf %0 : vector<16xf32>
  %2 = math.exp %1 : vector<16xf32>
  %3 = arith.addf %2, %one : vector<16xf32>
  %4 = arith.divf %0, %3 : vector<16xf32>
  %5 = prec.round %4 : vector<16xf32> to vector<16xbf16>
  return %5 : vector<16xbf16>
}

// -----

// Of a number times 1/4, rounded: one step, since only subnormal products round. The table's powers are a quarter, too.
// CHECK-LABEL: func @quarter
// CHECK-SAME: (%[[X:.+]]: bf16)
// CHECK: %[[WIDE:.+]] = arith.extf %[[X]]
// CHECK: %[[ONCE:.+]] = math.fma %[[WIDE]], %{{.+}}, %[[STEP:.+]] : f32
// CHECK: %[[MORE:.+]] = arith.addf %[[ONCE]], %[[STEP]]
// CHECK: arith.subf %[[MORE]]
// CHECK: prec.lookup %{{.+}} in [1048527194, {{.+}}] : i32
// CHECK-NOT: prec.round
func.func @quarter(%x: bf16) -> bf16 {
  %one = arith.constant 1.0 : f32
  %quarter = arith.constant 0.25 : f32
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.mulf %quarter, %0 : f32
  %2 = prec.round %1 : f32 to bf16
  %3 = arith.extf %2 : bf16 to f32
  %4 = arith.negf %3 : f32
  %5 = math.exp %4 : f32
  %6 = arith.addf %one, %5 : f32
  %7 = arith.divf %3, %6 : f32
  %8 = prec.round %7 : f32 to bf16
  return %8 : bf16
}

// -----

// f16: with r^2, and the rounding stays.
// CHECK-LABEL: func @half
// CHECK-SAME: (%[[X:.+]]: vector<16xf16>)
// CHECK: %[[WIDE:.+]] = arith.extf %[[X]]
// CHECK: %[[WORD:.+]] = arith.bitcast %[[WIDE]]
// CHECK: %[[LESS:.+]] = arith.minsi %[[WORD]]
// CHECK: arith.minui %[[LESS]]
// CHECK: %[[K:.+]] = arith.subf
// CHECK: %[[R:.+]] = math.fma %[[K]]
// CHECK: %[[LINEAR:.+]] = math.fma %[[R]]
// CHECK: %[[REST:.+]] = math.fma %[[LINEAR]], %[[R]]
// CHECK: prec.lookup %{{.+}} in [1065353216, {{.+}}] : vector<16xi32>
// CHECK: %[[SUM:.+]] = math.fma %{{.+}}, %[[REST]]
// CHECK: %[[Q:.+]] = arith.divf %[[WIDE]], %[[SUM]]
// CHECK: prec.round %[[Q]]
func.func @half(%x: vector<16xf16>) -> vector<16xf16> {
  %one = arith.constant dense<1.0> : vector<16xf32>
  %0 = arith.extf %x : vector<16xf16> to vector<16xf32>
  %1 = arith.negf %0 : vector<16xf32>
  %2 = math.exp %1 : vector<16xf32>
  %3 = arith.addf %2, %one : vector<16xf32>
  %4 = arith.divf %0, %3 : vector<16xf32>
  %5 = prec.round %4 : vector<16xf32> to vector<16xf16>
  return %5 : vector<16xf16>
}

// -----

// The rounded product stays where something else needs it.
// CHECK-LABEL: func @product
// CHECK: %[[T:.+]] = prec.round
// CHECK: prec.lookup
// CHECK: return %[[T]], %{{.+}}
func.func @product(%x: bf16) -> (bf16, bf16) {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.mulf %0, %half : f32
  %2 = prec.round %1 : f32 to bf16
  %3 = arith.extf %2 : bf16 to f32
  %4 = arith.negf %3 : f32
  %5 = math.exp %4 : f32
  %6 = arith.addf %5, %one : f32
  %7 = arith.divf %3, %6 : f32
  %8 = prec.round %7 : f32 to bf16
  return %2, %8 : bf16, bf16
}

// -----

// What is not that: a sigmoid, two formats, a factor that is no power of two (it is of the product), another exponential.
// CHECK-LABEL: func @sigmoid
// CHECK-NOT: prec.lookup
// CHECK: prec.round
func.func @sigmoid(%x: bf16) -> bf16 {
  %one = arith.constant 1.0 : f32
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.negf %0 : f32
  %2 = math.exp %1 : f32
  %3 = arith.addf %2, %one : f32
  %4 = arith.divf %one, %3 : f32
  %5 = prec.round %4 : f32 to bf16
  return %5 : bf16
}
// CHECK-LABEL: func @formats
// CHECK-NOT: prec.lookup
// CHECK: prec.round
func.func @formats(%x: f16) -> bf16 {
  %one = arith.constant 1.0 : f32
  %0 = arith.extf %x : f16 to f32
  %1 = arith.negf %0 : f32
  %2 = math.exp %1 : f32
  %3 = arith.addf %2, %one : f32
  %4 = arith.divf %0, %3 : f32
  %5 = prec.round %4 : f32 to bf16
  return %5 : bf16
}
// CHECK-LABEL: func @third
// CHECK: prec.round
// CHECK: prec.lookup %{{.+}} in [1065304410, {{.+}}]
func.func @third(%x: bf16) -> bf16 {
  %one = arith.constant 1.0 : f32
  %third = arith.constant 0.33 : f32
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.mulf %0, %third : f32
  %2 = prec.round %1 : f32 to bf16
  %3 = arith.extf %2 : bf16 to f32
  %4 = arith.negf %3 : f32
  %5 = math.exp %4 : f32
  %6 = arith.addf %5, %one : f32
  %7 = arith.divf %3, %6 : f32
  %8 = prec.round %7 : f32 to bf16
  return %8 : bf16
}
// CHECK-LABEL: func @libdevice
// CHECK: math.exp
// CHECK-NOT: prec.lookup
func.func @libdevice(%x: bf16) -> bf16 {
  %one = arith.constant 1.0 : f32
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.negf %0 : f32
  %2 = math.exp %1 {prec.math = #prec.math<libdevice>} : f32
  %3 = arith.addf %2, %one : f32
  %4 = arith.divf %0, %3 : f32
  %5 = prec.round %4 : f32 to bf16
  return %5 : bf16
}

// -----

// Nor where the sum, the exponential or the quotient is needed elsewhere: it would be computed twice.
// CHECK-LABEL: func @shared
// CHECK-NOT: prec.lookup
func.func @shared(%x: bf16) -> (bf16, bf16) {
  %one = arith.constant 1.0 : f32
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.negf %0 : f32
  %2 = math.exp %1 : f32
  %3 = arith.addf %2, %one : f32
  %4 = arith.divf %0, %3 : f32
  %5 = prec.round %4 : f32 to bf16
  %6 = arith.divf %one, %3 : f32
  %7 = prec.round %6 : f32 to bf16
  return %5, %7 : bf16, bf16
}

// -----

// Nor other quotients: by no sum, and by a sum without 1.
// CHECK-LABEL: func @quotients
// CHECK-NOT: prec.lookup
// CHECK-COUNT-2: prec.round
func.func @quotients(%x: bf16, %y: f32) -> (bf16, bf16) {
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.divf %0, %y : f32
  %2 = prec.round %1 : f32 to bf16
  %3 = arith.addf %0, %y : f32
  %4 = arith.divf %0, %3 : f32
  %5 = prec.round %4 : f32 to bf16
  return %2, %5 : bf16, bf16
}
