// RUN: prec-opt %s -prec-expand-math=target=gpu -split-input-file | FileCheck %s
// RUN: prec-opt %s -prec-expand-math="target=gpu slow-f64" -split-input-file | FileCheck %s --check-prefix=SLOW

// silu(g) * u * p in f32, rounded to bf16: by approximate instructions, a little below the right product, and times a
// number a little above it. Where both round alike and all is within bounds, that is the result.
// CHECK-LABEL: llvm.func internal @swiglu_again
// CHECK-SAME:  (%[[G:.+]]: vector<4xbf16>, %[[U:.+]]: vector<4xbf16>, %[[P:.+]]: f32, %[[OLD:.+]]: vector<4xbf16>, %[[DIFFERENCES:.+]]: vector<2xi32>) -> vector<4xbf16> attributes {no_inline}
// A pair with a difference is computed with all bits.
// CHECK:         %[[FIRST:.+]] = vector.extract %[[DIFFERENCES]][0]
// CHECK:         %[[WRONG:.+]] = arith.cmpi ne, %[[FIRST]], %{{.+}} : i32
// CHECK:         %[[KEPT:.+]] = vector.extract_strided_slice %[[OLD]] {offsets = [0]
// CHECK:         %[[PAIR:.+]] = scf.if %[[WRONG]] -> (vector<2xbf16>) {
// CHECK:           vector.extract_strided_slice %[[G]] {offsets = [0]
// CHECK:           vector.extract_strided_slice %[[U]] {offsets = [0]
// CHECK:           f64
// CHECK-NOT:       arith.divf
// CHECK:           %[[SCALE:.+]] = vector.broadcast %[[P]] : f32 to vector<2xf32>
// CHECK:           %[[PRODUCT:.+]] = arith.mulf %{{.+}}, %[[SCALE]] : vector<2xf32>
// CHECK:           %[[ROUNDED:.+]] = prec.round %[[PRODUCT]]
// CHECK:           scf.yield %[[ROUNDED]]
// CHECK:         } else {
// CHECK:           scf.yield %[[KEPT]]
// CHECK:         %[[NEW:.+]] = vector.insert_strided_slice %[[PAIR]], %[[OLD]] {offsets = [0]
// CHECK:         vector.extract %[[DIFFERENCES]][1]
// CHECK:         scf.if
// CHECK:           f64
// CHECK:         %[[ALL:.+]] = vector.insert_strided_slice %{{.+}}, %[[NEW]] {offsets = [2]
// CHECK:         llvm.return %[[ALL]]
//
// CHECK-LABEL: func @swiglu
// CHECK-NOT:   f64
// CHECK:       prec.approximate exp2
// CHECK:       %[[SUM:.+]] = math.fma %{{.+}}, %[[MORE:.+]], %[[MORE]] : vector<4xf32>
// CHECK:       %[[R:.+]] = prec.approximate reciprocal %[[SUM]]
// CHECK:       %[[SILU:.+]] = arith.mulf %{{.+}}, %[[R]]
// CHECK:       arith.mulf %[[SILU]]
// CHECK:       %[[BELOW:.+]] = arith.mulf
// CHECK:       %[[LOW:.+]] = prec.round %[[BELOW]]
// CHECK:       %[[ABOVE:.+]] = arith.mulf %[[BELOW]]
// CHECK:       %[[HIGH:.+]] = prec.round %[[ABOVE]]
// CHECK-DAG:   %[[A:.+]] = vector.bitcast %[[LOW]] : vector<4xbf16> to vector<2xi32>
// CHECK-DAG:   %[[B:.+]] = vector.bitcast %[[HIGH]]
// CHECK:       arith.xori %[[A]], %[[B]]
// CHECK:       math.absf %{{.+}} : vector<4xbf16>
// CHECK:       arith.maximumf %{{.+}} : vector<2xbf16>
// CHECK:       arith.maximumf %{{.+}} : f32
// CHECK:       arith.cmpf ugt
// CHECK:       arith.maximumf %{{.+}} : vector<2xbf16>
// CHECK:       arith.cmpf ugt
// CHECK:       math.absf %{{.+}} : f32
// CHECK:       arith.cmpf ugt
// CHECK:       math.absf %[[LOW]]
// CHECK:       arith.minimumf %{{.+}} : vector<2xbf16>
// CHECK:       arith.cmpf ult
// CHECK:       vector.reduction <or>
// CHECK:       %[[RESULT:.+]] = scf.if %{{.+}} -> (vector<4xbf16>) {
// CHECK:         %[[AGAIN:.+]] = llvm.call @swiglu_again(
// CHECK:         scf.yield %[[AGAIN]]
// CHECK:       } else {
// CHECK:         scf.yield %[[LOW]]
// CHECK:       return %[[RESULT]]
//
// Without f64 as well.
// SLOW-LABEL: llvm.func internal @swiglu_again
// SLOW-NOT:   f64
// SLOW:       arith.divf
// SLOW-LABEL: func @swiglu
// SLOW-NOT:   f64
// SLOW:       llvm.call @swiglu_again
func.func @swiglu(%g: vector<4xbf16>, %u: vector<4xbf16>, %p: f32) -> vector<4xbf16> {
  %one = arith.constant dense<1.0> : vector<4xf32>
  %0 = arith.extf %g : vector<4xbf16> to vector<4xf32>
  %1 = arith.negf %0 : vector<4xf32>
  %2 = math.exp %1 : vector<4xf32>
  %3 = arith.addf %2, %one : vector<4xf32>
  %4 = arith.divf %0, %3 : vector<4xf32>
  %5 = arith.extf %u : vector<4xbf16> to vector<4xf32>
  %6 = arith.mulf %4, %5 : vector<4xf32>
  %7 = vector.broadcast %p : f32 to vector<4xf32>
  %8 = arith.mulf %6, %7 : vector<4xf32>
  %9 = prec.round %8 : vector<4xf32> to vector<4xbf16>
  return %9 : vector<4xbf16>
}

// -----

// Factors of f32, one a constant. An exponential alone is moved below the right one by a product.
// CHECK-LABEL: llvm.func internal @f32_factor_again(%{{.+}}: vector<8xbf16>, %{{.+}}: vector<8xf32>, %{{.+}}: vector<8xbf16>, %{{.+}}: vector<4xi32>)
// CHECK-LABEL: func @f32_factor
// CHECK-SAME:  (%{{.+}}, %[[Y:.+]]: vector<8xf32>)
// CHECK:       %[[E:.+]] = prec.approximate exp2
// CHECK:       %[[LESS:.+]] = arith.mulf %[[E]], %{{.+}} : vector<8xf32>
// CHECK:       %[[BY_Y:.+]] = arith.mulf %[[Y]], %[[LESS]] : vector<8xf32>
// CHECK:       arith.mulf %[[BY_Y]], %{{.+}} : vector<8xf32>
// CHECK:       %[[MAGNITUDE:.+]] = math.absf %[[Y]] : vector<8xf32>
// CHECK:       arith.maximumf %{{.+}} : vector<2xf32>
// CHECK:       llvm.call @f32_factor_again
func.func @f32_factor(%x: vector<8xbf16>, %y: vector<8xf32>) -> vector<8xbf16> {
  %half = arith.constant dense<0.5> : vector<8xf32>
  %0 = arith.extf %x : vector<8xbf16> to vector<8xf32>
  %1 = math.exp %0 : vector<8xf32>
  %2 = arith.mulf %y, %1 : vector<8xf32>
  %3 = arith.mulf %2, %half : vector<8xf32>
  %4 = prec.round %3 : vector<8xf32> to vector<8xbf16>
  return %4 : vector<8xbf16>
}

// -----

// Two products in one function have a function each, with all bits.
// CHECK:       llvm.func internal @two_again(
// CHECK:       llvm.func internal @two_again_0(
// CHECK-LABEL: func @two
// CHECK:       llvm.call @two_again(
// CHECK:       llvm.call @two_again_0(
func.func @two(%z: vector<4xbf16>, %w: vector<4xbf16>, %y: vector<4xf32>) -> (vector<4xbf16>, vector<4xbf16>) {
  %0 = arith.extf %z : vector<4xbf16> to vector<4xf32>
  %1 = math.exp %0 : vector<4xf32>
  %2 = arith.mulf %y, %1 : vector<4xf32>
  %3 = prec.round %2 : vector<4xf32> to vector<4xbf16>
  %4 = arith.extf %w : vector<4xbf16> to vector<4xf32>
  %5 = math.exp %4 : vector<4xf32>
  %6 = arith.mulf %y, %5 : vector<4xf32>
  %7 = prec.round %6 : vector<4xf32> to vector<4xbf16>
  return %3, %7 : vector<4xbf16>, vector<4xbf16>
}

// -----

// What has no guard, and all bits instead: one pair or an odd number of elements, f16 on either side, three products, a
// constant out of bounds, another rounding, a value that is used for something else, and bounds that do not hold.
// CHECK-NOT: llvm.func
// CHECK-NOT: scf.if
// CHECK-LABEL: func @pair
func.func @pair(%x: vector<2xbf16>, %y: vector<2xf32>) -> vector<2xbf16> {
  %0 = arith.extf %x : vector<2xbf16> to vector<2xf32>
  %1 = math.exp %0 : vector<2xf32>
  %2 = arith.mulf %y, %1 : vector<2xf32>
  %3 = prec.round %2 : vector<2xf32> to vector<2xbf16>
  return %3 : vector<2xbf16>
}

// CHECK-LABEL: func @odd
func.func @odd(%x: vector<5xbf16>, %y: vector<5xf32>) -> vector<5xbf16> {
  %0 = arith.extf %x : vector<5xbf16> to vector<5xf32>
  %1 = math.exp %0 : vector<5xf32>
  %2 = arith.mulf %y, %1 : vector<5xf32>
  %3 = prec.round %2 : vector<5xf32> to vector<5xbf16>
  return %3 : vector<5xbf16>
}

// CHECK-LABEL: func @from_f16
func.func @from_f16(%x: vector<4xf16>, %y: vector<4xf32>) -> vector<4xbf16> {
  %0 = arith.extf %x : vector<4xf16> to vector<4xf32>
  %1 = math.exp %0 : vector<4xf32>
  %2 = arith.mulf %y, %1 : vector<4xf32>
  %3 = prec.round %2 : vector<4xf32> to vector<4xbf16>
  return %3 : vector<4xbf16>
}

// CHECK-LABEL: func @to_f16
func.func @to_f16(%x: vector<4xbf16>, %y: vector<4xf32>) -> vector<4xf16> {
  %0 = arith.extf %x : vector<4xbf16> to vector<4xf32>
  %1 = math.exp %0 : vector<4xf32>
  %2 = arith.mulf %y, %1 : vector<4xf32>
  %3 = prec.round %2 : vector<4xf32> to vector<4xf16>
  return %3 : vector<4xf16>
}

// CHECK-LABEL: func @three_products
func.func @three_products(%x: vector<4xbf16>, %y: vector<4xf32>, %z: vector<4xf32>, %w: vector<4xf32>) -> vector<4xbf16> {
  %0 = arith.extf %x : vector<4xbf16> to vector<4xf32>
  %1 = math.exp %0 : vector<4xf32>
  %2 = arith.mulf %y, %1 : vector<4xf32>
  %3 = arith.mulf %z, %2 : vector<4xf32>
  %4 = arith.mulf %w, %3 : vector<4xf32>
  %5 = prec.round %4 : vector<4xf32> to vector<4xbf16>
  return %5 : vector<4xbf16>
}

// CHECK-LABEL: func @large_constant
func.func @large_constant(%x: vector<4xbf16>, %y: vector<4xf32>) -> vector<4xbf16> {
  %large = arith.constant dense<0x54000000> : vector<4xf32>
  %0 = arith.extf %x : vector<4xbf16> to vector<4xf32>
  %1 = math.exp %0 : vector<4xf32>
  %2 = arith.mulf %y, %1 : vector<4xf32>
  %3 = arith.mulf %2, %large : vector<4xf32>
  %4 = prec.round %3 : vector<4xf32> to vector<4xbf16>
  return %4 : vector<4xbf16>
}

// CHECK-LABEL: func @upward
func.func @upward(%x: vector<4xbf16>, %y: vector<4xf32>) -> vector<4xbf16> {
  %0 = arith.extf %x : vector<4xbf16> to vector<4xf32>
  %1 = math.exp %0 : vector<4xf32>
  %2 = arith.mulf %y, %1 : vector<4xf32>
  %3 = prec.round %2 upward : vector<4xf32> to vector<4xbf16>
  return %3 : vector<4xbf16>
}

// CHECK-LABEL: func @used
func.func @used(%x: vector<4xbf16>, %y: vector<4xf32>) -> (vector<4xbf16>, vector<4xf32>) {
  %0 = arith.extf %x : vector<4xbf16> to vector<4xf32>
  %1 = math.exp %0 : vector<4xf32>
  %2 = arith.mulf %y, %1 : vector<4xf32>
  %3 = prec.round %2 : vector<4xf32> to vector<4xbf16>
  return %3, %2 : vector<4xbf16>, vector<4xf32>
}

// gelu: 1 + tanh(..) cancels for negative x, where no bound holds.
// CHECK-LABEL: func @gelu
func.func @gelu(%x: vector<4xbf16>, %y: vector<4xf32>) -> vector<4xbf16> {
  %one = arith.constant dense<1.0> : vector<4xf32>
  %0 = arith.extf %x : vector<4xbf16> to vector<4xf32>
  %1 = math.tanh %0 : vector<4xf32>
  %2 = arith.addf %1, %one : vector<4xf32>
  %3 = arith.mulf %0, %2 : vector<4xf32>
  %4 = arith.mulf %y, %3 : vector<4xf32>
  %5 = prec.round %4 : vector<4xf32> to vector<4xbf16>
  return %5 : vector<4xbf16>
}

// Products with what is as large as this might overflow.
// CHECK-LABEL: func @large_results
func.func @large_results(%x: vector<4xbf16>, %y: vector<4xf32>) -> vector<4xbf16> {
  %four = arith.constant dense<4.0> : vector<4xf32>
  %0 = arith.extf %x : vector<4xbf16> to vector<4xf32>
  %1 = arith.mulf %0, %four : vector<4xf32>
  %2 = math.exp %1 : vector<4xf32>
  %3 = arith.mulf %y, %2 : vector<4xf32>
  %4 = prec.round %3 : vector<4xf32> to vector<4xbf16>
  return %4 : vector<4xbf16>
}

// CHECK-LABEL: func @goes_on
func.func @goes_on(%x: vector<4xbf16>, %y: vector<4xf32>) -> vector<4xf32> {
  %0 = arith.extf %x : vector<4xbf16> to vector<4xf32>
  %1 = math.exp %0 : vector<4xf32>
  %2 = arith.mulf %y, %1 : vector<4xf32>
  %3 = prec.round %2 : vector<4xf32> to vector<4xbf16>
  %4 = arith.extf %3 : vector<4xbf16> to vector<4xf32>
  return %4 : vector<4xf32>
}
